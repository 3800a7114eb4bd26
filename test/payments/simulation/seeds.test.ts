import { expect, test } from "vitest";
import { printed } from "./bundled.js";
import { from, to } from "./seeds.js";

test(`the invariants hold in seeds ${from} to ${to - 1}`, async () => {
	// In the torture there is nothing else for the second processor.
	const middle = process.env.PURSER_TORTURE === "1" ? Math.ceil((from + to) / 2) : to;
	expect(await printed(new URL("./program.ts", import.meta.url), [from, middle], [middle, to])).toEqual(["", ""]);
});
