import { beforeAll, expect, test } from "vitest";
import { printed } from "./bundled.js";
import { plants } from "./plants.js";
import type { Failed } from "./seeds.js";

let caught: Record<string, [Failed, again: Failed] | undefined>;
beforeAll(async () => {
	caught = JSON.parse((await printed(new URL("./program.ts", import.meta.url), []))[0] as string);
});

test.each(Object.keys(plants))("a planted bug is caught, and its seed replays: %s", (name) => {
	expect(caught[name], "not caught in 10,000 seeds").toBeDefined();
	const [failed, again] = caught[name] as [Failed, Failed];
	expect(again).toEqual(failed);
});
