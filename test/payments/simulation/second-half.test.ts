import { expect, test } from "vitest";
import { failureIn } from "./halves.js";
import { half } from "./seeds.js";

const { from, to } = half(1);

test(`the invariants hold in seeds ${from} to ${to - 1}`, async () => {
	expect(await failureIn(1)).toBe("");
});
