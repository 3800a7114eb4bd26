/** Borders of what a plan is held against: the exact moment, each part of where it belongs, each sign of a formula. */
import { expect, it } from "vitest";
import { checkProfile, checkResumable, decisiveSettings } from "../../../src/payments/batch/plan/check.js";
import { batchRules } from "../../../src/payments/batch/send/guards.js";
import type { BatchRecord, BatchRuleFacts } from "../../../src/ports/batches.js";
import type { MappedOperation, Mapping } from "../../../src/ports/mapping.js";
import type { Profile } from "../../../src/ports/profiles.js";
import { plan, planner, refusal } from "./plans.js";

const profileWith = (more: Partial<Profile> = {}) =>
	({ name: "sandbox", environment: "sandbox", baseUrl: "http://127.0.0.1:4010/", settings: { approval: "always" }, ...more }) as Profile;

it("a plan is good until its moment, and at that moment no more", () => {
	const at = (now: string, first = true, settings: Record<string, string> = {}) =>
		batchRules(settings).checkBatch(plan({ settings: {} }), {
			first,
			approved: false,
			duplicates: { inside: 0, earlier: 0, doubts: { rows: 0, intents: [] }, batches: [] },
			allowed: { duplicates: 0 },
			asked: { EUR: "18230.55" },
			spent: {},
			now: new Date(now),
		} as BatchRuleFacts);
	expect(refusal(() => at("2026-03-02T09:59:59.999Z"))).toBeUndefined();
	expect(refusal(() => at("2026-03-02T10:00:00.000Z"))).toBe("PLAN_EXPIRED");
	// What was begun goes on, however late, by the approvals that it was begun with.
	expect(refusal(() => at("2026-03-20T10:00:00.000Z", false, { approval: "always" }))).toBeUndefined();
	expect(refusal(() => at("2026-03-02T09:59:59.999Z", true, { approval: "always", planners: `ci=${planner.key}` }))).toBe(
		"APPROVAL_MISSING",
	);
});

it("a plan belongs to one environment and one service", () => {
	expect(refusal(() => checkProfile(plan(), profileWith()))).toBeUndefined();
	for (const more of [{ environment: "live" }, { baseUrl: "http://127.0.0.1:4011" }, { baseUrl: "http://127.0.0.1:4010/test" }] as const)
		expect([more, refusal(() => checkProfile(plan(), profileWith(more)))]).toEqual([more, "PLAN_ELSEWHERE"]);
	expect(refusal(() => checkProfile(plan(), profileWith({ settings: {} })))).toBe("SETTINGS_CHANGED");
});

it("a plan belongs to the mapping that it was made with, whose digest it holds and no more", () => {
	const at = (path: string): MappedOperation => ({ method: "POST", path });
	const moved: Mapping = { operations: { "transaction.interLedger": at("/v2/transfers") } };
	const profile = (mapping?: Mapping) => profileWith({ mapping });
	const planned = plan({ settings: decisiveSettings(profile(moved)) });
	expect(planned.settings).toEqual({ approval: "always", mapping: expect.stringMatching(/^[0-9a-f]{64}$/) });
	const sent = (mapping?: Mapping) => refusal(() => checkProfile(planned, profile(mapping)));
	expect([sent(moved), sent(structuredClone(moved))]).toEqual([undefined, undefined]);
	const others: (Mapping | undefined)[] = [
		undefined,
		{ operations: {} },
		{ operations: { "transaction.interLedger": at("/v3/transfers") } },
		{ operations: { ...moved.operations, "transaction.beneficiary": at("/v2/payouts") } },
		{ ...moved, ids: { ledger: "acc_[0-9]{8}" } },
		{ ...moved, errors: { code: "/code" } },
		{ ...moved, paging: { style: "offset", at: "skip" } },
	];
	for (const other of others) expect([other, sent(other)]).toEqual([other, "SETTINGS_CHANGED"]);
	expect(decisiveSettings(profile())).toEqual({ approval: "always" });
});

it("a batch that was begun goes on where what stopped it was corrected, but never by settings that nobody approved", () => {
	const goesOn = (record: Partial<BatchRecord>, settings: Record<string, string>, mapping?: Mapping) => {
		const profile = profileWith({ settings, mapping });
		let changed: string[] = [];
		const plain = { batch: "7", plan: plan({ settings: { "cap-per-day": "100" } }), state: "begun", ...record } as BatchRecord;
		return refusal(() => (changed = checkResumable(plain, profile))) ?? changed;
	};
	const moved: Mapping = { operations: { "transaction.interLedger": { method: "POST", path: "/v2/transfers" } } };
	const approvals = [{ key: "BENS-KEY", at: "2026-03-01T11:10:00.000Z", signature: "x" }];
	expect(goesOn({}, { "cap-per-day": "100" })).toEqual([]);
	expect(goesOn({}, { "cap-per-day": "900" }, moved)).toEqual(["cap-per-day", "mapping"]);
	expect(goesOn({}, { "cap-per-day": "100", approval: "always" })).toBe("SETTINGS_CHANGED");
	expect(goesOn({ approvals }, { "cap-per-day": "100" }, moved)).toBe("SETTINGS_CHANGED");
	expect(goesOn({ state: "planned" }, { "cap-per-day": "100" })).toBe("BATCH_NOT_BEGUN");
	for (const origin of ["http://127.0.0.1:4010/api/v1", "http://127.0.0.1:4011"])
		expect(goesOn({ plan: plan({ origin }) }, { approval: "always" })).toBe("PLAN_ELSEWHERE");
});
