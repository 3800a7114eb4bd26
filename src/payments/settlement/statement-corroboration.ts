/**
 * Whether a statement can be believed where it shows nothing. Nobody can see from its lines whose it is, which sign its debits have, or
 * whether its column of references is the bank's own. It is checked as a list is, by every payment that is known to be made in its time;
 * since its ids are its own, each payment must have a line of its amount, reference and time, and of its payee's ledger where that is told.
 */

import type { TransactionView } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import type { Journal } from "../../ports/journal.js";
import { groupBy } from "../rules/group-by.js";
import { type Corroboration, isDue, isUnsuccessful } from "./corroboration.js";
import { acceptedPayments, type CheckScope, type KnownPayment, keyOf, knownOf, openTransfers } from "./lists/known.js";
import type { Listing } from "./lists/listing.js";
import type { StatusOf } from "./matching/look-ups.js";
import { clockSkew, farthestSkew, similarity } from "./matching/similarity.js";
import { type Span, spanOf } from "./matching/time-span.js";

/** Most payments without a line that are asked for one by one, and most that are looked for among what came in by the signs. */
const [mostAsked, mostSought] = [20, 100];

/** A line with the time that it may be of. */
interface Line extends Span {
	listed: TransactionView;
}

/**
 * Holds a statement against all that is known; the lines of known payments are set in the listing.
 *
 * Where amounts have signs, a line that left may be the reversal of a payment that stands there as if it came in: the signs are then the
 * other way round, and every payment is among what came in. So a payment speaks for the signs only where none of those lines may be it, and
 * where it was made in the time that is shown whole, in which that line would have to stand.
 * @param unlisted of a statement whose amounts have signs: the lines that came in by them
 */
export async function checkStatement(
	journal: Journal,
	listing: Listing,
	asked: CheckScope & { unlisted?: Listing },
	statusOf: StatusOf,
): Promise<Corroboration> {
	const referenced = listing.listed.some(({ reference }) => reference !== undefined);
	const lines = linesOf(listing, referenced);
	const [known, unnamed] = await gathered(journal, asked, referenced);
	const found = match(known, lines, { ...asked, referenced });
	if (found.missing.length > mostAsked) return { lacks: notShown(found.missing) };
	for (const one of found.missing) {
		const status = await statusOf(one.id as string);
		if (status === undefined || !isUnsuccessful(status)) return { lacks: notShown([one]) };
	}
	const open = [...(await openTransfers(journal)), ...unnamed].flatMap(({ counterpartyId, amount, reference }) =>
		[counterpartyId, undefined].map((payee) => keyOf(payee, amount, referenced ? reference : undefined)),
	);
	const twice = doubled(lines.byPayee, found.taken, new Set(open));
	if (twice !== undefined) return { lacks: twice };
	listing.known = found.taken;
	const sure = found.shown.slice(0, mostSought).some((one) => speaksForSigns(one, asked));
	return sure ? {} : { unproven: nothingKnown };
}

/** The lines of known payments, those without one that should have it, and those that are surely shown. */
function match(known: ReadonlyMap<string, KnownPayment[]>, lines: Lines, asked: CheckScope & { referenced: boolean }) {
	const [missing, shown, taken] = [[] as KnownPayment[], [] as KnownPayment[], new Set<TransactionView>()];
	const passed = new Map<readonly Line[], number>();
	for (const those of known.values())
		for (const one of those.sort((one, other) => one.at - other.at)) {
			const line = lineOf(one, lines, { passed, taken, ...asked });
			if (line !== undefined) taken.add(line);
			else if (isDue(one, asked.covers, asked.settleAfter)) missing.push(one);
			if (line !== undefined && one.sure) shown.push(one);
		}
	return { missing, shown, taken };
}

const nothingKnown =
	"the statement shows no payment that is surely known to be made from this ledger in its time: it may be of another ledger, have other signs, or another column of references";

function notShown(missing: readonly KnownPayment[]): string {
	const [first] = missing;
	return `the statement does not show the payment of intent ${first?.intent} as it was sent, which was made from this ledger in its time: it may be of another ledger, have other signs, or another column of references`;
}

/** Every payment that is known to be made, by what a statement can tell of it; and what was accepted without an id. */
async function gathered(journal: Journal, asked: CheckScope, referenced: boolean): Promise<[Map<string, KnownPayment[]>, Transfer[]]> {
	const [named, unnamed] = [[] as KnownPayment[], [] as Transfer[]];
	for await (const page of acceptedPayments(journal, asked))
		for (const one of page.map(knownOf)) {
			if (one.id === undefined) unnamed.push(one.transfer);
			else named.push(one);
		}
	return [groupBy(named, ({ transfer }) => keyOf("", transfer.amount, referenced ? transfer.reference : undefined)), unnamed];
}

/** Lines of one amount and reference, each in the order of their time. */
interface Lines {
	/** By the payee's ledger too; those of none under `""`. */
	byPayee: Map<string, Line[]>;
	/** Whatever payee is told. */
	all: Map<string, Line[]>;
}

function linesOf(listing: Listing, referenced: boolean): Lines {
	const lines = listing.listed.flatMap((listed): Line[] => {
		const span = spanOf(listed.createdAt);
		return span === undefined ? [] : [{ listed, ...span }];
	});
	const key = (payee: string | undefined, { listed }: Line): string =>
		keyOf(payee, listed.amount, referenced ? listed.reference : undefined);
	const [byPayee, all] = [groupBy(lines, (line) => key(line.listed.receiverLedgerId, line)), groupBy(lines, (line) => key("", line))];
	for (const those of [...byPayee.values(), ...all.values()]) those.sort((one, other) => one.from - other.from);
	return { byPayee, all };
}

interface Taking {
	referenced: boolean;
	settleAfter: number;
	/** How many lines are passed by: taken, or too early for every payment that is still to come. */
	passed: Map<readonly Line[], number>;
	taken: ReadonlySet<TransactionView>;
}

/** The first line of a payment's time that is no other payment's. */
function lineOf(
	{ transfer, at, timed }: KnownPayment,
	lines: Lines,
	{ referenced, settleAfter, passed, taken }: Taking,
): TransactionView | undefined {
	const { kind, counterpartyId, amount } = transfer;
	const reference = referenced ? transfer.reference : undefined;
	const open = timed ? clockSkew : farthestSkew;
	// A statement does not know our beneficiaries: what it tells of a payee's ledger does not say which of them it is.
	const places =
		kind === "beneficiary"
			? [lines.all.get(keyOf("", amount, reference))]
			: [counterpartyId, undefined].map((payee) => lines.byPayee.get(keyOf(payee, amount, reference)));
	for (const those of places) {
		if (those === undefined) continue;
		let place = passed.get(those) ?? 0;
		const isPassed = (line: Line | undefined): boolean => line !== undefined && (line.to < at - open || taken.has(line.listed));
		while (isPassed(those[place])) place += 1;
		passed.set(those, place);
		const line = those[place];
		if (line && line.from <= at + Math.max(settleAfter, open) && !isOtherCurrency(transfer, line.listed)) return line.listed;
	}
	return undefined;
}

function isOtherCurrency({ currency }: KnownPayment["transfer"], listed: TransactionView): boolean {
	return currency !== undefined && listed.currency !== undefined && listed.currency !== currency;
}

function speaksForSigns({ transfer, at }: KnownPayment, { covers, unlisted, settleAfter }: CheckScope & { unlisted?: Listing }): boolean {
	if (unlisted === undefined) return true;
	const begun = new Date(at).toISOString();
	return at >= covers.from && !unlisted.listed.some((listed) => similarity({ transfer, begun }, listed, settleAfter) !== "other");
}

/** Whether payments stand there more than once: then how many lines there are says nothing of how many payments were made. */
function doubled(
	lines: ReadonlyMap<string, readonly Line[]>,
	taken: ReadonlySet<TransactionView>,
	open: ReadonlySet<string>,
): string | undefined {
	for (const [key, those] of lines) {
		if (open.has(key)) continue;
		const beside = those.findIndex((line, place) => {
			if (taken.has(line.listed)) return false;
			return [those[place - 1], those[place + 1]].some((other) => other && taken.has(other.listed) && overlaps(line, other));
		});
		if (beside >= 0) return `the statement shows a payment twice that was made once: ${those[beside]?.listed.id ?? "a line without an id"}`;
	}
	return undefined;
}

function overlaps(one: Span, other: Span): boolean {
	return one.from <= other.to + clockSkew && other.from <= one.to + clockSkew;
}
