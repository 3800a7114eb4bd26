/**
 * Randomness that can be replayed: its user prints the seed, and PURSER_TEST_SEED sets it.
 */
import type { Random } from "../payments/simulation/random.js";

/** The seed of this run: PURSER_TEST_SEED, else a new one. Prints how to replay it. */
export function seedOfRun(what: string): number {
	const given = process.env.PURSER_TEST_SEED;
	const seed = given === undefined || given === "" ? Math.floor(Math.random() * 2 ** 31) : Number(given);
	if (!Number.isSafeInteger(seed)) throw new RangeError(`PURSER_TEST_SEED=${given} is no whole number`);
	process.stdout.write(`${what}: PURSER_TEST_SEED=${seed} replays it\n`);
	return seed;
}

/** A UUID of version 4. */
export function uuidOf(random: Random): string {
	const hex = (digits: number): string => Array.from({ length: digits }, () => random.below(16).toString(16)).join("");
	return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}
