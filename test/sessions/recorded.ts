/**
 * What differs between two runs of the same session, and what stands in its place. Everything else is compared as it is.
 */
import { screenOf } from "../support/screen.js";
import type { Shot } from "./desk.js";
import { ids } from "./rules.js";

const seeded = /^(11111111|22222222|aaaaaaaa|bbbbbbbb)-/;

/** Each substitution keeps the width of what it replaces where columns are aligned by it. */
const substitutions: readonly (readonly [what: RegExp, by: string])[] = [
	[/\/\S*\/purser-(desk|live)-\w+/g, "/FOLDER"],
	[/\/onboarding-drafts\/sandbox\/[a-z0-9-]+\.json/g, "/onboarding-drafts/sandbox/DRAFT.json"],
	[/(127\.0\.0\.1|localhost):\d+/g, "$1:PORT"],
	[/\d{4}-\d{2}-\d{2} \d{2}:\d{2} \+00:00/g, "2026-01-02 03:04 +00:00"],
	[/(\d{4}-\d{2}-\d{2}) \d{2}:\d{2}$/gm, "$1 03:04"],
	[/^(\s*)\d{2}:\d{2} \+00:00/gm, "$103:04 +00:00"],
	[/(\d Nov), (just now|1 minute)/g, "$1, just now"],
	[/\b\d{5} bytes/g, "10000 bytes"],
	[/_sandbox\/kyc\/\w+/g, "_sandbox/kyc/TOKEN"],
	[/(review of) \d{4}-\d{2}-\d{2}$/gm, "$1 2026-01-02"],
	[/\((now|\d+ (second|minute)s? ago)\)/g, "(now)"],
	[/ in \d+(\.\d+)? s$/gm, " in 0.1 s"],
];

/**
 * Lines as they are recorded and compared. Ids of the sandbox's first company stay; each other one is numbered.
 * @param known the ids that earlier lines of the session have shown
 */
export function normalised(lines: readonly string[], known: string[] = []): string[] {
	const numbered = lines.join("\n").replace(ids, (id) => {
		if (seeded.test(id)) return id;
		if (!known.includes(id)) known.push(id);
		return `00000000-0000-4000-8000-${String(known.indexOf(id) + 1).padStart(12, "0")}`;
	});
	return substitutions.reduce((text, [what, by]) => text.replace(what, by), numbered).split("\n");
}

/** What is recorded of each command: its line, the screen at its end, and its exit code. */
export async function recordedBlocks(shots: readonly Shot[], columns: number): Promise<string[]> {
	const known: string[] = [];
	const blocks: string[] = [];
	for (const { line, raw, exit } of shots) {
		const { lines } = await screenOf(raw, columns);
		blocks.push([...normalised([`$ ${line}`, ...lines], known), ...(exit === undefined ? [] : [`[exit ${exit}]`])].join("\n"));
	}
	return blocks;
}

/** Blocks as a file, each once. */
export const recordedText = (blocks: readonly string[]): string => `${[...new Set(blocks)].join("\n\n")}\n`;

const words = (block: string): string => block.replace(/\s+/g, " ");
/** Those blocks which do not say the same words in the same order as at another width: what is only wrapped is held to the rules. */
export const laidOutAnew = (blocks: readonly string[], others: readonly string[]): string[] =>
	blocks.filter((block, at) => words(block) !== words(others[at] ?? ""));
