/**
 * What the wire can do to a call, against a peer of bare TCP: the kind of error, what the journal says, and how many
 * requests really left. The table is what `http/classify.ts` promises.
 */
import type { Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { updateCorporate } from "../../src/api/operations/corporate.js";
import { getLedger } from "../../src/api/operations/ledger.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import { type SmallContext, smallContext } from "../support/context.js";
import { until } from "../support/time.js";
import { answer, closedPort, peerFor, type Script } from "./wire-peer.js";
import { type Create, transportFor, transports } from "./wire-transports.js";

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

/** What the peer does, then the kind of outcome of each effect; a change leaves once, a read as often as is said. None: only changes are of interest. */
type Row = [name: string, script: Script, read: [kind: string, count: number] | undefined, write: string, money: string, timeout?: number];

const status = (code: number, body = "", headers: Record<string, string> = {}): Script => {
	return (socket) => void socket.write(answer(code, body, headers));
};
const cut = (text: string): Script => {
	return (socket) => socket.end(text);
};
const success = (body: object): Script => status(201, JSON.stringify({ id: created, ...body }));
const html = { "content-type": "text/html" };
/** A refusal without a length, as long as the connection stands. */
const endless = "HTTP/1.1 422 X\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n{}";

const noAnswer = [["unavailable", 3] as [string, number], "unknown", "unknown"] as const;
const unread = [["bug", 1] as [string, number], "unknown", "unknown"] as const;
const unavailable = [["unavailable", 1] as [string, number], "unknown", "unknown"] as const;
const refusal = (kind: string) => [[kind, 1] as [string, number], kind, kind] as const;

/** What is cut, doubled or no HTTP is no answer: every form of it is in test/http/answers.test.ts. */
const rows: Row[] = [
	["a reset once the request was read", (socket) => void socket.resetAndDestroy(), ...noAnswer],
	["the end once the request was read", (socket) => void socket.end(), ...noAnswer],
	["a cut body of a success", cut(answer(201, accepted, { "content-length": "500" })), ...noAnswer],
	["a cut body of a refusal", cut(answer(400, "{", { "content-length": "500" })), ...noAnswer],
	["an answer after the time limit", (socket) => void setTimeout(() => socket.write(answer(201, accepted)), 2_000), ...noAnswer, 1_000],
	["silence", () => {}, ...noAnswer, 1_000],
	["a success", status(201, accepted), ["ok", 1], "ok", "ok"],
	["a success without an id", status(201, "{}"), ["bug", 1], "ok", "unknown"],
	["a success whose id is no UUID", status(201, '{"id":"42"}'), ["ok", 1], "ok", "unknown"],
	["a success that is HTML", status(200, "<p>hello", html), ...unread],
	["a success without content", status(204), ["bug", 1], "ok", "unknown"],
	["a success that is a number", status(200, "42"), ["bug", 1], "ok", "unknown"],
	["202 with an id", status(202, accepted), ["ok", 1], "ok", "waiting"],
	["202 that is HTML", status(202, "<p>", html), ...unread],
	["an announced body beyond the cap", (socket) => void socket.write(answer(200, "{", { "content-length": "50000000" })), ...unread],
	...[400, 404, 405, 406, 411, 413, 414, 415, 422, 428, 431].map((code): Row => [`${code}`, status(code, "{}"), ...refusal("rejected")]),
	["401 without a way to renew", status(401), ...refusal("auth")],
	["403", status(403), ...refusal("auth")],
	["429", status(429), ["unavailable", 3], "rejected", "rejected"],
	["425", status(425), ["unavailable", 1], "rejected", "unknown"],
	...[402, 407, 409, 410, 418, 423, 451].map((code): Row => [`${code}`, status(code), ["rejected", 1], "rejected", "unknown"]),
	...[500, 502, 503, 504].map((code): Row => [`${code}`, status(code), ...noAnswer]),
	...[408, 501, 520, 599].map((code): Row => [`${code}`, status(code), ...unavailable]),
	...[300, 301, 302, 303, 304, 307, 308].map((code): Row => {
		return [`${code} to the same host`, status(code, "", { location: "/elsewhere" }), ...unavailable];
	}),
	// What in a success says that it is none, and what does not.
	["a success with errors in its body", success({ errors: [{ code: "LIMIT" }] }), undefined, "unknown", "unknown"],
	["a success with a status of 400 in its body", success({ status: 400 }), undefined, "unknown", "unknown"],
	["a success with a status of 1001 in its body", success({ status: "1001" }), undefined, "ok", "unknown"],
	["a success with a statusCode of 503 in its body", success({ statusCode: 503 }), undefined, "unknown", "unknown"],
	["a success with no errors in its body", success({ errors: [], error: null }), undefined, "ok", "ok"],
	["a success with a status of 201 in its body", success({ status: 201, statusCode: "201" }), undefined, "ok", "ok"],
	["a success with a status that is a word", success({ status: "PENDING" }), undefined, "ok", "ok"],
	["a success with half a record", status(200, accepted.slice(0, -3)), undefined, "ok", "unknown"],
	...[400, 422].map((code): Row => [`${code} with a new id`, status(code, accepted), undefined, "rejected", "unknown"]),
	["422 that the end of the connection cuts", cut(endless.slice(0, -1)), undefined, "unknown", "unknown"],
	["422 that the end of the connection ends", cut(endless), undefined, "rejected", "rejected"],
];

function journalFor(kind: string): string {
	if (kind === "ok" || kind === "waiting") return "accepted";
	return kind === "unknown" ? "in-doubt" : "refused";
}

describe.each(transports)("%s", (_name, create) => {
	const smallFor = (baseUrl: string, timeout?: number) => smallThrough(create, baseUrl, timeout);

	describe.each(["read", "write", "money"] as const)("a %s", (effect) => {
		const met = rows.filter((row) => effect !== "read" || row[2] !== undefined);
		it.each(met)("met by %s", async (_name, script, read, write, money, timeout) => {
			const peer = await peerFor(script);
			const small = smallFor(`http://127.0.0.1:${peer.port}`, timeout);
			const result = await outcomeOf(effect, small);
			const [kind, count] = effect === "read" ? (read as [string, number]) : [effect === "write" ? write : money, 1];
			// Where a limit ended it on a busy machine, the peer may read only now what was written.
			await until(() => peer.requests.length >= count);
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

	const mail = (socket: Socket) => void socket.write("220 mail.example.com ESMTP\r\n");
	const tls = (onConnection: (socket: Socket) => void) => async () =>
		`https://127.0.0.1:${(await peerFor(() => {}, { onConnection })).port}`;
	/** Where nothing can have left, and how often it is tried; none: as often as it likes. */
	const unsent: [name: string, baseUrl: () => Promise<string>, times?: number][] = [
		["a refused connection", async () => `http://127.0.0.1:${await closedPort()}`, 3],
		["a name that does not exist", async () => "http://purser-test.invalid", 3],
		["TLS with a peer that does not speak it", tls(mail)],
		["a TLS handshake that the peer breaks off", tls((socket) => void socket.once("data", () => socket.resetAndDestroy()))],
	];
	describe.each(unsent)("%s provably never left", (_name, baseUrl, times) => {
		it.each(["read", "write", "money"] as const)("a %s is safe to run again", async (effect) => {
			const small = smallFor(await baseUrl());
			const journal = effect === "read" ? "" : "not-sent";
			expect(await outcomeOf(effect, small)).toMatchObject({ kind: "unavailable", code: "NOT_SENT", journal });
			if (times !== undefined) expect([small.requests.length, small.slept]).toEqual([times, [200, 400]]);
		});
	});

	it("a TLS handshake that never ends is cancelled at the time limit", async () => {
		const small = smallFor(await tls(() => {})(), 100);
		expect(await outcomeOf("money", small)).toMatchObject({ kind: "unavailable", journal: "not-sent" });
	});
});
