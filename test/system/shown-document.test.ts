/**
 * A document shown in the browser: given out once, under a policy that lets a page do nothing.
 */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Opened, ShownDocument } from "../../src/ports/machine.js";
import { show } from "../../src/system/shown-document.js";

const page = (text: string): ShownDocument => ({ bytes: new TextEncoder().encode(text), contentType: "text/html; charset=utf-8" });
const never = new AbortController().signal;

/** Shows it; `open` is given the address to which the page on the disk leads. */
async function showDocument(
	what: Parameters<typeof show>[0],
	open: (address: string) => Promise<Opened>,
	signal: AbortSignal,
	limit?: number,
): Promise<Opened> {
	const home = await mkdtemp(join(tmpdir(), "purser-test-"));
	onTestFinished(() => rm(home, { recursive: true, force: true }));
	const addressIn = async (file: string): Promise<string> => /url=([^"]+)/.exec(await readFile(file, "utf8"))?.[1] ?? "";
	try {
		return await show(what, { open: async (file) => open(await addressIn(file)), home, signal, limit });
	} finally {
		expect(await readdir(home)).toEqual([]);
	}
}

interface Got {
	status?: number;
	headers: Record<string, unknown>;
	body: string;
}

function get(address: string, more: { host?: string; method?: string } = {}): Promise<Got> {
	return new Promise((resolve, reject) => {
		const headers = more.host === undefined ? {} : { host: more.host };
		const asked = request(address, { method: more.method ?? "GET", headers, agent: false }, (answer) => {
			let body = "";
			answer.setEncoding("utf8").on("data", (part: string) => {
				body += part;
			});
			answer.on("end", () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
		});
		asked.on("error", reject).end();
	});
}

describe("a document that is shown", () => {
	test("is given to whoever has its address, with a policy that lets it do nothing, and then no more", async () => {
		let address = "";
		let asked: Promise<Got> | undefined;
		const shown = await showDocument(
			page("<p>Ä review"),
			async (given) => {
				address = given;
				asked = get(given);
				return "opened";
			},
			never,
		);
		const got = await asked;
		expect(shown).toBe("opened");
		expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f-]{36}$/);
		expect(got).toMatchObject({ status: 200, body: "<p>Ä review" });
		expect(got?.headers).toMatchObject({
			"content-type": "text/html; charset=utf-8",
			"content-security-policy":
				"sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
			"cache-control": "no-store",
			"referrer-policy": "no-referrer",
			"x-content-type-options": "nosniff",
		});
		await expect(get(address)).rejects.toMatchObject({ code: "ECONNREFUSED" });
	});

	test("is given at no other path, by no other name, and by no other method", async () => {
		const asked: (number | undefined)[] = [];
		const shown = await showDocument(
			page("secret"),
			async (address) => {
				const { origin, port } = new URL(address);
				for (const got of [
					await get(`${origin}/`),
					await get(`${address}/`),
					await get(address, { host: `evil.example:${port}` }),
					await get(address, { method: "POST" }),
				]) {
					asked.push(got.status);
					expect(got.body).toBe("");
				}
				return "none";
			},
			never,
		);
		expect([shown, asked]).toEqual(["none", [404, 404, 404, 404]]);
	});

	test.each<[string, Opened]>([
		["the system says that it opened something", "opened"],
		["the system does not say", "unknown"],
	])("that no browser reads is not shown, also where %s", async (_, said) => {
		expect(await showDocument(page("x"), async () => said, never, 50)).toBe("unknown");
	});

	test("is not waited for after Ctrl-C", async () => {
		const stop = new AbortController();
		const shown = showDocument(page("x"), async () => "unknown", stop.signal);
		stop.abort("SIGINT");
		await expect(shown).rejects.toMatchObject({ kind: "interrupted" });
	});
});
