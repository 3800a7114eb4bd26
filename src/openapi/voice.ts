/**
 * How a document speaks: words of its own that it explains itself, and whether its names are in a language that we do not read. Learned from the
 * document alone.
 */
import { fillers, type Thing } from "../api/operations/vocabulary.js";
import { matchFields, type OurField } from "./fields.js";
import type { ForeignOperation } from "./foreign.js";
import { isActWord, listed, namedIn, type Phrases, wordsOf } from "./words.js";

export interface Voice {
	/** Words that the document itself explains. */
	own: Phrases;
	/** Whether its names mean nothing to us while its summaries do: then the summaries speak. */
	isBySummary: boolean;
}

const filler: ReadonlySet<string> = new Set(listed(fillers));

export const isParameter = (part: string): boolean => part.startsWith("{") || part.startsWith(":");
const isPrefix = (part: string): boolean => /^(v\d+(\.\d+)*|\d+|api|rest|public|partner|partners|rpc|external|services?)$/i.test(part);

/** The parts of a path; what is done may stand behind a colon: `/wallets/{id}:freeze`. */
export const partsOfPath = (path: string): string[] =>
	path
		.replace(/([^/]):(?=[A-Za-z])/g, "$1/")
		.split("/")
		.filter((part) => part !== "");

/** The parts of a path that name something. */
export const fixedParts = (path: string): string[] => partsOfPath(path).filter((part) => !isParameter(part) && !isPrefix(part));

export function voiceOf(operations: readonly ForeignOperation[]): Voice {
	const byCollection = new Map<string, ForeignOperation[]>();
	for (const one of operations) {
		const words = wordsOf(fixedParts(one.path).at(-1) ?? "");
		if (words.length === 0 || words.length > 3 || namedIn(words).things.length > 0) continue;
		if (words.every((word) => filler.has(word) || isActWord(word))) continue;
		const key = words.join(" ");
		byCollection.set(key, [...(byCollection.get(key) ?? []), one]);
	}
	const own = new Map<string, { words: string[]; thing: Thing }[]>();
	for (const [key, members] of byCollection) {
		const words = key.split(" ");
		const [first = ""] = words;
		for (const thing of explained(members) ?? recorded(members)) own.set(first, [...(own.get(first) ?? []), { words, thing }]);
	}
	return { own, isBySummary: isBySummary(operations) };
}

/** "Request the verification (KYB)": what stands in brackets says what the word before it is. */
function explained(members: readonly ForeignOperation[]): Thing[] | undefined {
	for (const { summary } of members) {
		const [, inside] = /\(([^()]{2,40})\)/.exec(summary) ?? [];
		const { things, rest } = namedIn(wordsOf(inside ?? ""));
		if (things.length === 1 && rest.length === 0) return things.map(({ thing }) => thing);
	}
	return undefined;
}

const leaf = (name: string): OurField => ({ name, kind: "json", required: false, values: 0 });
const ofPerson = ["isDirector", "isUbo", "directSharesPercentage", "nationality", "position"].map(leaf);
const ofCompany = ["corporateName", "incorporationCode", "incorporationCountry", "incorporationDate"].map(leaf);

/** What the records of a collection hold says what they are. */
function recorded(members: readonly ForeignOperation[]): Thing[] {
	const most = (ours: readonly OurField[]): number =>
		members
			.flatMap(({ body = [], answers }) => [body, ...answers.map(({ fields }) => fields)])
			.reduce((sum, fields) => Math.max(sum, matchFields(ours, fields).filter(({ score }) => score >= 0.8).length), 0);
	if (most(ofPerson) >= 3) return ["person"];
	return most(ofCompany) >= 3 ? ["company"] : [];
}

const namesThing = (text: string): boolean => namedIn(wordsOf(text)).things.length > 0;

function isBySummary(operations: readonly ForeignOperation[]): boolean {
	const told = operations.filter(({ summary }) => namesThing(summary));
	const silent = told.filter(({ id, path }) => !namesThing(id) && !namesThing(fixedParts(path).at(-1) ?? ""));
	return told.length >= 5 && silent.length > told.length * 0.7;
}
