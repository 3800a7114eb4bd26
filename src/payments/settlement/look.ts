/**
 * Reads what a source shows of a ledger, once for all doubts of that ledger, and checks it against known payments.
 */
import { wasSentTo } from "../../api/operations/asked-of.js";
import type { IntentRecord } from "../../ports/intent.js";
import { beganAt } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { listStart } from "./attempt-times.js";
import { type Correction, correctListed, unattributedReason } from "./correct.js";
import { checkList } from "./corroboration.js";
import { begunOf, type Run, takenLines } from "./group.js";
import { knownLines } from "./lists/known.js";
import { Listing } from "./lists/listing.js";
import { type LedgerList, listConcerning } from "./lists/source.js";
import { alike, isCounted, isOfLedger, type Open, openDoubts } from "./matching/doubts.js";
import { type StatusOf, statusBy } from "./matching/look-ups.js";
import { placeThen, readingThrough } from "./matching/through.js";
import { dayBefore } from "./matching/time-span.js";
import type { Tools } from "./settle.js";
import type { Statement } from "./statement.js";
import { checkStatement } from "./statement-corroboration.js";

/** The result of a look at a ledger. */
export interface LedgerLookResult {
	source: LedgerList;
	/** Mistaken ids that were taken from payments. */
	corrections: readonly Correction[];
	/** Payments of that period that lost a mistaken id and whose own id is not known. */
	mistaken: readonly IntentRecord[];
}

/**
 * Reads the service's list of a ledger and checks it against known payments.
 * @param doubts that are looked up in the same way
 * @throws PurserError auth (401) or interrupted
 */
export async function lookAtService(run: Run, ledgerId: string, doubts: readonly Open[]): Promise<LedgerLookResult> {
	const { journal, settleAfter, place, now } = run.tools;
	const service = await readingThrough(run.tools, doubts[0] as Open);
	const start = await startOf(run.tools, doubts);
	const openHere = (await openDoubts(journal, {})).filter((one) => isOfLedger(ledgerId, one));
	const time = now();
	const known = await knownLines(journal, { doubts, covers: { from: Date.parse(start), to: time.getTime() }, settleAfter });
	const source = await listConcerning(
		{ ...run.tools, service },
		{
			ledgerId,
			start,
			asked: time,
			transfers: [...doubts, ...openHere].map(({ transfer }) => transfer),
			known,
		},
	);
	if ("unread" in source) return { source, corrections: [], mistaken: [] };
	// Payments sent to another service cannot be settled by this one's list.
	const all = (await openDoubts(journal, {})).filter((one) => isOfLedger(ledgerId, one) && wasSentTo(one, place));
	if (all.length === 0) return { source, corrections: [], mistaken: [] };
	// Correct mistaken ids before the check: a payment that holds another one's id would count as evidence against the list.
	const corrections = await correctListed({ ...run.tools, place: await placeThen(run.tools, doubts[0] as Open) }, source);
	source.taken = await takenLines(run, all, source);
	const covers = { from: Date.parse(start), to: source.at.getTime() + Math.max(source.skew ?? 0, 0) };
	const asked = { doubts: all, covers, settleAfter };
	const { lacks, unproven, mistaken } = await checkList(journal, source, asked, statusBy(service));
	source.lacks ??= lacks ?? (await unattributedReason(journal, mistaken));
	source.unproven ??= unproven;
	return { source, corrections, mistaken };
}

/** Checks a statement of a ledger against known payments. @param open the ledger's doubts that are to be settled */
export async function lookAtStatement(
	run: Run,
	ledgerId: string,
	{ covers, listed, unlisted }: Statement,
	open: readonly Open[],
): Promise<Listing> {
	const { journal, settleAfter, place, now } = run.tools;
	const from = open.length === 0 ? undefined : Date.parse(await startOf(run.tools, open));
	const first = open[0];
	// A file with dates in the future is not what it claims to be; like one that begins too late, it may show payments but proves no
	// absence.
	if (first === undefined || covers === undefined || from === undefined || covers.from > from || covers.to > now().getTime()) {
		const part = new Listing("statement", now(), false, listed);
		part.lacks = covers !== undefined && covers.to > now().getTime() ? "the statement has lines dated in the future" : tooLateText(from);
		return part;
	}
	const listing = new Listing("statement", new Date(covers.to), true, listed);
	listing.taken = await takenLines(
		run,
		(await openDoubts(journal, {})).filter((one) => isOfLedger(ledgerId, one)),
		listing,
	);
	const otherSign = unlisted && new Listing("statement", listing.at, true, unlisted);
	// The service's status means nothing for payments sent to another service.
	const statusOf: StatusOf = wasSentTo(first, place) ? statusBy(await readingThrough(run.tools, first)) : async () => undefined;
	Object.assign(listing, await checkStatement(journal, listing, { doubts: open, covers, settleAfter, unlisted: otherSign }, statusOf));
	return listing;
}

function tooLateText(from: number | undefined): string | undefined {
	return from === undefined ? undefined : `the statement begins too late: use one with a line of ${dayBefore(from)} or earlier`;
}

/** The time from which transactions must be read for these doubts. */
async function startOf({ journal, settleAfter }: Tools, open: readonly Open[]): Promise<string> {
	const starts: string[] = [];
	for (const doubts of groupBy(open, (one) => one.fingerprint).values()) {
		const counted = (await journal.list({ states: ["accepted"], ...alike(doubts[0] as Open) })).filter(isCounted);
		// Use the earlier of both clocks' times, so that no candidate is left out.
		starts.push(listStart([...begunOf(doubts), ...doubts.map(beganAt)], [...begunOf(counted), ...counted.map(beganAt)], settleAfter));
	}
	return starts.sort()[0] as string;
}
