import { sign } from "node:crypto";
import { describe, expect, test } from "vitest";
import { approvalsForJournal, approvedBytes, byPlannerFailure, checkApproval } from "../../../src/payments/batch/approval/approval.js";
import { approvalNeeded } from "../../../src/payments/rules/approval-needed.js";
import type { Approval, BatchPlan } from "../../../src/ports/batch-plan.js";
import { ledgerA, person, plan, planner, refusal, unsigned } from "./plans.js";

const now = new Date("2026-03-01T12:00:00.000Z");
const [ci, anna, ben, stranger] = [person(2), person(4), person(5), person(6)];

function approval(of: BatchPlan, by = anna, at = "2026-03-01T11:00:00.000Z"): Approval {
	return { key: by.key, at, signature: sign(null, approvedBytes(of, at), by.secret).toString("base64url") };
}

/** The same key with another last letter, whose last bits count nothing. */
function writtenOtherwise(key: string): string {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
	return `${key.slice(0, -1)}${letters[letters.indexOf(key.at(-1) as string) + 1]}`;
}

const settings = { approval: "always", approvers: `anna=${anna.key}, ben=${ben.key}`, planners: `ci=${planner.key}` };

describe("an approval", () => {
	test("by an approver who did not plan counts, also beside others that do not", () => {
		const of = plan({}, anna);
		const all = [approval(of, anna), approval(of, stranger), approval(of, ben)];
		expect(checkApproval(of, all, settings, now)).toMatchObject([{ key: ben.key }]);
		expect(checkApproval(plan(), [approval(plan())], settings, now)).toMatchObject([{ key: anna.key }]);
	});

	test("signs one text, whatever the order of the fields", () => {
		const { version, ...rest } = plan();
		expect(new TextDecoder().decode(approvedBytes({ ...rest, version }, "2026-03-01T11:00:00.000Z"))).toBe(
			`purser batch approval 1\n2026-03-01T11:00:00.000Z\n{"batch":"7","count":3,"digest":{"rows":"${"a".repeat(64)}","sequence":"${"b".repeat(64)}"},"duplicates":{"earlier":0,"inside":0},"environment":"sandbox","expires":"2026-03-02T10:00:00.000Z","installation":"11111111-0000-4000-8000-000000000001","largest":[{"amount":"9000","currency":"EUR"}],"origin":"http://127.0.0.1:4010","planned":"2026-03-01T10:00:00.000Z","planner":"${planner.key}","profile":"sandbox","settings":{"approval":"always"},"signature":"OUmztnJeHcccJVVJViWLIDt4MSRo5HkWDT0zKXCde91fbvGwGVYh3q4Mv-TryOOzZRv7VB5-pIbXTxtmkhZgDw","source":"payroll.csv","sourceDigest":"cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc","totals":[{"amount":"18230.55","currency":"EUR","ledgerFromId":"3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f","rows":3}],"version":1}`,
		);
	});

	test("does not count when one byte of any field changed", () => {
		const signed = approval(plan());
		const changes: Partial<BatchPlan>[] = [
			{ batch: "8" },
			{ installation: "11111111-0000-4000-8000-000000000002" },
			{ profile: "sandbox2" },
			{ environment: "live" },
			{ origin: "http://127.0.0.1:4011" },
			{ source: "payroll.csw" },
			{ sourceDigest: "d".repeat(64) },
			{ count: 4 },
			{ digest: { rows: "a".repeat(64), sequence: `${"b".repeat(63)}c` } },
			{ totals: [{ ledgerFromId: ledgerA, currency: "EUR", rows: 3, amount: "18230.56" }] },
			{ largest: [] },
			{ settings: {} },
			{ duplicates: { inside: 1, earlier: 0 } },
			{ despite: { duplicates: 1, reason: "meant" } },
			{ planned: "2026-03-01T10:00:00.001Z" },
			{ expires: "2026-03-03T10:00:00.000Z" },
			{ operator: "anne" },
			{ sheet: { sha256: "e".repeat(64) } },
		];
		for (const change of changes) {
			// Signed anew by the planner, or not.
			expect([change, refusal(() => checkApproval(plan(change), [signed], settings, now))]).toEqual([change, "APPROVAL_INVALID"]);
			const altered = { ...plan(), ...change };
			expect([change, refusal(() => checkApproval(altered, [approval(altered)], settings, now))]).toEqual([change, "PLAN_SIGNATURE"]);
		}
		for (const change of [{ planner: anna.key }, { planner: undefined }, { signature: "" }, { signature: approval(plan()).signature }])
			expect(refusal(() => checkApproval({ ...plan(), ...change }, [signed], settings, now))).toBe("PLAN_SIGNATURE");
		// The control: without a change it counts, and the lists above name every field but the version.
		expect(refusal(() => checkApproval(plan({}), [signed], settings, now))).toBeUndefined();
		const named = [...changes.flatMap(Object.keys), "planner", "signature", "version"];
		expect(new Set(named)).toEqual(new Set([...Object.keys(plan()), "despite", "operator", "sheet"]));
		expect(refusal(() => checkApproval(plan(), [{ ...signed, at: "2026-03-01T11:00:00.001Z" }], settings, now))).toBe("APPROVAL_INVALID");
		expect(refusal(() => checkApproval(plan(), [{ ...signed, signature: "" }], settings, now))).toBe("APPROVAL_INVALID");
	});

	const byAnna = (of: BatchPlan): Approval[] => [approval(of)];
	test.each<[string, string, BatchPlan, (of: BatchPlan) => Approval[], Record<string, string>, Date]>([
		["is missing", "APPROVAL_MISSING", plan(), () => [], settings, now],
		["is by the planner", "APPROVAL_BY_PLANNER", plan({}, anna), (of) => [approval(of)], settings, now],
		["is by a stranger", "APPROVER_UNKNOWN", plan(), (of) => [approval(of, stranger)], settings, now],
		["is there, but no approvers are", "APPROVER_UNKNOWN", plan(), (of) => [approval(of)], { ...settings, approvers: "" }, now],
		["is of a plan by a key that nobody knows", "PLANNER_NOT_LISTED", plan({}, stranger), (of) => [approval(of)], settings, now],
		["is of a plan without a planner", "PLANNER_UNKNOWN", unsigned(), (of) => [approval(of)], settings, now],
		["is of a plan that its planner did not sign", "PLANNER_UNKNOWN", unsigned({ planner: planner.key }), byAnna, settings, now],
		["is by a second key of the planner", "APPROVAL_BY_PLANNER", plan(), byAnna, { ...settings, planners: `Anna =${planner.key}` }, now],
		["is by whoever said to plan", "APPROVAL_BY_PLANNER", plan({ operator: "anna" }), (of) => [approval(of)], settings, now],
		["came too late", "PLAN_EXPIRED", plan(), (of) => [approval(of)], settings, new Date("2026-03-02T10:00:00.000Z")],
		["carries another's key", "APPROVAL_INVALID", plan(), (of) => [{ ...approval(of, ben), key: anna.key }], settings, now],
	])("that %s is refused", (_, code, of, approvals, under, at) => {
		expect(refusal(() => checkApproval(of, approvals(of), under, at))).toBe(code);
	});

	test("is the planner's own by the key alone, where the profile has no name for it", () => {
		expect(byPlannerFailure(plan({}, stranger), { key: stranger.key }, {}, "")?.code).toBe("APPROVAL_BY_PLANNER");
		expect(byPlannerFailure(plan({}, stranger), { key: anna.key }, {}, "")).toBeUndefined();
	});

	test("is the planner's own in whatever way the key is written", () => {
		const other = writtenOtherwise(anna.key);
		const of = plan({}, anna);
		for (const key of [other, `${anna.key}=`]) {
			const under = { ...settings, approvers: `anna2=${key}` };
			expect(refusal(() => checkApproval(of, [{ ...approval(of), key }], under, now))).toBe("APPROVAL_BY_PLANNER");
		}
		// The control: of another planner's plan the signature is good under that key.
		expect(refusal(() => checkApproval(plan(), [{ ...approval(plan()), key: other }], { ...settings, approvers: `a=${other}` }, now))).toBe(
			undefined,
		);
	});

	test("counts for a planner among the approvers or the planners, whose key may be written in another way", () => {
		const other = writtenOtherwise(ci.key);
		for (const [of, under] of [
			[plan({}, anna), { ...settings, planners: "" }],
			[plan({}, ci), { ...settings, planners: `ci=${other}` }],
		] as const)
			expect(refusal(() => checkApproval(of, [approval(of, ben)], under, now))).toBeUndefined();
	});

	test("goes with a batch that a limit of the day may hold up, and only one that counts", () => {
		const daily = { ...settings, approval: "above 100000 EUR a day" };
		const [one, other] = [approval(plan()), approval(plan(), stranger)];
		expect(approvalsForJournal(plan(), [other, one], daily, now)).toEqual([one]);
		expect(approvalsForJournal(plan(), [{ ...one, signature: "" }, other], daily, now)).toBeUndefined();
		expect(approvalsForJournal(plan({}, stranger), [one], daily, now)).toBeUndefined();
		// By another limit, what needs no approval is begun without one.
		expect(approvalsForJournal(plan(), [one], { ...settings, approval: "above 100000 EUR" }, now)).toBeUndefined();
	});
});

// How sums are held against the limit, of a day too, is held by payments/limits.
describe("whether it is needed", () => {
	const total = (amount: string, currency?: string) => ({ amount, currency, rows: 1, ledgerFromId: ledgerA });
	test.each([
		[undefined, [total("1")], false],
		["always", [total("0.01", "EUR")], true],
		["above 10000 EUR", [total("10000.00", "EUR")], false],
		["above 10000 EUR", [total("10000.01", "EUR")], true],
		["abov 10000 EUR", [total("1", "EUR")], true],
		["above 100 EUR a month", [total("1", "EUR")], true],
	])("with %s of %o: %s", (setting, totals, needed) => {
		expect(approvalNeeded({ totals }, setting === undefined ? {} : { approval: setting })).toBe(needed);
	});
});
