/**
 * Texts that people read are plain English: phrases that were replaced stay out of the source, its pages included.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The parts of replaced phrases that stand between their values. */
const replaced: readonly (string | RegExp)[] = [
	"Look again and again",
	"in the place of the last",
	"Ctrl-C ends it",
	"are as the case says",
	/[}\d] as they are\b/,
	"As it should be?",
	"choose the line to change",
	"% in the end",
	"Without shares of it",
	"no financial service before it",
	/"turn"/,
	"who is waited for",
	"what blocks, and what to type",
	"Make the service have",
	"Going on with",
	"Whether a director",
	"A physical person or a company",
	"(leave out)",
	"Identifier of the corporate in your own system",
	"nobody showed this field",
	"Where the person is led",
	"A service of your own",
	"how it is spoken to",
	"What is at stake",
	"Answer yes to the question before",
	"There is an argument too many",
	"no keyring to be had",
	/nothing was sent to \$\{/,
	", and no answer says so",
	"Once begun, a change is not repeated",
	"Absence proves it",
	"unclaimed alike",
	"Fold a 10-character token",
	"every planned row is told once",
	"the sums are the plan's",
	"Holding every row against",
	"Give up the rest",
	"It sends nothing more then",
	"is more than one payment of this profile may be",
	"What was typed is not",
	"The profile cannot be made so",
	"nothing goes wrong on request",
	"Remove what is over",
	"as it was written",
	"Not confirmed",
	"a person must look",
	"was good until",
	"The row would be its second",
	"alike in doubt",
	"belongs to --",
	"which the service does not tell",
	"What is to be paid after all",
	/; who may raise the limit types/,
	"; nothing personal",
	"begun on",
	"A record a line",
	"holds back none of",
	"say so, with your reason",
	"Give yourself the right",
	"stands twice",
	"Fields stand beside",
	"in spite of",
	"counted, not identified",
	"Money needs a certain",
	"The company itself",
	"Looks like a duplicate",
	"ten tasks",
	"not told",
	"held against it",
	"[assumed]",
	/Open is a corporate whose KYB|One request a page of corporates|one an open corporate/,
	/(?:not be|it was) looked at|looked at again every|\btwo looks\b|before you looked/,
	/\basked for (?:the )?(?:email|KYB|KYC)\b|verification asked for|is not asked for|Nothing is asked of|asks the service nothing/,
	/is not a day of the calendar/i,
	/the specification lost|The specification does not show/,
	/who can be paid outside/i,
	/\bMost (?:records|payments)\b/,
	/\blately\b/,
	/\bbeside --|(?:cannot stand|required|given) beside/,
	/See (?:where it stands|which there are)/,
	/when (?:this|it) is meant|is meant\?/,
	/\bis no (?:amount|code|JSON)\b/,
	/\bit stood\b/,
	/(?:listed|again) all the same|all the same, name it/,
	/\bheard\b/,
];

const src = fileURLToPath(new URL("../../src", import.meta.url));
const texts = readdirSync(src, { recursive: true, encoding: "utf8" })
	.filter((name) => /\.(ts|md)$/.test(name))
	.map((name) => [name, readFileSync(join(src, name), "utf8")] as const);

/** A source without its comments, and with texts that are added up in one piece. */
const textOf = (text: string): string =>
	text
		.replace(/\/\*[\s\S]*?\*\//g, "")
		.replace(/^\s*\/\/.*$/gm, "")
		.replace(/["`]\s*\+\s*["`]/g, "");

test.each(replaced)("no text says %j", (phrase) => {
	const said = texts.filter(([, text]) => (typeof phrase === "string" ? textOf(text).includes(phrase) : phrase.test(textOf(text))));
	expect(said.map(([name]) => name)).toEqual([]);
});
