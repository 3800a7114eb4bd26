/**
 * Who pays whom in a request or an answer of theirs: told by its names alone, and open where a description says otherwise. Never guessed.
 */
import type { TheirDocument, TheirField } from "./document.js";
import { saidOf, wrappers } from "./fields.js";
import { strangeIn, thingsIn, wordsOf } from "./words.js";

export type Side = "debit" | "credit";

/** What names say, and what sentences say, in which "from" and "to" stand anywhere. */
const sides: Readonly<Record<Side, RegExp>> = {
	debit:
		/^(from|source|debit|debited|debitor|debtor|payer|origin|originator|originating|sender|sending|ordering|remitter|funding|withdraw|paying)$/,
	credit: /^(to|target|destination|dest|credit|credited|creditor|payee|beneficiary|recipient|receiver|receiving|counterparty)$/,
};
const said: Readonly<Record<Side, RegExp>> = {
	debit:
		/\b(debit(ed|or|s)?|debtor|payer|pays|sender|sends|sending|withdrawn|withdraws?|leaves?|goes down|(taken|drawn|comes?|moves?|moved|paid|sent|transferred) (out of|from)|out of|source|originat\w*)\b/i,
	credit:
		/\b(credit(ed|or|s)?|creditor|payee|receiv\w*|recipient|beneficiary|destination|deposited|arrives?|(paid|goes|moves?|moved|sent|transferred) (in|into|to)|top(ped)? up|gets)\b/i,
};

/** What else may stand in the name of an account or a payee; anything more makes it something else: `debtorName`, `toCurrency`. */
const partyWords = /^(id|identifier|uuid|guid|no|number|party|internal|virtual|payment|main|own|be|to|the|customer|company|business)$/;

/** What one name says, where it says one thing: "account to debit" says debit. */
function sideOfName(name: string): Side | undefined {
	const text = wordsOf(name)
		.join(" ")
		.replace(/\b(credit transfer|direct debit)\b/g, " ");
	const words = text.replace(/\bto (be )?(debit|debited|credit|credited)\b/g, "$2").split(" ");
	const [debit, credit] = [words.some((word) => sides.debit.test(word)), words.some((word) => sides.credit.test(word))];
	return debit === credit ? undefined : debit ? "debit" : "credit";
}

/** The side of a field and the nearest name that says it. */
function sideOf({ path }: TheirField): { side?: Side; depth: number } {
	const depth = path.findLastIndex((name) => sideOfName(name) !== undefined);
	return { side: sideOfName(path[depth] ?? ""), depth };
}

/** The names of fields of which some description in the document speaks of the other side too: nowhere does such a name say who pays. */
export function contradictedIn({ operations }: TheirDocument): ReadonlySet<string> {
	const isContradicted = (field: TheirField, all: readonly TheirField[]): boolean => {
		const { side } = sideOf(field);
		return side !== undefined && saidOf(field, all).some((text) => said[side === "debit" ? "credit" : "debit"].test(text));
	};
	const lists = operations.flatMap(({ request, answer }) => [request, answer]);
	return new Set(lists.flatMap((all) => all.filter((one) => isContradicted(one, all)).map(({ path }) => path.at(-1) as string)));
}

/** What says that somebody else's money is fetched: the names of both sides may then mean anything. */
const inward =
	/\b(collect\w*|pulls?|pulled|direct debits?|top[- ]?ups?|incoming|inbound|inward|refund\w*|revers\w*|recall\w*|chargeback\w*|request to pay|request money|pay-?in)\b/i;

/**
 * The one field that is a party: undefined where there is none or several, or where a field says the direction.
 * @param contradicted names that tell nothing
 * @param sentences of the operation
 */
export function partyOf<T extends TheirField>(
	fields: readonly T[],
	[wanted, kind]: readonly [Side, "ledger" | "payee"],
	contradicted: ReadonlySet<string>,
	sentences = "",
): T | undefined {
	const turns = ({ values = [] }: T): boolean => ["debit", "credit"].every((side) => values.some((one) => sideOfName(one) === side));
	if (inward.test(sentences) || fields.some(turns)) return undefined;
	const [party, ...more] = fields.filter((field) => {
		const { side, depth } = sideOf(field);
		const isId =
			/^(text|any|integer|number)$/.test(field.type) && field.values === undefined && !/date|time|uri|email/.test(field.format ?? "");
		if (side !== wanted || !isId || field.pointer.includes("*") || contradicted.has(field.path.at(-1) as string)) return false;
		const words = field.path.slice(depth).flatMap(wordsOf);
		// A bare side inside something else is that thing's: of a clearing, the destination is no account.
		const around = strangeIn(field.path.slice(0, depth).join(" ")).some((word) => !wrappers.test(word));
		if (around && words.every((word) => sides[side].test(word))) return false;
		const things = thingsIn(words.join(" "));
		const is = things.includes("ledger") ? "ledger" : things.includes("payee") ? "payee" : kind;
		return (
			is === kind && words.every((word) => sides[side].test(word) || partyWords.test(word) || /ledger|payee/.test(`${thingsIn(word)}`))
		);
	});
	return more.length > 0 ? undefined : party;
}
