/**
 * One more look at the service's list before a payment counts, or is treated, as not created: before a person's word, and before
 * the same is sent again. What is listed there may be that payment, unless an attempt of the journal holds it and it is as that one was sent.
 */
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { wasSentTo } from "../../api/operations/asked-of.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { PurserError, type SuggestedCommand } from "../../errors.js";
import type { IntentRecord, Look } from "../../ports/intent.js";
import type { JournalEvent } from "../../ports/journal.js";
import { beganAt, clockFault } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { reachBack } from "./attempt-times.js";
import { checkList } from "./corroboration.js";
import { Run, takenLines } from "./group.js";
import { Listing } from "./lists/listing.js";
import { elsewhere, type LedgerList, listConcerning } from "./lists/source.js";
import { isOfLedger, isTransfer, type Open, openDoubts } from "./matching/doubts.js";
import { statusBy } from "./matching/look-ups.js";
import { type Similarity, similarityToAny } from "./matching/similarity.js";
import { differenceOf } from "./matching/whose.js";
import type { Tools } from "./settle.js";

/** What a look needs. */
export type LookTools = Pick<Tools, "journal" | "service" | "place" | "now" | "settleAfter" | "progress">;

/** How a person names, among `--not-this`, what the service lists without an id. */
export const withoutId = "unnamed";

/** A listed transaction that may be one of the payments that are looked for. */
export interface Suspect {
	/** The payment's intent. */
	intent: string;
	/** `near`: all but its reference, its amount or its date is as it was sent. */
	similarity: Exclude<Similarity, "other"> | "near";
	transaction: TransactionView;
}

/** What one look at a ledger showed. */
export interface Sight {
	/** As it is recorded; absent where nothing could be looked at. */
	look?: Look;
	/** Why nothing could be looked at, in words for people, and as it is recorded: without what a service may have said. */
	unread?: { why: string; code: string };
	/** Why the list may not be everything, in words. */
	lacks?: string;
	/** Why the time that was looked at may be another one than that of the payment, in words. */
	clock?: string;
	suspects: Suspect[];
}

/**
 * Looks once at the list of a ledger for all of these payments. Whatever stands in the way of looking is told and never thrown, but
 * for an interruption.
 * @param records payments of one ledger, in doubt or not created; `named`: ids of transactions that a person knows to be others, in
 *   lower case
 * @throws PurserError interrupted
 */
export async function sightOf(tools: LookTools, records: readonly Open[], named: ReadonlySet<string>): Promise<Sight> {
	const moved = elsewhere(records, tools.place);
	if (moved !== undefined) return { unread: { why: moved, code: "LOOKED_ELSEWHERE" }, suspects: [] };
	const sought = await Promise.all(records.map(async (record) => ({ record, begun: await beginnings(tools, record) })));
	const ledgerId = (records[0] as Open).transfer.ledgerFromId.toLowerCase();
	const times = sought.flatMap(({ begun }) => begun);
	const start = reachBack(times, [], tools.settleAfter);
	let source: LedgerList;
	let code = "LIST_UNREADABLE";
	try {
		source = await listConcerning(tools, { ledgerId, start, asked: tools.now(), transfers: records.map(({ transfer }) => transfer) });
	} catch (cause) {
		if (!(cause instanceof PurserError) || cause.kind === "interrupted") throw cause;
		code = cause.failure.code;
		source = { unread: cause.message };
	}
	if ("unread" in source) return { unread: { why: source.unread, code }, suspects: [] };
	const suspects = await suspectsIn(tools, { ledgerId, sought }, source, named);
	const count = (...how: Suspect["similarity"][]): number =>
		new Set(suspects.filter(({ similarity }) => how.includes(similarity)).map(({ transaction }) => transaction)).size;
	const { at } = source;
	const lacks = source.lacks ?? (await unlike(tools, records, source, Date.parse(start)));
	const complete = source.complete && lacks === undefined;
	const [unclaimed, possible] = [count("same"), count("possible", "near")];
	const look: Look = { at: at.toISOString(), source: "service", complete, unclaimed, possible };
	const clock = records.map((record) => clockFault(record, "own")).find((fault) => fault !== undefined);
	return { look, lacks, clock, suspects };
}

/**
 * Why the list is known to be wrong, in words. Only what was proven by a list is proven again by one that is held against all that is known: a
 * person's word counts whatever the list is like.
 */
async function unlike(tools: LookTools, records: readonly Open[], source: Listing, from: number): Promise<string | undefined> {
	const proven = records.filter(({ state, evidence }) => state === "not-created" && evidence?.source !== "person");
	if (proven.length === 0) return undefined;
	const covers = { from, to: source.at.getTime() + Math.max(source.skew ?? 0, 0) };
	const { lacks } = await checkList(
		tools.journal,
		source,
		{ doubts: proven, covers, settleAfter: tools.settleAfter },
		statusBy(tools.service),
	);
	return lacks;
}

/**
 * When its attempts began, the oldest first: what an earlier one may have made late is looked for too. By either clock, for this machine's may
 * have been wrong; and none of them begins later than now.
 */
async function beginnings({ journal, now }: LookTools, record: Open): Promise<string[]> {
	const events = record.attempt < 2 ? [] : ((await journal.show(record.intent))?.events ?? []);
	const attempts = [record, ...events.filter(({ kind }) => kind === "begun").map((one) => ({ begun: one.at, skew: skewIn(one, events) }))];
	const times = attempts.flatMap((one) => [one.begun, beganAt(one)]);
	const latest = now().toISOString();
	return [...new Set(times.map((time) => (time < latest ? time : latest)))].sort();
}

/** How the clocks differed at an attempt: as known when it began, or as its own answer told. */
function skewIn({ content }: JournalEvent, events: readonly JournalEvent[]): number | undefined {
	const ended = events.find((one) => one.kind === "ended" && one.content.attempt === content.attempt);
	const skew = content.skew ?? (ended?.content.outcome as { skew?: unknown } | undefined)?.skew;
	return typeof skew === "number" ? skew : undefined;
}

async function suspectsIn(
	tools: LookTools,
	{ ledgerId, sought }: { ledgerId: string; sought: readonly { record: Open; begun: readonly string[] }[] },
	source: Exclude<LedgerList, { unread: string }>,
	named: ReadonlySet<string>,
): Promise<Suspect[]> {
	const { listed } = source;
	const holders = await tools.journal.holderRecords(listed.flatMap(({ id }) => id?.toLowerCase() ?? []));
	// Whoever holds an id may have been answered with another payment's: what is listed is then no other payment for it.
	const isItsOwn = (line: TransactionView): boolean => {
		const holder = holders.get(line.id?.toLowerCase() ?? "");
		return holder !== undefined && (holder.transfer === undefined || differenceOf(holder.transfer, line) === undefined);
	};
	const isFree = (line: TransactionView): boolean => !named.has(line.id?.toLowerCase() ?? withoutId) && !isItsOwn(line);
	const free = new Listing(source.source, source.at, source.complete, listed.filter(isFree));
	const suspects: Suspect[] = [];
	const run = new Run(tools);
	const others = await otherDoubts(run, ledgerId, free);
	for (const { record, begun } of sought) {
		const { transfer, intent } = record;
		const candidates = free.candidates(transfer, []);
		const payee = candidates.length > 0 ? await run.payee(record) : undefined;
		const times = begun.map(Date.parse);
		for (const transaction of candidates) {
			const answer = similarityToAny({ transfer, payee }, times, transaction, tools.settleAfter);
			const isAnothers = answer === "near" && others.has(transaction.id?.toLowerCase() ?? "");
			if (answer !== "other" && !isAnothers) suspects.push({ intent, similarity: answer, transaction });
		}
	}
	return suspects;
}

/** Ids, in lower case, of lines that are exactly another payment in doubt: all but one property of them may be as that of one sought here. */
async function otherDoubts(run: Run<LookTools>, ledgerFromId: string, free: Listing): Promise<ReadonlySet<string>> {
	const { journal, place } = run.tools;
	const doubts = (await openDoubts(journal, {})).filter((one) => isOfLedger(ledgerFromId, one) && wasSentTo(one, place));
	return doubts.length === 0 ? new Set() : takenLines(run, doubts, free);
}

/** The payments among these by their debited ledger, and those that were asked of this service before the others. */
export function byLedger(records: readonly IntentRecord[], place: Tools["place"]): Open[][] {
	// What was asked of another service cannot be looked at here, and must not hide what can.
	const key = (record: Open): string => `${record.transfer.ledgerFromId.toLowerCase()} ${wasSentTo(record, place)}`;
	return [...groupBy(records.filter(isTransfer), key).values()];
}

/** The command that settles a payment by a listed transaction. One that differs in a property is taken for it with a reason alone. */
export function settledBy(intent: string, { similarity, transaction: { id } }: Suspect): SuggestedCommand {
	const named = id === undefined ? "TRANSACTION" : typed(id, "TRANSACTION");
	return purser`pay settle ${intent} --transaction ${named} ${similarity === "near" && ["--reason", "TEXT"]}`;
}

/** One listed transaction in words: id, date, amount, reference, status. */
export function transactionWords({ id, createdAt, amount, currency, reference, status }: TransactionView): string {
	return [
		`transaction ${id ?? "without an id"}`,
		createdAt === undefined ? "without a date" : `of ${createdAt}`,
		[amount ?? "an amount that is not told", currency].filter(Boolean).join(" "),
		reference === undefined ? undefined : JSON.stringify(reference),
		status,
	]
		.filter((one) => one !== undefined)
		.join(", ");
}
