/**
 * The words of names and sentences, in one form: lower case, singular.
 */
import { type Thing, things } from "../api/operations/vocabulary.js";

const kept: ReadonlySet<string> = new Set([
	"status",
	"address",
	"business",
	"process",
	"access",
	"sms",
	"is",
	"this",
	"its",
	"us",
	"onus",
	"tos",
]);

function singular(word: string): string {
	if (word.length < 4 || kept.has(word) || /(ss|us|is)$/.test(word)) return word;
	if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
	if (/(ch|sh|x|ss|zz)es$/.test(word)) return word.slice(0, -2);
	return word.endsWith("s") ? word.slice(0, -1) : word;
}

/** The words of `camelCase`, `kebab-case`, `snake_case`, `dotted.names` or a sentence. */
export function wordsOf(text: string): string[] {
	return text
		.slice(0, 600)
		.replace(/([a-z0-9])([A-Z])/g, "$1 $2")
		.replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter((word) => word !== "")
		.map((word) => singular(word));
}

/** Phrases of the vocabulary. */
export const listed = (text: string): string[] => text.split(", ");

/** Phrases of all things by their first word, the longest first. */
const phrases = new Map<string, { words: string[]; thing: Thing }[]>();
for (const [thing, list] of Object.entries(things))
	for (const phrase of listed(list)) {
		const words = wordsOf(phrase);
		const [first = ""] = words;
		phrases.set(first, [...(phrases.get(first) ?? []), { words, thing: thing as Thing }]);
	}
for (const list of phrases.values()) list.sort((one, other) => other.words.length - one.words.length);

/** What a row of words names. */
export interface Naming {
	/** In the order of their last words; one phrase may name several. */
	things: { thing: Thing; at: number; words: string }[];
	/** Words that belong to no thing. */
	rest: { word: string; at: number }[];
}

/** The things that words name. A word belongs to the longest phrase that it is part of. */
export function namedIn(words: readonly string[]): Naming {
	const naming: Naming = { things: [], rest: [] };
	for (let at = 0; at < words.length; ) {
		const found = (phrases.get(words[at] as string) ?? []).filter((one) => one.words.every((word, index) => words[at + index] === word));
		const [longest] = found;
		if (longest === undefined) {
			naming.rest.push({ word: words[at] as string, at });
			at += 1;
			continue;
		}
		const length = longest.words.length;
		for (const { thing, words: phrase } of found)
			if (phrase.length === length) naming.things.push({ thing, at: at + length - 1, words: phrase.join(" ") });
		at += length;
	}
	return naming;
}
