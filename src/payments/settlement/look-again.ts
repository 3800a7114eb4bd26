/**
 * Reads the service's list once more before a person's word settles a payment as not created, and before such a payment is sent again. A
 * listed transaction may be that payment unless an attempt in the journal holds its id and was sent with the same details.
 */
import { purser } from "../../api/advice.js";
import { inCurrency } from "../../api/amount.js";
import { typed } from "../../api/answer.js";
import { wasSentTo } from "../../api/operations/asked-of.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { plainId } from "../../api/text/ids.js";
import { PurserError, type SuggestedCommand } from "../../errors.js";
import type { IntentRecord, Look } from "../../ports/intent.js";
import type { JournalEvent } from "../../ports/journal.js";
import { beganAt, clockFault } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { listStart } from "./attempt-times.js";
import { checkList } from "./corroboration.js";
import { Run, takenLines } from "./group.js";
import { Listing } from "./lists/listing.js";
import { type LedgerList, listConcerning, wrongServiceReason } from "./lists/source.js";
import { differenceOf } from "./matching/difference.js";
import { isOfLedger, isTransfer, type Open, openDoubts } from "./matching/doubts.js";
import { statusBy } from "./matching/look-ups.js";
import { type Similarity, similarityToAny } from "./matching/similarity.js";
import { byLookUps, readingThrough } from "./matching/through.js";
import type { Tools } from "./settle.js";

/** The dependencies of a look. */
export type LookTools = Pick<Tools, "journal" | "service" | "place" | "now" | "settleAfter" | "progress">;

/** Stands for a transaction listed without an id, as a value of `--not-this`. */
export const withoutId = "unnamed";

/** A listed transaction that may be one of the payments. */
export interface Suspect {
	/** The payment's intent. */
	intent: string;
	/** `near`: it differs from the payment only in its reference, its amount or its date. */
	similarity: Exclude<Similarity, "other"> | "near";
	transaction: TransactionView;
}

/** The result of one look at a ledger. */
export interface LookResult {
	/** The look to record; absent if the list could not be read. */
	look?: Look;
	/** Why the list could not be read: `why` for people, and the code that is recorded, which holds no text from the service. */
	unread?: { why: string; code: string };
	/** Why the list may be incomplete, for people. */
	lacks?: string;
	/** Why the period that was read may not be that of the payment, for people. */
	clock?: string;
	suspects: Suspect[];
}

/**
 * Reads a ledger's list once, for all of these payments. Any failure to read it is returned, except an interruption.
 * @param records payments of one ledger, in doubt or not created, that are looked up in the same way
 * @param named plain ids of transactions that a person declares to be different payments
 * @throws PurserError interrupted
 */
export async function lookAtLedger(tools: LookTools, records: readonly Open[], named: ReadonlySet<string>): Promise<LookResult> {
	const wrongService = wrongServiceReason(records, tools.place);
	if (wrongService !== undefined) return { unread: { why: wrongService, code: "LOOKED_ELSEWHERE" }, suspects: [] };
	const sought = await Promise.all(records.map(async (record) => ({ record, begun: await attemptTimes(tools, record) })));
	const ledgerId = plainId((records[0] as Open).transfer.ledgerFromId);
	const times = sought.flatMap(({ begun }) => begun);
	const start = listStart(times, [], tools.settleAfter);
	const service = await readingThrough(tools, records[0] as Open);
	let source: LedgerList;
	let code = "LIST_UNREADABLE";
	try {
		source = await listConcerning(
			{ ...tools, service },
			{ ledgerId, start, asked: tools.now(), transfers: records.map(({ transfer }) => transfer) },
		);
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
	const lacks = source.lacks ?? (await listFault({ ...tools, service }, records, source, Date.parse(start)));
	const complete = source.complete && lacks === undefined;
	const [unclaimed, possible] = [count("same"), count("possible", "near")];
	const look: Look = { at: at.toISOString(), source: "service", complete, unclaimed, possible };
	const clock = records.map((record) => clockFault(record, "own")).find((fault) => fault !== undefined);
	return { look, lacks, clock, suspects };
}

/**
 * Why the list is known to be wrong, for people. Only payments that a list proved not created need a list that passes the check against
 * known payments; a person's word counts whatever the list is like.
 */
async function listFault(tools: LookTools, records: readonly Open[], source: Listing, from: number): Promise<string | undefined> {
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
 * When its attempts began, oldest first: an earlier attempt may have created the payment late. Times by both clocks are included, because
 * this machine's may have been wrong, and none is later than now.
 */
async function attemptTimes({ journal, now }: LookTools, record: Open): Promise<string[]> {
	const events = record.attempt < 2 ? [] : ((await journal.show(record.intent))?.events ?? []);
	const attempts = [record, ...events.filter(({ kind }) => kind === "begun").map((one) => ({ begun: one.at, skew: skewIn(one, events) }))];
	const times = attempts.flatMap((one) => [one.begun, beganAt(one)]);
	const latest = now().toISOString();
	return [...new Set(times.map((time) => (time < latest ? time : latest)))].sort();
}

/** The difference of the clocks at an attempt: known when it began, or learned from its answer. */
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
	const holders = await tools.journal.holderRecords(listed.flatMap(({ id }) => plainId(id) ?? []));
	// An attempt may hold another payment's id by mistake, so a line counts as its own only if the details match.
	const isItsOwn = (line: TransactionView): boolean => {
		const holder = holders.get(plainId(line.id ?? ""));
		return holder !== undefined && (holder.transfer === undefined || differenceOf(holder.transfer, line) === undefined);
	};
	const isFree = (line: TransactionView): boolean => !named.has(plainId(line.id ?? withoutId)) && !isItsOwn(line);
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
			const isAnothers = answer === "near" && others.has(plainId(transaction.id ?? ""));
			if (answer !== "other" && !isAnothers) suspects.push({ intent, similarity: answer, transaction });
		}
	}
	return suspects;
}

/** Plain ids of lines that exactly match another doubt; they may resemble a payment here in all but one property. */
async function otherDoubts(run: Run<LookTools>, ledgerFromId: string, free: Listing): Promise<ReadonlySet<string>> {
	const { journal, place } = run.tools;
	const doubts = (await openDoubts(journal, {})).filter((one) => isOfLedger(ledgerFromId, one) && wasSentTo(one, place));
	return doubts.length === 0 ? new Set() : takenLines(run, doubts, free);
}

/** Groups the payments among these records by debited ledger and by how they are looked up, keeping those sent to another service apart. */
export async function groupByLedger(
	records: readonly IntentRecord[],
	{ place, journal }: Pick<Tools, "place" | "journal">,
): Promise<Open[][]> {
	// Payments sent to another service cannot be looked up here, and must not prevent looking up the others.
	const key = (record: Open): string => `${plainId(record.transfer.ledgerFromId)} ${wasSentTo(record, place)}`;
	const groups: Open[][] = [];
	for (const sent of groupBy(records.filter(isTransfer), key).values()) for (const one of await byLookUps(journal, sent)) groups.push(one);
	return groups;
}

/** The command that settles a payment by a listed transaction; one that differs in a property needs a reason. */
export function settleCommand(intent: string, { similarity, transaction: { id } }: Suspect): SuggestedCommand {
	return purser`pay settle ${intent} --transaction ${typed(id, "TRANSACTION")} ${similarity === "near" && ["--reason", "TEXT"]}`;
}

/** Describes a listed transaction for people: id, date, amount, reference, status. */
export function transactionText({ id, createdAt, amount, currency, reference, status }: TransactionView): string {
	return [
		`transaction ${id ?? "without an id"}`,
		createdAt === undefined ? "without a date" : `of ${createdAt}`,
		amount === undefined ? "an unknown amount" : inCurrency(amount, currency),
		reference === undefined ? undefined : JSON.stringify(reference),
		status,
	]
		.filter((one) => one !== undefined)
		.join(", ");
}
