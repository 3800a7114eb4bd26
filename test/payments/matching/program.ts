/**
 * The program behind the tests, which prints JSON: with two numbers, what became of the worlds from one up to the other; without any, in
 * which world each planted fault was caught.
 */
import { plants, real } from "./engine.js";
import { caughtIn, outcomeOf } from "./worlds.js";

const [first, end] = process.argv.slice(2);
// Nothing ends the control early.
const found =
	end === undefined
		? Object.fromEntries(Object.entries(plants).map(([name, plant]) => [name, caughtIn(plant, name === "control" ? 1_000 : 10_000)]))
		: outcomeOf(real, Number(first), Number(end));
process.stdout.write(JSON.stringify(found));
