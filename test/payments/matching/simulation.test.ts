import { beforeAll, expect, test } from "vitest";
import { printed } from "../simulation/bundled.js";
import { plants } from "./engine.js";
import { from, type Outcome, to } from "./worlds.js";

const program = new URL("./program.ts", import.meta.url);

test(`nothing that was not made is called created, and nothing is paid twice, in worlds ${from} to ${to - 1}`, async () => {
	// In the torture there is nothing else for the second processor.
	const middle = process.env.PURSER_TORTURE === "1" ? Math.ceil((from + to) / 2) : to;
	const outcomes = (await printed(program, [from, middle], [middle, to])).map((one): Outcome => JSON.parse(one));
	for (const { counts } of outcomes) if (counts.worlds > 0) process.stdout.write(`${told(counts)}\n`);
	expect(outcomes.map(({ failed }) => failed)).toEqual([undefined, undefined]);
});

function told({ worlds, doubts, notCreated, sentAgain, held, acceptListed, excused }: Outcome["counts"]): string {
	const rates = Object.entries(doubts).map(([shows, [made, settled]]) => `${Math.round((100 * settled) / made)} of 100 (${shows})`);
	const [taken, wrong] = acceptListed;
	return [
		`matching, ${worlds} worlds: settled without a person of the doubts that were made: ${rates.join(", ")}`,
		`${notCreated} not created, ${sentAgain} sent again, ${held} held; --accept-listed: ${taken}, ${wrong} of them wrong`,
		`somebody else's same payment was taken for ours ${excused.identical + excused.alike} times`,
	].join("; ");
}

let caught: Record<string, number | undefined>;
beforeAll(async () => {
	caught = JSON.parse((await printed(program, []))[0] as string);
});

test.each(Object.keys(plants))("a planted fault is caught: %s", (name) => {
	// The engine itself, with its groups found in another way.
	if (name === "control") expect(caught[name]).toBeUndefined();
	else expect(caught[name], "not caught in 10,000 worlds").toBeDefined();
});
