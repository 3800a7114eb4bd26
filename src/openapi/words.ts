/**
 * The words of names and sentences, in one form: lower case, singular.
 */
import { acts, type Thing, things } from "../api/operations/vocabulary.js";

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

const allActs: ReadonlySet<string> = new Set(Object.values(acts).flatMap(listed));

/** Whether a word says what is done. */
export const isActWord = (word: string): boolean => allActs.has(word);

/** Phrases that name things, by their first word. */
export type Phrases = ReadonlyMap<string, readonly { words: readonly string[]; thing: Thing; isWeak?: true }[]>;

/** Phrases of all things, the longest first. */
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
	things: { thing: Thing; at: number; words: string; isWeak?: true }[];
	/** Words that belong to no thing. */
	rest: { word: string; at: number }[];
}

/**
 * The things that words name. A word belongs to the longest phrase that it is part of.
 * @param own phrases that a document explains itself; what ours say comes first
 */
export function namedIn(words: readonly string[], own?: Phrases): Naming {
	const naming: Naming = { things: [], rest: [] };
	for (let at = 0; at < words.length; ) {
		const fits = (one: { words: readonly string[] }): boolean => one.words.every((word, index) => words[at + index] === word);
		const ours: readonly { words: readonly string[]; thing: Thing; isWeak?: true }[] = (phrases.get(words[at] as string) ?? []).filter(
			fits,
		);
		const found = ours.length > 0 ? ours : (own?.get(words[at] as string) ?? []).filter(fits);
		const [longest] = found;
		if (longest === undefined) {
			naming.rest.push({ word: words[at] as string, at });
			at += 1;
			continue;
		}
		const length = longest.words.length;
		for (const { thing, words: phrase, isWeak } of found)
			if (phrase.length === length) naming.things.push({ thing, at: at + length - 1, words: phrase.join(" "), ...(isWeak && { isWeak }) });
		at += length;
	}
	return naming;
}
