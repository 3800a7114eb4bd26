/**
 * Which lines fit which payments, so that a list of a hundred thousand is not compared each with each: all lines that are not compared
 * contradict the payment in amount or reference. Pure.
 */

import { plainId } from "../../api/text/ids.js";
import { canonicalAmount } from "../rules/decimal.js";
import { groupBy } from "../rules/group-by.js";
import { compare, currencyOf, type Fit, folded, isBound, type Line, lettersOf, type Payment } from "./fits.js";

/** Most comparisons of a ledger. Where there are more, the amounts that need the most are not compared. */
const maxComparisons = 4_000_000;

/** A payment with what fits it; or all of an amount of which there are too many to compare, any of which may be any line. */
export interface Node {
	payments: readonly Payment[];
	/** Also of a line that does not fit, where the payment holds or held its id. */
	fits: ReadonlyMap<Line, Fit>;
	isCrowd: boolean;
}

export function nodesOf(payments: readonly Payment[], lines: readonly Line[], settleAfter: number): Node[] {
	const byKey = new Map<string, Line[]>();
	for (const line of lines) {
		for (const key of keysOf(line)) {
			const known = byKey.get(key);
			if (known === undefined) byKey.set(key, [line]);
			else known.push(line);
		}
	}
	const currencies = [...new Set(lines.flatMap(({ currency }) => currency ?? []))];
	const candidates = payments.map((payment) => {
		// In lists, of which several payments have the same.
		const lists = keysFor(payment, currencies).map((key) => byKey.get(key));
		return { payment, lists: lists.filter((list) => list !== undefined) };
	});
	const amounts = [...groupBy(candidates, ({ payment }) => canonicalAmount(payment.transfer.amount)).values()].map((own) => ({
		own,
		count: own.reduce((sum, { lists }) => lists.reduce((all, { length }) => all + length, sum), 0),
	}));
	let left = maxComparisons;
	return amounts
		.sort((one, other) => one.count - other.count)
		.flatMap(({ own, count }): Node[] => {
			left -= count;
			if (left >= 0)
				return own.map(({ payment, lists }) => ({ payments: [payment], fits: fitsOf(payment, lists, settleAfter), isCrowd: false }));
			const all = [...new Set(own.flatMap(({ lists }) => lists))].flat();
			return [{ payments: own.map(({ payment }) => payment), fits: new Map(all.map((line) => [line, "possibly"])), isCrowd: true }];
		});
}

function fitsOf(payment: Payment, lists: readonly (readonly Line[])[], settleAfter: number): Map<Line, Fit> {
	const fits = new Map<Line, Fit>();
	for (const line of new Set(lists.flat())) {
		const { fit } = compare(payment, line, settleAfter);
		if (fit !== "no" || isBound(payment, line)) fits.set(line, fit);
	}
	return fits;
}

/** Under what a line is found: its id, its amount and its currency, both with its letters too, and its letters with whoever is credited. */
function keysOf({ id, value = "unread", letters, currency, beneficiaryId, receiverLedgerId, receiverName }: Line): string[] {
	const shelves = currency === undefined ? [value] : [value, `in ${currency}`];
	const parties = letters === "" ? [] : [beneficiaryId, receiverLedgerId, receiverName && folded(receiverName)];
	return [
		...(id === undefined ? [] : [`id ${plainId(id)}`]),
		...shelves.flatMap((shelf) => [shelf, `${shelf} ${letters}`]),
		...parties.filter((party) => party !== undefined).map((party) => `to ${plainId(party)} ${letters}`),
	];
}

/** Under what the lines are found that may be a payment. */
function keysFor(payment: Payment, currencies: readonly string[]): string[] {
	const { transfer, id, formerIds = [], payee } = payment;
	const letters = lettersOf(transfer.reference);
	const isPlain = letters !== "" && /^\p{ASCII}*$/u.test(transfer.reference ?? "");
	// Equal, or cut: down to nothing.
	const ends = isPlain ? Array.from({ length: letters.length + 1 }, (_, cut) => ` ${letters.slice(0, letters.length - cut)}`) : [""];
	const own = currencyOf(payment);
	const others = own === undefined ? [] : currencies.filter((currency) => currency !== own);
	const shelves = [canonicalAmount(transfer.amount), "unread", ...others.map((other) => `in ${other}`)];
	const isNamed = transfer.kind === "beneficiary" && letters !== "";
	const parties = isNamed ? [transfer.counterpartyId, payee?.hostedLedgerId, ...(payee?.alone ?? [])] : [];
	return [
		...shelves.flatMap((shelf) => ends.map((end) => shelf + end)),
		...parties.map((party) => `to ${plainId(party)} ${letters}`),
		...[id, ...formerIds].map((held) => `id ${held}`),
	];
}
