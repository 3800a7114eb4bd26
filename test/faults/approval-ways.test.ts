/**
 * Ways for a planner to pay without a second person, by hand on the plan's file, by another key, name, variable or command: each is
 * refused before a payment leaves. The planner has the planner's key and a second one of their own, and not Ben's.
 */
import type { KeyObject } from "node:crypto";
import { sign } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { approvedBytes } from "../../src/payments/batch/approval/approval.js";
import type { PlanFile } from "../../src/payments/batch/plan/file.js";
import type { Approval, BatchPlan } from "../../src/ports/batch-plan.js";
import { type BatchWorld, batchWorld, failure } from "../commands/batch-world.js";
import { person, signed } from "../payments/batch/plans.js";

const [anna, second, ben] = [person(1), person(2), person(3)];
const path = "pay.csv.plan.json";
/** Of the sandbox's day. */
const at = "2026-03-01T10:00:00.000Z";

let world: BatchWorld;
/** The plan, which Ben has approved, and another one of the same planner that he has approved too. */
let approved: PlanFile;
let other: PlanFile;

const be = (who: { secret: KeyObject }, operator: string): void => {
	world.person.key = who.secret;
	world.operator = operator;
};
const read = (file: string): PlanFile => JSON.parse(world.text(file));
const put = (text: string): void => void world.files.set(path, new TextEncoder().encode(text));
const write = (file: unknown): void => put(JSON.stringify(file));
const batch = (...words: string[]) => world.purser(["pay", "batch", ...words, "--yes", "--json"]);
const by = (of: BatchPlan, who: typeof ben, more: Partial<Approval> = {}): Approval => ({
	key: who.key,
	at,
	signature: sign(null, approvedBytes(of, at), who.secret).toString("base64url"),
	...more,
});
const paid = (): number => world.requests.filter(({ method, line }) => method === "POST" && line.includes("/transactions/")).length;

beforeEach(async () => {
	world = await batchWorld({ approval: "always", approvers: `ben=${ben.key}`, planners: `anna=${anna.key}` });
	const plan = async (amount: string, name: string): Promise<PlanFile> => {
		be(anna, "anna");
		world.file([[amount, name]], `${name}.csv`);
		expect((await world.purser(["pay", "batch", "plan", `${name}.csv`])).exit).toBe(0);
		be(ben, "ben");
		expect((await batch("approve", `${name}.csv.plan.json`)).exit).toBe(0);
		be(anna, "anna");
		return read(`${name}.csv.plan.json`);
	};
	other = await plan("5", "other");
	approved = await plan("9000", "pay");
});
afterEach(() => world.end());

const changed = (change: Partial<BatchPlan>): PlanFile => {
	const plan = { ...approved.plan, ...change };
	return { plan, approvals: [...approved.approvals, by(plan, second, { approver: "ben" }), by(plan, anna)] };
};
/** As above, and signed anew by the planner. */
const signedAnew = (change: Partial<BatchPlan>): PlanFile => {
	const plan = signed({ ...approved.plan, ...change }, anna);
	return { plan, approvals: [by(plan, second, { approver: "ben" })] };
};
const bySecond = (plan: BatchPlan): PlanFile => ({ plan, approvals: [by(plan, anna)] });
const approvals = (...all: Approval[]): PlanFile => ({ plan: approved.plan, approvals: all });
const bens = (): Approval => approved.approvals[0] as Approval;

const files: readonly (readonly [what: string, code: string, file: () => unknown])[] = [
	["the approvals removed", "APPROVAL_MISSING", () => approvals()],
	["the rows altered", "PLAN_CHANGED", () => changed({ digest: { ...approved.plan.digest, sequence: "b".repeat(64) } })],
	["the digest of another plan", "PLAN_CHANGED", () => changed({ digest: other.plan.digest })],
	["the total altered, and signed anew", "PLAN_CHANGED", () => signedAnew({ totals: [] })],
	["the number of rows altered, and signed anew", "PLAN_CHANGED", () => signedAnew({ count: 0 })],
	["the setting approval taken out", "PLAN_CHANGED", () => signedAnew({ settings: {} })],
	["another number of the batch", "PLAN_CHANGED", () => changed({ batch: other.plan.batch })],
	["the planner removed", "PLAN_CHANGED", () => changed({ planner: undefined, signature: undefined })],
	["the planner's key swapped for Ben's", "PLAN_CHANGED", () => changed({ planner: ben.key })],
	["a second key as the planner's, and approved with the first", "PLAN_CHANGED", () => bySecond(signed(approved.plan, second))],
	["the planner's signature of another plan", "PLAN_CHANGED", () => changed({ signature: other.plan.signature })],
	["another name of who planned", "PLAN_CHANGED", () => signedAnew({ operator: "carla" })],
	["another page, and signed anew", "PLAN_CHANGED", () => signedAnew({ sheet: { sha256: "0".repeat(64) } })],
	["the expiry put off", "PLAN_CHANGED", () => signedAnew({ expires: "2099-01-01T00:00:00.000Z" })],
	["one with a second key that is called Ben's", "APPROVER_UNKNOWN", () => approvals(by(approved.plan, second, { approver: "ben" }))],
	["Ben's key beside a signature of one's own", "APPROVAL_INVALID", () => approvals(by(approved.plan, anna, { key: ben.key }))],
	["Ben's approval of another plan, a hundred times", "APPROVAL_INVALID", () => approvals(...Array(100).fill(other.approvals[0]))],
	["Ben's approval cut", "APPROVAL_INVALID", () => approvals({ ...bens(), signature: bens().signature.slice(0, -2) })],
	["the planner's signature as Ben's", "APPROVAL_INVALID", () => approvals({ ...bens(), signature: approved.plan.signature ?? "" })],
	["another version of the plan", "PLAN_UNREADABLE", () => changed({ version: 2 as 1 })],
	["a field that says approved", "PLAN_UNREADABLE", () => ({ ...approved, approved: true })],
	["an approval that is no list", "PLAN_UNREADABLE", () => ({ ...approved, approvals: { 0: bens(), length: 1 } })],
];

test.each(files)("a file with %s: %s", async (_, code, file) => {
	write(file());
	const ran = await batch("send", path);
	const error = failure(ran.stderr);
	expect([error.code, ran.exit, paid()]).toEqual([code, code === "PLAN_UNREADABLE" ? 2 : 10, 0]);
	if (code === "PLAN_CHANGED") expect(error.why).toMatch(/^It differs from the journal's copy in: [a-z]/i);
	// The control: the file as Ben signed it is sent.
	write(approved);
	expect([(await batch("send", path)).exit, paid()]).toEqual([0, 1]);
});

test("the file with its approvals said twice, resume in the place of send, and a plan that expired with its approval", async () => {
	const twice = `"approvals":[],"approvals":${JSON.stringify([by(approved.plan, second)])}`;
	put(`{"plan":${JSON.stringify(approved.plan)},${twice}}`);
	expect([(await batch("send", path)).exit, paid()]).toEqual([2, 0]);
	write(approved);
	const resumed = await batch("resume", approved.plan.batch);
	expect([resumed.exit, failure(resumed.stderr).code]).toEqual([10, "BATCH_NOT_BEGUN"]);
	world.clock.advance(25 * 3_600_000);
	const late = await batch("send", path);
	expect([late.exit, failure(late.stderr).code, paid()]).toEqual([10, "PLAN_EXPIRED", 0]);
});
