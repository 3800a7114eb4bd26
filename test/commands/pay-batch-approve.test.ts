import type { KeyObject } from "node:crypto";
import { beforeEach, describe, expect, test } from "vitest";
import approve from "../../src/commands/pay/batch/approve.js";
import type { Context } from "../../src/context.js";
import type { BatchPlan } from "../../src/ports/batch-plan.js";
import type { Batches } from "../../src/ports/batches.js";
import { planner as ci, person, plan, unsigned } from "../payments/batch/plans.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
/** Of a machine that knows nothing of the plan: somebody else made it elsewhere. */
const unknown = { show: async () => undefined } as unknown as Batches;
const path = "payroll.csv.plan.json";
/** The key of whoever planned, which the profile knows. */
const planner = ci.key;

const write = (of: BatchPlan, more: Record<string, unknown> = {}): void =>
	void world.files.set(path, new TextEncoder().encode(JSON.stringify({ plan: of, approvals: [], ...more })));
const written = (): { plan: BatchPlan; approvals: { key: string; approver?: string; at: string }[] } =>
	JSON.parse(new TextDecoder().decode(world.files.get(path)));
/** Of the bytes `the sheet`. */
const sheetDigest = "f4970e757bf0298522d2cfed72bfd12fadd3b64356dfc4809ba47716c46cfe45";
const codeOf = (stderr: string): string => JSON.parse(stderr.trim().split("\n").at(-1) as string).error.code;

beforeEach(async () => {
	world = await makeWorld({ openBatches: async () => unknown, profile: { settings: { planners: `ci=${planner}` } } });
	write(plan());
});

describe("pay batch key", () => {
	test("makes one key and shows it from then on, with how the other one enters it", async () => {
		const first = await world.purser(["pay", "batch", "key", "--json"]);
		expect(first.json()).toMatchObject({ key: expect.stringMatching(/^[\w-]{43}$/), where: "the test", made: true });
		const again = await world.purser(["pay", "batch", "key"]);
		expect(again.exit).toBe(0);
		expect(again.stdout).toContain(`purser profile set PROFILE --set approvers=YOUR-NAME=${first.json().key}`);
		expect((await world.purser(["pay", "batch", "key", "--json"])).json()).toMatchObject({ key: first.json().key, made: false });
		expect((await world.purser(["profile", "set", "sandbox", "--set", `approvers=anna=${first.json().key}`, "--yes"])).exit).toBe(0);
	});

	test("makes none in a dry run", async () => {
		const { exit, stderr } = await world.purser(["pay", "batch", "key", "--dry-run", "--json"]);
		expect([exit, codeOf(stderr), world.person.key]).toEqual([2, "APPROVAL_KEY_MISSING", undefined]);
	});
});

describe("pay batch approve", () => {
	beforeEach(async () => void (await world.purser(["pay", "batch", "key"])));

	test("shows what the plan moves, asks, and signs on a Yes", async () => {
		const { exit, stderr, stdout } = await world.purser(["pay", "batch", "approve", path], { answers: [true] });
		expect(exit).toBe(0);
		expect(world.asked[0]?.message).toBe("Approve batch 7: 18 230.55 EUR in 3 rows?");
		for (const word of ["payroll.csv", "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", planner, "2026-03-02", "b".repeat(64), "9 000.00 EUR"])
			expect(stderr).toContain(word);
		expect(stdout).toContain("Approved");
		expect(written()).toMatchObject({ plan: plan(), approvals: [{ at: "2026-03-01T10:00:00.000Z" }] });
		expect((await world.purser(["pay", "batch", "approve", path, "--yes", "--json"])).json()).toMatchObject({ added: false });
		expect(written().approvals).toHaveLength(1);
		expect(world.requests).toEqual([]);
	});

	test("signs nothing on a No, in a dry run, or without somebody to ask", async () => {
		expect((await world.purser(["pay", "batch", "approve", path], { answers: [false] })).exit).toBe(10);
		expect((await world.purser(["pay", "batch", "approve", path, "--dry-run"])).exit).toBe(0);
		expect((await world.purser(["pay", "batch", "approve", path])).exit).toBe(2);
		expect(written().approvals).toEqual([]);
	});

	test("signs in a script what the script expects, and nothing else", async () => {
		const wrong = await world.purser(["pay", "batch", "approve", path, "--yes", "--expect-count", "4", "--json"]);
		expect([wrong.exit, codeOf(wrong.stderr), written().approvals]).toEqual([10, "NOT_AS_EXPECTED", []]);
		const right = await world.purser(["pay", "batch", "approve", path, "--yes", "--expect-count", "3", "--expect-total", "EUR=18230.550"]);
		expect([right.exit, written().approvals.length]).toEqual([0, 1]);
	});

	test("refuses the planner's own key, an expired plan, another service, a link, an unknown version", async () => {
		const { key } = (await world.purser(["pay", "batch", "key", "--json"])).json();
		const cases: [string, number, () => void][] = [
			["APPROVAL_BY_PLANNER", 10, () => write(plan({}, { key, secret: world.person.key as KeyObject }))],
			["PLANNER_UNKNOWN", 10, () => write(unsigned())],
			["PLANNER_UNKNOWN", 10, () => write(unsigned({ planner }))],
			["PLAN_SIGNATURE", 10, () => write({ ...plan(), planner: person(3).key })],
			["PLAN_SIGNATURE", 10, () => write({ ...plan(), count: 4 })],
			["PLANNER_NOT_LISTED", 10, () => write(plan({}, person(3)))],
			["PLAN_EXPIRED", 10, () => write(plan({ expires: "2026-03-01T10:00:00.000Z" }))],
			["PLAN_ELSEWHERE", 10, () => write(plan({ origin: "https://api.example.com" }))],
			["PLAN_ELSEWHERE", 10, () => write(plan({ environment: "live" }))],
			["PLAN_UNREADABLE", 2, () => write({ ...plan(), version: 2 as 1 })],
			["PLAN_UNREADABLE", 2, () => write({ ...plan(), version: "1" as never })],
			["PLAN_UNREADABLE", 2, () => write(plan({ sheet: { sha256: sheetDigest.toUpperCase() } }))],
			["PLAN_UNREADABLE", 2, () => write(plan({ sheet: { sha256: sheetDigest, more: 1 } as BatchPlan["sheet"] }))],
			["PLAN_UNREADABLE", 2, () => write({ ...plan(), extra: 1 } as BatchPlan)],
			["PLAN_UNREADABLE", 2, () => write(plan(), { more: true })],
			["PLAN_UNREADABLE", 2, () => void world.files.set(path, new TextEncoder().encode("[]"))],
			["PLAN_UNREADABLE", 2, () => void world.files.delete(path)],
		];
		for (const [code, exit, make] of cases) {
			make();
			const ran = await world.purser(["pay", "batch", "approve", path, "--yes", "--json"]);
			expect([code, ran.exit]).toEqual([codeOf(ran.stderr), exit]);
		}
		write(plan());
		world.links.add(path);
		expect(codeOf((await world.purser(["pay", "batch", "approve", path, "--yes", "--json"])).stderr)).toBe("PLAN_UNREADABLE");
	});

	test("signs nothing with a key that is not among the approvers, where the profile names any", async () => {
		const { key } = (await world.purser(["pay", "batch", "key", "--json"])).json();
		const approve = () => world.purser(["pay", "batch", "approve", path, "--yes", "--json"]);
		const name = (approvers: string) => world.purser(["profile", "set", "sandbox", "--set", `approvers=${approvers}`, "--yes"]);
		expect((await name(`anna=${planner}`)).exit).toBe(0);
		const refused = await approve();
		expect([refused.exit, codeOf(refused.stderr), written().approvals]).toEqual([10, "APPROVER_UNKNOWN", []]);
		expect(JSON.parse(refused.stderr).error.fix).toContain(`purser profile set sandbox --set approvers=anna=${planner},PERSON=${key}`);
		// Before the question, too: nobody is asked for a Yes that counts nowhere.
		expect([(await world.purser(["pay", "batch", "approve", path], { answers: [] })).exit, world.asked]).toEqual([10, []]);
		await name(`anna=${planner},ben=${key}`);
		expect((await approve()).exit).toBe(0);
		expect(written().approvals).toMatchObject([{ approver: "ben", key }]);
	});

	test("names the version of a plan that it does not read", async () => {
		write({ ...plan(), version: 2 as 1 });
		const ran = await world.purser(["pay", "batch", "approve", path, "--yes", "--json"]);
		expect(JSON.parse(ran.stderr).error.why).toBe("it has version 2, which this purser does not support");
	});

	test("refuses whoever planned it with another key, by each name that is known of both", async () => {
		const { key } = (await world.purser(["pay", "batch", "key", "--json"])).json();
		const approve = async (settings: Record<string, string>, said: { planned?: string; approves?: string }) => {
			Object.assign(world.profiles.get("sandbox") as object, { settings: { planners: `ci=${planner}`, ...settings } });
			write(plan(said.planned === undefined ? {} : { operator: said.planned }));
			world.operator = said.approves;
			const ran = await world.purser(["pay", "batch", "approve", path, "--yes", "--json"]);
			return ran.exit === 0 ? "signed" : `${ran.exit} ${codeOf(ran.stderr)}`;
		};
		const [anna, refused] = [`anna=${key}`, "10 APPROVAL_BY_PLANNER"];
		expect(await approve({}, { planned: "anna", approves: "anna" })).toBe(refused);
		expect(await approve({}, { planned: "Anna ", approves: "anna" })).toBe(refused);
		expect(await approve({ approvers: anna }, { planned: "anna", approves: "ben" })).toBe(refused);
		expect(await approve({ planners: `anna=${planner}` }, { approves: "anna" })).toBe(refused);
		expect(await approve({ planners: `anna=${planner}`, approvers: anna }, { planned: "payments", approves: "root" })).toBe(refused);
		expect(written().approvals).toEqual([]);
		expect(JSON.parse((await world.purser(["pay", "batch", "approve", path, "--yes", "--json"])).stderr).error.message).toBe(
			"Batch 7 was planned by anna, and so would be its approval: somebody else has to approve it; nothing was signed",
		);
		// The controls: two names, and nothing known of either.
		expect(await approve({ approvers: anna }, { planned: "ci-job", approves: "anna" })).toBe("signed");
		expect(await approve({}, {})).toBe("signed");
	});

	test("lets a plan of an unknown planner go once the command that it names was typed", async () => {
		write(plan({}, person(3)));
		const refused = await world.purser(["pay", "batch", "approve", path, "--yes", "--json"]);
		const command = /purser (profile set .*)/.exec(JSON.parse(refused.stderr).error.fix)?.[1] as string;
		expect((await world.purser([...command.split(" "), "--yes"])).exit).toBe(0);
		expect((await world.purser(["pay", "batch", "approve", path, "--yes", "--json"])).exit).toBe(0);
	});

	test("signs nothing that changed between what was shown and the Yes", async () => {
		const profile = world.profiles.get("sandbox");
		const context = {
			settings: { read: async () => ({ profile }), flags: { dryRun: true } },
			files: { isLink: async () => false, read: async () => world.files.get(path) },
			config: {
				signing: async () => ({ own: async () => ({ key: "own", where: "the test" }), sign: async () => "signature" }),
				operator: async () => undefined,
			},
			journal: { batches: async () => unknown },
			clock: world.clock,
			report: { warn: () => {} },
			ask: {
				payment: async (preview: () => Promise<unknown>) => {
					await preview();
					meanwhile();
				},
			},
		} as unknown as Context;
		let meanwhile = () => {};
		expect((await approve.run(context, { plan: path } as never)).data).toMatchObject({ added: false });
		meanwhile = () => void write(plan({ count: 4 }));
		await expect(approve.run(context, { plan: path } as never)).rejects.toMatchObject({ kind: "guard", failure: { code: "PLAN_CHANGED" } });
	});
});
