/**
 * A payment in doubt, sent once more with the idempotency key of its attempt: the same bytes and the same key, only while the service keeps
 * it, and settled only by an answer that proves it.
 */
import { describe, expect, test } from "vitest";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { resendPayment } from "../../src/http/resend.js";
import { openSender, sendTransfer } from "../../src/http/sender.js";
import { serviceOf } from "../../src/http/service.js";
import { momentOf } from "../../src/http/shelf-life.js";
import type { Tools } from "../../src/payments/matching/sides.js";
import { settleByResending } from "../../src/payments/single/resend.js";
import type { IntentRecord, JournalIntent, Settlement } from "../../src/ports/intent.js";
import type { IdempotencyKey, Mapping, RequestField } from "../../src/ports/mapping.js";
import type { Profile } from "../../src/ports/profiles.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { answered, changed, smallContext } from "../support/context.js";

const [a, b, made] = ["1", "2", "9"].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [string, string, string];
const transfer: Transfer = { kind: "ledger", ledgerFromId: a, counterpartyId: b, amount: "10.50", currency: "EUR", reference: "Invoice 7" };
const header: IdempotencyKey = { place: "header", at: "Idempotency-Key", hours: 24 };
const at = (name: string): RequestField => ({ place: "body", at: `/${name}` });
const entry = {
	method: "POST",
	path: "/v2/pay",
	fields: { ledgerFromId: at("from"), ledgerToId: at("to"), amount: at("sum"), reference: at("text") },
} as const;
const mappingWith = (idempotency?: IdempotencyKey): Mapping => ({ operations: { "transaction.interLedger": entry }, idempotency });
const mapping = mappingWith(header);
/** Of the first attempt. */
const begun = "2026-03-01T10:00:00.000Z";
const later = (milliseconds: number): Date => new Date(Date.parse(begun) + milliseconds);
const dated = (date: Date): WireOutcome => answered(200, { ledgerId: a }, { date: date.toUTCString() });
const lost: WireOutcome = { kind: "sent", reason: "no answer came" };

interface Given {
	profile?: Partial<Profile>;
	now?: Date;
	/** The answer to the payment. */
	answer?: WireOutcome;
	/** The answer to what is asked for the time. */
	time?: WireOutcome;
	record?: IntentRecord;
	/** What stands at the profile's address; undefined: no sandbox of purser's own. */
	sandbox?: string;
}

/** A desk with one payment, its journal in memory. */
function deskOf({ profile, now = later(60_000), answer = lost, time = dated(now), record, sandbox }: Given = {}) {
	const resent: [string, number][] = [];
	const kept: unknown[][] = [];
	const settled: [string, Settlement, number][] = [];
	let intent: JournalIntent | undefined;
	const small = smallContext({
		profile: { mapping, ...profile },
		now,
		answers: [({ method }) => (method === "GET" ? time : answer)],
		journal: {
			installation: async () => "this journal",
			begin: async (asked) => {
				intent = asked;
				return "7";
			},
			end: async () => {},
			show: async () => record && { record, events: [] },
			resend: async (...given) => void resent.push(given),
			answered: async (...given) => void kept.push(given),
			settle: async (intent, settlement, attempt) => void settled.push([intent, settlement, attempt]),
		},
	});
	const profiles = async () => ({ get: async () => (await small.context.settings.read()).profile }) as never;
	const context = changed(small.context, { config: { profiles }, journal: { sandboxIdentity: async () => sandbox } });
	const payments = (): WireRequest[] => small.requests.filter(({ method }) => method !== "GET");
	return { context, payments, resent, kept, settled, begunIntent: () => intent as JournalIntent };
}

const wire = ({ method, url, headers, body }: WireRequest) => ({ method, url, headers, body: new TextDecoder().decode(body) });

/** A payment whose answer was lost: what was sent, and its record. */
async function lostPayment(of: Mapping = mapping) {
	const desk = deskOf({ profile: { mapping: of }, sandbox: "box" });
	await expect(sendTransfer(desk.context, transfer, { despite: undefined, expected: undefined })).rejects.toMatchObject({
		kind: "unknown",
	});
	const known = { intent: "7", attempt: 1, state: "in-doubt", begun, changed: begun, skew: 0, sandbox: "box" } as const;
	return { record: { ...desk.begunIntent(), ...known } as IntentRecord, sent: desk.payments().map(wire) };
}

describe("what leaves", () => {
	test.each<[string, IdempotencyKey]>([
		["a header", header],
		["the body", { place: "body", at: "/dedupe", hours: 24 }],
	])("of a single payment is the same request once more, with the key of its attempt in %s", async (_, key) => {
		const { record, sent } = await lostPayment(mappingWith(key));
		const desk = deskOf({ profile: { mapping: mappingWith(key) }, sandbox: "box", answer: answered(201, { id: made }) });
		expect(await resendPayment(desk.context, record)).toEqual({ state: "accepted", id: made, status: 201 });
		expect(desk.payments().map(wire)).toEqual(sent);
		expect(JSON.stringify(sent)).toMatch(/(idempotency-key|dedupe)[\\":]+[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}/);
		expect(desk.resent).toEqual([["7", 1]]);
		expect(desk.kept).toEqual([["7", { state: "accepted", id: made, status: 201 }]]);
	});

	test("of a row is the same request once more, with the key of its own attempt", async () => {
		const desk = deskOf({ sandbox: "box" });
		const sender = await openSender(desk.context, transfer);
		for (const attempt of [1, 2])
			expect((await sender(transfer, { intent: "7", attempt, recorded: momentOf(desk.context.clock) })).outcome.state).toBe("in-doubt");
		const [first, second] = desk.payments().map(wire);
		expect(first?.headers["idempotency-key"]).not.toBe(second?.headers["idempotency-key"]);
		// A row has no digest of its body: its transfer says it.
		const { digest: _, ...record } = (await lostPayment()).record;
		const again = deskOf({ sandbox: "box", answer: answered(202, {}) });
		expect(await resendPayment(again.context, { ...record, batch: "3", row: 1, attempt: 2 })).toMatchObject({
			state: "accepted",
			waiting: true,
		});
		expect(again.payments().map(wire)).toEqual([second]);
		expect(again.resent).toEqual([["7", 2]]);
	});
});

describe("is refused, and nothing leaves", () => {
	const codeOf = async (desk: ReturnType<typeof deskOf>, record: IntentRecord): Promise<string> => {
		const told = resendPayment(desk.context, record).catch(({ kind, failure, message }) => `${kind} ${failure.code}: ${message}`);
		await told;
		expect([desk.payments(), desk.resent]).toEqual([[], []]);
		return told as Promise<string>;
	};

	const hour = 3_600_000;
	const minute = 60_000;
	test.each<[string, Given, Partial<IntentRecord>, string]>([
		["keys kept for an unknown time", { profile: { mapping: mappingWith({ ...header, hours: undefined }) } }, {}, "for how long"],
		["a mapping that changed", { profile: { mapping: { ...mapping, zone: "UTC" } } }, {}, "the mapping changed since it was sent"],
		["one of another journal", {}, { carried: "laptop:17" }, "it was carried over from another journal"],
		["another address", { profile: { baseUrl: "https://other.example.com" } }, {}, "it was sent to another service"],
		["another sandbox at the same address", { sandbox: "another" }, {}, "it was sent to another service"],
		["a body that is not on record", {}, { digest: "0".repeat(64) }, "switches that are not on record"],
		["a service that tells no time", { time: answered(200, {}) }, {}, "the service's time is not known"],
		["an attempt at an unknown time of the service's", {}, { skew: undefined }, "the service's time is not known"],
		["a key whose time is over", { now: later(24 * hour - 9 * minute) }, {}, "keeps keys for 24 hours only, and that time is over"],
		[
			"a key whose time is over by this machine's clock alone",
			{ now: later(24 * hour), time: dated(later(hour)) },
			{},
			"that time is over",
		],
		["an attempt that was earlier by the service's clock", { now: later(23 * hour) }, { skew: -hour }, "that time is over"],
	])("%s", async (_, given, more, why) => {
		const { record } = await lostPayment();
		const told = await codeOf(deskOf({ sandbox: "box", ...given }), { ...record, ...more });
		expect(told).toMatch(/^guard NOT_RESENDABLE: Payment 7 cannot be sent again with its key: .*; nothing was sent$/);
		expect(told).toContain(why);
	});

	test("a mapping that nobody confirmed", async () => {
		const { record } = await lostPayment();
		expect(await codeOf(deskOf(), record)).toContain("guard MAPPING_UNCONFIRMED");
	});

	test("but not just before the key's time is over (control)", async () => {
		const { record } = await lostPayment();
		const desk = deskOf({ sandbox: "box", now: later(24 * hour - 11 * minute), answer: answered(201, { id: made }) });
		expect((await resendPayment(desk.context, record)).state).toBe("accepted");
	});
});

describe("the answer", () => {
	const sentAgain = "sent again with its idempotency key, and the answer settles nothing: ";
	test.each<[string, WireOutcome, object]>([
		["201 with an id", answered(201, { id: made }), { state: "accepted", id: made }],
		["202", answered(202, {}), { state: "accepted", id: undefined }],
		["200 without an id", answered(200, {}), { why: `${sentAgain}status 200 came without the new record's id` }],
		["a refusal", answered(422, { errorCode: "LIMIT" }), { why: `${sentAgain}status 422` }],
		["none", lost, { why: `${sentAgain}no answer came` }],
		["none, as nothing left", { kind: "not-sent", reason: "refused" }, { why: `${sentAgain}refused` }],
	])("%s", async (_, answer, expected) => {
		const { record } = await lostPayment();
		const desk = deskOf({ sandbox: "box", answer, record });
		const tools = { journal: await desk.context.journal.of({} as Profile), dry: false } as Tools;
		const [result, ...more] = await settleByResending(tools, serviceOf(desk.context), "7");
		const isSettled = "state" in expected;
		expect([result, more]).toMatchObject([{ intent: "7", state: "in-doubt", ...expected }, []]);
		// What did not leave is tried again, as any payment is.
		expect(desk.payments()).toHaveLength(answer.kind === "not-sent" ? 3 : 1);
		expect(desk.settled.map(([intent, { state, evidence }, attempt]) => [intent, state, evidence.source, attempt])).toEqual(
			isSettled ? [["7", "accepted", "service", 1]] : [],
		);
	});
});
