/** What is reported of errors: for a bug, whether money may have moved depends on the command. */
import { expect, test } from "vitest";
import type { Effect } from "../../src/api/operation.js";
import { makeFrame } from "../../src/cli/frame.js";
import { readGlobal } from "../../src/cli/input/options.js";
import { report } from "../../src/cli/report.js";
import type { Runtime } from "../../src/context.js";
import { PurserError } from "../../src/errors.js";

const nothing = { done: [], inDoubt: [], notDone: [], money: false };

/** The ports of a run whose output goes to `write`. */
function outsideWith(write: (part: string) => void, isTerminal = false): Runtime {
	const output = { write: async (part: string) => write(part), isTerminal, columns: 100, colours: 0 } as const;
	const clock = { now: () => new Date(0), monotonic: () => 0, sleep: async () => {} };
	return {
		clock,
		system: { env: {}, terminal: { stdout: output, stderr: output } },
		signal: new AbortController().signal,
	} as unknown as Runtime;
}

async function reported(words: string[], effect: Effect): Promise<{ exit: number; text: string }> {
	const written: string[] = [];
	const runtime = outsideWith((part) => void written.push(part));
	const flags = Object.fromEntries(words.filter((word) => word.startsWith("--")).map((word) => [word.slice(2), true]));
	const frame = await makeFrame(readGlobal(words, flags, {}), runtime);
	const exit = report(new TypeError("x is not a function"), frame, runtime, effect, nothing);
	return { exit, text: written.join("") };
}

test.each([
	[["pay", "ledger", "--json"], "money", true],
	[["pay", "ledger", "--json", "--dry-run"], "money", false],
	[["ledger", "list", "--json"], "read", false],
] as const)("%j: the flag says whether money may have moved", async (words, effect, may) => {
	const { exit, text } = await reported([...words], effect);
	expect(exit).toBe(1);
	expect(JSON.parse(text).error).toMatchObject({ code: "BUG", exit: 1, moneyMayHaveMoved: may });
});

test("a person reads so too", async () => {
	expect((await reported(["pay", "ledger"], "money")).text).toContain("Money may have moved. Do not send it again before this is settled.");
	expect((await reported(["ledger", "list"], "read")).text).not.toContain("Money may have moved");
});

test("an unreadable answer is shown to programs by commands that only read: it may be personal", async () => {
	const written: string[] = [];
	const runtime = outsideWith((part) => void written.push(part));
	const answer = { data: { lastName: "Plantagenet" } };
	const cause = new PurserError("bug", { code: "ANSWER_UNREADABLE", message: "The answer makes no sense", fix: "Look", answer });
	for (const words of [[], ["--json"]]) {
		const frame = await makeFrame(readGlobal(words, words.length > 0 ? { json: true } : {}, {}), runtime);
		for (const [effect, shown] of [
			["read", true],
			["write", false],
		] as const) {
			written.length = 0;
			expect(report(cause, frame, runtime, effect, nothing)).toBe(1);
			expect(written.join("").includes("Plantagenet")).toBe(shown && words.length > 0);
		}
	}
});

test("what a command shows at once is sanitized, and what this program printed itself keeps its colours", async () => {
	let text = "";
	const runtime = outsideWith((part) => {
		text += part;
	}, true);
	const { reporter } = await makeFrame(readGlobal([], {}, {}), runtime);
	await reporter.show("KYC link: \u001b]52;c;cm0=\u0007\u202e\n");
	expect(text).toBe("KYC link: ␛]52;c;cm0=␇<U+202E>\n");
	text = "";
	await reporter.passOn("\u001b[32mACTIVE\u001b[39m\n");
	expect(text).toBe("\u001b[32mACTIVE\u001b[39m\n");
});
