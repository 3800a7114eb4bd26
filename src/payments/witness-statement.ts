/**
 * Whether a statement can be believed where it shows nothing. Nobody can see from its lines whose it is, which sign its debits have, or
 * whether its column of references is the bank's own. It is checked as a list is, by every payment that is known to be made in its time;
 * since its ids are its own, each payment must have a line of its amount, reference and time, and of its payee's ledger where that is told.
 */
import type { TransactionView } from "../api/transaction.js";
import type { Journal, Transfer } from "../ports/journal.js";
import { type Asked, type Known, keyOf, knownPayments, openTransfers } from "./known.js";
import { clockSkew, farthestSkew, likeness, type Span, spanOf } from "./likeness.js";
import type { Listing } from "./listing.js";
import { type Checked, isDue, isUnsuccessful, type StatusOf } from "./witness.js";

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
	asked: Asked & { unlisted?: Listing },
	statusOf: StatusOf,
): Promise<Checked> {
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
	const twice = doubled(lines, found.taken, new Set(open));
	if (twice !== undefined) return { lacks: twice };
	listing.known = found.taken;
	const sure = found.shown.slice(0, mostSought).some((one) => speaksForSigns(one, asked));
	return sure ? {} : { unproven: nothingKnown };
}

/** The lines of known payments, those without one that should have it, and those that are surely shown. */
function match(known: ReadonlyMap<string, Known[]>, lines: ReadonlyMap<string, Line[]>, asked: Asked & { referenced: boolean }) {
	const [missing, shown, taken] = [[] as Known[], [] as Known[], new Set<TransactionView>()];
	const used = new Map<string, number>();
	for (const those of known.values())
		for (const one of those.sort((one, other) => one.at - other.at)) {
			const line = takeLine(one, lines, used, asked);
			if (line !== undefined) taken.add(line);
			else if (isDue(one, asked.covers, asked.settleAfter)) missing.push(one);
			if (line !== undefined && one.sure) shown.push(one);
		}
	return { missing, shown, taken };
}

const nothingKnown =
	"the statement shows no payment that is surely known to be made from this ledger in its time: it may be of another ledger, have other signs, or another column of references";

function notShown(missing: readonly Known[]): string {
	const [first] = missing;
	return `the statement does not show the payment of intent ${first?.intent} as it was sent, which was made from this ledger in its time: it may be of another ledger, have other signs, or another column of references`;
}

/** Every payment that is known to be made, by what a statement can tell of it; and what was accepted without an id. */
async function gathered(journal: Journal, asked: Asked, referenced: boolean): Promise<[Map<string, Known[]>, Transfer[]]> {
	const [known, unnamed] = [new Map<string, Known[]>(), [] as Transfer[]];
	for await (const page of knownPayments(journal, asked))
		for (const one of page) {
			const key = keyOf("", one.transfer.amount, referenced ? one.transfer.reference : undefined);
			if (one.id === undefined) unnamed.push(one.transfer);
			else
				known
					.set(key, known.get(key) ?? [])
					.get(key)
					?.push(one);
		}
	return [known, unnamed];
}

/** The lines by payee, amount and reference, each in the order of their time. */
function linesOf(listing: Listing, referenced: boolean): Map<string, Line[]> {
	const lines = new Map<string, Line[]>();
	for (const listed of listing.listed) {
		const span = spanOf(listed.createdAt);
		if (span === undefined) continue;
		const key = keyOf(listed.receiverLedgerId, listed.amount, referenced ? listed.reference : undefined);
		lines
			.set(key, lines.get(key) ?? [])
			.get(key)
			?.push({ listed, ...span });
	}
	for (const those of lines.values()) those.sort((one, other) => one.from - other.from);
	return lines;
}

interface Taking {
	referenced: boolean;
	settleAfter: number;
}

/** The first line of a payment's time that is no other payment's. @param used how many lines of a key are taken or too early */
function takeLine(
	{ transfer, at, timed }: Known,
	lines: ReadonlyMap<string, readonly Line[]>,
	used: Map<string, number>,
	{ referenced, settleAfter }: Taking,
): TransactionView | undefined {
	const reference = referenced ? transfer.reference : undefined;
	const open = timed ? clockSkew : farthestSkew;
	// A payment to a beneficiary may be shown with the ledger that hosts it, or with none.
	for (const payee of [transfer.counterpartyId, undefined]) {
		const key = keyOf(payee, transfer.amount, reference);
		const those = lines.get(key) ?? [];
		let place = used.get(key) ?? 0;
		while (place < those.length && (those[place] as Line).to < at - open) place += 1;
		const line = those[place];
		used.set(key, place);
		if (line === undefined || line.from > at + Math.max(settleAfter, open) || isOtherCurrency(transfer, line.listed)) continue;
		used.set(key, place + 1);
		return line.listed;
	}
	return undefined;
}

function isOtherCurrency({ currency }: Known["transfer"], listed: TransactionView): boolean {
	return currency !== undefined && listed.currency !== undefined && listed.currency !== currency;
}

function speaksForSigns({ transfer, at }: Known, { covers, unlisted, settleAfter }: Asked & { unlisted?: Listing }): boolean {
	if (unlisted === undefined) return true;
	const begun = new Date(at).toISOString();
	return at >= covers.from && !unlisted.listed.some((listed) => likeness({ transfer, begun }, listed, settleAfter) !== "other");
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
