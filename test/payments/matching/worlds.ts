/**
 * Running worlds and telling of one that fails. PURSER_TEST_SEED replays one; PURSER_SIMULATION_SEEDS sets how many are run in
 * `npm run torture`.
 */
import { type Engine, real } from "./engine.js";
import { type Counts, noCounts, Run } from "./run.js";

/** The first world in which something is not as it must be, in words. */
export function firstFailure(engine: Engine, first: number, end: number, counts: Counts): string | undefined {
	for (let seed = first; seed < end; seed++) {
		const found = new Run(seed, engine, counts).go();
		if (found.length === 0) continue;
		const trace: string[] = [];
		new Run(seed, engine, noCounts(), trace).go();
		return [`world ${seed} (PURSER_TEST_SEED=${seed} replays it)`, ...found, ...trace].join("\n");
	}
	return undefined;
}

/** In which of 10,000 worlds a fault of the engine is seen that the engine itself does not have. */
export function caughtIn(plant: Engine): number | undefined {
	const counts = noCounts();
	for (let seed = 0; seed < 10_000; seed++) if (new Run(seed, plant, counts).go().length > 0) return seed;
	return undefined;
}

export const replay = (seed: number): string | undefined => firstFailure(real, seed, seed + 1, noCounts());
