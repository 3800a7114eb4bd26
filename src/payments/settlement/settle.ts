/**
 * Settling doubts: what is looked at, in which order, and what is written of it. The journal and the service are handed in.
 */
import { advice, purser } from "../../api/advice.js";
import { otherRecord } from "../../api/answer.js";
import type { ServiceInUse } from "../../api/operations/asked-of.js";
import { getTransaction, type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord, MistakenId, Settlement } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { beganAt } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { type Correction, corrected } from "./correct.js";
import type { Verdict } from "./counting.js";
import { conclude, Run, settleGroup } from "./group.js";
import { eachLedger, inOrderOf } from "./lists/ledger-order.js";
import { Listing } from "./lists/listing.js";
import { elsewhere, type LedgerList } from "./lists/source.js";
import { listedBy, readBy } from "./look.js";
import { isOfLedger, isTransfer, noPayment, type Open, oneDoubt, openDoubts, type Which } from "./matching/doubts.js";
import { payeeOf } from "./matching/look-ups.js";
import { similarityToAny } from "./matching/similarity.js";
import { type Named, nameAlone, nameByList, unnamedOne } from "./naming.js";
import { answerOf, correctedId, namedId, stillUnnamed } from "./settled.js";
import type { Statement } from "./statement.js";
import type { SeenBefore } from "./word.js";

export interface Tools {
	journal: Journal;
	service: Reading;
	/** The service that is looked at. */
	place: ServiceInUse;
	now(): Date;
	/** Milliseconds: the setting `settle-after`. */
	settleAfter: number;
	/** Who decides that what is not listed was not created: the setting `absence`. */
	absence: "person" | "list";
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
		mistaken?: MistakenId;
	};

/**
 * Settles doubts by the service's list of transactions, one list for all doubts of a ledger, each ledger as soon as its list was read.
 * @throws PurserError usage, where the named intent is not there; auth (401) or interrupted
 */
export async function settleByService(tools: Tools, which: Which = {}): Promise<Settled[]> {
	const unnamed = await unnamedOne(tools.journal, which.intent);
	if (unnamed !== undefined) {
		const own = await nameAlone(tools, unnamed);
		return own.length > 0 ? own.map(namedId) : [stillUnnamed(unnamed)];
	}
	const open = await openDoubts(tools.journal, which);
	const run = new Run(tools);
	const settled: Settled[] = [];
	const corrections: Correction[] = [];
	const named: Named[] = [];
	await eachLedger(tools.journal, open, async (ledgerId, doubts) => {
		const { source, corrections: made, mistaken } = await listedBy(run, ledgerId, doubts);
		corrections.push(...made);
		settled.push(...(await settleSeen(run, doubts, () => source)));
		// Only now it is known which transactions are left over.
		if ("source" in source) named.push(...(await nameByList(tools, mistaken, source)));
	});
	const found = new Set(named.map(({ record }) => record.intent));
	const left = [...corrections, ...run.corrections].filter(({ holder }) => !found.has(holder.intent));
	return [...inOrderOf(open, settled), ...named.map(namedId), ...left.map(correctedId)];
}

/** Settles doubts of one ledger by a statement. The same statement looked at twice is one look. */
export async function settleByStatement(tools: Tools, ledgerId: string, statement: Statement, which: Which = {}): Promise<Settled[]> {
	const open = (await openDoubts(tools.journal, which)).filter((one) => isOfLedger(ledgerId, one));
	const run = new Run(tools);
	const seen = await readBy(run, ledgerId, statement, open);
	return settleSeen(run, open, () => seen);
}

/**
 * Settles one doubt by one transaction of the service that somebody named.
 * @param word why a transaction that differs in its reference, amount or date alone is this transfer all the same
 * @throws PurserError guard, where the transaction is another transfer, is of another service, or is held by another intent; rejected,
 *   where there is none
 */
export async function settleByTransaction(tools: Tools, intent: string, transactionId: string, word?: string): Promise<Settled[]> {
	// What was settled as not created, and is there all the same, is put right in this way too.
	const record = await oneDoubt(tools.journal, intent, ["not-created"]);
	const { transfer } = record;
	if (transfer === undefined) throw noPayment(record);
	const moved = elsewhere([record], tools.place);
	if (moved !== undefined) throw lookedElsewhere(intent, moved);
	const listed = viewTransaction((await tools.service.get(getTransaction, { params: { transactionId } })) as Record<string, unknown>);
	const sought = { transfer, payee: await payeeOf(tools, record) };
	const found = similarityToAny(sought, [Date.parse(beganAt(record))], { ...listed, id: transactionId }, tools.settleAfter);
	const another = otherRecord(transactionId, listed.id) !== undefined;
	if (another || found === "other" || (found === "near" && word === undefined))
		throw anotherTransfer(intent, transactionId, found === "near" && !another);
	const correction = await corrected(tools, transactionId, listed);
	const reason = { ...fitting, near: `the transaction named differs in reference, amount or date alone, and is said to be this: ${word}` }[
		found
	];
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
	return settleSeen(new Run(tools), open, () => new Listing("service", tools.now(), false, [listed]));
}

/** How a transaction that somebody named fits. */
const fitting = {
	same: "the transaction named is this transfer",
	possible: "the transaction named may be this transfer; what the service tells fits",
};

/** @param near it differs by one property alone, so that a person's word can make it this one */
function anotherTransfer(intent: string, transactionId: string, near: boolean): PurserError {
	const differs = near ? "its reference, its amount or its date differs" : "ledger, counterparty, amount, reference or time differ";
	const compare = advice`Compare them: ${purser`pay show ${transactionId}`}, ${purser`history show ${intent}`}`;
	return new PurserError("guard", {
		code: "ANOTHER_TRANSFER",
		message: `Transaction ${transactionId} is not the transfer of intent ${intent}: ${differs}; nothing was changed`,
		fix: near
			? advice`${compare}\nIf it is this payment all the same, say how you know: ${purser`pay settle ${intent} --transaction ${transactionId} --reason TEXT`}`
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
async function settleSeen(run: Run, open: readonly Open[], sourceOf: (ledgerId: string) => LedgerList): Promise<Settled[]> {
	const settled: Settled[] = [];
	for (const [fingerprint, [first]] of groupBy(open, (one) => one.fingerprint)) {
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
