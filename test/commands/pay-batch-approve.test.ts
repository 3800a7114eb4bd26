import type { KeyObject } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import type { BatchPlan } from "../../src/ports/batch-plan.js";
import type { Batches } from "../../src/ports/batches.js";
import { planner as ci, person, plan, unsigned } from "../payments/batch/plans.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
/** Of a machine that knows nothing of the plan: somebody else made it elsewhere. */
const unknown = async () => ({ show: async () => undefined }) as unknown as Batches;
const path = "payroll.csv.plan.json";
/** The key of whoever planned, which the profile knows. */
const planner = ci.key;

const write = (of: BatchPlan, more: Record<string, unknown> = {}): void =>
	void world.put(path, JSON.stringify({ plan: of, approvals: [], ...more }));
const written = (): { plan: BatchPlan; approvals: { key: string; approver?: string; at: string }[] } => JSON.parse(world.text(path));
/** Of the bytes `the sheet`. */
const sheetDigest = "f4970e757bf0298522d2cfed72bfd12fadd3b64356dfc4809ba47716c46cfe45";
/** In a script. */
const approve = (more = "") => world.purser(`pay batch approve ${path} --yes --json ${more}`);
/** A machine on which somebody who has a key sees the plan. */
const begin = async (openBatches: () => Promise<Batches>): Promise<void> => {
	world = await makeWorld({ openBatches, profile: { settings: { planners: `ci=${planner}` } } });
	write(plan());
};
beforeEach(() => begin(unknown));

test("pay batch key makes one key and shows it from then on, with how the other one enters it", async () => {
	const first = await world.json("pay batch key");
	expect(first).toMatchObject({ key: expect.stringMatching(/^[\w-]{43}$/), where: "the test", made: true });
	const again = (await world.purser("pay batch key")).stdout;
	expect(again).toContain(`purser profile set PROFILE --set approvers=YOUR-NAME=${first.key}`);
	expect(await world.json("pay batch key")).toMatchObject({ key: first.key, made: false });
	expect((await world.purser(`profile set sandbox --set approvers=anna=${first.key} --yes`)).exit).toBe(0);
});

describe("pay batch approve", () => {
	beforeEach(async () => void (await world.purser("pay batch key")));

	test("shows what the plan moves, asks, and signs on a Yes", async () => {
		const { exit, stderr, stdout } = await world.purser(`pay batch approve ${path} --verbose`, { answers: [true] });
		expect([exit, world.asked[0]?.message]).toEqual([0, "Approve batch 7: 18 230.55 EUR in 3 rows?"]);
		const ledger = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
		for (const word of ["payroll.csv", ledger, "Planned by   ci\n", "2026-03-02", "b".repeat(64), "9 000.00 EUR"])
			expect(stderr).toContain(word);
		expect(stdout).toContain("Approved");
		expect(written()).toMatchObject({ plan: plan(), approvals: [{ at: "2026-03-01T10:00:00.000Z" }] });
		expect((await approve()).json()).toMatchObject({ added: false });
		expect(written().approvals).toHaveLength(1);
		expect(world.changes()).toEqual([]);
	});

	test.each([
		["whose journal cannot be used, but not", "usage", 0, 1],
		["while a team's is away:", "unavailable", 6, 0],
	] as const)("signs on a machine %s (%s)", async (_, kind, exit, count) => {
		await begin(async () => {
			throw new PurserError(kind, { code: "JOURNAL_AWAY", message: "It is away", fix: "Wait." });
		});
		await world.purser("pay batch key");
		expect([(await approve()).exit, written().approvals.length]).toEqual([exit, count]);
	});

	test("signs in a script what the script expects, and nothing else", async () => {
		const wrong = await approve("--expect-count 4");
		expect([wrong.exit, wrong.error().code, written().approvals]).toEqual([10, "NOT_AS_EXPECTED", []]);
		const right = await approve("--expect-count 3 --expect-total EUR=18230.550");
		expect([right.exit, written().approvals.length]).toEqual([0, 1]);
	});

	test("refuses the planner's own key, an expired plan, another service, a link, an unknown version", async () => {
		const { key } = await world.json("pay batch key");
		const cases: [code: string, exit: number, make: () => void, why?: string][] = [
			["APPROVAL_BY_PLANNER", 10, () => write(plan({}, { key, secret: world.person.key as KeyObject }))],
			["PLANNER_UNKNOWN", 10, () => write(unsigned())],
			["PLAN_SIGNATURE", 10, () => write({ ...plan(), planner: person(3).key })],
			["PLANNER_NOT_LISTED", 10, () => write(plan({}, person(3)))],
			["PLAN_EXPIRED", 10, () => write(plan({ expires: "2026-03-01T10:00:00.000Z" }))],
			["PLAN_ELSEWHERE", 10, () => write(plan({ origin: "https://api.example.com" }))],
			["PLAN_ELSEWHERE", 10, () => write(plan({ environment: "live" }))],
			["PLAN_UNREADABLE", 2, () => write({ ...plan(), version: 2 as 1 }), "it has version 2, which this purser does not support"],
			["PLAN_UNREADABLE", 2, () => write(plan({ sheet: { sha256: sheetDigest.toUpperCase() } }))],
			["PLAN_UNREADABLE", 2, () => write(plan({ sheet: { sha256: sheetDigest, more: 1 } as BatchPlan["sheet"] }))],
			["PLAN_UNREADABLE", 2, () => write(plan(), { more: true })],
			["PLAN_UNREADABLE", 2, () => void world.put(path, "[]")],
			["PLAN_UNREADABLE", 2, () => void world.files.delete(path)],
			["PLAN_UNREADABLE", 2, () => [write(plan()), world.links.add(path)]],
		];
		for (const [code, exit, make, why = expect.anything()] of cases) {
			make();
			const ran = await approve();
			expect([ran.exit, ran.error().code, ran.error().why ?? ""]).toEqual([exit, code, why]);
		}
	});

	test("signs nothing with a key that is not among the approvers, where the profile names any", async () => {
		const { key } = await world.json("pay batch key");
		const name = (approvers: string) => world.purser(`profile set sandbox --set approvers=${approvers} --yes`);
		expect((await name(`anna=${planner}`)).exit).toBe(0);
		const refused = await approve();
		expect([refused.exit, refused.error().code, written().approvals]).toEqual([10, "APPROVER_UNKNOWN", []]);
		expect(refused.error().fix).toContain(`purser profile set sandbox --set approvers=anna=${planner},PERSON=${key}`);
		// Before the question, too: nobody is asked for a Yes that counts nowhere.
		expect([(await world.purser(`pay batch approve ${path}`, { answers: [] })).exit, world.asked]).toEqual([10, []]);
		await name(`anna=${planner},ben=${key}`);
		expect((await approve()).exit).toBe(0);
		expect(written().approvals).toMatchObject([{ approver: "ben", key }]);
	});

	test("lets a plan of an unknown planner go once the command that it names was typed", async () => {
		write(plan({}, person(3)));
		const command = /purser (profile set .*)/.exec((await approve()).error().fix)?.[1] as string;
		expect((await world.purser(`${command} --yes`)).exit).toBe(0);
		expect((await approve()).exit).toBe(0);
	});

	test("signs nothing that changed between what was shown and the Yes", async () => {
		const meanwhile = async () => {
			write(plan({ count: 4 }));
			return true;
		};
		const ran = await world.purser(`pay batch approve ${path}`, { answers: [meanwhile] });
		expect([ran.exit, written().approvals]).toEqual([10, []]);
		expect(ran.stderr).toContain("was changed after it was shown; nothing was signed");
	});
});
