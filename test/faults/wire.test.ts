/**
 * What the wire can do to a call, against a peer of bare TCP: the kind of error, what the journal says, and how many
 * requests really left. The table is what `http/classify.ts` promises.
 */
import { afterEach, describe, expect, it } from "vitest";
import { updateCorporate } from "../../src/api/operations/corporate.js";
import { getLedger } from "../../src/api/operations/ledger.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import type { Transport } from "../../src/ports/wire.js";
import { type SmallContext, smallContext } from "../support/context.js";
import { answer, closedPort, type Peer, type PeerOptions, type Script, startPeer } from "./wire-peer.js";
import { type Create, transports } from "./wire-transports.js";

const ledgerA = "11111111-1111-4111-8111-111111111111";
const ledgerB = "22222222-2222-4222-8222-222222222222";
const created = "33333333-3333-4333-8333-333333333333";
const accepted = JSON.stringify({ id: created });

type Effect = "read" | "write" | "money";
const asks: Record<Effect, (small: SmallContext) => Promise<{ id?: string; waiting: boolean }>> = {
	read: (small) => call(small.context, getLedger, { params: { ledgerId: ledgerA } }),
	write: (small) => call(small.context, updateCorporate, { params: { corporateId: ledgerA }, body: { tradeName: "Example" } }),
	money: (small) => call(small.context, createInterLedger, { body: { ledgerFromId: ledgerA, ledgerToId: ledgerB, amount: "10.10" } }),
};

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
});

async function peerFor(script: Script, options?: PeerOptions): Promise<Peer> {
	const peer = await startPeer(script, options);
	open.push(peer);
	return peer;
}

function transportFor(create: Create): Transport {
	const transport = create({ env: {} });
	open.push(transport);
	return transport;
}

function smallThrough(create: Create, baseUrl: string, timeout = 60_000): SmallContext {
	return smallContext({ transport: transportFor(create), profile: { baseUrl }, timeout, credential: { kind: "tokens", token: "a-token" } });
}

/** The error's kind, or `ok`; what the journal was told; what the person is told about money. */
async function outcomeOf(effect: Effect, small: SmallContext): Promise<{ kind: string; journal?: string; moved?: boolean; code?: string }> {
	const ended = () => small.journal.flatMap((entry) => ("end" in entry ? [entry.end.state] : [])).join();
	try {
		const reply = await asks[effect](small);
		return { kind: reply.waiting ? "waiting" : "ok", journal: ended() };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		return { kind: error.kind, code: error.failure.code, journal: ended(), moved: error.failure.moneyMayHaveMoved };
	}
}

interface Row {
	name: string;
	script: Script;
	timeout?: number;
	/** Kind of the outcome and requests that left; a read is left out where only changes are of interest. */
	read?: [string, number];
	write: [string, number];
	money: [string, number];
}

const status = (code: number, body = "", headers: Record<string, string> = {}): Script => {
	return (socket) => void socket.write(answer(code, body, headers));
};
const cut = (text: string): Script => {
	return (socket) => socket.end(text);
};
const noAnswer = { read: ["unavailable", 3], write: ["unknown", 1], money: ["unknown", 1] } satisfies Partial<Row>;
const refusal = (kind: string) => ({ read: [kind, 1], write: [kind, 1], money: [kind, 1] }) satisfies Partial<Row>;

const rows: Row[] = [
	{ name: "reset once the request was read", script: (socket) => void socket.resetAndDestroy(), ...noAnswer },
	{ name: "closed once the request was read", script: (socket) => void socket.end(), ...noAnswer },
	{ name: "half a status line", script: cut("HTTP/1.1 20"), ...noAnswer },
	{ name: "half the headers", script: cut("HTTP/1.1 201 Created\r\ncontent-type: appl"), ...noAnswer },
	{ name: "a cut body of a success", script: cut(answer(201, accepted, { "content-length": "500" })), ...noAnswer },
	{ name: "a cut body of a refusal", script: cut(answer(400, "{", { "content-length": "500" })), ...noAnswer },
	{
		name: "a cut chunk",
		script: cut("HTTP/1.1 201 Created\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n20\r\n{"),
		...noAnswer,
	},
	{ name: "an answer that is not HTTP", script: cut("220 mail.example.com ESMTP\r\n"), ...noAnswer },
	{
		name: "headers without end",
		script: (socket) => void socket.write(`HTTP/1.1 201 Created\r\nx-long: ${"x".repeat(100_000)}`),
		...noAnswer,
	},
	{
		name: "an answer after the time limit",
		script: (socket) => void setTimeout(() => socket.write(answer(201, accepted)), 800),
		timeout: 300,
		...noAnswer,
	},
	{ name: "silence", script: () => {}, timeout: 300, ...noAnswer },
	{ name: "a success", script: status(201, accepted), read: ["ok", 1], write: ["ok", 1], money: ["ok", 1] },
	{
		name: "early hints, then a success",
		script: (socket) => void socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${answer(201, accepted)}`),
		read: ["ok", 1],
		write: ["ok", 1],
		money: ["ok", 1],
	},
	{ name: "a success without an id", script: status(201, "{}"), read: ["bug", 1], write: ["ok", 1], money: ["unknown", 1] },
	{ name: "a success whose id is no UUID", script: status(201, '{"id":"42"}'), read: ["ok", 1], write: ["ok", 1], money: ["unknown", 1] },
	{
		name: "a success that is HTML",
		script: status(200, "<p>hello", { "content-type": "text/html" }),
		read: ["bug", 1],
		write: ["unknown", 1],
		money: ["unknown", 1],
	},
	{ name: "a success without content", script: status(204), read: ["bug", 1], write: ["ok", 1], money: ["unknown", 1] },
	{ name: "a success that is a number", script: status(200, "42"), read: ["bug", 1], write: ["ok", 1], money: ["unknown", 1] },
	{ name: "202 with an id", script: status(202, accepted), read: ["ok", 1], write: ["ok", 1], money: ["waiting", 1] },
	{
		name: "202 that is HTML",
		script: status(202, "<p>", { "content-type": "text/html" }),
		read: ["bug", 1],
		write: ["unknown", 1],
		money: ["unknown", 1],
	},
	{
		name: "an announced body beyond the cap",
		script: (socket) => void socket.write(answer(200, "{", { "content-length": "50000000" })),
		read: ["bug", 1],
		write: ["unknown", 1],
		money: ["unknown", 1],
	},
	...[400, 404, 405, 406, 411, 413, 414, 415, 422, 428, 431].map((code) => ({
		name: `${code}`,
		script: status(code, "{}"),
		...refusal("rejected"),
	})),
	{ name: "401 without a way to renew", script: status(401), ...refusal("auth") },
	{ name: "403", script: status(403), ...refusal("auth") },
	{ name: "408", script: status(408), read: ["unavailable", 1], write: ["unknown", 1], money: ["unknown", 1] },
	...[402, 409, 410, 418].map((code) => ({
		name: `${code}`,
		script: status(code),
		read: ["rejected", 1] as [string, number],
		write: ["rejected", 1] as [string, number],
		money: ["unknown", 1] as [string, number],
	})),
	{ name: "429", script: status(429), read: ["unavailable", 3], write: ["rejected", 1], money: ["rejected", 1] },
	...[500, 502, 503, 504].map((code) => ({ name: `${code}`, script: status(code), ...noAnswer })),
	{ name: "501", script: status(501), read: ["unavailable", 1], write: ["unknown", 1], money: ["unknown", 1] },
	...[300, 301, 302, 303, 304, 307, 308].map((code) => ({
		name: `${code} to the same host`,
		script: status(code, "", { location: "/elsewhere" }),
		read: ["unavailable", 1] as [string, number],
		write: ["unknown", 1] as [string, number],
		money: ["unknown", 1] as [string, number],
	})),
];

/** A change that was met so: once each, as every change. */
const change = (name: string, script: Script, write: string, money: string): Row => ({
	name,
	script,
	write: [write, 1],
	money: [money, 1],
});
const success = (body: object): Script => status(201, JSON.stringify({ id: created, ...body }));
/** A refusal without a length, as long as the connection stands. */
const endless = "HTTP/1.1 422 X\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{}";

rows.push(
	// What in a success says that it is none, and what does not.
	change("a success with errors in its body", success({ errors: [{ code: "LIMIT" }] }), "ok", "unknown"),
	change("a success with a status of 400 in its body", success({ status: 400 }), "ok", "unknown"),
	change("a success with a status of 1001 in its body", success({ status: "1001" }), "ok", "unknown"),
	change("a success with a statusCode of 503 in its body", success({ statusCode: 503 }), "ok", "unknown"),
	change("a success with no errors in its body", success({ errors: [], error: null }), "ok", "ok"),
	change("a success with a status of 201 in its body", success({ status: 201, statusCode: "201" }), "ok", "ok"),
	change("a success with a status that is a word", success({ status: "PENDING" }), "ok", "ok"),
	change("a success with half a record", status(200, accepted.slice(0, -3)), "ok", "unknown"),
	change(
		"a success in chunks",
		cut(
			`HTTP/1.1 201 X\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${accepted.length.toString(16)}\r\n${accepted}\r\n0\r\n\r\n`,
		),
		"ok",
		"ok",
	),
	change(
		"two lengths that differ",
		cut(answer(201, accepted).replace("content-length", "content-length: 2\r\ncontent-length")),
		"unknown",
		"unknown",
	),
	...[400, 422].map((code) => change(`${code} with a new id`, status(code, accepted), "rejected", "unknown")),
	change("422 that the end of the connection cuts", cut(endless.slice(0, -1)), "unknown", "unknown"),
	change("422 that the end of the connection ends", cut(endless), "rejected", "rejected"),
	...[407, 423, 425, 451].map((code) => change(`${code}`, status(code), "rejected", "unknown")),
	...[520, 599].map((code) => change(`${code}`, status(code), "unknown", "unknown")),
);

function journalFor(kind: string): string {
	if (kind === "ok" || kind === "waiting") return "accepted";
	return kind === "unknown" ? "in-doubt" : "refused";
}

describe.each(transports)("%s", (_name, create) => {
	const smallFor = (baseUrl: string, timeout?: number) => smallThrough(create, baseUrl, timeout);

	describe.each(["read", "write", "money"] as const)("a %s", (effect) => {
		it.each(rows.filter((row) => row[effect] !== undefined))("met by $name", async (row) => {
			const peer = await peerFor(row.script);
			const small = smallFor(`http://127.0.0.1:${peer.port}`, row.timeout);
			const result = await outcomeOf(effect, small);
			const [kind, count] = row[effect] as [string, number];
			expect({ kind: result.kind, count: peer.requests.length }).toEqual({ kind, count });
			if (effect !== "read") expect(result.journal).toBe(journalFor(kind));
			expect(result.moved).toBe(effect === "money" && kind === "unknown" ? true : undefined);
			expect(small.slept).toHaveLength(count - 1);
		});
	});

	describe("a redirect to another host", () => {
		it.each([301, 302, 303, 307, 308])("%i is not followed, by nothing, ever", async (code) => {
			const other = await peerFor(status(201, accepted));
			const peer = await peerFor(status(code, "", { location: `http://127.0.0.1:${other.port}/` }));
			for (const effect of ["read", "write", "money"] as const) await outcomeOf(effect, smallFor(`http://127.0.0.1:${peer.port}`));
			expect(peer.requests).toHaveLength(3);
			expect(other.connections).toBe(0);
		});
	});

	describe.each(["write", "money"] as const)("a %s met by a reset as soon as the connection stands", (effect) => {
		it("is in doubt when it had begun, and may be tried again when it had not; never the other way round", async () => {
			for (let run = 0; run < 20; run++) {
				const peer = await peerFor(() => {}, { onConnection: (socket) => void socket.resetAndDestroy() });
				const result = await outcomeOf(effect, smallFor(`http://127.0.0.1:${peer.port}`));
				const expected = result.journal === "not-sent" ? { kind: "unavailable", connections: 3 } : { kind: "unknown", connections: 1 };
				expect({ kind: result.kind, connections: peer.connections }).toEqual(expected);
				expect(peer.requests).toHaveLength(0);
			}
		});
	});

	describe("what provably never left", () => {
		it.each(["read", "write", "money"] as const)(
			"a refused connection: a %s is tried three times and is safe to run again",
			async (effect) => {
				const small = smallFor(`http://127.0.0.1:${await closedPort()}`);
				expect(await outcomeOf(effect, small)).toMatchObject({
					kind: "unavailable",
					code: "NOT_SENT",
					journal: effect === "read" ? "" : "not-sent",
				});
				expect(small.requests).toHaveLength(3);
				expect(small.slept).toEqual([200, 400]);
			},
		);

		it.each(["read", "write", "money"] as const)("a name that does not exist: a %s", async (effect) => {
			const small = smallFor("http://purser-test.invalid");
			expect(await outcomeOf(effect, small)).toMatchObject({ kind: "unavailable", code: "NOT_SENT" });
			expect(small.requests).toHaveLength(3);
		});

		it.each(["read", "write", "money"] as const)("TLS with a peer that does not speak it: a %s", async (effect) => {
			const peer = await peerFor(() => {}, { onConnection: (socket) => void socket.write("220 mail.example.com ESMTP\r\n") });
			expect(await outcomeOf(effect, smallFor(`https://127.0.0.1:${peer.port}`))).toMatchObject({ kind: "unavailable", code: "NOT_SENT" });
			expect(peer.requests).toHaveLength(0);
		});

		it("a TLS handshake that the peer breaks off", async () => {
			const peer = await peerFor(() => {}, { onConnection: (socket) => void socket.once("data", () => socket.resetAndDestroy()) });
			expect(await outcomeOf("money", smallFor(`https://127.0.0.1:${peer.port}`))).toMatchObject({
				kind: "unavailable",
				journal: "not-sent",
			});
		});

		it("a handshake that never ends is cancelled at the time limit", async () => {
			const peer = await peerFor(() => {});
			const small = smallFor(`https://127.0.0.1:${peer.port}`, 100);
			expect(await outcomeOf("money", small)).toMatchObject({ kind: "unavailable", journal: "not-sent" });
		});
	});
});
