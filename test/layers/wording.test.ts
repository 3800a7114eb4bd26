/**
 * Texts that people read are plain English: phrases that were replaced stay out of the source, its pages included.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

/** The parts of replaced phrases that stand between their values. */
const replaced: readonly (string | RegExp)[] = [
	"Open is a corporate whose KYB",
	"One request a page of corporates",
	"one an open corporate",
	"Look again and again",
	"in the place of the last",
	"looked at again every",
	"Ctrl-C ends it",
	"are as the case says",
	/[}\d] as they are\b/,
	"As it should be?",
	"choose the line to change",
	/\basked for (?:the )?(?:email|KYB|KYC)\b/,
	"verification asked for",
	"is not asked for",
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
	"Is not a day of the calendar",
	"is not a day of the calendar",
	"Identifier of the corporate in your own system",
	"the specification lost",
	"nobody showed this field",
	"Where the person is led",
	"Who can be paid outside",
	"who can be paid outside",
	"A service of your own",
	"how it is spoken to",
	"What is at stake",
	"Answer yes to the question before",
	"There is an argument too many",
	"no keyring to be had",
	/nothing was sent to \$\{/,
	", and no answer says so",
	"Once begun, a change is not repeated",
	"before you looked",
	"Absence proves it",
	"two looks",
	"unclaimed alike",
	"in spite of these earlier intents",
	"Send it in spite of",
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
	"Most records to show",
	"Most payments on their way",
	"Remove what is over",
	"as it was written",
	"Not confirmed",
	"a person must look",
	"was good until",
	"The row would be its second",
	"payment made lately",
	"was paid lately",
	"went out lately",
	"payments alike lately",
	"alike in doubt",
	"stands beside --",
	"cannot stand beside",
	"is required beside",
	"cannot be given beside",
	"belongs to --",
	"balance not told",
	"not told by the service",
	"which the service does not tell",
	"could not be looked at",
	"where it was when it was looked at",
	"What is to be paid after all",
	/; who may raise the limit types/,
	"See where it stands",
	"See which there are",
	"; nothing personal",
	"begun on",
	"A record a line",
	"Nothing is asked of the service",
	"asks the service nothing",
	"holds back none of",
	"say so, with your reason",
	"when this is meant",
	"when it is meant",
	"is meant?",
	"Give yourself the right",
	"is no amount",
	"is no code",
	"is no JSON",
	"stands twice",
	"before it stood",
	"as soon as it stood",
	"all the same, name it",
	"Fields stand beside",
	"in spite of them",
	"The specification does not show",
	"[assumed]",
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
