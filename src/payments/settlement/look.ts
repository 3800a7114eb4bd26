/**
 * One look at what a source shows of a ledger, for all doubts of that ledger: read, corrected and held against what is known.
 */
import { wasSentTo } from "../../api/operations/asked-of.js";
import type { IntentRecord } from "../../ports/intent.js";
import { beganAt } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { reachBack } from "./attempt-times.js";
import { type Correction, correctListed, unexplained } from "./correct.js";
import { checkList } from "./corroboration.js";
import { begunOf, type Run, takenLines } from "./group.js";
import { knownLines } from "./lists/known.js";
import { Listing } from "./lists/listing.js";
import { type LedgerList, listConcerning } from "./lists/source.js";
import { isCounted, isOfLedger, type Open, openDoubts } from "./matching/doubts.js";
import { type StatusOf, statusBy } from "./matching/look-ups.js";
import { dayBefore } from "./matching/time-span.js";
import type { Tools } from "./settle.js";
import type { Statement } from "./statement.js";
import { checkStatement } from "./statement-corroboration.js";

/** What a look at a ledger showed. */
export interface Looked {
	source: LedgerList;
	/** Ids that were taken from payments by it. */
	corrections: readonly Correction[];
	/** Payments of the time that lost a mistaken id, and whose own is not known. */
	mistaken: readonly IntentRecord[];
}

/**
 * Reads the service's list of a ledger and holds it against all that is known.
 * @throws PurserError auth (401) or interrupted
 */
export async function listedBy(run: Run, ledgerId: string, doubts: readonly Open[]): Promise<Looked> {
	const { journal, service, settleAfter, place, now } = run.tools;
	const start = await startOf(run.tools, doubts);
	const around = (await openDoubts(journal, {})).filter((one) => isOfLedger(ledgerId, one));
	const time = now();
	const known = await knownLines(journal, { doubts, covers: { from: Date.parse(start), to: time.getTime() }, settleAfter });
	const source = await listConcerning(run.tools, {
		ledgerId,
		start,
		asked: time,
		transfers: [...doubts, ...around].map(({ transfer }) => transfer),
		known,
	});
	if ("unread" in source) return { source, corrections: [], mistaken: [] };
	// What was sent to another service is not settled here, and what that one made is not looked for here.
	const all = (await openDoubts(journal, {})).filter((one) => isOfLedger(ledgerId, one) && wasSentTo(one, place));
	if (all.length === 0) return { source, corrections: [], mistaken: [] };
	// First of all: a payment that stands there as another one, because it holds that one's id, would speak against the list.
	const corrections = await correctListed(run.tools, source);
	source.taken = await takenLines(run, all, source);
	const covers = { from: Date.parse(start), to: source.at.getTime() + Math.max(source.skew ?? 0, 0) };
	const asked = { doubts: all, covers, settleAfter };
	const { lacks, unproven, mistaken } = await checkList(journal, source, asked, statusBy(service));
	source.lacks ??= lacks ?? (await unexplained(journal, mistaken));
	source.unproven ??= unproven;
	return { source, corrections, mistaken };
}

/** Holds a statement of a ledger against all that is known. @param open the doubts of that ledger that are to be settled */
export async function readBy(run: Run, ledgerId: string, { covers, listed, unlisted }: Statement, open: readonly Open[]): Promise<Listing> {
	const { journal, settleAfter, place, service, now } = run.tools;
	const from = open.length === 0 ? undefined : Date.parse(await startOf(run.tools, open));
	const first = open[0];
	// Lines of days to come say that the file is not what it seems; it may show what was made, but proves no absence.
	if (first === undefined || covers === undefined || from === undefined || covers.from > from || covers.to > now().getTime()) {
		const part = new Listing("statement", now(), false, listed);
		part.lacks = covers !== undefined && covers.to > now().getTime() ? "the statement has lines of days to come" : tooLate(from);
		return part;
	}
	const seen = new Listing("statement", new Date(covers.to), true, listed);
	seen.taken = await takenLines(
		run,
		(await openDoubts(journal, {})).filter((one) => isOfLedger(ledgerId, one)),
		seen,
	);
	const others = unlisted && new Listing("statement", seen.at, true, unlisted);
	// What the service tells of a payment that was sent to another one says nothing.
	const statusOf: StatusOf = wasSentTo(first, place) ? statusBy(service) : async () => undefined;
	Object.assign(seen, await checkStatement(journal, seen, { doubts: open, covers, settleAfter, unlisted: others }, statusOf));
	return seen;
}

function tooLate(from: number | undefined): string | undefined {
	return from === undefined ? undefined : `the statement begins too late: one is needed with a line of ${dayBefore(from)} or earlier`;
}

/** From when transactions must be seen for these doubts. */
async function startOf({ journal, settleAfter }: Tools, open: readonly Open[]): Promise<string> {
	const starts: string[] = [];
	for (const [fingerprint, doubts] of groupBy(open, (one) => one.fingerprint)) {
		const counted = (await journal.list({ states: ["accepted"], fingerprint })).filter(isCounted);
		// By either clock, whichever is earlier: nothing that may be it is left out.
		starts.push(reachBack([...begunOf(doubts), ...doubts.map(beganAt)], [...begunOf(counted), ...counted.map(beganAt)], settleAfter));
	}
	return starts.sort()[0] as string;
}
