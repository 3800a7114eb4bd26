import { describe, expect, it } from "vitest";
import { PurserError } from "../../src/errors.js";
import { waitFor } from "../../src/http/wait.js";
import { smallContext } from "../support/context.js";

const away = () => new PurserError("unavailable", { code: "NO_ANSWER", message: "away", fix: "f" });

/** A probe that gives the steps in order, the last again and again. */
function stepping(steps: readonly (boolean | Error)[]) {
	let count = 0;
	const probe = async () => {
		const step = steps[Math.min(count, steps.length - 1)] as boolean | Error;
		count += 1;
		if (step instanceof Error) throw step;
		return { done: step, data: count };
	};
	return { probe, count: () => count };
}

describe("waiting", () => {
	const limits = { timeout: 30_000, label: "Waiting" };
	it("ends with the look that is done; pauses grow and have a bound", async () => {
		const { context, slept } = smallContext();
		const { probe } = stepping([false, false, false, false, false, false, false, false, false, false, true]);
		expect(await waitFor(context, { ...limits, timeout: 300_000 }, probe)).toEqual({ done: true, data: 11 });
		expect(slept).toEqual([500, 750, 1125, 1688, 2531, 3797, 5695, 8543, 10_000, 10_000]);
	});

	it("ends at the time limit with the last look, even by a clock that stands still", async () => {
		const { context, slept } = smallContext();
		const result = await waitFor(context, { ...limits, timeout: 2_000 }, stepping([false]).probe);
		expect(result.done).toBe(false);
		expect(slept.reduce((sum, one) => sum + one, 0)).toBeGreaterThanOrEqual(1_999);
		expect(slept.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(2_001);
	});

	it("bears a service that is away for a while", async () => {
		const { context, said } = smallContext();
		expect((await waitFor(context, limits, stepping([false, away(), away(), true]).probe)).done).toBe(true);
		expect(said).toHaveLength(1);
	});

	it("a service that never answered: its error; one that answered once: that look", async () => {
		const { context } = smallContext();
		await expect(waitFor(context, { ...limits, timeout: 3_000 }, stepping([away()]).probe)).rejects.toMatchObject({ kind: "unavailable" });
		expect(await waitFor(context, { ...limits, timeout: 3_000 }, stepping([false, away()]).probe)).toEqual({ done: false, data: 1 });
	});

	it("any other error ends it at once", async () => {
		const { context } = smallContext();
		const refused = new PurserError("rejected", { code: "NOT_FOUND", message: "m", fix: "f" });
		const { probe, count } = stepping([refused]);
		await expect(waitFor(context, limits, probe)).rejects.toBe(refused);
		expect(count()).toBe(1);
	});
});
