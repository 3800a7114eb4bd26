/**
 * The sandbox on a real port: who is let in, what faults do on the socket, bodies and connections.
 */
import { createHash } from "node:crypto";
import { request } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Served, serve } from "../../src/sandbox/server.js";
import { until } from "../support/time.js";
import { ids, kycPage, makeService, newCorporate, operatorLogin, type Service } from "./service.js";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
	for (const close of closing.splice(0)) await close();
});

interface Door {
	service: Service;
	served: Served;
	port: number;
	token: string;
}

/** A sandbox on a free port, the operator logged in, with one fault in force. */
async function door(fault?: string): Promise<Door> {
	const service = await makeService();
	const served = await serve(service.sandbox);
	closing.push(() => served.close());
	const { data } = await service.call("POST login", operatorLogin);
	if (fault) expect((await service.control("fault", { fault })).status).toBe(200);
	return { service, served, port: Number(new URL(served.url).port), token: data.token };
}

/** Everything that comes back over a socket, byte for byte, and how it ends. `PORT` in the text is the server's. */
function raw(port: number, text: string): Promise<{ bytes: string; end: "end" | "reset" }> {
	return new Promise((resolve) => {
		let bytes = "";
		const socket = connect(port, "127.0.0.1", () => socket.write(text.replaceAll("PORT", String(port))));
		socket.on("data", (part) => {
			bytes += part.toString("latin1");
		});
		socket.on("end", () => resolve({ bytes, end: "end" }));
		socket.on("error", () => resolve({ bytes, end: "reset" }));
	});
}

/** The status of a raw answer, and what follows its headers. */
const answerTo = async (port: number, text: string): Promise<[status: number, body: string]> => {
	const { bytes } = await raw(port, text);
	return [Number(/^HTTP\/1\.1 (\d{3}) /.exec(bytes)?.[1]), bytes.split("\r\n\r\n")[1] ?? ""];
};

/** A request as it stands on the wire; the connection ends after it. */
const wire = (line: string, headers: readonly string[], body?: string): string =>
	[
		`${line} HTTP/1.1`,
		...headers,
		...(body === undefined ? [] : [`content-length: ${body.length}`]),
		"connection: close",
		"",
		body ?? "",
	].join("\r\n");
const asked = (header: string, target = "/_sandbox/summary"): string => wire(`GET ${target}`, header.split("\r\n"));
const posted = (header: string, target: string, body: string, host = "localhost:PORT"): string =>
	wire(`POST ${target}`, [`host: ${host}`, ...header.split("\r\n").filter(Boolean), "content-type: application/json"], body);
const local = "host: localhost:PORT";

const payment = (token: string): string =>
	posted(
		`authorization: Bearer ${token}`,
		"/api/partner/transactions/inter-ledger",
		`{"ledgerFromId":"${ids.main}","ledgerToId":"${ids.savings}","amount":10.10}`,
	);

const paid = ({ service }: Door): number => service.sandbox.state.transactions.length;

describe("the name that it is called by", () => {
	test.each(["127.0.0.1:PORT", "LOCALHOST:PORT", "[::1]:PORT"])("%s is this machine", async (host) =>
		expect((await answerTo((await door()).port, asked(`host: ${host}`)))[0]).toBe(200),
	);

	test.each([
		["that only begins like this machine's", "host: 127.0.0.1.example.com:PORT"],
		["with another port", "host: localhost:1"],
		["that is empty", "host:"],
		["given twice", `${local}\r\nhost: rebound.example.com:PORT`],
	])("a name %s gets a plain 421 and nothing of the service", async (_, line) => {
		const { port } = await door();
		const { bytes } = await raw(port, asked(line));
		expect(bytes).toMatch(/^HTTP\/1\.1 421 Misdirected Request\r\ncontent-type: text\/plain; charset=utf-8\r\n/);
		expect(bytes.split("\r\n\r\n")[1]).toBe(`This sandbox answers only to localhost and 127.0.0.1 (port ${port}).\n`);
		expect(bytes).toContain("x-content-type-options: nosniff\r\n");
	});
});

describe("pages of other sites", () => {
	const fund = (header: string): string => posted(header, "/_sandbox/control/fund", `{"ledgerId":"${ids.main}","amount":1000}`);

	test.each([
		["another site", "origin: https://evil.example.com"],
		["a page that hides its origin", "origin: null"],
		["another site that says it is the same twice", "origin: http://localhost:PORT\r\norigin: https://evil.example.com"],
	])("what simulates refuses a post of %s, and nothing is changed", async (_, line) => {
		const { port, service } = await door();
		const { bytes } = await raw(port, fund(line));
		expect(bytes).toMatch(/^HTTP\/1\.1 403 Forbidden\r\ncontent-type: text\/plain; charset=utf-8\r\n/);
		expect(bytes.split("\r\n\r\n")[1]).toBe("This request comes from a page of another site. Nothing was done.\n");
		expect((await service.call(`GET ledgers/${ids.main}`)).text).toContain('"totalAmount":10000.00');
	});

	test("a link in an email of another site leads to its page, and the form of the page is taken", async () => {
		const { port, service } = await door();
		const { owner } = await newCorporate(service);
		const target = await kycPage(service, owner, { urlOnComplete: "https://www.example.com/done?x=1" });
		const { bytes } = await raw(port, asked(local, target));
		expect(bytes).toMatch(/^HTTP\/1\.1 200 /);
		const form = (lines: string): string => posted(lines, `${target}/complete`, "");
		expect((await answerTo(port, form("origin: https://evil.example.com")))[0]).toBe(403);
		// What browsers send for a form of a page that sends no referrer.
		const own = await raw(port, form("origin: null"));
		expect(own.bytes).toMatch(/^HTTP\/1\.1 303 [\s\S]*location: https:\/\/www\.example\.com\/done/);
	});
});

describe("what browsers hear", () => {
	test.each(["/_sandbox/terms/1.0/EN", "/_sandbox/kyc/nothing"])(
		"%s runs nothing, loads nothing, gives nobody its address, and its own style is the only one",
		async (target) => {
			const { port } = await door();
			const [head = "", page = ""] = (await raw(port, asked(local, target))).bytes.split("\r\n\r\n");
			const style = /<style>([\s\S]*)<\/style>/.exec(page)?.[1] ?? "";
			expect(style).not.toBe("");
			const hash = createHash("sha256").update(style).digest("base64");
			expect(head.split("\r\n")).toEqual(
				expect.arrayContaining([
					`content-security-policy: default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`,
					"referrer-policy: no-referrer",
					"x-content-type-options: nosniff",
					"cache-control: no-store",
				]),
			);
		},
	);
});

describe("faults on the socket", () => {
	test.each([
		["drop-before", 0],
		["drop-after", 1],
	])("%s: reset without a byte, processed %i times", async (kind, times) => {
		const here = await door(`transaction.interLedger=${kind}:x1`);
		expect(await raw(here.port, payment(here.token))).toEqual({ bytes: "", end: "reset" });
		expect(paid(here)).toBe(times);
		expect((await answerTo(here.port, payment(here.token)))[0]).toBe(201);
		expect(paid(here)).toBe(times + 1);
	});

	test.each([
		["cut", /^HTTP\/1\.1 201 .*content-length: 45\r\n.*\r\n\r\n\{"id":"[0-9a-f-]{15}$/s, 1],
		["404", /^HTTP\/1\.1 404 .*"errorCode":"NOT_FOUND"/s, 0],
		["429", /^HTTP\/1\.1 429 .*\r\nretry-after: 1\r\n/s, 0],
		["500", /^HTTP\/1\.1 500 .*"errorCode":"INTERNAL_ERROR"/s, 0],
		["202", /^HTTP\/1\.1 202 .*\{"id":"/s, 1],
	])("%s", async (kind, answer, times) => {
		const here = await door(`transaction.interLedger=${kind}`);
		for (const nth of [1, 2]) {
			expect((await raw(here.port, payment(here.token))).bytes).toMatch(answer);
			expect(paid(here)).toBe(nth * times);
		}
	});

	test("delay: nothing for so long, then the whole answer; others do not wait, and nor does the end", async () => {
		const here = await door("transaction.interLedger=delay:150ms:x1");
		const start = performance.now();
		expect((await answerTo(here.port, payment(here.token)))[0]).toBe(201);
		expect(performance.now() - start).toBeGreaterThan(140);
		const held = await door("transaction.interLedger=delay:60000ms:x1");
		const slow = raw(held.port, payment(held.token));
		await until(() => paid(held) === 1);
		expect((await answerTo(held.port, payment(held.token)))[0]).toBe(201);
		const idle = raw(held.port, "GET /_sandbox/summary HTTP/1.1\r\nhost: localhost:PORT\r\n\r\n");
		await new Promise((resolve) => setTimeout(resolve, 50));
		await held.served.close();
		expect((await slow).bytes).toBe("");
		expect((await idle).bytes).toMatch(/^HTTP\/1\.1 200 /);
	});

	test.each([
		["transaction.unknown=500", "is not an operation; `purser api list` shows them, and * stands for all"],
		["*=explode", "kinds: delay, 404, 429, 500, drop-before, drop-after, cut, 202, lag, duplicates"],
		["*=500:2", "is neither a count (x3) nor a time (300ms)"],
		["*", "is not OPERATION=KIND"],
	])("%s is no fault", async (fault, why) => {
		const { status, data } = await (await makeService()).control("fault", { fault });
		expect([status, data.details[0].message]).toEqual([400, expect.stringContaining(why)]);
	});
});

describe("bodies", () => {
	test("one announced as too large is refused before it comes", async () => {
		const text =
			"POST /api/partner/login HTTP/1.1\r\nhost: localhost:PORT\r\ncontent-type: application/json\r\ncontent-length: 50000000\r\n\r\n{";
		expect((await raw((await door()).port, text)).bytes).toMatch(/^HTTP\/1\.1 413 .*connection: close.*"errorCode":"PAYLOAD_TOO_LARGE"/is);
	});

	test("one in pieces without end is refused at the limit", async () => {
		const here = await door();
		let sent = 0;
		await new Promise<void>((resolve) => {
			const sending = request(`${here.served.url}/api/partner/login`, { method: "POST", headers: { "content-type": "application/json" } });
			const chunk = Buffer.alloc(64 * 1024, 32);
			const more = (): void => {
				if (sending.destroyed || sent >= 64 * 1024 * 1024) return;
				sent += chunk.length;
				sending.write(chunk, () => setImmediate(more));
			};
			sending.on("response", () => sending.destroy());
			sending.on("error", () => {});
			sending.on("close", resolve);
			more();
		});
		expect(sent).toBeLessThan(32 * 1024 * 1024);
	});
});
