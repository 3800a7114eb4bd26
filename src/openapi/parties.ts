/**
 * Who pays whom in a foreign body: told by its names alone, never guessed.
 */
import { creditWords, debitWords, inwardWords, type Thing } from "../api/operations/vocabulary.js";
import type { Match } from "./fields.js";
import type { ForeignField } from "./foreign.js";
import { listed, namedIn, type Phrases, wordsOf } from "./words.js";

export type Side = "debit" | "credit";

const debit: ReadonlySet<string> = new Set(listed(debitWords));
const credit: ReadonlySet<string> = new Set(listed(creditWords));

/** Names of what is no account and no payee, although it stands beside one. */
const others: ReadonlySet<string> = new Set(
	"name first last address street city country currency type kind bic swift bank agent email phone description date time amount reference note message text label language nationality birth tax fee rate memo narrative purpose category scheme status code lei vat title role limit".split(
		" ",
	),
);
const ids: ReadonlySet<string> = new Set(["id", "identifier", "uuid", "guid", "key", "handle", "ref"]);

const accountWords: ReadonlySet<string> = new Set(
	"number no party internal virtual payment main own be the transfer detail info customer company business".split(" "),
);

/** What one name says, where it says one thing: "account to debit" says debit. */
function sideOfName(name: string): Side | "both" | undefined {
	const words = wordsOf(name)
		.join(" ")
		.replace(/\b(credit transfer|direct debit)\b/g, " ")
		.replace(/\bto (be )?(debit|debited|credit|credited)\b/g, "$2")
		.split(" ");
	const says = { debit: words.some((word) => debit.has(word)), credit: words.some((word) => credit.has(word)) };
	if (says.debit && says.credit) return "both";
	if (says.debit) return "debit";
	return says.credit ? "credit" : undefined;
}

/** The side of a place: the nearest name that says one. Undefined where none does, or one says both. */
export function sideOf(path: readonly string[]): { side: Side; depth: number } | undefined {
	for (let depth = path.length - 1; depth >= 0; depth--) {
		const side = sideOfName(path[depth] as string);
		if (side === "both") return undefined;
		if (side !== undefined) return { side, depth };
	}
	return undefined;
}

/** A party of a payment. */
export interface Party {
	field: ForeignField;
	/** Whether its names speak of an account, or of somebody who is paid. */
	is: "ledger" | "payee" | "unsaid";
}

/**
 * The one place of each side; a side with several that are as good, or with none, is left open.
 * @param paid what is credited, where a body has both
 * @param own words that the document explains itself
 */
export function partiesOf(fields: readonly ForeignField[], paid: "ledger" | "payee", own?: Phrases): Partial<Record<Side, Party>> {
	const best: Partial<Record<Side, { party: Party; rank: number; twice: boolean }>> = {};
	for (const field of fields) {
		const one = candidate(field, own);
		if (one === undefined) continue;
		const told = one.side === "credit" && one.party.is === paid ? { ...one, rank: one.rank + 4 } : one;
		const before = best[told.side];
		if (before === undefined || told.rank > before.rank) best[told.side] = { ...told, twice: false };
		else if (told.rank === before.rank) before.twice = true;
	}
	const found: Partial<Record<Side, Party>> = {};
	for (const side of ["debit", "credit"] as const) {
		const one = best[side];
		if (one !== undefined && !one.twice) found[side] = one.party;
	}
	return found;
}

const inward: ReadonlySet<string> = new Set(listed(inwardWords));

/**
 * The side that stands in the address: what is paid is paid from the account whose address it goes on from, and to the payee whose address
 * that is. Only where the body tells the other side and no more, and nothing says that money comes in.
 */
export function withPath(
	parties: Partial<Record<Side, Party>>,
	path: readonly ForeignField[],
	body: readonly ForeignField[],
	{ sentences, own }: { sentences: string; own?: Phrases },
): Partial<Record<Side, Party>> {
	const missing = parties.debit === undefined ? "debit" : "credit";
	const given = missing === "debit" ? "credit" : "debit";
	const last = path.at(-1);
	if (last === undefined || parties[missing] !== undefined || !body.some((field) => sideOf(field.path)?.side === given)) return parties;
	if (body.some((field) => candidate(field, own)?.side === missing)) return parties;
	const words = last.path.flatMap((name) => wordsOf(name));
	const named = namedIn(words, own).things.map(({ thing }) => thing);
	const is = missing === "debit" ? "ledger" : "payee";
	if (!named.includes(is) || sideOf(last.path)?.side === given) return parties;
	if (wordsOf(sentences).some((word) => inward.has(word)) || /\bdirect[- ]?debit|\bpa(y|id)s? in\b/i.test(sentences)) return parties;
	return { ...parties, [missing]: { field: last, is } };
}

/** A name with any other word may mean anything: "source of funds" is no account. */
const saved: ReadonlySet<string> = new Set(["payee", "beneficiary", "recipient", "counterparty"]);
const isParty = (thing: Thing): boolean => thing === "ledger" || thing === "payee";
/** Numbers of accounts anywhere: they name nothing that the service keeps. */
const noId: ReadonlySet<string> = new Set(["iban", "bban", "sort", "routing", "swift", "bic"]);
const isPartyWord = (word: string): boolean =>
	debit.has(word) ||
	credit.has(word) ||
	ids.has(word) ||
	accountWords.has(word) ||
	namedIn([word]).things.some(({ thing }) => isParty(thing));

function candidate(field: ForeignField, own?: Phrases): { side: Side; party: Party; rank: number } | undefined {
	if (!["text", "any", "integer", "number"].includes(field.type) || field.values !== undefined || field.pointer.includes("*"))
		return undefined;
	if (field.format !== undefined && /date|time|uri|email/.test(field.format)) return undefined;
	const told = sideOf(field.path);
	if (told === undefined) return undefined;
	const words = field.path.slice(told.depth).flatMap((name) => wordsOf(name));
	const { things, rest } = namedIn(words, own);
	const named = things.map(({ thing }) => thing);
	// "Bank account" is an account, and "bank" alone none; an IBAN is nobody's id.
	const left = [...rest.map(({ word }) => word), ...things.filter(({ thing }) => !isParty(thing)).flatMap((one) => one.words.split(" "))];
	if (words.some((word) => noId.has(word)) || left.some((word) => others.has(word)) || !left.every(isPartyWord)) return undefined;
	const isId = words.some((word) => ids.has(word));
	// A creditor's reference is a text of the payment.
	if (words.includes("ref") && !named.includes("ledger") && !words.some((word) => saved.has(word))) return undefined;
	const isAccount = named.includes("ledger");
	const isNumber = words.some((word) => ["number", "no"].includes(word));
	const rank = (isId ? 4 : 0) + (isAccount ? 2 : 0) + (field.required ? 1 : 0) - (isNumber ? 3 : 0);
	const is = isAccount ? "ledger" : named.includes("payee") ? "payee" : "unsaid";
	return { side: told.side, party: { field, is }, rank };
}

/** How much of a payment is found in a request, 0 to 1, and in words. */
export function moneyShare(request: readonly Match[], parties: Partial<Record<Side, Party>>): { score: number; words: string } {
	const names = request.map(({ ours }) => ours.name);
	const both = (parties.debit ? 1 : 0) + (parties.credit ? 1 : 0);
	const score = Math.min(1, 0.25 + both * 0.25 + (names.includes("reference") ? 0.25 : 0));
	return {
		score,
		words: `it takes an amount${both === 2 ? ", who is debited and who is credited" : ""}${names.includes("reference") ? ", a reference" : ""}`,
	};
}
