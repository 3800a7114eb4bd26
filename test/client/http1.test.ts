/**
 * A request's bytes, and the reader of answers: what it takes, what it refuses, and that it never takes for whole what Node's own parser does not.
 */
import { type ClientRequest, request } from "node:http";
import { Duplex } from "node:stream";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AnswerReader, requestBytes } from "../../src/client/http1.js";
import { seedOfRun } from "../support/seed.js";

const seed = seedOfRun("answers");

type Read = { status: number; body: string } | "unfinished" | { code: string };

const bytes = (text: string): Buffer => Buffer.from(text, "latin1");

/** What the reader makes of it. @param pieces as they arrive; the connection is closed in order after the last */
function read(pieces: readonly Buffer[], close = true): Read {
	let status = 0;
	const body: Uint8Array[] = [];
	const reader = new AnswerReader({
		head: (given) => {
			status = given;
		},
		data: (chunk) => body.push(chunk),
	});
	try {
		for (const piece of pieces) reader.push(piece);
		if (close) reader.end();
	} catch (error) {
		return { code: (error as { code: string }).code };
	}
	return reader.isWhole ? { status, body: Buffer.concat(body).toString("latin1") } : "unfinished";
}

function headersOf(text: string): Readonly<Record<string, string>> {
	let found: Readonly<Record<string, string>> = {};
	new AnswerReader({
		head: (_, headers) => {
			found = headers;
		},
		data: () => {},
	}).push(bytes(text));
	return found;
}

const answer = (...lines: string[]): string => lines.join("\r\n");

describe("an answer", () => {
	test.each<[string, string, Read]>([
		["of a length", answer("HTTP/1.1 201 Created", "Content-Length: 2", "", "{}"), { status: 201, body: "{}" }],
		["of a length of none", answer("HTTP/1.1 200 OK", "Content-Length: 0", "", ""), { status: 200, body: "" }],
		["without a reason", answer("HTTP/1.1 200", "Content-Length: 2", "", "{}"), { status: 200, body: "{}" }],
		["of version 1.0", answer("HTTP/1.0 200 OK", "Content-Length: 2", "", "{}"), { status: 200, body: "{}" }],
		["without content by its status", answer("HTTP/1.1 204 No Content", "", ""), { status: 204, body: "" }],
		["that ends with the connection", answer("HTTP/1.1 200 OK", "Connection: close", "", "{}"), { status: 200, body: "{}" }],
		[
			"in chunks",
			answer("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "1", "{", "01;a=b", "}", "0", "", ""),
			{ status: 200, body: "{}" },
		],
		[
			"in chunks with trailers",
			answer("HTTP/1.1 200 OK", "Transfer-Encoding: Chunked", "", "2", "{}", "0", "a: b", "", ""),
			{ status: 200, body: "{}" },
		],
		["with a line end too many", answer("HTTP/1.1 200 OK", "Content-Length: 2", "", "{}\r\n"), { status: 200, body: "{}" }],
		[
			"after interim ones",
			answer("HTTP/1.1 100 Continue", "", "HTTP/1.1 103 Early Hints", "link: </a>", "", "HTTP/1.1 422 No", "Content-Length: 2", "", "{}"),
			{ status: 422, body: "{}" },
		],
	])("%s is whole", (_, text, wanted) => {
		expect(read([bytes(text)])).toEqual(wanted);
		// The same byte by byte.
		expect(read([...bytes(text)].map((byte) => Buffer.of(byte)))).toEqual(wanted);
	});

	test.each([
		["cut in its body", answer("HTTP/1.1 201 Created", "Content-Length: 3", "", "{}")],
		["cut in its head", answer("HTTP/1.1 201 Created", "Content-Length: 2", "")],
		["cut in a chunk", answer("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "3", "{}")],
		["cut before its last chunk", answer("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "2", "{}", "")],
		["cut in its trailers", answer("HTTP/1.1 200 OK", "Transfer-Encoding: chunked", "", "2", "{}", "0", "")],
		["of interim ones only", answer("HTTP/1.1 103 Early Hints", "", "")],
		["of nothing", ""],
	])("%s is not whole", (_, text) => {
		expect(read([bytes(text)])).toBe("unfinished");
	});

	test("that ends with the connection is not whole before that", () => {
		expect(read([bytes(answer("HTTP/1.1 200 OK", "", "{}"))], false)).toBe("unfinished");
	});

	test.each([
		["of another protocol", "220 mail.example.com ESMTP\r\n", "HPE_INVALID_STATUS_LINE"],
		["of another version", "HTTP/2.0 200 OK\r\n", "HPE_INVALID_STATUS_LINE"],
		["with a status of two digits", "HTTP/1.1 20 OK\r\n", "HPE_INVALID_STATUS_LINE"],
		["that changes the protocol", "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n", "HPE_ANOTHER_PROTOCOL"],
		["with lines that end otherwise", "HTTP/1.1 200 OK\nContent-Length: 0\n\n", "HPE_LINE_WITHOUT_ITS_END"],
		["with a carriage return in a line", "HTTP/1.1 200 OK\r\na: b\rc\r\n\r\n", "HPE_INVALID_HEADER"],
		["with a folded header", "HTTP/1.1 200 OK\r\na: b\r\n c\r\n\r\n", "HPE_INVALID_HEADER"],
		["with a blank before the colon", "HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n", "HPE_INVALID_HEADER"],
		["with a header without a colon", "HTTP/1.1 200 OK\r\nContent-Length\r\n\r\n", "HPE_INVALID_HEADER"],
		["with NUL in a header", "HTTP/1.1 200 OK\r\na: \0\r\n\r\n", "HPE_INVALID_HEADER"],
		["with two lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}", "HPE_REPEATED_CONTENT_LENGTH"],
		["with a list of lengths", "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\n{}", "HPE_INVALID_CONTENT_LENGTH"],
		["with a length that is none", "HTTP/1.1 200 OK\r\nContent-Length: +2\r\n\r\n{}", "HPE_INVALID_CONTENT_LENGTH"],
		[
			"with a length and chunks",
			"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n",
			"HPE_INVALID_CONTENT_LENGTH",
		],
		["in another coding", "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "HPE_INVALID_TRANSFER_ENCODING"],
		["with a chunk's size that is none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nz\r\n", "HPE_INVALID_CHUNK_SIZE"],
		["with a chunk's extension that is none", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;\r\n", "HPE_INVALID_CHUNK_SIZE"],
		["with a chunk longer than its size", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{}\r\n", "HPE_CHUNK_WITHOUT_ITS_END"],
		["longer than its length", "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}", "HPE_DATA_AFTER_THE_END"],
		["followed by another", "HTTP/1.1 204 No\r\n\r\nHTTP/1.1 200 OK\r\n", "HPE_DATA_AFTER_THE_END"],
		["with a head without an end", `HTTP/1.1 200 OK\r\na: ${"x".repeat(16_384)}`, "HPE_HEADER_OVERFLOW"],
	])("%s is none", (_, text, code) => {
		expect(read([bytes(text)])).toEqual({ code });
	});

	test("has headers in lower case, those that stand twice as one list, whatever their names", () => {
		const text = answer("HTTP/1.1 200 OK", "Content-LENGTH: 0", "X-A:  one\t", "x-a: two", "__proto__: x", "constructor: y", "", "");
		expect(Object.entries(headersOf(text))).toEqual([
			["content-length", "0"],
			["x-a", "one, two"],
			["__proto__", "x"],
			["constructor", "y"],
		]);
	});
});

/** The same through Node's client: its parser, and what it takes for a whole answer. */
function nodeReads(pieces: readonly Buffer[]): Promise<Read> {
	return new Promise((resolve) => {
		const socket = new Duplex({ read: () => {}, write: (_chunk, _encoding, done) => done() });
		const outgoing: ClientRequest = request({ method: "POST", createConnection: () => socket, headers: { connection: "close" } });
		outgoing.once("error", (error: { code?: string }) => resolve({ code: String(error.code) }));
		outgoing.once("close", () => resolve("unfinished"));
		outgoing.once("response", (incoming) => {
			const body: Buffer[] = [];
			incoming.on("data", (chunk: Buffer) => body.push(chunk));
			incoming.on("error", () => resolve("unfinished"));
			incoming.on("end", () =>
				resolve(incoming.complete ? { status: incoming.statusCode as number, body: Buffer.concat(body).toString("latin1") } : "unfinished"),
			);
		});
		outgoing.end("{}");
		setImmediate(() => {
			for (const piece of pieces) socket.push(piece);
			socket.push(null);
		});
	});
}

const lines = fc.constantFrom(
	"Content-Length: 2",
	"content-length: 0",
	"Content-Length: 3",
	"Transfer-Encoding: chunked",
	"transfer-encoding: gzip",
	"Connection: close",
	"Connection: keep-alive",
	"X-Other: a, b",
	"Date: Sat, 21 Nov 2026 10:00:00 GMT",
	"Set-Cookie: a=b",
);
const starts = fc.constantFrom(
	"HTTP/1.1 200 OK",
	"HTTP/1.1 201",
	"HTTP/1.0 200 OK",
	"HTTP/1.1 204 No",
	"HTTP/1.1 422 X",
	"HTTP/1.1 304 X",
	"HTTP/1.1 100 Go\r\n\r\nHTTP/1.1 201 Yes",
);
const bodies = fc.constantFrom(
	"{}",
	"",
	"{} ",
	"2\r\n{}\r\n0\r\n\r\n",
	"1;x\r\n{\r\n1;y=z\r\n}\r\n0\r\na: b\r\n\r\n",
	'1;x="y z";w\r\n{\r\n1\r\n}\r\n0\r\n\r\n',
	"0\r\n\r\n",
	"2\r\n{}\r\n",
);
const broken = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(undefined) },
	{
		weight: 2,
		arbitrary: fc.record({
			at: fc.nat(),
			put: fc.constantFrom("", "\r", "\n", " ", "\t", "\0", ":", ",", "2", "a", "\x80", ";", "=", '"'),
		}),
	},
);

/** An answer that is mostly right, with one byte of it replaced or taken out now and then, in pieces. */
const arrivals = fc
	.record({ start: starts, fields: fc.array(lines, { maxLength: 3 }), body: bodies, broken, cuts: fc.array(fc.nat(), { maxLength: 4 }) })
	.map(({ start, fields, body, broken: fault, cuts }) => {
		const text = [start, ...fields, "", body].join("\r\n");
		const at = fault === undefined ? 0 : fault.at % text.length;
		const all = bytes(fault === undefined ? text : text.slice(0, at) + fault.put + text.slice(at + 1));
		const places = [...new Set(cuts.map((cut) => cut % (all.length + 1)))].sort((one, other) => one - other);
		return [0, ...places].map((from, index) => all.subarray(from, places[index] ?? all.length)).filter((piece) => piece.length > 0);
	});

/** How many answers were whole, and which of them Node's parser reads otherwise. */
async function compared(reads: (pieces: readonly Buffer[]) => Read): Promise<{ whole: number; refused: number; otherwise: string[] }> {
	const found = { whole: 0, refused: 0, otherwise: [] as string[] };
	for (const pieces of fc.sample(arrivals, { numRuns: 3_000, seed })) {
		const ours = reads(pieces);
		if (typeof ours !== "object" || !("status" in ours)) {
			found.refused += 1;
			continue;
		}
		found.whole += 1;
		const theirs = await nodeReads(pieces);
		if (JSON.stringify(theirs) !== JSON.stringify(ours))
			found.otherwise.push(JSON.stringify([Buffer.concat(pieces).toString("latin1"), ours, theirs]));
	}
	return found;
}

describe("beside Node's own parser", () => {
	test("what is taken for a whole answer is one there too, and the same", async () => {
		const { whole, refused, otherwise } = await compared(read);
		expect(otherwise).toEqual([]);
		expect(whole).toBeGreaterThan(500);
		expect(refused).toBeGreaterThan(500);
	});

	test("control: a reader that takes a cut answer for whole, and one that overlooks a NUL, are found out", async () => {
		const cut = (pieces: readonly Buffer[]): Read => {
			const seen = read(pieces);
			return seen === "unfinished" ? { status: 200, body: "" } : seen;
		};
		expect((await compared(cut)).otherwise.length).toBeGreaterThan(0);
		const blind = (pieces: readonly Buffer[]): Read => read([bytes(Buffer.concat(pieces).toString("latin1").replaceAll("\0", ""))]);
		expect((await compared(blind)).otherwise.length).toBeGreaterThan(0);
	});
});

describe("a request", () => {
	const target = new URL("http://example.com:8080/a%20b?c=d");

	test("stands on the wire as it should", () => {
		const request = { method: "POST", url: target.href, headers: { accept: "application/json" }, body: bytes("{}") } as const;
		expect(Buffer.from(requestBytes(target, request)).toString("latin1")).toBe(
			"POST /a%20b?c=d HTTP/1.1\r\nhost: example.com:8080\r\nconnection: close\r\naccept: application/json\r\ncontent-length: 2\r\n\r\n{}",
		);
	});

	test.each([
		["GET", ""],
		["DELETE", ""],
		["POST", "content-length: 0\r\n"],
		["PUT", "content-length: 0\r\n"],
	] as const)("of %s without content", (method, length) => {
		expect(Buffer.from(requestBytes(target, { method, url: target.href, headers: {} })).toString("latin1")).toBe(
			`${method} /a%20b?c=d HTTP/1.1\r\nhost: example.com:8080\r\nconnection: close\r\n${length}\r\n`,
		);
	});

	test.each([
		["x", "a\r\nb: c"],
		["x", "a\nb"],
		["x", "\u20ac"],
		["a b", "c"],
		["a:", "c"],
		["", "c"],
	])("cannot have the header %j: %j", (name, value) => {
		expect(() => requestBytes(target, { method: "POST", url: target.href, headers: { [name]: value } })).toThrow(TypeError);
	});
});
