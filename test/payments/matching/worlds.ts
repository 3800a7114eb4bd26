/**
 * Running worlds and telling of one that fails. PURSER_TEST_SEED replays one, PURSER_SIMULATION_SEEDS sets how many are run: 5,000 in
 * `npm test`, a million in `npm run torture`.
 */
import type { Engine } from "./engine.js";
import { type Counts, noCounts, Run } from "./run.js";

const { PURSER_TEST_SEED: replayed, PURSER_SIMULATION_SEEDS: count = "5000" } = process.env;

/** The worlds of this run: from the first up to the second, which is not one of them. */
export const [from, to] = replayed === undefined ? [0, Number(count)] : [Number(replayed), Number(replayed) + 1];

/** What one program found. */
export interface Outcome {
	/** The first world in which something is not as it must be, in words. */
	failed?: string;
	counts: Counts;
}

export function outcomeOf(engine: Engine, first: number, end: number): Outcome {
	const counts = noCounts();
	for (let seed = first; seed < end; seed++) {
		const found = new Run(seed, engine, counts).go();
		if (found.length === 0) continue;
		const trace: string[] = [];
		new Run(seed, engine, noCounts(), trace).go();
		return { failed: [`world ${seed} (PURSER_TEST_SEED=${seed} replays it)`, ...found, ...trace].join("\n"), counts };
	}
	return { counts };
}

/** In which of so many worlds something is not as it must be. */
export function caughtIn(engine: Engine, worlds: number): number | undefined {
	const counts = noCounts();
	for (let seed = 0; seed < worlds; seed++) if (new Run(seed, engine, counts).go().length > 0) return seed;
	return undefined;
}
