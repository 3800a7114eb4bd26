import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

interface Mutation {
	what: string;
	file: string;
	find: string;
	replace: string;
	tests: readonly string[];
}

const { mutations } = (await import(new URL("./list.js", import.meta.url).href)) as { mutations: readonly Mutation[] };
const root = new URL("../../", import.meta.url);

test("what `npm run mutate` plants can be planted, and the tests named for it are there", () => {
	const times = mutations.map(({ file, find, what }) => [what, readFileSync(new URL(file, root), "utf8").split(find).length - 1]);
	expect(times.filter(([, count]) => count !== 1)).toEqual([]);
	expect(mutations.flatMap(({ tests }) => tests).filter((path) => !existsSync(new URL(path, root)))).toEqual([]);
	expect(mutations.filter(({ find, replace }) => find === replace)).toEqual([]);
	expect(mutations.length).toBeGreaterThanOrEqual(30);
});
