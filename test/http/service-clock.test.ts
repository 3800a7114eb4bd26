/**
 * What answers tell of the service's clock, what a payment has on record of it, and when the service is asked for it.
 */
import { describe, expect, test } from "vitest";
import { getLedger } from "../../src/api/operations/ledger.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { PurserError } from "../../src/errors.js";
import { call } from "../../src/http/call.js";
import type { JournalIntent } from "../../src/ports/intent.js";
import type { WireOutcome } from "../../src/ports/wire.js";
import { answered, type SmallOptions, smallContext } from "../support/context.js";

const now = new Date("2026-03-01T10:00:00.000Z");
const service = "https://api.example.com";
const body = {
	ledgerFromId: "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f",
	ledgerToId: "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21",
	amount: "10",
	reference: "Invoice 2041",
};
const created = (date?: string): WireOutcome =>
	answered(201, { id: "0d6b5e4a-7f0e-4b6e-9d2a-5a1b8c7d6e4f" }, date === undefined ? {} : { date });
const ledger = (date?: string): WireOutcome => answered(200, { id: body.ledgerFromId }, date === undefined ? {} : { date });
const right = "Sun, 01 Mar 2026 10:00:00 GMT";
const twoDaysBefore = "Fri, 27 Feb 2026 10:00:00 GMT";

const small = (options: SmallOptions) => smallContext({ now, ...options });
const read = (context: ReturnType<typeof small>["context"]) =>
	call(context, getLedger, { params: { ledgerId: body.ledgerFromId } }).catch((error) => {
		if (!(error instanceof PurserError)) throw error;
	});
const pay = (context: ReturnType<typeof small>["context"]) => call(context, createInterLedger, { body });
/** Seconds, to the minute: the answers of these tests take as long as the machine does. */
const seconds = (skew: number | undefined) => (skew === undefined ? undefined : Math.round(skew / 60_000) * 60 || 0);

describe("an answer tells the time", () => {
	test.each<[string, WireOutcome, number | undefined]>([
		["a success", ledger(right), 0],
		["a refusal", answered(404, { errorCode: "LEDGER_NOT_FOUND" }, { date: twoDaysBefore }), -172_800],
		["no content", answered(204, undefined, { date: right }), 0],
		["nothing without a date", ledger(), undefined],
		["an error of a gateway", answered(503, { message: "away" }, { date: right }), undefined],
		["a page that is not the service's", answered(200, "<html>Log in</html>", { date: right }), undefined],
		["an answer from a cache", answered(200, { id: body.ledgerFromId }, { date: right, age: "7" }), undefined],
		["a date of its own form", ledger("2026-03-01T10:00:00Z"), undefined],
		["no answer", { kind: "sent", reason: "the connection was closed" }, undefined],
	])("%s", async (_, answer, skew) => {
		const { context } = small({ answers: [answer] });
		await read(context);
		expect(seconds(context.clock.service.skew(service))).toBe(skew);
	});
});

describe("a wrong clock is told once a run, in plain words", () => {
	const told = async (date: string, environment: "sandbox" | "live" = "live") => {
		const { context, said } = small({ answers: [ledger(date)], profile: { environment } });
		await read(context);
		await read(context);
		return said;
	};

	test.each([
		[twoDaysBefore, "This machine's clock is 48 hours ahead of the service."],
		["Sun, 01 Mar 2026 10:06:00 GMT", "This machine's clock is 6 minutes behind the service."],
	])("%s: %s", async (date, words) => {
		const said = await told(date);
		expect(said).toHaveLength(1);
		expect(said[0]).toContain(words);
		expect(said[0]).toContain("correct this machine's clock (network time), then run purser pay doubts");
	});

	test.each(["Sun, 01 Mar 2026 10:04:30 GMT", "Sun, 01 Mar 2026 09:55:30 GMT"])("%s: nothing", async (date) => {
		expect(await told(date)).toEqual([]);
	});
});

describe("a payment has on record how wrong the clock was", () => {
	const intentOf = ({ journal }: ReturnType<typeof small>): JournalIntent => (journal[0] as { begin: JournalIntent }).begin;
	const skewAtEnd = ({ journal }: ReturnType<typeof small>) => (journal[1] as { end: { skew?: number } }).end.skew;

	test("where an earlier answer of the run told it", async () => {
		const all = small({ answers: [ledger(twoDaysBefore), created(twoDaysBefore)] });
		await read(all.context);
		await pay(all.context);
		expect(seconds(intentOf(all).skew)).toBe(-172_800);
		expect(skewAtEnd(all)).toBeUndefined();
	});

	test("as the first request of a run it is not known before, and its own answer tells it", async () => {
		const all = small({ answers: [created(twoDaysBefore)] });
		await pay(all.context);
		expect(all.requests).toHaveLength(1);
		expect("skew" in intentOf(all)).toBe(false);
		expect(seconds(skewAtEnd(all))).toBe(-172_800);
	});

	test.each([[{ "cap-per-day": "100" }], [{ approval: "above 100 EUR a day" }]])(
		"with %j the service is asked first, once, and answers or not",
		async (settings) => {
			const all = small({ profile: { settings }, answers: [ledger(twoDaysBefore), created()] });
			await pay(all.context);
			expect(all.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
				`GET ${service}/api/partner/ledgers/${body.ledgerFromId}`,
				`POST ${service}/api/partner/transactions/inter-ledger`,
			]);
			expect(all.requests[0]?.headers.authorization).toBe("Bearer the-token");
			expect(seconds(intentOf(all).skew)).toBe(-172_800);
			const silent = small({ profile: { settings }, answers: [answered(503, { message: "away" }), created()] });
			await pay(silent.context);
			expect(silent.requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
			expect("skew" in intentOf(silent)).toBe(false);
		},
	);

	test("Ctrl-C while the service is asked: nothing is sent, and nothing stands on record", async () => {
		const answer = (): WireOutcome => {
			all.interrupt();
			return { kind: "not-sent", reason: "cancelled" };
		};
		const all = small({ profile: { settings: { "cap-per-day": "100" } }, answers: [answer] });
		await expect(pay(all.context)).rejects.toMatchObject({ kind: "interrupted" });
		expect(all.journal).toEqual([]);
	});
});

describe("held back for want of the time alone", () => {
	const unchecked = new PurserError("guard", { code: "CLOCK_UNCHECKED", message: "not known what time it is", fix: "" });
	/** A journal that holds a payment back until it has a skew. */
	const wary = (asked: JournalIntent[]) => ({
		begin: async (intent: JournalIntent) => {
			asked.push(intent);
			if (intent.skew === undefined) throw unchecked;
			return "1";
		},
	});

	test("the service is asked, and the journal again", async () => {
		const asked: JournalIntent[] = [];
		const { context, requests } = small({ journal: wary(asked), answers: [ledger(right), created(right)] });
		await pay(context);
		expect(requests.map(({ method }) => method)).toEqual(["GET", "POST"]);
		expect(asked.map(({ skew }) => seconds(skew))).toEqual([undefined, 0]);
	});

	test("a service that does not tell it leaves it held back", async () => {
		const asked: JournalIntent[] = [];
		const { context, requests } = small({ journal: wary(asked), answers: [ledger()] });
		await expect(pay(context)).rejects.toBe(unchecked);
		expect(requests.map(({ method }) => method)).toEqual(["GET"]);
		expect(asked).toHaveLength(1);
	});
});
