import { expect, test } from "vitest";
import { failureIn } from "./halves.js";
import { plants } from "./plants.js";
import { Run } from "./scenario.js";
import { type Failed, firstFailure, half } from "./seeds.js";

const { from, to } = half(0);

test(`the invariants hold in seeds ${from} to ${to - 1}`, async () => {
	expect(await failureIn(0)).toBe("");
});

test.each(Object.entries(plants))("a planted bug is caught, and its seed replays: %s", async (_, plant) => {
	const failed = await firstFailure(plant, { from: 0, to: 10_000 });
	expect(failed, "not caught in 10,000 seeds").toBeDefined();
	const { seed, found, trace } = failed as Failed;
	const again = new Run(seed, plant);
	expect([await again.go(), again.trace]).toEqual([found, trace]);
});
