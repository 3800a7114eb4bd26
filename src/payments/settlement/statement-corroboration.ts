/**
 * Decides whether the absence of a payment from a statement can be believed. The lines do not say whose ledger it is, which sign debits
 * have,
 * or whether the references are the bank's own. So, like a list, it is checked against every known payment of its period. As a
 * statement has its own ids, each payment must have a line with its amount, reference and time, and its payee's ledger if given.
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

/** Most payments without a line that are read individually, and most that are compared with the lines of the other sign. */
const [mostAsked, mostSought] = [20, 100];

/** A line with the period that its date may mean. */
interface Line extends Span {
	listed: TransactionView;
}

/**
 * Checks a statement against known payments, and stores their lines in `listing.known`.
 *
 * The signs of amounts may be inverted: a "debit" may then be the reversal of a payment that is itself shown as a credit, and every payment
 * is among the credits. So a payment confirms the signs only if no credit may be it, and only if it was made in the period that the
 * statement covers completely, where that line would have to be.
 * @param scope `unlisted`: the lines with the other sign, if amounts have signs
 */
export async function checkStatement(
	journal: Journal,
	listing: Listing,
	scope: CheckScope & { unlisted?: Listing },
	statusOf: StatusOf,
): Promise<Corroboration> {
	const referenced = listing.listed.some(({ reference }) => reference !== undefined);
	const lines = linesOf(listing, referenced);
	const [known, unnamed] = await knownPayments(journal, scope, referenced);
	const found = match(known, lines, { ...scope, referenced });
	if (found.missing.length > mostAsked) return { lacks: notShownText(found.missing) };
	for (const one of found.missing) {
		const status = await statusOf(one.id as string);
		if (status === undefined || !isUnsuccessful(status)) return { lacks: notShownText([one]) };
	}
	const open = [...(await openTransfers(journal)), ...unnamed].flatMap(({ counterpartyId, amount, reference }) =>
		[counterpartyId, undefined].map((payee) => keyOf(payee, amount, referenced ? reference : undefined)),
	);
	const twice = shownTwice(lines.byPayee, found.taken, new Set(open));
	if (twice !== undefined) return { lacks: twice };
	listing.known = found.taken;
	const sure = found.shown.slice(0, mostSought).some((one) => confirmsSigns(one, scope));
	return sure ? {} : { unproven: noKnownPayment };
}

/** Matches payments with lines: the lines taken, the payments that should have a line but do not, and those surely shown. */
function match(known: ReadonlyMap<string, KnownPayment[]>, lines: Lines, scope: CheckScope & { referenced: boolean }) {
	const [missing, shown, taken] = [[] as KnownPayment[], [] as KnownPayment[], new Set<TransactionView>()];
	const passed = new Map<readonly Line[], number>();
	for (const group of known.values())
		for (const one of group.sort((one, other) => one.at - other.at)) {
			const line = lineOf(one, lines, { passed, taken, ...scope });
			if (line !== undefined) taken.add(line);
			else if (isDue(one, scope.covers, scope.settleAfter)) missing.push(one);
			if (line !== undefined && one.sure) shown.push(one);
		}
	return { missing, shown, taken };
}

const noKnownPayment =
	"the statement shows no payment that is known for sure to be made from this ledger in its period: it may belong to another ledger, use other signs, or have its references in another column";

function notShownText(missing: readonly KnownPayment[]): string {
	const [first] = missing;
	return `the statement does not show the payment of intent ${first?.intent} as it was sent, although it was made from this ledger in its period: it may belong to another ledger, use other signs, or have its references in another column`;
}

/** All known payments, grouped by the properties that a statement shows, and the transfers accepted without an id. */
async function knownPayments(journal: Journal, scope: CheckScope, referenced: boolean): Promise<[Map<string, KnownPayment[]>, Transfer[]]> {
	const [named, unnamed] = [[] as KnownPayment[], [] as Transfer[]];
	for await (const page of acceptedPayments(journal, scope))
		for (const one of page.map(knownOf)) {
			if (one.id === undefined) unnamed.push(one.transfer);
			else named.push(one);
		}
	return [groupBy(named, ({ transfer }) => keyOf("", transfer.amount, referenced ? transfer.reference : undefined)), unnamed];
}

/** Lines grouped by amount and reference, each group ordered by time. */
interface Lines {
	/** Also by the payee's ledger; `""` if the line has none. */
	byPayee: Map<string, Line[]>;
	/** Whatever the payee. */
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
	for (const group of [...byPayee.values(), ...all.values()]) group.sort((one, other) => one.from - other.from);
	return { byPayee, all };
}

interface Matching {
	referenced: boolean;
	settleAfter: number;
	/** How many lines of each group are done: taken, or too early for all remaining payments, which are ordered by time. */
	passed: Map<readonly Line[], number>;
	taken: ReadonlySet<TransactionView>;
}

/** The first line in a payment's period that no other payment has taken. */
function lineOf(
	{ transfer, at, timed }: KnownPayment,
	lines: Lines,
	{ referenced, settleAfter, passed, taken }: Matching,
): TransactionView | undefined {
	const { kind, counterpartyId, amount } = transfer;
	const reference = referenced ? transfer.reference : undefined;
	const open = timed ? clockSkew : farthestSkew;
	// A statement does not know our beneficiaries, so the payee's ledger on a line does not identify the beneficiary.
	const places =
		kind === "beneficiary"
			? [lines.all.get(keyOf("", amount, reference))]
			: [counterpartyId, undefined].map((payee) => lines.byPayee.get(keyOf(payee, amount, reference)));
	for (const group of places) {
		if (group === undefined) continue;
		let place = passed.get(group) ?? 0;
		const isPassed = (line: Line | undefined): boolean => line !== undefined && (line.to < at - open || taken.has(line.listed));
		while (isPassed(group[place])) place += 1;
		passed.set(group, place);
		const line = group[place];
		if (line && line.from <= at + Math.max(settleAfter, open) && !isOtherCurrency(transfer, line.listed)) return line.listed;
	}
	return undefined;
}

function isOtherCurrency({ currency }: KnownPayment["transfer"], listed: TransactionView): boolean {
	return currency !== undefined && listed.currency !== undefined && listed.currency !== currency;
}

function confirmsSigns({ transfer, at }: KnownPayment, { covers, unlisted, settleAfter }: CheckScope & { unlisted?: Listing }): boolean {
	if (unlisted === undefined) return true;
	const begun = new Date(at).toISOString();
	return at >= covers.from && !unlisted.listed.some((listed) => similarity({ transfer, begun }, listed, settleAfter) !== "other");
}

/** Whether a payment is shown twice; the number of lines then says nothing about the number of payments. */
function shownTwice(
	lines: ReadonlyMap<string, readonly Line[]>,
	taken: ReadonlySet<TransactionView>,
	open: ReadonlySet<string>,
): string | undefined {
	for (const [key, group] of lines) {
		if (open.has(key)) continue;
		const twin = group.findIndex((line, place) => {
			if (taken.has(line.listed)) return false;
			return [group[place - 1], group[place + 1]].some((other) => other && taken.has(other.listed) && overlaps(line, other));
		});
		if (twin >= 0) return `the statement shows a payment twice that was made once: ${group[twin]?.listed.id ?? "a line without an id"}`;
	}
	return undefined;
}

function overlaps(one: Span, other: Span): boolean {
	return one.from <= other.to + clockSkew && other.from <= one.to + clockSkew;
}
