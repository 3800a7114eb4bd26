/**
 * Ways around the approval by a second person, in real processes: each ends with exit 10, and nothing reaches the service.
 */
import { chmod, cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import type { Desk, Ended } from "../support/driver.js";
import { countedDesk, payment } from "../support/driver-campaign.js";
import { livePayment, newLiveDesk } from "../support/live-desk.js";
import { seedOfRun } from "../support/seed.js";

const codesIn = ({ stderr }: Ended): string[] => [...stderr.matchAll(/"code":"(\w+)"/g)].map(([, code]) => code as string);
const set = async (desk: Desk, ...settings: string[]): Promise<void> => {
	const { code, stderr } = await desk.start(["profile", "set", "desk", ...settings.flatMap((one) => ["--set", one]), "--yes"]).ended;
	expect([code, stderr]).toEqual([0, ""]);
};

test("no variable and no second user's configuration lifts an approval on a live profile", async () => {
	const desk = await newLiveDesk();
	const run = (argv: readonly string[], env: Record<string, string> = {}) => desk.start([...argv, "--json"], { env }).ended;
	// One payment, so that the journal is known by the configuration it was made with.
	expect((await run([...livePayment("before", "5"), "--new-journal"])).code).toBe(0);
	const [second, state] = [join(desk.folder, "second"), join(desk.folder, "other-state")];
	await cp(desk.config, second, { recursive: true });
	const { key } = JSON.parse((await run(["pay", "batch", "key"])).stdout) as { key: string };
	await set(desk, "approval=always", `approvers=ben=${"A".repeat(43)}`, `planners=anna=${key}`);
	const file = join(desk.folder, "pay.csv");
	const { argv } = payment("row", "5");
	const [from, to] = ["--ledger-from-id", "--ledger-to-id"].map((flag) => argv[argv.indexOf(flag) + 1]);
	await writeFile(file, `ledgerFromId,ledgerToId,amount,reference\n${from},${to},5,row\n`);
	expect((await run(["pay", "batch", "plan", file])).code).toBe(0);
	const asPayment = async (env: Record<string, string>, ...more: string[]) =>
		codesIn(await run([...livePayment("after", "6"), ...more], env));
	const asBatch = async (env: Record<string, string>) =>
		codesIn(await run(["pay", "batch", "send", `${file}.plan.json`, "--yes", "--live"], env));
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
	expect(desk.peer.arrived.length).toBe(1);
});

test("of four processes that would cross the limit of a day together one is sent", async () => {
	const { desk, peer } = await countedDesk({ random: new Random(seedOfRun("approval")), slowest: 100 });
	await set(desk, "approval=above 3 a day");
	const ended = await Promise.all([1, 2, 3, 4].map((number) => desk.start(payment(`at once ${number}`, "2").argv).ended));
	expect(ended.map(({ code }) => code).sort((one, other) => Number(one) - Number(other))).toEqual([0, 10, 10, 10]);
	expect(ended.filter(({ code }) => code === 10).map(codesIn)).toEqual(Array(3).fill(["APPROVAL_NEEDED"]));
	expect(peer.arrived).toHaveLength(1);
});
