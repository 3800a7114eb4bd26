/**
 * The limit of a day, through the commands: from the payment that is refused over the plan of one row to the approved one that is sent.
 */
import { afterEach, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { errorOf, payIn } from "./payment-world.js";

let world: BatchWorld;
afterEach(() => world.end());

test("a payment that crosses it is refused with what to type; that, approved, is sent", async () => {
	world = await batchWorld({ approval: "above 100 EUR a day" });
	const make = async () => (await world.purser(["pay", "batch", "key", "--json"])).json().key as string;
	const planner = await make();
	const planning = world.person.key;
	world.person.key = undefined;
	const approver = await make();
	const approving = world.person.key;
	await world.purser(["profile", "set", "sandbox", "--set", `approvers=ben=${approver}`, "--set", `planners=ci=${planner}`, "--yes"]);
	const pay = (amount: string) => payIn(world, undefined, { amount });
	expect((await pay("60")).exit).toBe(0);
	const sentBefore = world.requests.filter(({ method }) => method === "POST").length;
	const refused = await pay("40.01");
	expect([refused.exit, errorOf(refused).code]).toEqual([10, "APPROVAL_NEEDED"]);
	expect(world.requests.filter(({ method }) => method === "POST")).toHaveLength(sentBefore);
	expect(errorOf(refused).fix).toContain("purser pay batch plan FILE\npurser pay batch approve PLAN\npurser pay batch send PLAN");
	world.person.key = planning;
	const planned = await world.purser(["pay", "batch", "plan", "-", "--to", "plan.json"], {
		input: `From,To,Amount\n${world.from},${world.to},40.01\n`,
		answers: [],
	});
	expect([planned.exit, planned.stderr]).toEqual([0, expect.stringContaining("somebody else, if the day's payments exceed the limit")]);
	const send = () => world.purser(["pay", "batch", "send", "plan.json", "--yes", "--json"]);
	const alone = await send();
	expect([alone.exit, errorOf(alone)]).toMatchObject([
		10,
		{
			code: "APPROVAL_MISSING",
			why: "The profile's setting approval requires it (above 100 EUR a day): payments sent or in doubt today (UTC) count too",
		},
	]);
	world.person.key = approving;
	expect((await world.purser(["pay", "batch", "approve", "plan.json", "--yes"])).exit).toBe(0);
	world.person.key = planning;
	const sent = await send();
	expect([sent.exit, sent.json().approvals]).toMatchObject([0, [{ approver: "ben", key: approver }]]);
	// What was approved counts as every other payment of the day.
	expect((await pay("0.01")).exit).toBe(10);
});
