/**
 * Settling doubts: what is looked at, in which order, and what is written of it. The journal and the service are handed in.
 */
import { otherRecord } from "../api/answer.js";
import { type InUse, isAskedOf } from "../api/asked-of.js";
import { getTransaction, viewTransaction } from "../api/transaction.js";
import { PurserError } from "../errors.js";
import type { IntentRecord, Journal, Settlement } from "../ports/journal.js";
import { beganAt } from "./attempt-clock.js";
import { mayGoOn, type Service } from "./facts.js";
import { dayBefore, likeness } from "./likeness.js";
import { Listing } from "./listing.js";
import { grouped, isTransfer, noPayment, type Open, oneDoubt, openDoubts, type Which } from "./settle-doubts.js";
import { answerOf, begunOf, conclude, isCounted, Run, settleGroup, takenLines } from "./settle-group.js";
import { elsewhere, listLedger, type Source } from "./settle-source.js";
import { reachBack, type Verdict } from "./settling.js";
import type { Statement } from "./statement.js";
import { checkList, type StatusOf } from "./witness.js";
import { checkStatement } from "./witness-statement.js";

export interface Tools {
	journal: Journal;
	service: Service;
	/** The service that is looked at. */
	place: InUse;
	now(): Date;
	/** Milliseconds: the setting `settle-after`. */
	settleAfter: number;
	/** Who decides that what is not listed was not created: the setting `absence`. */
	absence: "person" | "list";
	/** Nothing is recorded. */
	dry: boolean;
}

/** What became of one doubt. */
export type Settled = Verdict & Pick<IntentRecord, "operation" | "begun" | "transfer" | "batch" | "row">;

/**
 * Settles doubts by the service's list of transactions, one list for all doubts of a ledger.
 * @throws PurserError usage, where the named intent is not there; auth (401) or interrupted
 */
export async function settleByService(tools: Tools, which: Which = {}): Promise<Settled[]> {
	const open = await openDoubts(tools.journal, which);
	const run = new Run(tools);
	const sources = new Map<string, Source>();
	for (const [ledgerId, doubts] of grouped(open, (one) => one.transfer.ledgerFromId.toLowerCase()))
		sources.set(ledgerId, await listedBy(run, ledgerId, doubts));
	return settleSeen(run, open, (ledgerId) => sources.get(ledgerId) ?? { unread: "it was not looked at" });
}

async function listedBy(run: Run, ledgerId: string, doubts: readonly Open[]): Promise<Source> {
	const { journal, service, settleAfter, place } = run.tools;
	const start = await startOf(run.tools, doubts);
	const { dated, skew } = dating(run.tools);
	const source = await listLedger(dated, run.tools.now(), ledgerId, start);
	if ("unread" in source) return source;
	source.skew = skew();
	// What was sent to another service is not settled here, and what that one made is not looked for here.
	const all = (await openDoubts(journal, {})).filter((one) => isOf(ledgerId, one) && isAskedOf(one, place));
	if (all.length === 0) return source;
	source.taken = await takenLines(run, all, source);
	const covers = { from: Date.parse(start), to: source.at.getTime() + Math.max(source.skew ?? 0, 0) };
	Object.assign(source, await checkList(journal, source, { doubts: all, covers, settleAfter }, statusBy(service)));
	return source;
}

const isOf = (ledgerId: string, { transfer }: Open): boolean => transfer.ledgerFromId.toLowerCase() === ledgerId.toLowerCase();

/** The service, with what the difference of the clocks was when it was first asked for a list. */
function dating({ service, now }: Tools): { dated: Service; skew(): number | undefined } {
	let skew: number | undefined;
	const list: Service["list"] = async (...given) => {
		const asked = now().getTime();
		const listed = await service.list(...given);
		if (listed.at !== undefined) skew ??= listed.at - asked;
		return listed;
	};
	return { dated: { ...service, list }, skew: () => skew };
}

/** What the service says became of a transaction; undefined where it says nothing of it. */
function statusBy(service: Service): StatusOf {
	return async (transactionId) => {
		try {
			const { id, status } = viewTransaction((await service.get(getTransaction, { params: { transactionId } })) as Record<string, unknown>);
			return otherRecord(transactionId, id) === undefined ? status : undefined;
		} catch (cause) {
			if (!mayGoOn(cause)) throw cause;
			return undefined;
		}
	};
}

/** Settles doubts of one ledger by a statement. The same statement looked at twice is one look. */
export async function settleByStatement(tools: Tools, ledgerId: string, statement: Statement, which: Which = {}): Promise<Settled[]> {
	const open = (await openDoubts(tools.journal, which)).filter((one) => isOf(ledgerId, one));
	const run = new Run(tools);
	const seen = await readBy(run, ledgerId, statement, open);
	return settleSeen(run, open, () => seen);
}

async function readBy(run: Run, ledgerId: string, { covers, listed, unlisted }: Statement, open: readonly Open[]): Promise<Listing> {
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
		(await openDoubts(journal, {})).filter((one) => isOf(ledgerId, one)),
		seen,
	);
	const others = unlisted && new Listing("statement", seen.at, true, unlisted);
	// What the service tells of a payment that was sent to another one says nothing.
	const statusOf: StatusOf = isAskedOf(first, place) ? statusBy(service) : async () => undefined;
	Object.assign(seen, await checkStatement(journal, seen, { doubts: open, covers, settleAfter, unlisted: others }, statusOf));
	return seen;
}

function tooLate(from: number | undefined): string | undefined {
	return from === undefined ? undefined : `the statement begins too late: one is needed with a line of ${dayBefore(from)} or earlier`;
}

/**
 * Settles one doubt by one transaction of the service that somebody named.
 * @throws PurserError guard, where the transaction is another transfer, is of another service, or is held by another intent; rejected,
 *   where there is none
 */
export async function settleByTransaction(tools: Tools, intent: string, transactionId: string): Promise<Settled[]> {
	const record = await oneDoubt(tools.journal, intent);
	const { transfer } = record;
	if (transfer === undefined) throw noPayment(record);
	const moved = elsewhere([record], tools.place);
	if (moved !== undefined) throw lookedElsewhere(intent, moved);
	const listed = viewTransaction((await tools.service.get(getTransaction, { params: { transactionId } })) as Record<string, unknown>);
	const sought = { transfer, begun: beganAt(record), payee: await new Run(tools).payee(record) };
	const found = likeness(sought, { ...listed, id: transactionId }, tools.settleAfter);
	if (found === "other" || otherRecord(transactionId, listed.id) !== undefined)
		throw new PurserError("guard", {
			code: "ANOTHER_TRANSFER",
			message: `Transaction ${transactionId} is not the transfer of intent ${intent}: ledger, counterparty, amount, reference or time differ; nothing was changed`,
			fix: `Compare them: purser pay show ${transactionId}, purser history show ${intent}`,
			intent,
		});
	const reason =
		found === "same" ? "the transaction named is this transfer" : "the transaction named may be this transfer; what the service tells fits";
	return [await conclude(tools, record, { intent, state: "accepted", id: transactionId, evidence: { source: "transaction", reason } })];
}

function lookedElsewhere(intent: string, why: string): PurserError {
	return new PurserError("guard", {
		code: "LOOKED_ELSEWHERE",
		message: `Intent ${intent} cannot be settled by a transaction of this service: ${why}`,
		fix: `See where it was sent: purser history show ${intent}`,
		intent,
	});
}

/** Settles one doubt, of a payment or of another change, by a person's word. @param record as it was when the person was asked */
export async function settleByWord(
	tools: Tools,
	record: IntentRecord,
	word: { state: Settlement["state"]; id?: string; reason: string },
): Promise<Settled[]> {
	const { intent } = record;
	const evidence = { source: "person", reason: word.reason } as const;
	const settlement: Settlement =
		word.state === "accepted" ? { state: "accepted", id: word.id, evidence } : { state: "not-created", evidence };
	if (!tools.dry) await tools.journal.settle(intent, settlement, record.attempt);
	const { operation, begun, transfer, batch, row } = record;
	return [{ intent, ...settlement, operation, begun, transfer, batch, row } as Settled];
}

/** Reads the journal only after the source: what was sent and answered meanwhile is claimed by then. */
async function settleSeen(run: Run, open: readonly Open[], sourceOf: (ledgerId: string) => Source): Promise<Settled[]> {
	const settled: Settled[] = [];
	for (const [fingerprint, [first]] of grouped(open, (one) => one.fingerprint)) {
		const { journal, place } = run.tools;
		const doubts = (await journal.list({ states: ["in-doubt"], fingerprint })).filter(isTransfer);
		const source = sourceOf((first as Open).transfer.ledgerFromId.toLowerCase());
		const moved = "source" in source && source.source === "statement" ? undefined : elsewhere(doubts, place);
		if ("unread" in source || moved !== undefined) {
			const why = moved ?? `the service's list could not be read: ${"unread" in source ? source.unread : ""}`;
			settled.push(...doubts.map((one) => answerOf(one, { intent: one.intent, state: "in-doubt", why })));
			continue;
		}
		settled.push(...(await settleGroup(run, doubts, source)));
	}
	return settled;
}

/** From when transactions must be seen for these doubts. */
async function startOf({ journal, settleAfter }: Tools, open: readonly Open[]): Promise<string> {
	const starts: string[] = [];
	for (const [fingerprint, doubts] of grouped(open, (one) => one.fingerprint)) {
		const counted = (await journal.list({ states: ["accepted"], fingerprint })).filter(isCounted);
		// By either clock, whichever is earlier: nothing that may be it is left out.
		starts.push(reachBack([...begunOf(doubts), ...doubts.map(beganAt)], [...begunOf(counted), ...counted.map(beganAt)], settleAfter));
	}
	return starts.sort()[0] as string;
}
