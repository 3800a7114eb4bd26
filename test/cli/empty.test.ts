/**
 * A list or a report without records writes nothing into a pipe; its sentence goes to standard error.
 */
import { describe, expect, test } from "vitest";
import type { AnyCommand } from "../../src/cli/command.js";
import { outputFormats } from "../../src/cli/output/formats.js";
import { writeAnswer } from "../../src/cli/output/render.js";
import { makeStyle, noPaint } from "../../src/cli/output/style.js";
import { commands } from "../../src/commands/index.js";

/** Answers without records; a command that has records and is not here answers with a list. */
const empty: Record<string, unknown> = {
	overview: { rows: [], counts: {} },
	"pay reconcile": { since: "2026-03-01T00:00:00Z", until: "2026-03-01T10:00:00Z", ledgers: [], found: [], names: {} },
	"kyc status": { people: [] },
	"kyc link": { corporateId: "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f", links: [], others: [] },
};
/** Commands whose answer is a list. */
const lists = Object.keys(commands).filter((path) => /( list|pay doubts|config explain|api find)$/.test(path));

const listing: [string, AnyCommand][] = [];
for (const path of [...lists, ...Object.keys(empty)]) listing.push([path, (await (commands[path] as (typeof commands)[string])()).default]);

describe("in a pipe", () => {
	test.each(listing)("%s", async (path, command) => {
		const [written, told]: [string[], string[]] = [[], []];
		const style = makeStyle({ paint: noPaint, columns: 80, now: new Date("2026-03-01T10:00:00Z") });
		const stdout = { isTerminal: false, columns: 80, write: async (text: string) => void written.push(text) } as never;
		const writing = { format: outputFormats.text, style, stdout, piped: true, line: (text: string) => void told.push(text) };
		await writeAnswer(command, { data: empty[path] ?? [], lines: [] }, writing);
		expect(written).toEqual([]);
		expect(told.join("\n")).not.toBe("");
	});
});
