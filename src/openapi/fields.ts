/**
 * Our fields found among theirs, by names, parents and fingerprints.
 */
import { fieldWords } from "../api/operations/vocabulary.js";
import type { Field } from "../api/schema.js";
import { idKindOf } from "../api/text/ids.js";
import type { ForeignField } from "./foreign.js";
import { listed, wordsOf } from "./words.js";

/** One of our values: a leaf of a request or an answer. */
export interface OurField {
	/** Dotted; `*` stands for each of a list. */
	name: string;
	kind: Field["kind"];
	required: boolean;
	/** How many closed or known values it has. */
	values: number;
}

export interface Match<T extends ForeignField = ForeignField> {
	ours: OurField;
	theirs: T;
	/** 0 to 1. */
	score: number;
	isSure: boolean;
}

/** The leaves of one of our descriptions. */
export function leavesOf(shape: Field, prefix = "", required = true): OurField[] {
	return (shape.fields ?? []).flatMap((field): OurField[] => {
		const name = prefix === "" ? field.name : `${prefix}.${field.name}`;
		const isRequired = required && field.required;
		if (field.fields !== undefined && field.fields.length > 0) return leavesOf(field, name, isRequired);
		if (field.element !== undefined) return [];
		return [{ name, kind: field.kind, required: isRequired, values: field.meta.known?.length ?? field.choices?.length ?? 0 }];
	});
}

interface Phrase {
	words: readonly string[];
	/** How much it says, 0 to 1. */
	weight: number;
}

const known = new Map<string, readonly Phrase[]>();

/** What a part of our name may be called. */
function phrasesOf(name: string): readonly Phrase[] {
	const cached = known.get(name);
	if (cached !== undefined) return cached;
	const leaf = name.split(".").at(-1) as string;
	// The parts of every address are called alike.
	const two = name
		.split(".")
		.slice(-2)
		.join(".")
		.replace(/^\w+Address\./, "address.");
	const own = [...new Set([leaf])].map((text) => ({ words: wordsOf(text), weight: 1 }));
	const others = listed(fieldWords[two] ?? fieldWords[leaf] ?? leaf).map((text) => ({
		words: wordsOf(text),
		// "Legal name" says more than "name".
		weight: text === "name" ? 0.9 : 0.95,
	}));
	const all = [...own, ...others];
	known.set(name, all);
	return all;
}

const same = (one: readonly string[], other: readonly string[]): boolean =>
	one.length === other.length && one.every((word, at) => word === other[at]);
const endsWith = (whole: readonly string[], end: readonly string[]): boolean =>
	whole.length > end.length && same(whole.slice(-end.length), end);

const negations: ReadonlySet<string> = new Set(["not", "no", "non", "un", "never", "without"]);

/** Last words of a name that say as little as "id". */
const idWords: ReadonlySet<string> = new Set(["ref", "key", "uuid", "guid", "identifier", "handle"]);

/** Whether a name is that of an id, as its last word says. */
export function isIdName(name: string): boolean {
	const last = wordsOf(name).at(-1) ?? "";
	return last === "id" || idWords.has(last);
}

const isIdOtherwise = (leaf: readonly string[], name: string): boolean =>
	Object.hasOwn(idKindOf, name) && leaf.length > 1 && idWords.has(leaf.at(-1) as string);

/** How well a leaf with its parent is called as our field is. */
function nameScore(leaf: readonly string[], parent: readonly string[], name: string): number {
	if (isIdOtherwise(leaf, name)) return 0.9 * nameScore([...leaf.slice(0, -1), "id"], parent, name);
	let best = 0;
	for (const { words, weight } of phrasesOf(name)) {
		if (same(leaf, words)) best = Math.max(best, weight);
		else if (same([...parent, ...leaf], words) || (words.length > leaf.length && endsWith([...parent, ...leaf], words)))
			best = Math.max(best, weight - 0.03);
		// "Not before" is no "before".
		else if (endsWith(leaf, words) && !leaf.some((word) => negations.has(word)))
			best = Math.max(best, words.length > 1 ? 0.85 : leaf.length === 2 ? 0.68 : 0.5);
	}
	return best;
}

/** Parents that group a whole body and say nothing. */
const wrappers: ReadonlySet<string> = new Set(
	"data payload body request attribute result response content item record input params param object meta detail info information entity resource root message transaction payment transfer company customer person party corporate business organization organisation".split(
		" ",
	),
);

const genericNames = /^(type|status|state|version|active)$/;

/** How well the parents fit: ours must be found, and theirs mean nothing else. */
function parentScore(theirs: readonly (readonly string[])[], name: string): number {
	const ours = name
		.split(".")
		.filter((part) => part !== "*")
		.slice(0, -1);
	let score = 1;
	const used = new Set<number>();
	for (const part of ours) {
		const placeOf = (isCalled: typeof same): number =>
			theirs.findIndex((words, index) => !used.has(index) && phrasesOf(part).some((phrase) => isCalled(words, phrase.words)));
		const exact = placeOf(same);
		const at = exact >= 0 ? exact : placeOf(endsWith);
		if (at < 0) score *= 0.72;
		else used.add(at);
		// "Trading address" is an address, and "legal address" the registered one.
		if (at >= 0 && exact < 0) score *= 0.94;
	}
	// A type or a status inside of something else is that thing's own.
	const strange = ours.length === 0 && genericNames.test(name) ? 0.55 : 0.7;
	for (const [index, words] of theirs.entries()) if (!used.has(index) && words.some((word) => !wrappers.has(word))) score *= strange;
	return score;
}

/** Our fields that are records or lists themselves; of an answer the description does not say. */
const hasParts = /(^|\.)(legalType|metadata|\w*[aA]ddress|shares|kycInfo|phone|email|information|sender|receiver)$/;

function fits(ours: OurField, theirs: ForeignField): boolean {
	if (theirs.type === "object" || theirs.type === "list") return ours.kind === "json" && theirs.path.length > 0 && hasParts.test(ours.name);
	if (ours.kind === "boolean")
		return theirs.type === "boolean" || theirs.type === "any" || (theirs.values?.length === 2 && theirs.type === "text");
	if (theirs.type === "boolean") return ours.kind === "json";
	return true;
}

const referencePattern = /À-ÿ|'a-zA-Z|a-zA-Z.{0,12}\?\s?\]/;

/** The reference of a payment is known by its length and its characters too. */
function fingerprint(ours: OurField, theirs: ForeignField): number {
	if (ours.name === "reference" && theirs.type === "text") {
		if (theirs.pattern !== undefined && referencePattern.test(theirs.pattern)) return 0.9;
		return theirs.longest === 18 ? 0.82 : 0;
	}
	return ours.name === "industry" && (theirs.values?.length ?? 0) > 50 ? 0.75 : 0;
}

/** Ids of a request or of an answer, which are nobody's. */
const technical = /^(request|trace|correlation|message|response|span|event)[_-]?id$/i;
const aside = /^_?(meta|links?|headers?|debug|trace|paging|pagination)$/i;
/** What may be sent once is an id of the sender's, and no text for the payee. */
const once = /\b(unique|uniqueness|duplicates?|idempoten\w*|deduplicat\w*|end[- ]to[- ]end (id|identification|identifier))\b/i;

/** Whether what stands beside a name, or is said of it, speaks against it. */
const isOther = (ours: OurField, { path, description }: ForeignField): boolean =>
	(ours.name === "reference" && once.test(description)) ||
	(/(^|\.)\w*[iI]d$/.test(ours.name) && (technical.test(path.at(-1) ?? "") || path.slice(0, -1).some((name) => aside.test(name))));

const leastScore = 0.6;

/** The best place for each of our fields, each place once. */
export function matchFields<T extends ForeignField>(ours: readonly OurField[], theirs: readonly T[]): Match<T>[] {
	const all: { ours: OurField; theirs: T; score: number }[] = [];
	for (const field of theirs) {
		const names = field.path.map((name) => wordsOf(name));
		const leaf = names.at(-1) ?? [];
		for (const one of ours) {
			if (!fits(one, field) || isOther(one, field)) continue;
			const named = nameScore(leaf, names.at(-2) ?? [], one.name);
			const print = fingerprint(one, field);
			if (named === 0 && print === 0) continue;
			const score = Math.max(named * parentScore(names.slice(0, -1), one.name), print);
			if (score >= leastScore) all.push({ ours: one, theirs: field, score });
		}
	}
	all.sort((one, other) => other.score - one.score);
	const found: Match<T>[] = [];
	for (const one of all) {
		if (found.some((match) => match.ours === one.ours || match.theirs === one.theirs)) continue;
		const rivals = all.filter(
			(other) =>
				other !== one &&
				(other.ours === one.ours || other.theirs === one.theirs) &&
				!found.some((match) => match.ours === other.ours || match.theirs === other.theirs),
		);
		const isSure = one.score >= 0.8 && rivals.every((other) => one.score - other.score >= 0.04);
		found.push({ ...one, isSure });
	}
	return found;
}
