/**
 * Finds the transaction of a payment that was accepted with another payment's id, so that it can be followed again.
 */

import { wasSentTo } from "../../api/operations/asked-of.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { isPaid, paidStates } from "../../api/operations/transfer.js";
import { isIdOf, plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { beganAt } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { listStart } from "./attempt-times.js";
import type { CorrectionTools } from "./correct.js";
import type { Listing } from "./lists/listing.js";
import { listConcerning } from "./lists/source.js";
import { alike, isTransfer, type Open } from "./matching/doubts.js";
import { payeeOf } from "./matching/look-ups.js";
import { similarity } from "./matching/similarity.js";
import { placeThen, readingThrough } from "./matching/through.js";
import { spanOf } from "./matching/time-span.js";

/** A payment and the id found for it. */
export interface AssignedId {
	record: Open;
	id: string;
	evidence: Evidence;
}

/**
 * Assigns ids from a complete list to payments that lost a mistaken one, if exactly as many matching transactions as duplicates are
 * unclaimed and no other duplicate could own one of them. Otherwise they stay without an id; they are paid in any case.
 * @param known payments of the list's ledger and period; those that did not lose an id are ignored
 */
export async function assignIdsByList(tools: CorrectionTools, known: readonly IntentRecord[], listing: Listing): Promise<AssignedId[]> {
	const lost = known.filter(isTransfer).filter(({ id, mistaken }) => id === undefined && mistaken !== undefined);
	const assigned: AssignedId[] = [];
	if (!listing.complete) return assigned;
	for (const records of groupBy(lost, (one) => one.fingerprint).values()) {
		const duplicates = await tools.journal.list(alike(records[0] as Open));
		const free = duplicates.some(mayOwnUnclaimed) ? [] : await unclaimedMatches(tools, records, listing);
		if (free.length !== records.length) continue;
		for (const [place, record] of [...records].sort(byTime).entries())
			for (const one of await assignId(tools, record, free[place] as Identified)) assigned.push(one);
	}
	return assigned;
}

/** The intent's record if it is a payment that lost a mistaken id; it is not in doubt, but its own transaction can be looked for. */
export async function paymentWithoutId(journal: Journal, intent: string | undefined): Promise<Open | undefined> {
	const record = intent === undefined ? undefined : (await journal.show(intent))?.record;
	return record?.mistaken !== undefined && record.id === undefined && isTransfer(record) ? record : undefined;
}

/**
 * Assigns ids to one such payment and its duplicates, by the list of its ledger.
 * @throws PurserError auth (401) or interrupted
 */
export async function assignIdsFor(tools: CorrectionTools & { service: Reading; now(): Date }, record: Open): Promise<AssignedId[]> {
	if (!wasSentTo(record, tools.place)) return [];
	const duplicates = (await tools.journal.list({ states: paidStates, ...alike(record) })).filter(isTransfer);
	// Use the earlier of both clocks' times.
	const start = listStart(
		[record.begun, beganAt(record)],
		[...duplicates.map(({ begun }) => begun), ...duplicates.map(beganAt)],
		tools.settleAfter,
	);
	const ledgerId = plainId(record.transfer.ledgerFromId);
	const source = await listConcerning(
		{ service: await readingThrough(tools, record), journal: tools.journal, now: tools.now },
		{ ledgerId, start, asked: tools.now(), transfers: duplicates.map(({ transfer }) => transfer) },
	);
	return "source" in source ? assignIdsByList({ ...tools, place: await placeThen(tools, record) }, duplicates, source) : [];
}

type Identified = TransactionView & { id: string };

const byTime = (one: Open, other: Open): number => (beganAt(one) < beganAt(other) ? -1 : 1);

/** Whether a duplicate has no id for another reason: it is in doubt, being sent, or was accepted without one. */
function mayOwnUnclaimed({ state, id, mistaken }: IntentRecord): boolean {
	if (state === "in-doubt" || state === "sending") return true;
	return isPaid(state) && id === undefined && mistaken === undefined;
}

/** The unclaimed listed transactions that surely match these payments, oldest first; empty if any other only possibly matches. */
async function unclaimedMatches(tools: CorrectionTools, records: readonly Open[], listing: Listing): Promise<Identified[]> {
	const [first] = records as [Open];
	const listed = listing.candidates(first.transfer, []);
	const payee = listed.some(({ beneficiaryId }) => beneficiaryId === undefined) ? await payeeOf(tools, first) : undefined;
	const holders = await tools.journal.holders(listed.flatMap(({ id }) => id ?? []));
	const found: Identified[] = [];
	for (const one of listed) {
		if (one.id !== undefined && holders.has(one.id)) continue;
		const answers = records.map((record) =>
			similarity({ transfer: record.transfer, begun: beganAt(record), payee }, one, tools.settleAfter),
		);
		if (answers.includes("same") && isIdOf("transaction", one.id, tools.place.ids ?? {})) found.push(one as Identified);
		else if (answers.some((answer) => answer !== "other")) return [];
	}
	const from = ({ createdAt }: Identified): number => spanOf(createdAt)?.from ?? 0;
	return found.sort((one, other) => from(one) - from(other));
}

async function assignId({ journal, dry }: CorrectionTools, record: Open, { id, createdAt }: Identified): Promise<AssignedId[]> {
	const reason = `it had been answered with another payment's id (${record.mistaken?.id}); this one fits, no other payment holds it, and it is dated ${createdAt}`;
	const evidence: Evidence = { source: "service", reason };
	try {
		if (!dry) await journal.assignId(record.intent, { id, evidence }, record.attempt);
		return [{ record, id, evidence }];
	} catch (error) {
		// Another process assigned it first.
		if (error instanceof PurserError && error.kind === "guard") return [];
		throw error;
	}
}
