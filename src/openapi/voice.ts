/**
 * How a document speaks: words of its own that it explains itself, and whether its names are in a language that we do not read. Learned from the
 * document alone.
 */
import { fillers, otherRecords, type Thing } from "../api/operations/vocabulary.js";
import { matchFields, type OurField } from "./fields.js";
import type { ForeignField, ForeignOperation } from "./foreign.js";
import { sideOf } from "./parties.js";
import { isActWord, listed, namedIn, type Phrases, wordsOf } from "./words.js";

export interface Voice {
	/** Words that the document itself explains. */
	own: Phrases;
	/** Whether its names mean nothing to us while its summaries do: then the summaries speak. */
	isBySummary: boolean;
	/** Words that so many of its names begin with or share that they say nothing. */
	common: ReadonlySet<string>;
}

const filler: ReadonlySet<string> = new Set(listed(fillers));
/** Words of what holds the fields of money and is something else. */
const other: ReadonlySet<string> = new Set(listed(otherRecords));

export const isParameter = (part: string): boolean => part.startsWith("{") || part.startsWith(":");
const isPrefix = (part: string): boolean => /^(v\d+(\.\d+)*|\d+|api|rest|public|partner|partners|rpc|external|services?)$/i.test(part);

/** The parts of a path; what is done may stand behind a colon, and an id in brackets: `/wallets/{id}:freeze`, `/Wallets({id})/Bank.Freeze()`. */
export const partsOfPath = (path: string): string[] =>
	path
		.replace(/([^/]):(?=[A-Za-z])/g, "$1/")
		.replace(/\((?:[A-Za-z]\w*=)?'?(\{[^{}]+\})'?\)|\(\)/g, "/$1")
		.split("/")
		.filter((part) => part !== "");

/** The parts of a path that name something. */
export const fixedParts = (path: string): string[] => partsOfPath(path).filter((part) => !isParameter(part) && !isPrefix(part));

/** The things of which a collection bears the name, and no other word. */
function nameOf(path: string): Thing[] {
	const { things, rest } = namedIn(wordsOf(fixedParts(path).at(-1) ?? ""));
	return rest.every(({ word }) => filler.has(word)) ? things.map(({ thing }) => thing) : [];
}

export function voiceOf(operations: readonly ForeignOperation[]): Voice {
	const byCollection = new Map<string, ForeignOperation[]>();
	for (const one of operations) {
		const words = wordsOf(fixedParts(one.path).at(-1) ?? "");
		if (words.length === 0 || words.length > 3 || namedIn(words).things.length > 0) continue;
		if (words.every((word) => filler.has(word) || isActWord(word))) continue;
		const key = words.join(" ");
		byCollection.set(key, [...(byCollection.get(key) ?? []), one]);
	}
	const named = new Set(operations.filter(({ method }) => method === "GET").flatMap(({ path }) => nameOf(path)));
	const own = new Map<string, { words: string[]; thing: Thing; isWeak?: true }[]>();
	const take = (key: string, thing: Thing, isWeak?: true): void => {
		const words = key.split(" ");
		const [first = ""] = words;
		own.set(first, [...(own.get(first) ?? []), { words, thing, ...(isWeak && { isWeak }) }]);
	};
	for (const [key, members] of byCollection) {
		const things = explained(members) ?? recorded(members);
		for (const thing of things) take(key, thing);
		const [kept] = things.length > 0 || key.split(" ").some((word) => other.has(word)) ? [] : keptFor(members);
		if (kept !== undefined && !named.has(kept)) take(key, kept, true);
	}
	return { own, isBySummary: isBySummary(operations), common: commonIn(operations) };
}

/** Words of a fifth of all names that name no thing: `CmdOpenAccount`, `Ledger_GetWallet`. */
function commonIn(operations: readonly ForeignOperation[]): ReadonlySet<string> {
	const counts = new Map<string, number>();
	for (const { id, path } of operations)
		for (const word of new Set([id, fixedParts(path).at(-1) ?? ""].flatMap((name) => namedIn(wordsOf(name)).rest.map((one) => one.word))))
			counts.set(word, (counts.get(word) ?? 0) + 1);
	const isCommon = ([word, count]: [string, number]): boolean => count >= 8 && count >= operations.length / 5 && !isActWord(word);
	return new Set([...counts].filter(isCommon).map(([word]) => word));
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

const ofLedger = ["totalAmount", "availableAmount", "reservedAmount", "iban"].map(leaf);
const ofPayee = ["name", "iban"].map(leaf);
const ofPayment = ["amount", "currency", "status"].map(leaf);

/** The most of our fields that one body or answer has. */
function mostOf(
	members: readonly ForeignOperation[],
	ours: readonly OurField[],
	isCounted: (fields: readonly ForeignField[]) => boolean,
): number {
	return members
		.flatMap(({ body = [], answers }) => [body, ...answers.map(({ fields }) => fields)])
		.filter(isCounted)
		.reduce((sum, fields) => Math.max(sum, matchFields(ours, fields).filter(({ score }) => score >= 0.8).length), 0);
}

/** What the records of a collection hold says what they are. */
function recorded(members: readonly ForeignOperation[]): Thing[] {
	const all = (): boolean => true;
	if (mostOf(members, ofPerson, all) >= 3) return ["person"];
	return mostOf(members, ofCompany, all) >= 3 ? ["company"] : [];
}

/** The same of money, of which more kinds of records hold the same: only where the document has no other name for it, and never for sure. */
function keptFor(members: readonly ForeignOperation[]): Thing[] {
	const read = members.filter(({ method }) => method === "GET");
	const sides = (fields: readonly ForeignField[]) => new Set(fields.map(({ path }) => sideOf(path)?.side));
	const hasBoth = (fields: readonly ForeignField[]): boolean => sides(fields).has("debit") && sides(fields).has("credit");
	const hasAmount = (fields: readonly ForeignField[]): boolean => matchFields([...ofLedger.slice(0, 3), leaf("amount")], fields).length > 0;
	if (mostOf(read, ofPayment, hasBoth) >= 3) return ["payment"];
	if (mostOf(read, ofLedger, (fields) => hasAmount(fields) && !hasBoth(fields)) >= 2) return ["ledger"];
	return mostOf(read, ofPayee, (fields) => !hasAmount(fields)) >= 2 ? ["payee"] : [];
}

const namesThing = (text: string): boolean => namedIn(wordsOf(text)).things.length > 0;

function isBySummary(operations: readonly ForeignOperation[]): boolean {
	const told = operations.filter(({ summary }) => namesThing(summary));
	const silent = told.filter(({ id, path }) => !namesThing(id) && !namesThing(fixedParts(path).at(-1) ?? ""));
	return told.length >= 5 && silent.length > told.length * 0.7;
}
