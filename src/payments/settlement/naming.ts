/**
 * Finding the own transaction of a payment that was accepted with another one's id, so that it can be followed again.
 */
import { isUuid } from "../../api/answer.js";
import { wasSentTo } from "../../api/operations/asked-of.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { beganAt } from "../rules/attempt-clock.js";
import { groupBy } from "../rules/group-by.js";
import { reachBack } from "./attempt-times.js";
import type { Correcting } from "./correct.js";
import type { Listing } from "./lists/listing.js";
import { listConcerning } from "./lists/source.js";
import { isTransfer, type Open } from "./matching/doubts.js";
import { payeeOf } from "./matching/look-ups.js";
import { similarity } from "./matching/similarity.js";
import { spanOf } from "./matching/time-span.js";

/** A payment with the id that was found for it. */
export interface Named {
	record: Open;
	id: string;
	evidence: Evidence;
}

/**
 * Names payments without an id by a complete list, where exactly as many transactions as payments alike are left over, and nobody else
 * alike could have one of them. What does not fit together stays as it is: they are paid in any case.
 * @param known payments of the list's ledger and time; of these only those that lost a mistaken id are named
 */
export async function nameByList(tools: Correcting, known: readonly IntentRecord[], listing: Listing): Promise<Named[]> {
	const lost = known.filter(isTransfer).filter(({ id, mistaken }) => id === undefined && mistaken !== undefined);
	const named: Named[] = [];
	if (!listing.complete) return named;
	for (const [fingerprint, records] of groupBy(lost, (one) => one.fingerprint)) {
		const alike = await tools.journal.list({ fingerprint });
		const free = alike.some(mayHaveOne) ? [] : await leftOver(tools, records, listing);
		if (free.length !== records.length) continue;
		for (const [place, record] of [...records].sort(byTime).entries())
			named.push(...(await nameOne(tools, record, free[place] as Identified)));
	}
	return named;
}

/** A payment that lost a mistaken id is no doubt; its own transaction can still be looked for. */
export async function unnamedOne(journal: Journal, intent: string | undefined): Promise<Open | undefined> {
	const record = intent === undefined ? undefined : (await journal.show(intent))?.record;
	return record?.mistaken !== undefined && record.id === undefined && isTransfer(record) ? record : undefined;
}

/**
 * Names one such payment, and those alike, by the list of its ledger.
 * @throws PurserError auth (401) or interrupted
 */
export async function nameAlone(tools: Correcting & { service: Reading; now(): Date }, record: Open): Promise<Named[]> {
	if (!wasSentTo(record, tools.place)) return [];
	const alike = (await tools.journal.list({ states: ["accepted", "waiting"], fingerprint: record.fingerprint })).filter(isTransfer);
	// By either clock, whichever is earlier.
	const start = reachBack([record.begun, beganAt(record)], [...alike.map(({ begun }) => begun), ...alike.map(beganAt)], tools.settleAfter);
	const ledgerId = record.transfer.ledgerFromId.toLowerCase();
	const source = await listConcerning(
		{ service: tools.service, journal: tools.journal },
		{ ledgerId, start, asked: tools.now(), transfers: alike.map(({ transfer }) => transfer) },
	);
	return "source" in source ? nameByList(tools, alike, source) : [];
}

type Identified = TransactionView & { id: string };

const byTime = (one: Open, other: Open): number => (beganAt(one) < beganAt(other) ? -1 : 1);

/** Whether one alike has no id for another reason: a doubt, one on its way, or one that was accepted without any. */
function mayHaveOne({ state, id, mistaken }: IntentRecord): boolean {
	if (state === "in-doubt" || state === "sending") return true;
	return (state === "accepted" || state === "waiting") && id === undefined && mistaken === undefined;
}

/** The listed transactions that are these payments and that nobody holds, oldest first; none where one only may be. */
async function leftOver(tools: Correcting, records: readonly Open[], listing: Listing): Promise<Identified[]> {
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
		if (answers.includes("same") && isUuid(one.id)) found.push(one as Identified);
		else if (answers.some((answer) => answer !== "other")) return [];
	}
	const from = ({ createdAt }: Identified): number => spanOf(createdAt)?.from ?? 0;
	return found.sort((one, other) => from(one) - from(other));
}

async function nameOne({ journal, dry }: Correcting, record: Open, { id, createdAt }: Identified): Promise<Named[]> {
	const reason = `it had been answered with another payment's id (${record.mistaken?.id}); this one fits and nobody else holds it, and it is of ${createdAt}`;
	const evidence: Evidence = { source: "service", reason };
	try {
		if (!dry) await journal.assignId(record.intent, { id, evidence }, record.attempt);
		return [{ record, id, evidence }];
	} catch (error) {
		// Another purser was first.
		if (error instanceof PurserError && error.kind === "guard") return [];
		throw error;
	}
}
