import { describe, expect, test } from "vitest";
import { forwardedHeaders, type Hook, hookId, hookName } from "../../src/events/hooks.js";

describe("a hook", () => {
	test("is known by its words, and two of different words are two", () => {
		const forward = (url: string): Hook => ({ kind: "forward", url });
		const exec = (...words: [string, ...string[]]): Hook => ({ kind: "exec", words });
		expect(hookId(forward("http://127.0.0.1:3000/hook"))).toMatch(/^[0-9a-f]{32}$/);
		expect(hookId(forward("http://127.0.0.1:3000/hook"))).toBe(hookId(forward("http://127.0.0.1:3000/hook")));
		const all = [
			forward("http://127.0.0.1:3000/hook"),
			forward("http://127.0.0.1:3000/hook?key=1"),
			exec("http://127.0.0.1:3000/hook"),
			exec("./a", "b c"),
			exec("./a", "b", "c"),
			exec("./a"),
		];
		expect(new Set(all.map(hookId)).size).toBe(all.length);
	});

	test("is shown without what may be a secret", () => {
		expect(hookName({ kind: "forward", url: "https://example.com:8443/hook?token=very-secret#x" })).toBe("https://example.com:8443/hook");
		expect(hookName({ kind: "exec", words: ["./on-payment.sh", "--token", "very-secret"] })).toBe("./on-payment.sh");
	});
});

test("headers are handed on, but for those of the connection and of the request itself", () => {
	expect(
		forwardedHeaders({
			host: "127.0.0.1:4020",
			connection: "keep-alive, X-Hop",
			"keep-alive": "timeout=5",
			"x-hop": "1",
			"content-length": "12",
			"transfer-encoding": "chunked",
			te: "trailers",
			upgrade: "h2c",
			expect: "100-continue",
			"proxy-authorization": "Basic eDp5",
			"svix-id": "msg_1",
			"svix-signature": "v1,abc",
			"content-type": "application/json",
			"user-agent": "Svix-Webhooks/1",
			"x-two": ["a", "b"],
			gone: undefined,
		}),
	).toEqual({
		"svix-id": "msg_1",
		"svix-signature": "v1,abc",
		"content-type": "application/json",
		"user-agent": "Svix-Webhooks/1",
		"x-two": "a, b",
	});
});
