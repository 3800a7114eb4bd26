/**
 * The program behind the tests: with two numbers, what failed in the seeds from one up to the other, or nothing; without any, what each
 * planted bug came to, as JSON.
 */
import { plants } from "./plants.js";
import { caught, failureIn } from "./seeds.js";

const [first, end] = process.argv.slice(2);
if (end !== undefined) process.stdout.write(await failureIn(Number(first), Number(end)));
else {
	const found: Record<string, unknown> = {};
	for (const [name, plant] of Object.entries(plants)) found[name] = await caught(name, plant);
	process.stdout.write(JSON.stringify(found));
}
