/**
 * `--watch` where a look fails: what passes is looked at again, everything else ends it.
 */
import { expect, test } from "vitest";
import type { AnyCommand } from "../../src/cli/command.js";
import { outputFormats } from "../../src/cli/output/formats.js";
import { makeStyle, noPaint } from "../../src/cli/output/style.js";
import { watch } from "../../src/cli/output/watch.js";
import { type Kind, PurserError } from "../../src/errors.js";
import { smallContext } from "../support/context.js";

/** Watches until the third answer; the look at the second fails once. */
async function watched(kind: Kind, code: string) {
	const { context, said, slept } = smallContext();
	const style = makeStyle({ paint: noPaint, columns: 80, now: new Date("2026-03-01T12:00:00.000Z"), utc: true });
	const written: string[] = [];
	let looks = 1;
	const command = {
		run: async () => {
			looks += 1;
			if (looks === 2) throw new PurserError(kind, { code, message: "It is locked", fix: "Wait." });
			return { data: looks, again: looks < 4 ? 5_000 : undefined };
		},
		text: (look: number) => `look ${look}`,
	} as unknown as AnyCommand;
	const stdout = { isTerminal: true, columns: 80, colours: 0, write: async (text: string) => void written.push(text) } as const;
	const writing = { format: outputFormats.text, style, stdout, piped: false, line: () => {} };
	const ended = await watch(command, { data: looks, again: 5_000 }, {}, context, writing, true).then(
		({ data }) => data,
		(error: PurserError) => error.failure.code,
	);
	return { ended, said, slept, written };
}

test.each([
	["unavailable", "SERVICE_UNAVAILABLE"],
	["usage", "JOURNAL_BUSY"],
] as const)("%s, %s: it is tried again after the same pause", async (kind, code) => {
	const { ended, said, slept, written } = await watched(kind, code);
	expect([ended, said, slept]).toEqual([4, ["warn: It is locked; trying again"], [5_000, 5_000, 5_000]]);
	expect(written.filter((text) => text.startsWith("look"))).toEqual(["look 3\n", "look 4\n"]);
});

test("control: anything else ends it", async () => {
	expect(await watched("usage", "JOURNAL_FULL")).toMatchObject({ ended: "JOURNAL_FULL", said: [], slept: [5_000] });
});
