/**
 * Running seeds and telling of one that fails. PURSER_SIMULATION_SEED replays one, PURSER_SIMULATION_SEEDS sets how many are run:
 * 2,000 in `npm test`, which nearly every planted bug is within, a million in `npm run torture`.
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

const { PURSER_SIMULATION_SEED: replayed, PURSER_SIMULATION_SEEDS: count = "2000" } = process.env;

/** The seeds of this run: from the first up to the second, which is not one of them. */
export const [from, to] = replayed === undefined ? [0, Number(count)] : [Number(replayed), Number(replayed) + 1];

/** The first of the seeds in which an invariant does not hold. */
export async function firstFailure(plant: Plant, first: number, end: number): Promise<Failed | undefined> {
	for (let seed = first; seed < end; seed++) {
		const run = new Run(seed, plant);
		const found = await run.go();
		if (found.length > 0) return { seed, found, trace: run.trace };
	}
	return undefined;
}

/** Empty where all is well: what failed, how to see it again, and what happened. */
export async function failureIn(first: number, end: number): Promise<string> {
	const failed = await firstFailure(none, first, end);
	if (failed === undefined) return "";
	const { seed, found, trace } = failed;
	return [`seed ${seed} (PURSER_SIMULATION_SEED=${seed} replays it)`, ...found, ...trace].join("\n");
}

/** Where the search for a rare one begins, so that most seeds in which it does no harm are left out. */
const begins: Readonly<Record<string, number>> = { "what a check showed is forgotten": 6_500 };

/** What a planted bug came to in at most 10,000 seeds, and the same seed once more; undefined where it was not caught. */
export async function caught(name: string, plant: Plant): Promise<[Failed, again: Failed] | undefined> {
	const failed = await firstFailure(plant, begins[name] ?? 0, 10_000);
	if (failed === undefined) return undefined;
	const again = new Run(failed.seed, plant);
	return [failed, { seed: failed.seed, found: await again.go(), trace: again.trace }];
}
