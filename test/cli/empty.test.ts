/**
 * A list or a report without records writes nothing into a pipe; its sentence goes to standard error.
 */
import { describe, expect, test } from "vitest";
import { outputFormats } from "../../src/api/formats.js";
import type { AnyCommand } from "../../src/cli/command.js";
import { writeAnswer } from "../../src/cli/output/render.js";
import { makeStyle, noPaint } from "../../src/cli/output/style.js";
import { cellsOf, chosen } from "../../src/cli/output/table.js";
import { commands } from "../../src/commands/index.js";
import { makeWorld } from "../support/purser.js";

/** Answers without records; a command that has records and is not here answers with a list. */
const empty: Record<string, unknown> = {
	overview: { rows: [], counts: {} },
	"api check": { file: "bank.yaml", mapped: 1, absent: 0, faults: [], against: null },
	"api diff": { changes: [], faults: [] },
	"pay reconcile": { since: "2026-03-01T00:00:00Z", until: "2026-03-01T10:00:00Z", ledgers: [], found: [], names: {} },
	"kyc status": { people: [] },
	"kyc link": { corporateId: "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", links: [], others: [] },
};
/** Commands whose answer is a list. */
const lists = Object.keys(commands).filter((path) => /( list|pay doubts|config explain|api find|simulate inbox)$/.test(path));

const listing: [string, AnyCommand][] = [];
for (const path of [...lists, ...Object.keys(empty)].filter((path) => path !== "api check" && path !== "api diff"))
	listing.push([path, (await (commands[path] as (typeof commands)[string])()).default]);

describe("in a pipe", () => {
	test.each(listing)("%s", async (path, command) => {
		const data = empty[path] ?? [];
		const [written, told]: [string[], string[]] = [[], []];
		const plain = (text: string): string => text;
		const paint = { bold: plain, dim: plain, green: plain, red: plain, yellow: plain, cyan: plain };
		await writeAnswer(
			command,
			{ data, lines: [] },
			{
				format: outputFormats.text,
				style: makeStyle({ paint, columns: 80, now: new Date("2026-03-01T10:00:00Z") }),
				stdout: { isTerminal: false, columns: 80, write: async (text: string) => void written.push(text) } as never,
				piped: true,
				line: (text) => told.push(text),
			},
		);
		expect(written).toEqual([]);
		expect(told.join("\n")).not.toBe("");
	});
});

// A search and a record are no table, a change has no columns for people, and a statement has its own.
const untabled = ["api find", "kyc status", "kyc link", "pay reconcile"];

test.each(listing.filter(([path]) => !untabled.includes(path)))("%s refuses an unknown column of no records", (path, command) => {
	const style = makeStyle({ paint: noPaint, columns: 80, now: new Date("2026-03-01T10:00:00Z") });
	const cells = cellsOf(command, { data: empty[path] ?? [], lines: [] }, style);
	expect(cells).toMatchObject({ list: true, rows: [] });
	expect(() => chosen(cells as NonNullable<typeof cells>, "colour-of-it")).toThrow('There is no column "colour-of-it"');
});

test("the reports of a service without companies", async () => {
	const world = await makeWorld();
	world.sandbox.state.corporates.length = 0;
	world.sandbox.state.related.length = 0;
	for (const [argv, sentence] of [
		[["overview"], "No company needs anything.\n"],
		[["corporate", "list"], "No companies found.\n"],
	] as const) {
		const ran = await world.purser(argv, { piped: true });
		expect([ran.exit, ran.stdout]).toEqual([0, ""]);
		expect(ran.stderr).toContain(sentence);
		// The control: for a person it stands in the answer.
		expect((await world.purser([...argv, "--output", "text"], { piped: true })).stdout).toContain(sentence);
	}
});
