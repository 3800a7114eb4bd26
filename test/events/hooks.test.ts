import { describe, expect, test } from "vitest";
import { type Hook, hookId, hookName } from "../../src/events/hooks.js";

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
