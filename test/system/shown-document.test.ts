/**
 * A document shown in the browser: given out once, under a policy that lets a page do nothing. Where there is a Chromium, a hostile page is
 * really opened in it.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { inertPage } from "../../src/onboarding/evidence/documents.js";
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

	test("is read whole, however large", async () => {
		const large = { bytes: new Uint8Array(20 * 1024 * 1024).fill(0x78), contentType: "application/pdf" };
		let asked: Promise<Got> | undefined;
		await showDocument(
			large,
			async (address) => {
				asked = get(address);
				return "opened";
			},
			never,
		);
		const got = await asked;
		expect(got?.body.length).toBe(20 * 1024 * 1024);
		// A browser's own reader of PDF does not run under such a policy.
		expect(got?.headers).not.toHaveProperty("content-security-policy");
	});

	test("is not waited for after Ctrl-C", async () => {
		const stop = new AbortController();
		const shown = showDocument(page("x"), async () => "unknown", stop.signal);
		stop.abort("SIGINT");
		await expect(shown).rejects.toMatchObject({ kind: "interrupted" });
	});
});

const chromium = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

/** A server that counts what reaches it, connections too. */
async function canary(): Promise<{ origin: string; port: number; reached: string[] }> {
	const reached: string[] = [];
	const server = createServer((asked, answer) => {
		reached.push(String(asked.url));
		answer.end();
	});
	server.on("connection", () => reached.push("a connection"));
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { origin: `http://127.0.0.1:${port}`, port, reached };
}

/** Opens the address as a person's browser would. @returns the page as it stands some seconds later */
async function opened(address: string): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", `--user-data-dir=${folder}`];
	return new Promise((resolve) => {
		execFile(chromium as string, [...flags, "--timeout=5000", "--dump-dom", address], { timeout: 120_000 }, (_, stdout) => resolve(stdout));
	});
}

/** Everything by which a page acts without being asked. */
const hostile = (origin: string): string => `<!doctype html><html><head><title>Review</title>
<link rel="preconnect" href="${origin}"><link rel="dns-prefetch" href="${origin}"><link rel="stylesheet" href="${origin}/style.css">
<link rel="prefetch" href="${origin}/prefetch"><link rel="icon" href="${origin}/icon"><link rel="manifest" href="${origin}/manifest">
<meta http-equiv="refresh" content="1;url=${origin}/refresh"><base href="${origin}/base/">
<style>@import url("${origin}/import.css"); body { background: url("${origin}/background"); } @font-face { font-family: f; src: url("${origin}/font"); } p { font-family: f; }</style>
<script src="${origin}/script.js"></script></head><body>
<p id="mark">as it was</p><script>document.getElementById("mark").textContent = "changed"; fetch("${origin}/fetch"); location.href = "${origin}/location"</script>
<img src="${origin}/image" onerror="document.getElementById('mark').textContent='changed'"><svg onload="document.getElementById('mark').textContent='changed'"></svg>
<iframe src="${origin}/frame"></iframe><iframe srcdoc="<script>parent.document.getElementById('mark').textContent='changed'</script>"></iframe>
<object data="${origin}/object"></object><embed src="${origin}/embed"><video src="${origin}/video" autoplay></video><audio src="${origin}/audio" autoplay></audio>
<form action="${origin}/form"><input name="a" value="b" autofocus onfocus="this.form.submit()"></form></body></html>`;

describe.runIf(chromium !== undefined)("a hostile page in a browser", () => {
	test("runs nothing, loads nothing and reaches nobody", async () => {
		const there = await canary();
		let dom: Promise<string> | undefined;
		const shown = await showDocument(
			{ ...page(""), bytes: inertPage(new TextEncoder().encode(hostile(there.origin))) },
			async (address) => {
				dom = opened(address);
				return "opened";
			},
			never,
			200_000,
		);
		expect(shown).toBe("opened");
		expect(await dom).toContain('<p id="mark">as it was</p>');
		expect(there.reached).toEqual([]);
	});

	test("the control: without the policy it does all of it", async () => {
		const there = await canary();
		const server = createServer((_, answer) => {
			answer.writeHead(200, { "content-type": "text/html" }).end(hostile(there.origin).replace("location.href =", "void"));
		});
		await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
		onTestFinished(() => {
			server.closeAllConnections();
			server.close();
		});
		await opened(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
		expect(there.reached).toEqual(expect.arrayContaining(["a connection", "/style.css", "/script.js", "/fetch", "/image", "/frame"]));
	});
});
