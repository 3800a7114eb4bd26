import { Agent, get, type IncomingMessage, request } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Served, serve } from "../../src/sandbox/server.js";
import { until } from "../support/time.js";
import { ids, makeService, type Service } from "./service.js";

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
async function door(fault?: string, host?: string): Promise<Door> {
	const service = await makeService();
	const served = await serve(service.sandbox, host === undefined ? {} : { host });
	closing.push(() => served.close());
	const { data } = await service.ask("POST", "/api/partner/login", {
		username: "operator",
		partnerName: "example-partner",
		password: "sandbox-password",
	});
	if (fault) expect((await service.control("fault", { fault })).status).toBe(200);
	return { service, served, port: Number(new URL(served.url).port), token: data.token };
}

/** Everything that comes back over a socket, byte for byte, and how it ends. */
function raw(port: number, text: string): Promise<{ bytes: string; end: "end" | "reset" }> {
	return new Promise((resolve) => {
		let bytes = "";
		const socket = connect(port, "127.0.0.1", () => socket.write(text.replace("{here}", `localhost:${port}`)));
		socket.on("data", (part) => {
			bytes += part.toString("latin1");
		});
		socket.on("end", () => resolve({ bytes, end: "end" }));
		socket.on("error", () => resolve({ bytes, end: "reset" }));
	});
}

const payment = (token: string, close = true): string => {
	const body = `{"ledgerFromId":"${ids.main}","ledgerToId":"${ids.savings}","amount":10.10}`;
	return [
		"POST /api/partner/transactions/inter-ledger HTTP/1.1",
		"host: {here}",
		`authorization: Bearer ${token}`,
		"content-type: application/json",
		`content-length: ${body.length}`,
		...(close ? ["connection: close"] : []),
		"",
		body,
	].join("\r\n");
};

const paid = ({ service }: Door): number => service.sandbox.state.transactions.length;

describe("faults on the socket", () => {
	test("without one the answer is whole", async () => {
		const here = await door();
		const { bytes, end } = await raw(here.port, payment(here.token));
		expect(bytes).toMatch(
			/^HTTP\/1\.1 201 Created\r\ncontent-type: application\/json\r\ndate: Sun, 01 Mar 2026 10:00:00 GMT\r\ncontent-length: 45\r\n/,
		);
		expect(bytes).toMatch(/\r\n\r\n\{"id":"[0-9a-f-]{36}"\}$/);
		expect([end, paid(here)]).toEqual(["end", 1]);
	});

	test.each([
		["drop-before", 0],
		["drop-after", 1],
	])("%s: reset without a byte, processed %i times", async (kind, times) => {
		const here = await door(`transaction.interLedger=${kind}:x1`);
		expect(await raw(here.port, payment(here.token))).toEqual({ bytes: "", end: "reset" });
		expect(paid(here)).toBe(times);
		expect((await raw(here.port, payment(here.token))).bytes).toMatch(/^HTTP\/1\.1 201 /);
		expect(paid(here)).toBe(times + 1);
	});

	test("cut: the length of the whole, half of the bytes, then nothing more; processed", async () => {
		const here = await door("transaction.interLedger=cut");
		const { bytes } = await raw(here.port, payment(here.token));
		expect(bytes).toContain("content-length: 45\r\n");
		expect(bytes.split("\r\n\r\n")[1]).toMatch(/^\{"id":"[0-9a-f-]{15}$/);
		expect(paid(here)).toBe(1);
	});

	test.each([
		["429", /^HTTP\/1\.1 429 .*\r\nretry-after: 1\r\n/s, 0],
		["500", /^HTTP\/1\.1 500 .*"errorCode":"INTERNAL_ERROR"/s, 0],
		["503", /^HTTP\/1\.1 503 .*"error":"linkcy\.unavailable"/s, 0],
		["html", /^HTTP\/1\.1 201 .*content-type: text\/html.*A gateway was here/s, 1],
		["nonsense", /^HTTP\/1\.1 201 .*\{"id": nonsense$/s, 1],
		["no-id", /^HTTP\/1\.1 201 .*\r\n\{\}$/s, 1],
		["sca", /^HTTP\/1\.1 409 .*"errorCode":"SCA_REQUIRED"/s, 0],
		["202", /^HTTP\/1\.1 202 .*\{"id":"/s, 1],
	])("%s", async (kind, answer, times) => {
		const here = await door(`transaction.interLedger=${kind}`);
		expect((await raw(here.port, payment(here.token))).bytes).toMatch(answer);
		expect(paid(here)).toBe(times);
	});

	test("a 204 that is cut is a reset, and one that is spoiled has content", async () => {
		const update = (token: string): string =>
			`PATCH /api/partner/corporates/${ids.corporate} HTTP/1.1\r\nhost: {here}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`;
		const cut = await door("corporate.update=cut");
		expect(await raw(cut.port, update(cut.token))).toEqual({ bytes: "", end: "reset" });
		const html = await door("corporate.update=html");
		expect((await raw(html.port, update(html.token))).bytes).toMatch(/^HTTP\/1\.1 200 OK\r\n.*A gateway was here/s);
	});

	test("delay: nothing for so long, then the whole answer; others do not wait", async () => {
		const here = await door("transaction.interLedger=delay:150ms:x1");
		const start = performance.now();
		expect((await raw(here.port, payment(here.token))).bytes).toMatch(/^HTTP\/1\.1 201 /);
		expect(performance.now() - start).toBeGreaterThan(140);
		const held = await door("transaction.interLedger=delay:60000ms:x1");
		const slow = raw(held.port, payment(held.token));
		await until(() => paid(held) === 1);
		expect((await raw(held.port, payment(held.token))).bytes).toMatch(/^HTTP\/1\.1 201 /);
		expect(paid(held)).toBe(2);
		await held.served.close();
		expect((await slow).bytes).toBe("");
	});

	test("the same seed loses the same replies", async () => {
		const run = async (seed: number): Promise<string> => {
			const service = await makeService({
				seed,
				faults: [{ operation: "ledger.list", kind: "drop-after", probability: 0.5, delay: 0, length: 10 }],
			});
			let marks = "";
			for (let at = 0; at < 24; at += 1) marks += (await service.ask("GET", "/api/partner/ledgers")).delivery?.drop ? "x" : ".";
			return marks;
		};
		const [one, again, other] = await Promise.all([run(7), run(7), run(8)]);
		expect(one).toBe(again);
		expect(one).not.toBe(other);
		expect(one).toMatch(/x/);
		expect(one).toMatch(/\./);
	});

	test.each(["transaction.unknown=500", "*=explode", "*=500:2", "*=500:x", "*", "=500"])("%s is no fault", async (fault) => {
		const service = await makeService();
		expect((await service.control("fault", { fault })).status).toBe(400);
	});

	test("those in force are told as typed, and are gone when cleared", async () => {
		const service = await makeService();
		await service.control("fault", { fault: "*=delay:300ms" });
		expect((await service.control("fault", { fault: "terms.get=500:0.5:x2" })).data.faults).toEqual([
			"*=delay:300ms",
			"terms.get=500:0.5:x2",
		]);
		expect((await service.control("fault", { clear: true })).data.faults).toEqual([]);
	});
});

describe("bodies", () => {
	test("one announced as too large is refused before it comes", async () => {
		const here = await door();
		const { bytes } = await raw(
			here.port,
			"POST /api/partner/login HTTP/1.1\r\nhost: {here}\r\ncontent-type: application/json\r\ncontent-length: 50000000\r\n\r\n{",
		);
		expect(bytes).toMatch(/^HTTP\/1\.1 413 .*connection: close.*"errorCode":"PAYLOAD_TOO_LARGE"/is);
	});

	test("one in pieces without end is refused at the limit", async () => {
		const here = await door();
		let sent = 0;
		const answer = await new Promise<IncomingMessage>((resolve, reject) => {
			const sending = request(`${here.served.url}/api/partner/login`, { method: "POST", headers: { "content-type": "application/json" } });
			const chunk = Buffer.alloc(64 * 1024, 32);
			const more = (): void => {
				if (sending.destroyed || sent >= 64 * 1024 * 1024) return;
				sent += chunk.length;
				sending.write(chunk, () => setImmediate(more));
			};
			sending.on("response", (response) => {
				resolve(response);
				response.resume();
				sending.destroy();
			});
			sending.on("error", reject);
			more();
		});
		expect(answer.statusCode).toBe(413);
		expect(sent).toBeLessThan(32 * 1024 * 1024);
	});

	test("one that breaks off is not processed", async () => {
		const here = await door();
		await new Promise<void>((resolve) => {
			const socket = connect(here.port, "127.0.0.1", () => {
				socket.write(payment(here.token).replace("{here}", `localhost:${here.port}`).slice(0, -5), () =>
					setTimeout(() => socket.destroy(), 30),
				);
			});
			socket.on("close", () => resolve());
		});
		expect((await raw(here.port, "GET /_sandbox/summary HTTP/1.1\r\nhost: {here}\r\nconnection: close\r\n\r\n")).bytes).toContain(
			'"transactions":0',
		);
	});
});

describe("connections", () => {
	test("one connection serves many requests", async () => {
		const here = await door();
		const agent = new Agent({ keepAlive: true, maxSockets: 1 });
		const ports = new Set<number | undefined>();
		for (let at = 0; at < 5; at += 1)
			await new Promise<void>((resolve, reject) => {
				const asking = get(`${here.served.url}/_sandbox/summary`, { agent }, (answer) => {
					ports.add(answer.socket.localPort);
					answer.resume().on("end", resolve);
				}).on("error", reject);
				asking.end();
			});
		agent.destroy();
		expect(ports.size).toBe(1);
	});

	test("200 clients at once pay 2 020.00 in all, and it is exact", async () => {
		const here = await door();
		const answers = await Promise.all(Array.from({ length: 200 }, () => raw(here.port, payment(here.token))));
		expect(answers.every(({ bytes }) => bytes.startsWith("HTTP/1.1 201 "))).toBe(true);
		expect(new Set(answers.map(({ bytes }) => /"id":"([^"]+)"/.exec(bytes)?.[1])).size).toBe(200);
		here.service.pass(60_000);
		const { text } = await here.service.ask("GET", `/api/partner/ledgers/${ids.savings}`);
		expect(text).toContain('"totalAmount":2020.00');
	});

	test("HEAD gives the headers and no body", async () => {
		const here = await door();
		const { bytes } = await raw(here.port, "HEAD /_sandbox/summary HTTP/1.1\r\nhost: {here}\r\nconnection: close\r\n\r\n");
		expect(bytes).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
		expect(bytes.split("\r\n\r\n")[1]).toBe("");
	});

	test("closing does not wait for idle connections nor for a delay", async () => {
		const here = await door("transaction.interLedger=delay:60000ms");
		const idle = raw(here.port, "GET /_sandbox/summary HTTP/1.1\r\nhost: {here}\r\n\r\n");
		const delayed = raw(here.port, payment(here.token, false));
		await until(() => paid(here) === 1);
		await here.served.close();
		expect((await idle).bytes).toMatch(/^HTTP\/1\.1 200 /);
		expect((await delayed).bytes).toBe("");
	});

	test.each([
		["127.0.0.1", /^http:\/\/127\.0\.0\.1:\d+$/],
		["0.0.0.0", /^http:\/\/127\.0\.0\.1:\d+$/],
		["::1", /^http:\/\/\[::1\]:\d+$/],
	])("listening on %s, its links lead to an address that can be opened", async (host, address) => {
		const { served, service } = await door(undefined, host);
		expect(served.url).toMatch(address);
		const { data } = await service.ask("GET", "/api/partner/terms-and-conditions");
		expect(data.downloadUrl).toBe(`${served.url}/_sandbox/terms/1.0/EN`);
		expect((await fetch(data.downloadUrl)).status).toBe(200);
	});

	test("a port that is taken is an error of the system", async () => {
		const here = await door();
		const other = await makeService();
		await expect(serve(other.sandbox, { port: here.port })).rejects.toMatchObject({ code: "EADDRINUSE" });
	});
});
