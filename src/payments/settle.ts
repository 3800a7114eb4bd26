/**
 * Settling doubts: what is looked at, in which order, and what is written of it. The journal and the service are handed in.
 */
import { otherRecord } from "../api/answer.js";
import { type InUse, isAskedOf } from "../api/asked-of.js";
import { getTransaction, type TransactionView, viewTransaction } from "../api/transaction.js";
import { PurserError } from "../errors.js";
import type { Evidence, IntentRecord, Journal, Look, Mistaken, Settlement } from "../ports/journal.js";
import { concerning } from "./concerning.js";
import { type Correction, contested, corrected, correctListed, unexplained } from "./correct.js";
import type { Service } from "./facts.js";
import { eachLedger, inOrderOf, progressOf } from "./ledger-order.js";
import { dayBefore, likeness } from "./likeness.js";
import { Listing } from "./listing.js";
import { type Named, nameAlone, nameByList, unnamedOne } from "./naming.js";
import { payeeOf } from "./payee.js";
import { isTransfer, noPayment, type Open, oneDoubt, openDoubts, type Which } from "./settle-doubts.js";
import { elsewhere, listLedger, type Source } from "./settle-source.js";
import { answerOf, correctedId, namedId, stillUnnamed } from "./settled.js";
import { type Doubt, looksApart, reachBack, settleAlike, type Verdict } from "./settling.js";
import type { Statement } from "./statement.js";
import { contradicted, knownOf, unwitnessed } from "./witness.js";
import type { SeenBefore } from "./word.js";

export interface Tools {
	journal: Journal;
	service: Service;
	/** The service that is looked at. */
	place: InUse;
	now(): Date;
	/** Milliseconds: the setting `settle-after`. */
	settleAfter: number;
	/** Nothing is recorded. */
	dry: boolean;
	/** Told how far a long look has come. */
	progress?(label: string): void;
}

/** What became of one doubt. */
export type Settled = Verdict &
	Pick<IntentRecord, "operation" | "begun" | "transfer" | "batch" | "row"> & {
		/** Of a person's word: what the service's list showed before it. */
		seen?: Pick<SeenBefore, "listed" | "why">;
		/** Of a payment that was no doubt: the id that it was accepted with, and that was found to be another's. */
		mistaken?: Mistaken;
	};

/**
 * Settles doubts by the service's list of transactions, one list for all doubts of a ledger.
 * @throws PurserError usage, where the named intent is not there; auth (401) or interrupted
 */
export async function settleByService(tools: Tools, which: Which = {}): Promise<Settled[]> {
	const unnamed = await unnamedOne(tools.journal, which.intent);
	if (unnamed !== undefined) {
		const own = await nameAlone(tools, unnamed);
		return own.length > 0 ? own.map(namedId) : [stillUnnamed(unnamed)];
	}
	const open = await openDoubts(tools.journal, which);
	const settled: Settled[] = [];
	const corrections: Correction[] = [];
	const named: Named[] = [];
	await eachLedger(tools.journal, open, async (ledgerId, doubts) => {
		const source = await listedBy(tools, ledgerId, doubts, corrections);
		settled.push(...(await settleSeen(tools, doubts, () => source)));
		// Only now it is known which transactions are left over.
		if ("source" in source) named.push(...(await nameByList(tools, await madeAround(tools, doubts, source), source)));
	});
	const found = new Set(named.map(({ record }) => record.intent));
	const left = corrections.filter(({ holder }) => !found.has(holder.intent));
	return [...inOrderOf(open, settled), ...named.map(namedId), ...left.map(correctedId)];
}

/** Payments of the doubts' ledger that the journal knows as made. */
async function madeAround(tools: Tools, doubts: readonly Open[], { at }: Listing): Promise<IntentRecord[]> {
	const here = doubts.filter((one) => isAskedOf(one, tools.place));
	if (here.length === 0) return [];
	return knownOf(tools.journal, { doubts: here, covers: { from: 0, to: at.getTime() } });
}

/** @param corrections those made by this list are added to it */
async function listedBy(tools: Tools, ledgerId: string, doubts: readonly Open[], corrections: Correction[]): Promise<Source> {
	const { journal, service, settleAfter } = tools;
	const start = await startOf(tools, doubts);
	const source = await listLedger(service, {
		ledgerId,
		start,
		asked: tools.now(),
		sieve: concerning(
			journal,
			doubts.map(({ transfer }) => transfer),
		),
		progress: tools.progress && ((read, upTo) => tools.progress?.(progressOf(read, upTo))),
	});
	if ("unread" in source) return source;
	const covers = { from: Date.parse(start), to: source.at.getTime() };
	// What was sent to another service is not settled here, and what that one made is not looked for here.
	const here = doubts.filter((one) => isAskedOf(one, tools.place));
	if (here.length === 0) return source;
	// First of all: a payment that stands there as another one, because it holds that one's id, would speak against the list.
	corrections.push(...(await correctListed(tools, source)));
	const asked = { doubts: here, covers, listing: source, settleAfter };
	source.lacks ??= (await contradicted(journal, asked)) ?? (await unexplained(journal, await madeAround(tools, doubts, source)));
	return source;
}

/** Settles doubts of one ledger by a statement. The same statement looked at twice is one look. */
export async function settleByStatement(tools: Tools, ledgerId: string, statement: Statement, which: Which = {}): Promise<Settled[]> {
	const all = await openDoubts(tools.journal, which);
	const open = all.filter(({ transfer }) => transfer.ledgerFromId.toLowerCase() === ledgerId.toLowerCase());
	const { covers, listed, unlisted } = statement;
	const now = tools.now();
	const from = open.length === 0 ? undefined : Date.parse(await startOf(tools, open));
	// Lines of days to come say that the file is not what it seems; it may show what was made, but proves no absence.
	if (covers === undefined || from === undefined || covers.from > from || covers.to > now.getTime()) {
		const part = new Listing("statement", now, false, listed);
		part.lacks = covers !== undefined && covers.to > now.getTime() ? "the statement has lines of days to come" : tooLate(from);
		return settleSeen(tools, open, () => part);
	}
	const seen = new Listing("statement", new Date(covers.to), true, listed);
	const { journal, settleAfter } = tools;
	const others = unlisted && new Listing("statement", seen.at, true, unlisted);
	seen.lacks = await unwitnessed(journal, { doubts: open, covers, listing: seen, settleAfter }, others);
	return settleSeen(tools, open, () => seen);
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
	// What was settled as not created, and is there all the same, is put right in this way too.
	const record = await oneDoubt(tools.journal, intent, ["not-created"]);
	const { transfer } = record;
	if (transfer === undefined) throw noPayment(record);
	const moved = elsewhere([record], tools.place);
	if (moved !== undefined) throw lookedElsewhere(intent, moved);
	const listed = viewTransaction((await tools.service.get(getTransaction, { params: { transactionId } })) as Record<string, unknown>);
	const sought = { transfer, begun: record.begun, payee: await payeeOf(tools, record) };
	const found = likeness(sought, { ...listed, id: transactionId }, tools.settleAfter);
	if (found === "other" || otherRecord(transactionId, listed.id) !== undefined)
		throw new PurserError("guard", {
			code: "ANOTHER_TRANSFER",
			message: `Transaction ${transactionId} is not the transfer of intent ${intent}: ledger, counterparty, amount, reference or time differ; nothing was changed`,
			fix: `Compare them: purser pay show ${transactionId}, purser history show ${intent}`,
			intent,
		});
	const correction = await corrected(tools, transactionId, listed);
	const reason =
		found === "same" ? "the transaction named is this transfer" : "the transaction named may be this transfer; what the service tells fits";
	const settled = await conclude(tools, record, {
		intent,
		state: "accepted",
		id: transactionId,
		evidence: { source: "transaction", reason },
	});
	return [settled, ...(correction?.taken ? [correctedId(correction)] : [])];
}

/** Settles doubts by one record of the service, as if it were a list of it alone: it shows what was made, and proves no absence. */
export async function settleByRecord(tools: Tools, open: readonly Open[], listed: TransactionView): Promise<Settled[]> {
	return settleSeen(tools, open, () => new Listing("service", tools.now(), false, [listed]));
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
	word: { state: Settlement["state"]; id?: string; reason: string; seen?: SeenBefore },
): Promise<Settled[]> {
	const { intent } = record;
	const { seen } = word;
	const evidence: Evidence = { source: "person", reason: word.reason, before: seen?.before };
	const settlement: Settlement =
		word.state === "accepted" ? { state: "accepted", id: word.id, evidence } : { state: "not-created", evidence };
	if (!tools.dry) await tools.journal.settle(intent, settlement, record.attempt);
	const { operation, begun, transfer, batch, row } = record;
	return [
		{ intent, ...settlement, operation, begun, transfer, batch, row, seen: seen && { listed: seen.listed, why: seen.why } } as Settled,
	];
}

/** Reads the journal only after the source: what was sent and answered meanwhile is claimed by then. */
async function settleSeen(tools: Tools, open: readonly Open[], sourceOf: (ledgerId: string) => Source): Promise<Settled[]> {
	const settled: Settled[] = [];
	for (const [fingerprint, [first]] of grouped(open, (one) => one.fingerprint)) {
		const { journal } = tools;
		const doubts = (await journal.list({ states: ["in-doubt"], fingerprint })).filter(isTransfer);
		const source = sourceOf((first as Open).transfer.ledgerFromId.toLowerCase());
		const moved = "source" in source && source.source === "statement" ? undefined : elsewhere(doubts, tools.place);
		if ("unread" in source || moved !== undefined) {
			const why = moved ?? `the service's list could not be read: ${"unread" in source ? source.unread : ""}`;
			settled.push(...doubts.map((one) => answerOf(one, { intent: one.intent, state: "in-doubt", why })));
			continue;
		}
		settled.push(...(await settleGroup(tools, doubts, source)));
	}
	return settled;
}

async function settleGroup(tools: Tools, records: readonly Open[], source: Listing): Promise<Settled[]> {
	const { journal, settleAfter } = tools;
	const [first] = records;
	if (first === undefined) return [];
	const { fingerprint } = first;
	const gone = await journal.list({ states: ["accepted", "waiting"], fingerprint });
	const counted = gone.filter(isCounted);
	const listed = source.candidates(
		first.transfer,
		counted.map(({ id }) => id),
	);
	// Where every transaction tells the beneficiary's id, the record is not needed.
	const payee = listed.some(({ beneficiaryId }) => beneficiaryId === undefined) ? await payeeOf(tools, first) : undefined;
	const doubts = await Promise.all(records.map(async (one): Promise<Doubt> => ({ ...one, payee, looks: await journal.looks(one.intent) })));
	const claimed = new Set((await journal.holders(listed.flatMap(({ id }) => id?.toLowerCase() ?? []))).keys());
	const since = reachBack(begunOf(doubts), begunOf(counted), settleAfter);
	const seen = {
		source: source.source,
		at: source.at,
		complete: source.complete,
		lacks: source.lacks ?? (await contested(tools, doubts, { listed, claimed })),
		claimed,
		listed,
		counted: counted.map(({ begun, id }) => ({ begun, id })),
		sending: (await journal.list({ states: ["sending"], fingerprint })).length,
		unnamed: gone.filter(({ id, changed }) => id === undefined && changed >= since).length,
	};
	const settled: Settled[] = [];
	const left = new Map<Look, string[]>();
	for (const verdict of settleAlike(doubts, seen, { settleAfter, apart: looksApart })) {
		const concluded = await conclude(tools, records.find(({ intent }) => intent === verdict.intent) as Open, verdict);
		settled.push(concluded);
		if (verdict.state === "in-doubt" && verdict.look) left.set(verdict.look, [...(left.get(verdict.look) ?? []), verdict.intent]);
	}
	if (!tools.dry) for (const [look, intents] of left) await journal.looked(intents, look);
	return settled;
}

/** Settled with an id: which of those alike it is, nobody can tell. One answered by the service itself is sure. */
function isCounted(record: IntentRecord): record is IntentRecord & { id: string } {
	return record.id !== undefined && record.evidence !== undefined;
}

const begunOf = (of: readonly { begun: string }[]): string[] => of.map(({ begun }) => begun);

/** From when transactions must be seen for these doubts. */
async function startOf({ journal, settleAfter }: Tools, open: readonly Open[]): Promise<string> {
	const starts: string[] = [];
	for (const [fingerprint, doubts] of grouped(open, (one) => one.fingerprint)) {
		const counted = (await journal.list({ states: ["accepted"], fingerprint })).filter(isCounted);
		starts.push(reachBack(begunOf(doubts), begunOf(counted), settleAfter));
	}
	return starts.sort()[0] as string;
}

/** Records a verdict. Another process may have been first: then that holds, and this one says so. */
async function conclude({ journal, dry }: Tools, record: IntentRecord, verdict: Verdict): Promise<Settled> {
	if (verdict.state === "in-doubt" || dry) return answerOf(record, verdict);
	try {
		const { evidence } = verdict;
		await journal.settle(
			record.intent,
			verdict.state === "accepted" ? { state: "accepted", id: verdict.id, evidence } : { state: "not-created", evidence },
			record.attempt,
		);
		return answerOf(record, verdict);
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind !== "guard" || verdict.evidence.source === "transaction") throw error;
		return answerOf(record, { intent: record.intent, state: "in-doubt", why: error.message });
	}
}

function grouped<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const item of items) {
		const group = groups.get(key(item));
		if (group) group.push(item);
		else groups.set(key(item), [item]);
	}
	return groups;
}
