import { describe, expect, test } from "vitest";
import type { Transfer } from "../../src/api/operations/transfer.js";
import { alreadyPaid, earlierPayment, fingerprintOf } from "../../src/payments/rules/duplicates.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import type { JournalIntent } from "../../src/ports/intent.js";
import type { RuleFacts } from "../../src/ports/journal.js";
import { failure } from "../support/failure.js";
import { refusal } from "./batch/plans.js";

const transfer: Transfer = {
	kind: "ledger",
	ledgerFromId: "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f",
	counterpartyId: "8c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21",
	amount: "10.10",
	currency: "EUR",
	reference: "Invoice 2041",
};

function intent(changed: Partial<Transfer> = {}, rest: Partial<JournalIntent> = {}): JournalIntent {
	const base = {
		operation: "transaction.interLedger",
		effect: "money",
		profile: "p",
		origin: "https://api.example.com",
		method: "POST",
	} as const;
	return { ...base, path: "/x", digest: "", transfer: { ...transfer, ...changed }, ...rest };
}

function verdict(settings: Record<string, string>, of: JournalIntent, duplicates: RuleFacts["duplicates"] = []): string {
	const facts = { duplicates, spent: {}, now: new Date("2026-03-01T10:00:00Z") };
	return refusal(() => moneyRules(settings).check(of, facts)) ?? "permitted";
}

describe("the fingerprint", () => {
	const café = { ...transfer, reference: "Cafe\u0301" };
	test.each<[string, Transfer, Transfer, isSame: boolean]>([
		["trailing zeros", transfer, { ...transfer, amount: "10.1" }, true],
		["capitals in an id", transfer, { ...transfer, ledgerFromId: "3F1C9A52-7F0E-4B6E-9D2A-5A1B8C7D6E4F" }, true],
		["spaces at the ends and in a row", transfer, { ...transfer, reference: " Invoice  2041 " }, true],
		["a currency that was not looked up", transfer, { ...transfer, currency: undefined }, true],
		["a composed letter for a decomposed one", café, { ...transfer, reference: "Caf\u00e9" }, true],
		["another ledger", transfer, { ...transfer, ledgerFromId: "4f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f" }, false],
		["another counterparty", transfer, { ...transfer, counterpartyId: "9c1d7e60-24b3-4c58-8f39-0d6b5e4a3c21" }, false],
		["another amount", transfer, { ...transfer, amount: "10.11" }, false],
		["another reference", transfer, { ...transfer, reference: "Invoice 2042" }, false],
		["no reference", transfer, { ...transfer, reference: undefined }, false],
		["another case", transfer, { ...transfer, reference: "invoice 2041" }, false],
	])("with %s", (_, one, other, isSame) => {
		expect(fingerprintOf(one) === fingerprintOf(other)).toBe(isSame);
	});

	// printf "8:transfer\\n36:…" | sha256sum
	test("does not change from one version to the next", () => {
		expect(fingerprintOf(transfer)).toBe("14aebdbe7228fa91f929d7921d8d41cefa92392c0a146e9a57f03ce10dc61ad4");
	});
});

describe("what may be sent", () => {
	const doubt = { intent: "7", state: "in-doubt", begun: "2026-03-01T09:00:00.000Z" } as const;
	const paid = { intent: "8", state: "accepted", begun: "2026-03-01T09:00:00.000Z", id: "t" } as const;
	const sending = { intent: "9", state: "sending", begun: "2026-03-01T09:59:59.000Z" } as const;
	const despite = (...intents: string[]) => intent({}, { despite: { intents, reason: "owed twice" } });

	test.each<[string, JournalIntent, RuleFacts["duplicates"], string]>([
		["nothing alike", intent(), [], "permitted"],
		["a doubt", intent(), [doubt], "OPEN_DOUBT"],
		["a doubt that is named", despite("7"), [doubt], "permitted"],
		["a doubt named without a reason", intent({}, { despite: { intents: ["7"], reason: "" } }), [doubt], "OPEN_DOUBT"],
		["another that is named", despite("8"), [doubt], "OPEN_DOUBT"],
		["one of two doubts named", despite("7"), [doubt, { ...doubt, intent: "6" }], "OPEN_DOUBT"],
		["a payment", intent(), [paid], "DUPLICATE"],
		["a payment that waits for its holder", intent(), [{ ...paid, state: "waiting" }], "DUPLICATE"],
		["a payment that is named", despite("8"), [paid], "permitted"],
		["a doubt named beside a payment", despite("7"), [doubt, paid], "DUPLICATE"],
		["one being sent", intent(), [sending], "ALREADY_SENDING"],
		["one being sent that is named", despite("9"), [sending], "ALREADY_SENDING"],
	])("%s", (_, of, duplicates, expected) => {
		expect(verdict({}, of, duplicates)).toBe(expected);
	});

	test("a payment of a colleague is told with who made it, and where", () => {
		expect(alreadyPaid([earlierPayment({ ...paid, operator: "ada", machine: "laptop" })])).toEqual({
			at: "2026-03-01T09:00:00.000Z",
			as: "transaction t, intent 8, by ada on laptop",
		});
		expect(alreadyPaid([earlierPayment({ ...paid, operator: "ada" })])?.as).toBe("transaction t, intent 8");
	});

	test("in the way of a creation: a doubt, one being sent, and one made within a minute", () => {
		const creation = { ...intent(), transfer: undefined, creates: true, operation: "corporate.create" };
		const made = (begun: string) => verdict({}, creation, [{ ...paid, begun }]);
		expect(made("2026-03-01T09:58:59.999Z")).toBe("permitted");
		expect(made("2026-03-01T09:59:00.000Z")).toBe("CREATED_JUST_NOW");
		expect(verdict({}, creation, [doubt])).toBe("OPEN_DOUBT");
		expect(verdict({}, creation, [sending])).toBe("ALREADY_SENDING");
	});

	test.each(["", "10,10", "1e3", "-1", "0", "١٠"])("an amount that is none is refused before anything else: %j", (amount) => {
		expect(failure(() => verdict({}, intent({ amount }))).failure.code).toBe("INVALID_INPUT");
	});

	test("a duplicate is one of the profile's days, also where they are none", () => {
		const duplicates = [{ ...paid, begun: "2026-03-01T09:59:30.000Z" }];
		expect(verdict({ "duplicate-days": "0" }, intent(), duplicates)).toBe("permitted");
		const now = new Date("2026-03-10T00:00:00Z");
		expect(moneyRules({}).duplicateWindowStart(now).toISOString()).toBe("2026-03-03T00:00:00.000Z");
		// A minute at the least, for creations.
		expect(moneyRules({ "duplicate-days": "0" }).duplicateWindowStart(now).toISOString()).toBe("2026-03-09T23:59:00.000Z");
		expect(moneyRules({ "duplicate-days": "0.5" }).duplicateWindowStart(now).toISOString()).toBe("2026-03-09T12:00:00.000Z");
	});
});

/** How sums by currency count against a limit is tested in limits.test.ts, for payments and batches. */
describe("the caps", () => {
	const cap = { "cap-per-transfer": "5000 EUR" };

	test.each<[string, Record<string, string>, Partial<Transfer>, string]>([
		["at the limit, written longer", cap, { amount: "5000.00" }, "permitted"],
		["a hair over", cap, { amount: "5000.00000000001" }, "CAP_PER_TRANSFER"],
		["in another currency", cap, { amount: "1", currency: "GBP" }, "CAP_CURRENCY"],
		["in a currency not known", cap, { amount: "1", currency: undefined }, "CAP_CURRENCY"],
		["a limit for every currency", { "cap-per-transfer": "5000" }, { amount: "5000.01", currency: "GBP" }, "CAP_PER_TRANSFER"],
		["a limit that cannot be read", { "cap-per-transfer": "many EUR" }, { amount: "1" }, "CAP_PER_TRANSFER"],
		["a day's limit that cannot be read", { "cap-per-day": "many EUR" }, { amount: "1" }, "CAP_PER_DAY"],
	])("%s", (_, settings, changed, expected) => {
		expect(verdict(settings, intent(changed))).toBe(expected);
	});

	test("0.1 and 0.2 are 0.3", () => {
		const { add } = moneyRules({});
		expect(add("0.1", "0.2", 1)).toBe("0.3");
		expect(add("0.3", "0.1", -1)).toBe("0.2");
		expect(add("100000000000000", "0.1", 1)).toBe("100000000000000.1");
	});
});
