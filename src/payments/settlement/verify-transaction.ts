/**
 * Checks a transaction that is read again: whether it matches the payment that holds its id, and if not, which payment it belongs to.
 */

import { advice, purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { serviceInUse } from "../../api/operations/asked-of.js";
import { type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Reading } from "../../ports/service.js";
import { journalHere } from "../rules/journal-here.js";
import { type Correction, correctMistakenId, findMatching } from "./correct.js";
import { differenceText } from "./matching/difference.js";
import type { Open } from "./matching/doubts.js";
import { lookUpsOf, noteFinal } from "./matching/through.js";
import { type SettleResult, settleByRecord, type Tools } from "./settle.js";

/** The dependencies of settling, taken from the run's context. */
export async function toolsOf(context: Context, service: Reading): Promise<Tools> {
	const { profile, settleAfter, absence } = await context.settings();
	return {
		journal: await journalHere(context, profile),
		service,
		place: await serviceInUse(context, profile),
		now: () => context.clock.now(),
		settleAfter,
		absence,
		dry: context.flags.dryRun,
	};
}

/**
 * Compares a transaction that was read with the payment that holds its id, and warns of differences. The command that read it must not
 * fail because of this check: a journal that cannot be read or written is only a warning.
 * @param id the requested id
 * @param record the service's answer, read as the service was described when the payment was sent that holds the id
 * @returns the difference; undefined if there is none
 */
export async function verifyTransaction(context: Context, service: Reading, id: string, record: Received): Promise<Correction | undefined> {
	const { profile } = await context.settings();
	// Reading a transaction must not create a journal.
	if (!(await context.hasJournal(profile))) return undefined;
	try {
		const tools = await toolsOf(context, service);
		const transaction = viewTransaction(record);
		const holder = (await tools.journal.holderRecords([id])).get(id);
		const correction = await correctMistakenId(tools, id, transaction);
		if (correction === undefined) await noteFinal(tools, holder, transaction);
		// The service answered one of our payments with this id, so the transaction is ours: settle the doubt that it matches.
		const settled = correction?.taken
			? await settleByRecord(tools, await matchingDoubts(tools, holder, { ...transaction, id }), { ...transaction, id })
			: [];
		for (const words of [...(correction ? [correctionText(correction)] : []), ...settled.flatMap(settledTexts)])
			context.reporter.warn(words);
		return correction;
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.reporter.warn(`It could not be checked whether transaction ${id} belongs to the payment that holds its id: ${error.message}`);
		return undefined;
	}
}

/** Describes the difference and what to do, for people. */
export function correctionText({ holder: { intent }, id, difference, taken, reason }: Correction): Advice {
	if (taken)
		return advice`Intent ${intent} was answered with another payment's id (${reason}). It stays accepted and is never sent again, but its own id is unknown. Find it: ${purser`pay settle ${intent}`}`;
	return advice`Transaction ${id} differs from what intent ${intent} sent: ${differenceText(difference)}. It may be another payment, or the service shows it differently; compare them: ${purser`history show ${intent}`}`;
}

function settledTexts(one: SettleResult): string[] {
	return one.state === "accepted" ? [`Intent ${one.intent}, which was in doubt, was created as ${one.id}: ${one.evidence.reason}`] : [];
}

/** Doubts that the transaction matches. One that would be read in another way than the transaction was is not settled by it. */
async function matchingDoubts(tools: Tools, holder: IntentRecord | undefined, transaction: TransactionView): Promise<Open[]> {
	const found: Open[] = [];
	const read = holder && (await lookUpsOf(tools.journal, holder));
	for (const one of await findMatching(tools, undefined, transaction))
		if (one.state === "in-doubt" && (await lookUpsOf(tools.journal, one)) === read) found.push(one);
	return found;
}
