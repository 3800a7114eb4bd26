import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { confirmed } from "../support/companies.js";
import { type Cases, everybody, startCases } from "./onboard-cases.js";

/** So many at least, and until two runs have met, which takes longer where others are busy. */
const pairs = 2;
/** At most. */
const most = 12;
let cases: Cases;

/** The corporates are there, nobody else is; a list takes so long that two runs look before either creates. */
beforeAll(async () => {
	cases = await startCases(most, ["related.list=delay:60ms"]);
	const only = await Promise.all(
		cases.files.map(async (file, place) => {
			const text = await readFile(file, "utf8");
			const path = join(cases.folder, `only-${place}.yaml`);
			await writeFile(path, text.replace(/^(persons|companies|ownership):\n(?: .*\n)+/gm, ""));
			return path;
		}),
	);
	const made = await cases.run(["onboard", "apply", ...confirmed, ...only]);
	expect(made.exitCode, String(made.stderr)).toBe(0);
});
afterAll(() => cases.stop());

test(`two runs of one case at once, ${pairs} times: one of each entity, and the one refused says which came first`, async () => {
	const refused: string[] = [];
	for (let place = 0; place < pairs || (refused.length === 0 && place < most); place += 1) {
		const apply = ["onboard", "apply", ...confirmed, cases.files[place] as string, "--json"];
		const both = await Promise.all([cases.run(apply), cases.run(apply)]);
		for (const { exitCode, stderr, stdout } of both) {
			if (exitCode === 0) continue;
			const said = String(stdout) + String(stderr);
			expect(exitCode, said).toBe(10);
			expect(said).toMatch(/"code":\s*"(ALREADY_SENDING|CREATED_JUST_NOW)"/);
			expect(said).toMatch(/"message":\s*"[^"]*intent \d+/);
			refused.push(said);
		}
		const rest = await cases.run(apply);
		expect(rest.exitCode, String(rest.stdout)).toBe(0);
		expect(cases.made(place).corporates).toHaveLength(1);
		expect(cases.made(place).names).toEqual(everybody);
	}
	expect(refused.length, "no two runs ever met").toBeGreaterThan(0);
});
