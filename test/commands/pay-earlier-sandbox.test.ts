/**
 * What is in doubt, or not finished, at a sandbox that was started anew or reset since: it waits for nobody.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type BatchWorld, batchWorld } from "./batch-world.js";

let world: BatchWorld;
const [earlier, now] = ["11111111-0000-4000-8000-000000000001", "22222222-0000-4000-8000-000000000002"];

beforeEach(async () => {
	world = await batchWorld();
});
afterEach(() => world.end());

const lost = { kind: "sent", reason: "the connection was closed before an answer came" } as const;

async function payLost(reference: string, identity: string | undefined): Promise<void> {
	world.identity = identity;
	world.onTransfer(async () => lost);
	const argv = ["pay", "ledger", "--from", world.from, "--to", world.to, "--amount", "10.1", "--reference", reference];
	expect((await world.purser([...argv, "--yes"])).exit).toBe(7);
}

const intents = (list: { intent: string }[]): string[] => list.map(({ intent }) => intent);

describe("a doubt of an earlier sandbox", () => {
	beforeEach(async () => {
		await payLost("then", earlier);
		await payLost("now", now);
		await payLost("anywhere", undefined);
		world.identity = now;
	});

	test("is left out of pay doubts, which says so in one line, and of home", async () => {
		const ran = await world.purser(["pay", "doubts", "--json"]);
		expect(intents(ran.json())).toEqual(["3", "2"]);
		const text = await world.purser(["pay", "doubts"]);
		expect(text.stdout).not.toContain("Intent 1");
		expect(text.stderr).toContain("1 doubt of an earlier sandbox at this address is left out: purser history list --state in-doubt\n");
		expect(intents((await world.purser(["home", "--json"])).json().doubts)).toEqual(["3", "2"]);
		expect(intents((await world.purser(["history", "list", "--state", "in-doubt", "--json"])).json())).toEqual(["3", "2", "1"]);
	});

	test("is shown where the sandbox is not known", async () => {
		world.identity = undefined;
		const ran = await world.purser(["pay", "doubts"]);
		expect(ran.stdout).toContain("Intent 1");
		expect(ran.stderr).not.toContain("earlier sandbox");
	});

	test("is led to what settles it, and that does", async () => {
		const shown = await world.purser(["history", "show", "1"]);
		expect(shown.stderr).toContain("purser pay settle 1 --not-created --reason TEXT\n");
		expect((await world.purser(["history", "show", "2"])).stderr).toContain("Next: purser pay settle 2\n");
		expect((await world.purser(["history", "show", "1", "--json"])).json()).toMatchObject({ intent: "1", earlierSandbox: true });
		expect((await world.purser(["pay", "settle", "1", "--not-created", "--reason", "that sandbox is gone", "--yes"])).exit).toBe(0);
		expect((await world.purser(["pay", "doubts"])).stderr).not.toContain("earlier sandbox");
	});
});

describe("a batch of an earlier sandbox", () => {
	test("is marked, is not in home, and what its next step says can be done", async () => {
		world.identity = earlier;
		world.file([["5.5", "one"]]);
		expect((await world.purser(["pay", "batch", "plan", "pay.csv"])).exit).toBe(0);
		expect((await world.purser(["home", "--json"])).json().batches).toHaveLength(1);
		world.identity = now;
		expect((await world.purser(["home", "--json"])).json().batches).toEqual([]);
		const list = await world.purser(["pay", "batch", "list"], { columns: 200 });
		expect(list.stdout).toContain("planned, at an earlier sandbox");
		const status = await world.purser(["pay", "batch", "status", "1"]);
		expect(status.stdout).toContain("Service           an earlier sandbox at this address; nothing more of it is sent\n");
		expect(status.stdout).toContain("Next: purser pay batch abandon 1 --reason TEXT\n");
		expect((await world.purser(["pay", "batch", "report", "1"])).stderr).toContain("Next: purser pay batch abandon 1 --reason TEXT\n");
		expect((await world.purser(["pay", "batch", "abandon", "1", "--reason", "gone", "--yes"])).exit).toBe(0);
		const closed = await world.purser(["pay", "batch", "status", "1"]);
		expect(closed.stdout).not.toContain("Next:");
	});
});
