/**
 * Settles doubts by the service's list, a statement, a named transaction or a person's word.
 */
import { advice, purser } from "../../api/advice.js";
import { otherRecord } from "../../api/answer.js";
import type { ServiceInUse } from "../../api/operations/asked-of.js";
import { getTransaction, type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import { plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord, MistakenId, Settlement } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { beganAt } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { type Correction, correctMistakenId } from "./correct.js";
import type { Verdict } from "./counting.js";
import { conclude, Run, settleGroup, takenLines } from "./group.js";
import { eachLedger, inOrderOf } from "./lists/ledger-order.js";
import { Listing } from "./lists/listing.js";
import { listNamed } from "./lists/named.js";
import { type LedgerList, wrongServiceReason } from "./lists/source.js";
import { lookAtService, lookAtStatement } from "./look.js";
import type { SeenBefore } from "./look-before-decision.js";
import { alike, type DoubtFilter, isOfLedger, isTransfer, notAPayment, type Open, oneDoubt, openDoubts } from "./matching/doubts.js";
import { payeeOf } from "./matching/look-ups.js";
import { similarityToAny } from "./matching/similarity.js";
import { byLookUps, placeThen, readingThrough } from "./matching/through.js";
import { wholeId } from "./matching/whole-id.js";
import { type AssignedId, assignIdsByList, assignIdsFor, paymentWithoutId } from "./naming.js";
import { assignedIdResult, correctedIdResult, settleResult, withoutIdResult } from "./settled.js";
import type { Statement } from "./statement.js";

export interface Tools {
	journal: Journal;
	service: Reading;
	/** The service whose list is read. */
	place: ServiceInUse;
	now(): Date;
	/** Milliseconds: the setting `settle-after`. */
	settleAfter: number;
	/** Who decides that an unlisted payment was not created: the setting `absence`. */
	absence: "person" | "list";
	/** Record nothing. */
	dry: boolean;
	/** Reports how far a long look has come. */
	progress?(label: string): void;
}

/** What became of one doubt. */
export type SettleResult = Verdict &
	Pick<IntentRecord, "operation" | "begun" | "transfer" | "batch" | "row"> & {
		/** If a person decided: what the service's list showed before. */
		seen?: Pick<SeenBefore, "listed" | "why">;
		/** If the payment was not in doubt: the id that it was accepted with, which proved to be another payment's. */
		mistaken?: MistakenId;
	};

/**
 * Settles doubts by the service's list of transactions. Each ledger's list is read once, and its doubts are settled before the next is.
 * @throws PurserError usage, if there is no such intent; auth (401) or interrupted
 */
export async function settleByService(tools: Tools, which: DoubtFilter = {}): Promise<SettleResult[]> {
	const unnamed = await paymentWithoutId(tools.journal, which.intent);
	if (unnamed !== undefined) {
		const own = await assignIdsFor(tools, unnamed);
		return own.length > 0 ? own.map(assignedIdResult) : [withoutIdResult(unnamed)];
	}
	const open = await openDoubts(tools.journal, which);
	const run = new Run(tools);
	const settled: SettleResult[][] = [];
	const corrections: Correction[] = [];
	const named: AssignedId[] = [];
	await eachLedger(tools.journal, open, async (ledgerId, doubts) => {
		for (const sentAlike of await byLookUps(tools.journal, doubts)) {
			const { source, corrections: made, mistaken } = await lookAtService(run, ledgerId, sentAlike);
			for (const one of made) corrections.push(one);
			settled.push(await settleBySource(run, sentAlike, () => source));
			// After settling it is known which transactions are still unclaimed.
			if ("source" in source) {
				const place = await placeThen(tools, sentAlike[0] as Open);
				for (const one of await assignIdsByList({ ...tools, place }, mistaken, source)) named.push(one);
			}
		}
	});
	const found = new Set(named.map(({ record }) => record.intent));
	const unassigned = [...corrections, ...run.corrections].filter(({ holder }) => !found.has(holder.intent));
	return [...inOrderOf(open, settled.flat()), ...named.map(assignedIdResult), ...unassigned.map(correctedIdResult)];
}

/**
 * Settles doubts by the transactions that events named: each that no payment holds is read from the service, and counts like one of an
 * incomplete list. It can show that a payment was made, never that one was not.
 * @param named ids, as events had them
 * @throws PurserError usage, if there is no such intent; auth (401) or interrupted
 */
export async function settleByEvents(tools: Tools, named: readonly string[], which: DoubtFilter = {}): Promise<SettleResult[]> {
	const open = await openDoubts(tools.journal, which);
	const ids = [...new Set(named.map((id) => plainId(id)))];
	const held = await tools.journal.holders(ids);
	const free = ids.filter((id) => !held.has(id));
	const run = new Run(tools);
	const settled: SettleResult[] = [];
	for (const sentAlike of await byLookUps(tools.journal, open)) {
		const service = await readingThrough(tools, sentAlike[0] as Open);
		const listing = await listNamed(service, free, tools);
		listing.taken = await takenLines(run, await openDoubts(tools.journal, {}), listing);
		for (const one of await settleBySource(run, sentAlike, () => listing)) settled.push(one);
	}
	return inOrderOf(open, settled);
}

/** Settles doubts of one ledger by a statement. Reading the same statement twice counts as one look. */
export async function settleByStatement(
	tools: Tools,
	ledgerId: string,
	statement: Statement,
	which: DoubtFilter = {},
): Promise<SettleResult[]> {
	const open = (await openDoubts(tools.journal, which)).filter((one) => isOfLedger(ledgerId, one));
	const run = new Run(tools);
	const listing = await lookAtStatement(run, ledgerId, statement, open);
	return settleBySource(run, open, () => listing);
}

/**
 * Settles one doubt by a transaction that a person named.
 * @param named its id, or the beginning of it
 * @param word why a transaction that differs only in reference, amount or date is this transfer
 * @throws PurserError guard, if it is another transfer, is of another service, or is held by another intent; rejected, if there is none
 */
export async function settleByTransaction(tools: Tools, intent: string, named: string, word?: string): Promise<SettleResult[]> {
	// A payment wrongly settled as not created is corrected in the same way.
	const record = await oneDoubt(tools.journal, intent, ["not-created"]);
	const { transfer } = record;
	if (transfer === undefined) throw notAPayment(record);
	const wrongService = wrongServiceReason([record], tools.place);
	if (wrongService !== undefined) throw lookedElsewhere(intent, wrongService);
	const service = await readingThrough(tools, record);
	const transactionId = await wholeId(service, transfer, named, (await placeThen(tools, record)).ids);
	const listed = viewTransaction((await service.get(getTransaction, { params: { transactionId } })) as Record<string, unknown>);
	const sought = { transfer, payee: await payeeOf(tools, record) };
	const found = similarityToAny(sought, [Date.parse(beganAt(record))], { ...listed, id: transactionId }, tools.settleAfter);
	const another = otherRecord(transactionId, listed.id) !== undefined;
	if (another || found === "other" || (found === "near" && word === undefined))
		throw anotherTransfer(intent, transactionId, found === "near" && !another);
	const correction = await correctMistakenId(tools, transactionId, listed);
	const reason = {
		...matchReasons,
		near: `the given transaction differs only in reference, amount or date, and was confirmed to be this payment: ${word}`,
	}[found];
	const settled = await conclude(tools, record, {
		intent,
		state: "accepted",
		id: transactionId,
		evidence: { source: "transaction", reason },
	});
	return [settled, ...(correction?.taken ? [correctedIdResult(correction)] : [])];
}

/** Settles doubts by a single record, treated as an incomplete list of one: it can show that a payment was made, never that one was not. */
export async function settleByRecord(tools: Tools, open: readonly Open[], listed: TransactionView): Promise<SettleResult[]> {
	return settleBySource(new Run(tools), open, () => new Listing("service", tools.now(), false, [listed]));
}

/** Recorded reasons, by how closely the named transaction matches. */
const matchReasons = {
	same: "the given transaction is this transfer",
	possible: "the given transaction may be this transfer; what the service shows fits",
};

/** @param near it differs in one property only, so a person may declare it to be this transfer */
function anotherTransfer(intent: string, transactionId: string, near: boolean): PurserError {
	const differs = near ? "its reference, its amount or its date differs" : "ledger, counterparty, amount, reference or time differ";
	const compare = advice`Compare them: ${purser`pay show ${transactionId}`}, ${purser`history show ${intent}`}`;
	return new PurserError("guard", {
		code: "ANOTHER_TRANSFER",
		message: `Transaction ${transactionId} is not the transfer of intent ${intent}: ${differs}; nothing was changed`,
		fix: near
			? advice`${compare}\nIf it really is this payment, say how you know: ${purser`pay settle ${intent} --transaction ${transactionId} --reason TEXT`}`
			: compare,
		intent,
	});
}

function lookedElsewhere(intent: string, why: string): PurserError {
	return new PurserError("guard", {
		code: "LOOKED_ELSEWHERE",
		message: `Intent ${intent} cannot be settled by a transaction of this service: ${why}`,
		fix: advice`See where it was sent: ${purser`history show ${intent}`}`,
		intent,
	});
}

/** Settles one doubt, about a payment or another change, by a person's word. @param record as it was when the person was asked */
export async function settleByWord(
	tools: Tools,
	record: IntentRecord,
	word: { state: Settlement["state"]; id?: string; reason: string; seen?: SeenBefore },
): Promise<SettleResult[]> {
	const { intent } = record;
	const { seen: listing } = word;
	const evidence: Evidence = { source: "person", reason: word.reason, before: listing?.before };
	const settlement: Settlement =
		word.state === "accepted" ? { state: "accepted", id: word.id, evidence } : { state: "not-created", evidence };
	if (!tools.dry) await tools.journal.settle(intent, settlement, record.attempt);
	const { operation, begun, transfer, batch, row } = record;
	return [
		{
			intent,
			...settlement,
			operation,
			begun,
			transfer,
			batch,
			row,
			seen: listing && { listed: listing.listed, why: listing.why },
		} as SettleResult,
	];
}

/** Why no list settles identical payments of which each would be read in another way, for people. */
const sentDifferently =
	"identical payments were sent while the service was described differently, so a list cannot tell which of them it shows: settle each by its transaction, by a statement or on your word";

/** Settles doubts by sources already read. The journal is read afterwards, so that payments answered in the meantime hold their ids. */
async function settleBySource(run: Run, open: readonly Open[], sourceOf: (ledgerId: string) => LedgerList): Promise<SettleResult[]> {
	const settled: SettleResult[] = [];
	for (const own of groupBy(open, (one) => one.fingerprint).values()) {
		const first = own[0] as Open;
		const doubts = (await run.tools.journal.list({ states: ["in-doubt"], ...alike(first) })).filter(isTransfer);
		const source = sourceOf(plainId(first.transfer.ledgerFromId));
		const hindered = await hindranceOf(run.tools, doubts, source);
		for (const { intent } of hindered === sentDifferently ? own : doubts) {
			const one = doubts.find((doubt) => doubt.intent === intent);
			if (hindered !== undefined && one !== undefined) settled.push(settleResult(one, { intent, state: "in-doubt", why: hindered }));
		}
		if (hindered === undefined && !("unread" in source)) for (const one of await settleGroup(run, doubts, source)) settled.push(one);
	}
	return settled;
}

/** Why a source settles none of these identical payments, for people. */
async function hindranceOf({ journal, place }: Tools, doubts: readonly Open[], source: LedgerList): Promise<string | undefined> {
	if ("source" in source && source.source === "statement") return undefined;
	const wrongService = wrongServiceReason(doubts, place);
	if (wrongService !== undefined) return wrongService;
	if ((await byLookUps(journal, doubts)).length > 1) return sentDifferently;
	return "unread" in source ? `the service's list could not be read: ${source.unread}` : undefined;
}
