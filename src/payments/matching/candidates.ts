/**
 * The lines with which each payment has to be compared, so that a list of a hundred thousand is not compared each with each. All others
 * contradict the payment in amount or reference. Pure.
 */

import { plainId } from "../../api/text/ids.js";
import { canonicalAmount } from "../rules/decimal.js";
import { currencyOf, folded, type Line, lettersOf, type Payment } from "./fits.js";

/** Most comparisons of a ledger. Where there are more, the amounts that need the most are not compared. */
const maxComparisons = 4_000_000;

/** Lines, and the same by the letters of their reference. */
class Shelf {
	readonly all: Line[] = [];
	readonly byLetters = new Map<string, Line[]>();

	add(line: Line): void {
		this.all.push(line);
		add(this.byLetters, line.letters, line);
	}
}

export class Candidates {
	readonly #byId = new Map<string, Line[]>();
	readonly #byAmount = new Map<string, Shelf>();
	readonly #byCurrency = new Map<string, Shelf>();
	readonly #unread = new Shelf();
	/** By letters and whoever is named as credited. */
	readonly #byParty = new Map<string, Line[]>();
	readonly #found = new Map<Payment, readonly (readonly Line[])[]>();
	readonly #tooMany = new Set<string>();

	constructor(payments: readonly Payment[], lines: readonly Line[]) {
		for (const line of lines) {
			const { id, value, letters, currency, beneficiaryId, receiverLedgerId, receiverName } = line;
			if (id !== undefined) add(this.#byId, plainId(id), line);
			(value === undefined ? this.#unread : shelfOf(this.#byAmount, value)).add(line);
			if (currency !== undefined) shelfOf(this.#byCurrency, currency).add(line);
			if (letters === "") continue;
			for (const party of [plainId(beneficiaryId), plainId(receiverLedgerId), receiverName && folded(receiverName)])
				if (party !== undefined) add(this.#byParty, `${letters} ${party}`, line);
		}
		const comparisons = new Map<string, number>();
		for (const payment of payments) {
			const amount = canonicalAmount(payment.transfer.amount);
			const found = this.#find(payment);
			this.#found.set(payment, found);
			const count = found.reduce((sum, { length }) => sum + length, 0);
			comparisons.set(amount, (comparisons.get(amount) ?? 0) + count);
		}
		let left = maxComparisons;
		for (const [amount, count] of [...comparisons].sort(([, one], [, other]) => one - other)) {
			left -= count;
			if (left < 0) this.#tooMany.add(amount);
		}
	}

	/** The amount of a payment, if there are too many of it to compare each with each. */
	tooMany({ transfer }: Payment): string | undefined {
		const amount = canonicalAmount(transfer.amount);
		return this.#tooMany.has(amount) ? amount : undefined;
	}

	/** In lists, of which several payments may have the same; a line may be in two of them. */
	of(payment: Payment): readonly (readonly Line[])[] {
		return this.#found.get(payment) ?? [];
	}

	#find(payment: Payment): (readonly Line[])[] {
		const { transfer, id, formerIds = [], payee } = payment;
		const letters = lettersOf(transfer.reference);
		const currency = currencyOf(payment);
		const shelves = [this.#byAmount.get(canonicalAmount(transfer.amount)), this.#unread];
		if (currency !== undefined) for (const [other, shelf] of this.#byCurrency) if (other !== currency) shelves.push(shelf);
		const isPlain = letters !== "" && /^\p{ASCII}*$/u.test(transfer.reference ?? "");
		const found: (readonly Line[])[] = [];
		const take = (lines: readonly Line[] | undefined): unknown => lines !== undefined && found.push(lines);
		for (const shelf of shelves) {
			if (!isPlain) take(shelf?.all);
			// Equal, or cut: down to nothing.
			else if (shelf !== undefined && shelf.all.length > 0)
				for (let length = letters.length; length >= 0; length -= 1) take(shelf.byLetters.get(letters.slice(0, length)));
		}
		if (transfer.kind === "beneficiary" && letters !== "")
			for (const party of [plainId(transfer.counterpartyId), plainId(payee?.hostedLedgerId), ...(payee?.alone ?? [])])
				take(this.#byParty.get(`${letters} ${party}`));
		for (const held of [id, ...formerIds]) if (held !== undefined) take(this.#byId.get(held));
		return found;
	}
}

function shelfOf(shelves: Map<string, Shelf>, key: string): Shelf {
	const known = shelves.get(key) ?? new Shelf();
	shelves.set(key, known);
	return known;
}

function add(map: Map<string, Line[]>, key: string, line: Line): void {
	const known = map.get(key);
	if (known === undefined) map.set(key, [line]);
	else known.push(line);
}
