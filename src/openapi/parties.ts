/**
 * Who pays whom in a foreign body: told by its names alone, never guessed.
 */
import { creditWords, debitWords } from "../api/operations/vocabulary.js";
import type { ForeignField } from "./foreign.js";
import { listed, namedIn, wordsOf } from "./words.js";

export type Side = "debit" | "credit";

const debit: ReadonlySet<string> = new Set(listed(debitWords));
const credit: ReadonlySet<string> = new Set(listed(creditWords));

/** Names of what is no account and no payee, although it stands beside one. */
const others: ReadonlySet<string> = new Set(
	"name first last address street city country currency type kind bic swift bank agent email phone description date time amount reference note message text label language nationality birth tax fee rate memo narrative purpose category scheme status code lei vat title role limit".split(
		" ",
	),
);
const ids: ReadonlySet<string> = new Set(["id", "identifier", "uuid", "guid", "key", "handle"]);

const accountWords: ReadonlySet<string> = new Set(
	"number no iban bban party internal virtual payment main own be the transfer detail info customer company business".split(" "),
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
 */
export function partiesOf(fields: readonly ForeignField[], paid: "ledger" | "payee"): Partial<Record<Side, Party>> {
	const best: Partial<Record<Side, { party: Party; rank: number; twice: boolean }>> = {};
	for (const field of fields) {
		const one = candidate(field);
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

/** A name with any other word may mean anything: "source of funds" is no account. */
const isPartyWord = (word: string): boolean =>
	debit.has(word) ||
	credit.has(word) ||
	ids.has(word) ||
	accountWords.has(word) ||
	namedIn([word]).things.some(({ thing }) => thing === "ledger" || thing === "payee");

function candidate(field: ForeignField): { side: Side; party: Party; rank: number } | undefined {
	if (!["text", "any", "integer", "number"].includes(field.type) || field.values !== undefined || field.pointer.includes("*"))
		return undefined;
	if (field.format !== undefined && /date|time|uri|email/.test(field.format)) return undefined;
	const told = sideOf(field.path);
	if (told === undefined) return undefined;
	const words = field.path.slice(told.depth).flatMap((name) => wordsOf(name));
	if (words.some((word) => others.has(word)) || !words.every(isPartyWord)) return undefined;
	const named = namedIn(words).things.map(({ thing }) => thing);
	const isId = words.some((word) => ids.has(word));
	const isAccount = named.includes("ledger");
	const isNumber = words.some((word) => ["iban", "number", "no", "bban", "sort"].includes(word));
	const rank = (isId ? 4 : 0) + (isAccount ? 2 : 0) + (field.required ? 1 : 0) - (isNumber ? 3 : 0);
	const is = isAccount ? "ledger" : named.includes("payee") ? "payee" : "unsaid";
	return { side: told.side, party: { field, is }, rank };
}
