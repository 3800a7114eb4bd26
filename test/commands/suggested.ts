/**
 * The commands that a run suggests, as data for the tests that type them.
 */
import { commands } from "../../src/commands/index.js";
import type { Ran } from "../support/purser.js";

/** The words of a line as a shell reads them, for the quotes that suggestions use. */
const wordsOf = (line: string): string[] =>
	[...line.matchAll(/(?:'[^']*'|\\'|[^\s'\\])+/g)].map(([word]) => word.replaceAll(/'([^']*)'|\\(')/g, "$1$2"));

/** The commands that a run suggests: below `Next:`, and in the way out of an error. */
export function suggestedBy({ stderr }: Pick<Ran, "stderr">): string[][] {
	const lines = stderr.split("\n");
	const next = lines.flatMap((line) => /^(?:Next:| {5}) purser (.*)$/.exec(line)?.[1] ?? []);
	const fixes = lines.filter((line) => /^ {2}(Next:| {5})/.test(line)).flatMap((line) => line.split("purser ").slice(1));
	return [...next.map(wordsOf), ...fixes.map(commandIn).filter((words) => words.length > 0)];
}

/** The command at the beginning of a sentence's rest: its path, ids, flags and their values. */
function commandIn(rest: string): string[] {
	const all = wordsOf(rest);
	const last = all.findIndex((word) => /[`),;]$/.test(word));
	const words = all.slice(0, last < 0 ? undefined : last + 1).map((word) => word.replace(/[`),.;:]+$/, ""));
	const length = [3, 2, 1].find((count) => Object.hasOwn(commands, words.slice(0, count).join(" ")));
	if (length === undefined) return [];
	const end = words.findIndex(
		(word, at) => at >= length && !/^(--.*|[0-9a-f-]{36}|\d+|[A-Z]{2,}(=VALUE)?)$/.test(word) && !words[at - 1]?.startsWith("--"),
	);
	return words.slice(0, end === -1 ? undefined : end);
}

/** An answer with an exit code of its own, such as a declined KYB, is none. */
export const failed = ({ stderr, exit }: Ran): boolean => /^Error: /m.test(stderr) || exit === 1 || exit === 2;
