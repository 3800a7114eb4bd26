import type { Ran, World } from "../support/purser.js";

/** A day and a minute: the service dates its answers to the second only. */
const settled = 24 * 3_600_000 + 60_000;

/**
 * A person says that a payment was not created, by a check past the settling time; where there is no list, by a Yes alone.
 * @returns what came of the word
 */
export async function notCreated(world: World, intent: string, ...more: string[]): Promise<Ran> {
	world.clock.advance(settled);
	const [checked] = (await world.purser(["pay", "settle", intent, "--json"])).json() as { check?: { number?: number } }[];
	const check = checked?.check?.number === undefined ? ["--yes"] : ["--check", String(checked.check.number)];
	return world.purser(["pay", "settle", intent, "--not-created", ...check, "--reason", "asked the bank", ...more]);
}
