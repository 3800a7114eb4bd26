import { createHash } from "node:crypto";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Served, serve } from "../../src/sandbox/server.js";
import { makeWorld } from "../support/purser.js";
import { ids, makeService, newCorporate, type Service } from "./service.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

interface Here {
	service: Service;
	served: Served;
	port: number;
}

async function open(host?: string): Promise<Here> {
	const service = await makeService();
	const served = await serve(service.sandbox, host === undefined ? {} : { host });
	closing.push(() => served.close());
	return { service, served, port: Number(new URL(served.url).port) };
}

/** Writes bytes to the socket, and reads until the other side ends. `PORT` in them is the server's. */
function raw(port: number, text: string, address = "127.0.0.1"): Promise<string> {
	return new Promise((resolve, reject) => {
		let bytes = "";
		const socket = connect(port, address, () => socket.write(text.replaceAll("PORT", String(port))));
		socket.on("data", (part) => {
			bytes += part.toString("latin1");
		});
		socket.on("end", () => resolve(bytes));
		socket.on("error", reject);
	});
}

const summary = (lines: string, target = "/_sandbox/summary"): string => `GET ${target} HTTP/1.1\r\n${lines}\r\nconnection: close\r\n\r\n`;

const fund = `{"ledgerId":"${ids.main}","amount":1000}`;
const posted = (lines: string, target = "/_sandbox/control/fund", body = fund): string =>
	`POST ${target} HTTP/1.1\r\nhost: localhost:PORT\r\n${lines === "" ? "" : `${lines}\r\n`}content-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;

describe("the name that it is called by", () => {
	test.each(["127.0.0.1:PORT", "localhost:PORT", "LOCALHOST:PORT", "127.1.2.3:PORT", "[::1]:PORT", "shop.localhost:PORT"])(
		"%s is this machine",
		async (host) => {
			const { port } = await open();
			expect(await raw(port, summary(`host: ${host}`))).toMatch(/^HTTP\/1\.1 200 /);
		},
	);

	test.each([
		["of another machine", "host: rebound.example.com:PORT"],
		["that only begins like this machine's", "host: 127.0.0.1.example.com:PORT"],
		["that only ends like this machine's", "host: example-localhost:PORT"],
		["with a user", "host: user@localhost:PORT"],
		["with another port", "host: localhost:1"],
		["without a port", "host: localhost"],
		["of the network", "host: 192.0.2.1:PORT"],
		["that means everywhere", "host: 0.0.0.0:PORT"],
		["that is empty", "host:"],
		["given twice", "host: localhost:PORT\r\nhost: rebound.example.com:PORT"],
	])("a name %s gets a plain 421 and nothing of the service", async (_, line) => {
		const { port } = await open();
		const answer = await raw(port, summary(line));
		expect(answer).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\ncontent-type: text\/plain; charset=utf-8\r\n/);
		expect(answer.split("\r\n\r\n")[1]).toBe(
			`This sandbox answers only to localhost and 127.0.0.1 (port ${port}).\nTo reach it under another name: purser sandbox serve --host NAME\n`,
		);
		expect(answer).toContain("x-content-type-options: nosniff\r\n");
	});

	test("a target that names another machine, as for a proxy, gets it too", async () => {
		const { port } = await open();
		expect(await raw(port, summary("host: localhost:PORT", "http://rebound.example.com:PORT/_sandbox/summary"))).toMatch(
			/^HTTP\/1\.1 421 /,
		);
		expect(await raw(port, summary("host: localhost:PORT", "http://localhost:PORT/_sandbox/summary"))).toMatch(/^HTTP\/1\.1 200 /);
	});

	test("none at all is refused", async () => {
		const { port } = await open();
		expect(await raw(port, "GET /_sandbox/summary HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 421 /);
		expect(await raw(port, "GET /_sandbox/summary HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
	});

	test("a page under a name that was made to lead here can neither read the inbox nor log in", async () => {
		const { port } = await open();
		expect(await raw(port, summary("host: rebound.example.com:PORT", "/_sandbox/outbox"))).toMatch(/^HTTP\/1\.1 421 /);
		const login = JSON.stringify({ username: "operator", partnerName: "example-partner", password: "sandbox-password" });
		const answer = await raw(port, posted("", "/api/partner/login", login).replace("localhost:PORT", "rebound.example.com:PORT"));
		expect(answer).toMatch(/^HTTP\/1\.1 421 /);
		expect(answer).not.toContain("token");
	});

	test("listening everywhere, it has every address, and no name that can be made to lead here", async () => {
		const { port } = await open("0.0.0.0");
		expect(await raw(port, summary("host: 192.0.2.1:PORT"))).toMatch(/^HTTP\/1\.1 200 /);
		expect(await raw(port, summary("host: 192.0.2.1:1"))).toMatch(/^HTTP\/1\.1 421 /);
		expect(await raw(port, summary("host: rebound.example.com:PORT"))).toMatch(/^HTTP\/1\.1 421 /);
	});

	test("what it was told to listen on is its name", async () => {
		const { port } = await open("127.9.9.9");
		expect(await raw(port, summary("host: 127.9.9.9:PORT"), "127.9.9.9")).toMatch(/^HTTP\/1\.1 200 /);
		expect(await raw(port, summary("host: rebound.example.com:PORT"), "127.9.9.9")).toMatch(/^HTTP\/1\.1 421 /);
	});
});

describe("pages of other sites", () => {
	const total = async ({ service }: Here): Promise<string | undefined> =>
		/"totalAmount":([\d.]+)/.exec((await service.ask("GET", `/api/partner/ledgers/${ids.main}`)).text)?.[1];

	test.each([
		["another site", "origin: https://evil.example.com"],
		["another port of this machine", "origin: http://localhost:3000"],
		["a page that hides its origin", "origin: null"],
		["another site, by what browsers add", "sec-fetch-site: cross-site"],
		["a site beside it", "sec-fetch-site: same-site"],
		["another site that says it is the same twice", "origin: http://localhost:PORT\r\norigin: https://evil.example.com"],
	])("what simulates refuses a post of %s, and nothing is changed", async (_, line) => {
		const here = await open();
		const before = await total(here);
		const answer = await raw(here.port, posted(line));
		expect(answer).toMatch(/^HTTP\/1\.1 403 Forbidden\r\ncontent-type: text\/plain; charset=utf-8\r\n/);
		expect(answer.split("\r\n\r\n")[1]).toBe("This request comes from a page of another site. Nothing was done.\n");
		expect(await total(here)).toBe(before);
	});

	test.each(["", "origin: http://localhost:PORT", "sec-fetch-site: same-origin", "sec-fetch-site: none"])(
		"programs and its own pages may post: %j",
		async (line) => {
			const { port } = await open();
			expect(await raw(port, posted(line))).toMatch(/^HTTP\/1\.1 200 /);
		},
	);

	test("nor does another site see the inbox, or try a login", async () => {
		const { port } = await open();
		const foreign = "host: localhost:PORT\r\nsec-fetch-site: cross-site";
		expect(await raw(port, summary(foreign, "/_sandbox/outbox"))).toMatch(/^HTTP\/1\.1 403 /);
		expect(await raw(port, posted("origin: https://evil.example.com", "/api/partner/login", "{}"))).toMatch(/^HTTP\/1\.1 403 /);
	});

	test("a body that is on its way is not needed for a refusal", async () => {
		const { port } = await open();
		const endless = `POST /_sandbox/control/fund HTTP/1.1\r\nhost: rebound.example.com:PORT\r\ncontent-length: 50000000\r\n\r\n{`;
		expect(await raw(port, endless)).toMatch(/^HTTP\/1\.1 421 /);
	});

	test("a link in an email of another site leads to its page, and the form of the page is taken", async () => {
		const { port, service } = await open();
		const { owner } = await newCorporate(service);
		const made = await service.ask("POST", "/api/partner/kyc", {
			relatedPhysicalPersonId: owner,
			kycConfiguration: { accessType: "LINK", urlOnComplete: "https://www.example.com/done?x=1" },
		});
		const { pathname } = new URL(made.data.url);
		const page = await raw(port, summary("host: localhost:PORT\r\nsec-fetch-site: cross-site", pathname));
		expect(page).toMatch(/^HTTP\/1\.1 200 /);
		// Browsers let the form's answer lead to the partner only where the policy names it.
		expect(page).toContain("; form-action 'self' https://www.example.com; ");
		const form = (lines: string): string => posted(lines, `${pathname}/complete`, "");
		expect(await raw(port, form("origin: https://evil.example.com"))).toMatch(/^HTTP\/1\.1 403 /);
		expect(await raw(port, form("origin: null\r\nsec-fetch-site: cross-site"))).toMatch(/^HTTP\/1\.1 403 /);
		// What browsers send for a form of a page that sends no referrer.
		expect(await raw(port, form("origin: null\r\nsec-fetch-site: same-origin"))).toMatch(
			/^HTTP\/1\.1 303 [\s\S]*location: https:\/\/www\.example\.com\/done/,
		);
	});
});

describe("what browsers are told", () => {
	test("a page runs nothing, loads nothing, tells nobody its address, and its own style is the only one", async () => {
		const { port } = await open();
		const [head = "", page = ""] = (await raw(port, summary("host: localhost:PORT", "/_sandbox/terms/1.0/EN"))).split("\r\n\r\n");
		const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
		const hash = createHash("sha256").update(style).digest("base64");
		expect(style).not.toBe("");
		expect(head.split("\r\n")).toEqual(
			expect.arrayContaining([
				`content-security-policy: default-src 'none'; style-src 'sha256-${hash}'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
				"referrer-policy: no-referrer",
				"x-content-type-options: nosniff",
				"cache-control: no-store",
			]),
		);
	});

	test.each(["/_sandbox/review/nobody", "/_sandbox/email/nothing", "/_sandbox/kyc/nothing", `/_sandbox/review/${ids.corporate}`])(
		"%s is a page with that policy",
		async (target) => {
			const { port } = await open();
			const answer = await raw(port, summary("host: localhost:PORT", target));
			expect(answer).toMatch(/content-security-policy: default-src 'none'; style-src 'sha256-/);
			expect(answer.split("\r\n")).toEqual(
				expect.arrayContaining([
					"referrer-policy: no-referrer",
					"x-content-type-options: nosniff",
					"x-frame-options: DENY",
					"cross-origin-resource-policy: same-origin",
					"permissions-policy: camera=(), microphone=(), geolocation=()",
				]),
			);
		},
	);

	test("an answer for programs is taken for nothing else", async () => {
		const { port } = await open();
		expect(await raw(port, summary("host: localhost:PORT"))).toContain("\r\nx-content-type-options: nosniff\r\n");
		expect(await raw(port, summary("host: localhost:PORT", "/no/such/path"))).toContain("\r\nx-content-type-options: nosniff\r\n");
	});
});

describe("listening for other machines", () => {
	const warning =
		"other machines can reach this sandbox: everybody on the network can read and change what is in it, because its password is published. Put nothing real into it. Without --host only this machine can reach it.";

	/** It is told to stop before it begins, and stops once it has said where it is. */
	async function stderrOf(...argv: string[]): Promise<string> {
		const world = await makeWorld();
		const stop = new AbortController();
		stop.abort("SIGINT");
		const { stdout, stderr } = await world.purser(["sandbox", "serve", "--port", "0", ...argv], { signal: stop.signal });
		expect(stdout).toContain("Sandbox at http://");
		return stderr;
	}

	test.each(["0.0.0.0", "::"])("--host %s says what that means", async (host) => {
		expect(await stderrOf("--host", host)).toContain(`Warning: With --host ${host} ${warning}\n`);
	});

	test.each([[], ["--host", "localhost"], ["--host", "::1"], ["--host", "127.0.0.2"]].map((argv) => [argv]))(
		"%j says nothing",
		async (argv) => {
			expect(await stderrOf(...argv)).toBe("");
		},
	);
});
