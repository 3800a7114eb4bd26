/**
 * The program behind the tests: with two numbers, what failed in the worlds from one up to the other, and what was counted; without any,
 * in which world each planted fault was caught. As JSON.
 */
import { control, plants, real } from "./engine.js";
import { noCounts } from "./run.js";
import { caughtIn, firstFailure } from "./worlds.js";

const [first, end] = process.argv.slice(2);
if (end !== undefined) {
	const counts = noCounts();
	const failed = firstFailure(real, Number(first), Number(end), counts);
	process.stdout.write(JSON.stringify({ failed, counts }));
} else process.stdout.write(JSON.stringify(Object.fromEntries(Object.entries({ control, ...plants }).map(([name, plant]) => [name, caughtIn(plant)]))));
