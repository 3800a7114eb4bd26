/**
 * Answers as bytes on a real connection, and what each transport takes them for: a whole answer, or none. An answer says whether money
 * moved, so what is cut, doubled or no HTTP must never count as whole.
 */
import type { Socket } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Transport, WireOutcome } from "../../src/ports/wire.js";
import { type Peer, startPeer } from "../faults/wire-peer.js";
import { transports } from "../faults/wire-transports.js";
import { seedOfRun } from "../support/seed.js";

const seed = seedOfRun("answers");

type Read = { status: number; body: string } | "none";

let peer: Peer;
/** What the peer does with a request. */
let script: (socket: Socket) => void = () => {};
beforeAll(async () => {
	peer = await startPeer((socket) => script(socket));
});
afterAll(() => peer.close());

async function send(transport: Transport, request: object = {}): Promise<WireOutcome> {
	const limits = { connect: 10_000, total: 30_000, bytes: 1_000_000 };
	return transport.send(
		{ method: "POST", url: `http://127.0.0.1:${peer.port}/a%20b?c=d`, headers: {}, body: Buffer.from("{}"), ...request },
		limits,
	);
}

/** What the transport makes of the pieces, each written by itself; the connection is closed in order after the last. */
async function reads(create: (typeof transports)[number][1], pieces: readonly Buffer[]): Promise<Read> {
	script = (socket) => {
		const next = (at: number): void => {
			if (at === pieces.length) socket.end();
			else socket.write(pieces[at] as Buffer, () => setImmediate(next, at + 1));
		};
		next(0);
	};
	const transport = create({ env: {} });
	try {
		const outcome = await send(transport);
		if (outcome.kind === "not-sent") throw new Error("it was sent");
		return outcome.kind === "answer" ? { status: outcome.status, body: Buffer.from(outcome.body).toString("latin1") } : "none";
	} finally {
		await transport.close();
	}
}

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");
const answer = (...lines: string[]): string => lines.join("\r\n");

describe.each(transports)("with the %s transport, an answer", (_, create) => {
	test.each<[string, string, Read]>([
		["of a length", answer("HTTP/1.1 201 Created", "Content-Length: 2", "", "{}"), { status: 201, body: "{}" }],
		["without content by its status", answer("HTTP/1.1 204 No Content", "", ""), { status: 204, body: "" }],
		["that ends with the connection", answer("HTTP/1.1 200 OK", "Connection: close", "", "{}"), { status: 200, body: "{}" }],
		[
			"in chunks",
			answer("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "1", "{", "01;a", "}", "0", "", ""),
			{ status: 200, body: "{}" },
		],
		[
			"after another",
			answer("HTTP/1.1 103 Hints", "a: b", "", "HTTP/1.1 422 No", "Content-Length: 2", "", "{}"),
			{ status: 422, body: "{}" },
		],
	])("%s is whole", async (_, text, wanted) => {
		expect(await reads(create, [bytes(text)])).toEqual(wanted);
		const byBytes = Array.from(bytes(text), (byte) => Buffer.of(byte));
		expect(await reads(create, byBytes)).toEqual(wanted);
	});

	test.each([
		["cut in its body", answer("HTTP/1.1 201 Created", "Content-Length: 3", "", "{}")],
		["cut in its head", answer("HTTP/1.1 201 Created", "Content-Length: 2", "")],
		["cut before its last chunk", answer("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "2", "{}", "")],
		["of interim ones only", answer("HTTP/1.1 103 Early Hints", "", "")],
		["of nothing", ""],
		["that changes the protocol", "HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n"],
		["with a carriage return in a line", "HTTP/1.1 200 OK\r\na: b\rc\r\n\r\n"],
		["with a header without a colon", "HTTP/1.1 200 OK\r\nContent-Length\r\n\r\n"],
		["with NUL in a header", "HTTP/1.1 200 OK\r\na: \0\r\n\r\n"],
		["with two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}"],
		["with a length and chunks", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"],
		["with a chunk's size that is none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n"],
		["with a chunk longer than its size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n0\r\n\r\n"],
		["with a head without an end", `HTTP/1.1 200 OK\r\na: ${"x".repeat(20_000)}\r\n\r\n{}`],
	])("%s is none", async (_, text) => {
		expect(await reads(create, [bytes(text)])).toBe("none");
	});
});

const starts = fc.constantFrom(
	"HTTP/1.1 200 OK",
	"HTTP/1.1 201",
	"HTTP/1.0 200 OK",
	"HTTP/1.1 422 X",
	"HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 201 Yes",
);

test("an answer of a known length that is cut anywhere is never whole", async () => {
	let cut = 0;
	const arrivals = fc.record({ start: starts, at: fc.nat() });
	for (const { start, at } of fc.sample(arrivals, { numRuns: 100, seed })) {
		const text = [start, "X-Other: a, b", "Content-Length: 12", "", '{"id":"1234"'].join("\r\n");
		const end = at % text.length;
		for (const [, create] of transports)
			expect([text.slice(0, end), await reads(create, [bytes(text.slice(0, end))])]).toEqual([text.slice(0, end), "none"]);
		cut += 1;
	}
	expect(cut).toBe(100);
	// The control: whole, it counts.
	const whole = 'HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{"id":"1234"}';
	for (const [, create] of transports) expect(await reads(create, [bytes(whole)])).toEqual({ status: 200, body: '{"id":"1234"}' });
});

describe.each(transports)("with the %s transport, a request", (_, create) => {
	test.each([
		["x", "a\r\nb: c"],
		["x", "a\nb"],
		["a b", "c"],
		["", "c"],
	])("with the header %j: %j is not sent", async (header, value) => {
		const before = peer.requests.length;
		const transport = create({ env: {} });
		expect(await send(transport, { headers: { [header]: value } })).toMatchObject({ kind: "not-sent" });
		await transport.close();
		expect(peer.requests).toHaveLength(before);
	});
});
