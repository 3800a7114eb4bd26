/**
 * Running seeds and telling of one that fails. PURSER_SIMULATION_SEED replays one, PURSER_SIMULATION_SEEDS sets how many are run:
 * 10,000 in `npm test`, a million in `npm run torture`.
 */
import { none, type Plant } from "./plants.js";
import { Run } from "./scenario.js";

// Errors are made by the million here, and nobody reads their stacks.
Error.stackTraceLimit = 0;

export interface Failed {
	seed: number;
	found: string[];
	trace: string[];
}

const count = Number(process.env.PURSER_SIMULATION_SEEDS ?? 10_000);
const replayed = process.env.PURSER_SIMULATION_SEED;

/** The seeds of one of two halves, which run beside each other; a replayed seed is in the first. */
export function half(which: 0 | 1): { from: number; to: number } {
	if (replayed !== undefined) return { from: Number(replayed), to: Number(replayed) + (which === 0 ? 1 : 0) };
	const middle = Math.ceil(count / 2);
	return which === 0 ? { from: 0, to: middle } : { from: middle, to: count };
}

/** The first of the seeds in which an invariant does not hold. */
export async function firstFailure(plant: Plant, { from, to }: { from: number; to: number }): Promise<Failed | undefined> {
	for (let seed = from; seed < to; seed++) {
		const run = new Run(seed, plant);
		const found = await run.go();
		if (found.length > 0) return { seed, found, trace: run.trace };
	}
	return undefined;
}

/** Empty where all is well: what failed, how to see it again, and what happened. */
export async function failureOf(which: 0 | 1): Promise<string> {
	const failed = await firstFailure(none, half(which));
	if (failed === undefined) return "";
	const { seed, found, trace } = failed;
	return [`seed ${seed} (PURSER_SIMULATION_SEED=${seed} replays it)`, ...found, ...trace].join("\n");
}
