/**
 * Ways around the approval by a second person, in real processes: each ends with exit 10, and nothing reaches the service.
 */
import { chmod, cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createSigning } from "../../src/config/secrets/signing.js";
import { approvedBytes } from "../../src/payments/batch/approval/approval.js";
import type { PlanFile } from "../../src/payments/batch/plan/file.js";
import { Random } from "../payments/simulation/random.js";
import { type CountingPeer, startCountingPeer } from "../support/counting-peer.js";
import { copyOfProgram, type Desk, type Ended, faultyProgram, newDesk, type Program } from "../support/driver.js";
import { payment } from "../support/driver-campaign.js";
import { newLiveDesk } from "../support/live-desk.js";
import { seedOfRun } from "../support/seed.js";

const random = new Random(seedOfRun("approval"));
let program: Program;
let peer: CountingPeer;
let desk: Desk;
let opened: { peer: CountingPeer; desk: Desk }[] = [];

beforeAll(async () => {
	program = await copyOfProgram();
});
afterAll(() => program?.remove());

async function open(by: Program, together = 1): Promise<void> {
	peer = await startCountingPeer({ random, slowest: 100, together });
	desk = await newDesk(by, peer.urls[0] as string);
	opened.push({ peer, desk });
}
beforeEach(() => open(program));
afterEach(async () => {
	for (const one of opened) {
		await one.peer.stop();
		await one.desk.remove();
	}
	opened = [];
});

const codeOf = ({ stderr }: Ended): string =>
	(JSON.parse(stderr.trim().split("\n").at(-1) as string) as { error: { code: string } }).error.code;
const codesIn = ({ stderr }: Ended): string[] => [...stderr.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code as string);
const run = (argv: readonly string[], env: Record<string, string> = {}) => desk.start([...argv, "--json"], { env }).ended;
const set = async (...settings: string[]): Promise<void> => {
	const { code, stderr } = await run(["profile", "set", "desk", ...settings.flatMap((one) => ["--set", one]), "--yes"]);
	expect([code, stderr]).toEqual([0, ""]);
};
const pay = (reference: string, amount: string) => desk.start(payment(reference, amount).argv).ended;

/** Somebody with a configuration and a key of their own, on the same journal. */
async function person(name: string): Promise<{ env: Record<string, string>; key: string; approve(path: string): Promise<void> }> {
	const config = join(desk.folder, name);
	await mkdir(config, { mode: 0o700 });
	await cp(join(desk.env.PURSER_CONFIG_DIR as string, "profiles.json"), join(config, "profiles.json"));
	const env = { PURSER_CONFIG_DIR: config, PURSER_OPERATOR: name };
	const made = await run(["pay", "batch", "key"], env);
	const { key } = JSON.parse(made.stdout) as { key: string };
	const signing = createSigning({ directory: config, env: { PURSER_NO_KEYRING: "1" }, platform: "linux" });
	const approve = async (path: string): Promise<void> => {
		// As signed by a version that did not check the planner.
		const { plan } = JSON.parse(await readFile(path, "utf8")) as PlanFile;
		const at = new Date().toISOString();
		const signature = await signing.sign(approvedBytes(plan, at));
		await writeFile(path, JSON.stringify({ plan, approvals: [{ key, at, signature }] }), { mode: 0o600 });
	};
	return { env, key, approve };
}

/** Plans one row of 5 as this person. @returns the plan's path, and how it is sent */
async function plannedBy(env: Record<string, string>): Promise<{ path: string; send(): Promise<Ended> }> {
	const file = join(desk.folder, "pay.csv");
	const { argv } = payment("row", "5");
	const [from, to] = ["--ledger-from-id", "--ledger-to-id"].map((flag) => argv[argv.indexOf(flag) + 1]);
	await writeFile(file, `ledgerFromId,ledgerToId,amount,reference\n${from},${to},5,row\n`);
	const planned = await run(["pay", "batch", "plan", file], env);
	expect([planned.code, /"error".*/.exec(planned.stderr)]).toEqual([0, null]);
	return { path: `${file}.plan.json`, send: () => run(["pay", "batch", "send", `${file}.plan.json`, "--yes"]) };
}

test("on a live profile a script approves on a machine of its own with --yes --live, and the batch is sent", async () => {
	await peer.stop();
	await desk.remove();
	const live = await newLiveDesk(program);
	desk = live;
	opened = [{ peer: live.peer, desk }];
	const [anna, ben] = [await person("anna"), await person("ben")];
	await set("approval=always", `approvers=ben=${ben.key}`, `planners=anna=${anna.key}`);
	for (const { env } of [anna, ben]) await cp(join(live.config, "profiles.json"), join(env.PURSER_CONFIG_DIR as string, "profiles.json"));
	const { path } = await plannedBy(anna.env);
	const elsewhere = { ...ben.env, PURSER_STATE_DIR: join(desk.folder, "ben-state") };
	const approve = ["pay", "batch", "approve", path, "--yes", "--expect-count", "1"];
	const held = await run(approve, elsewhere);
	expect([held.code, codeOf(held)]).toEqual([10, "LIVE_GUARD"]);
	const approved = await run([...approve, "--live"], elsewhere);
	expect([approved.code, codesIn(approved)]).toEqual([0, []]);
	const sent = await run(["pay", "batch", "send", path, "--yes", "--live", "--new-journal"], anna.env);
	expect([sent.code, live.peer.arrived.length]).toEqual([0, 1]);
});

test("no variable and no second user's configuration lifts an approval on a live profile", async () => {
	await peer.stop();
	await desk.remove();
	const live = await newLiveDesk(program);
	desk = live;
	opened = [{ peer: live.peer, desk }];
	// One payment, so that the journal is known by the configuration it was made with.
	expect((await desk.start([...payment("before", "5").argv, "--live", "--new-journal"]).ended).code).toBe(0);
	const [second, state] = [join(desk.folder, "second"), join(desk.folder, "other-state")];
	await cp(live.config, second, { recursive: true });
	const { key } = JSON.parse((await run(["pay", "batch", "key"])).stdout) as { key: string };
	await set("approval=always", `approvers=ben=${"A".repeat(43)}`, `planners=anna=${key}`);
	const { path } = await plannedBy({});
	const asPayment = async (env: Record<string, string>, ...more: string[]) =>
		codesIn(await desk.start([...payment("after", "6").argv, "--live", ...more], { env }).ended);
	const asBatch = async (env: Record<string, string>) => codesIn(await run(["pay", "batch", "send", path, "--yes", "--live"], env));
	const ways: [env: Record<string, string>, payment: string, batch: string][] = [
		[{}, "APPROVAL_NEEDED", "APPROVAL_MISSING"],
		[{ PURSER_APPROVAL: "above 1000 EUR", PURSER_APPROVERS: "", PURSER_PLANNERS: "" }, "APPROVAL_NEEDED", "APPROVAL_MISSING"],
		[{ PURSER_CONFIG_DIR: second, PURSER_STATE_DIR: state }, "JOURNAL_NOT_THE_ONE", "PLAN_FOREIGN"],
		// It asks for no approval, but the plan was made under one that does.
		[{ PURSER_CONFIG_DIR: second }, "", "SETTINGS_CHANGED"],
	];
	for (const [env, alone, batch] of ways) {
		expect([env, await asBatch(env)]).toEqual([env, [batch]]);
		if (alone !== "") expect([env, await asPayment(env, "--new-journal")]).toEqual([env, [alone]]);
	}
	// A configuration that other users may write pays nothing at all.
	await chmod(second, 0o777);
	expect(await asPayment({ PURSER_CONFIG_DIR: second })).toEqual(["CONFIG_NOT_OWN"]);
	expect(live.peer.arrived.length).toBe(1);
});

const four = () => Promise.all([1, 2, 3, 4].map((number) => pay(`at once ${number}`, "2")));

test("of four processes that would cross it together one is sent", async () => {
	await set("approval=above 3 a day");
	const ended = await four();
	expect(ended.map(({ code }) => code).sort((one, other) => Number(one) - Number(other))).toEqual([0, 10, 10, 10]);
	expect(new Set(ended.filter(({ code }) => code === 10).map(codeOf))).toEqual(new Set(["APPROVAL_NEEDED"]));
	expect(peer.arrived).toHaveLength(1);
});

test("control: where what went out today is not looked at, all four are sent", async () => {
	const faulty = await faultyProgram(
		"src/payments/rules/rules.ts",
		"refuseWithoutApproval(intent.transfer, settings, intent.despite, known.spent);",
		"refuseWithoutApproval(intent.transfer, settings, intent.despite, {});",
	);
	await open(faulty);
	await set("approval=above 3 a day");
	await four();
	expect(peer.arrived).toHaveLength(4);
	await faulty.remove();
});
