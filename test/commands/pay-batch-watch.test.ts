/**
 * A batch that is watched: it says how far it is and who sends it, and ends once there is nothing more to see.
 */
import { afterEach, describe, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";

const screens = "\u001b[H\u001b[2J";
const rows = [
	["1.00", "watched 1"],
	["2.00", "watched 2"],
	["3.00", "watched 3"],
] as const;

let world: BatchWorld;
afterEach(() => world.end());

/** Does one after the other in the pauses between looks; Ctrl-C after the last. */
function inPauses(...acts: (() => Promise<unknown>)[]): number[] {
	const slept: number[] = [];
	const { sleep } = world.clock;
	let acting = false;
	world.clock.sleep = async (milliseconds) => {
		// What is done in a pause may sleep too.
		if (acting) return sleep(milliseconds);
		slept.push(milliseconds);
		const act = acts.shift();
		if (act === undefined) throw new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run it again." });
		acting = true;
		await act();
		acting = false;
		await sleep(milliseconds);
	};
	return slept;
}

const planned = async (): Promise<string> => {
	const ran = await world.purser(["pay", "batch", "plan", world.file(rows), "--json"]);
	return ran.json().plan.batch as string;
};

describe("pay batch status --watch", () => {
	test("planned, stopped half way, resumed: it ends with the batch, and with the exit code of its rows", async () => {
		world = await batchWorld();
		const batch = await planned();
		const slept = inPauses(
			() => world.purser(["pay", "batch", "send", "pay.csv.plan.json", "--yes", "--stop-after", "1"]),
			() => world.purser(["pay", "batch", "resume", batch, "--yes"]),
		);
		const ran = await world.purser(["pay", "batch", "status", batch, "--watch"], { terminal: true });
		const seen = ran.stdout.split(screens).map((screen) => screen.split("\n"));
		expect(seen.map(([headline]) => headline)).toEqual([
			"Batch 1 is planned; nothing of it was sent",
			"Batch 1: 2 of 3 rows are still to be sent",
			"Batch 1: every row was accepted",
		]);
		expect(seen[1]).toContain("Next: purser pay batch resume 1");
		expect(seen.map((lines) => lines.some((line) => line.startsWith("Updated ")))).toEqual([true, true, false]);
		expect(ran.exit).toBe(0);
		expect(slept.map((pause) => Math.abs(pause - 5_000) <= 500)).toEqual([true, true]);
	});
});
