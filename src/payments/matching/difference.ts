/**
 * Whether a transaction that is read again is what the payment that holds its id sent.
 */
import { advice, purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { viewTransaction } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { compare, lineOf } from "./fits.js";
import { differenceText, differing } from "./person.js";

/** The fields of a transaction that contradict the payment that holds its id, for people. */
export function differencesOf(transfer: Transfer, record: Received): string[] {
	const payment = { intent: "", attempt: 1, state: "accepted" as const, transfer, begun: 0, timed: false };
	return differing(compare(payment, lineOf(viewTransaction(record)), 0));
}

/**
 * Warns where a transaction differs from the payment that holds its id, or the journal cannot be read: the command must not fail by this.
 * @returns whether it is another payment: a reference alone may be rewritten
 */
export async function warnOfDifference(context: Context, id: string, record: Received): Promise<boolean> {
	const { profile } = await context.settings.read();
	// Reading a transaction must not create a journal.
	if (!(await context.journal.exists(profile))) return false;
	try {
		const journal = await context.journal.of(profile);
		const holder = (await journal.holderRecords([id])).get(id);
		if (holder?.transfer === undefined) return false;
		const differs = differencesOf(holder.transfer, record);
		const said = advice`Transaction ${id} is not what intent ${holder.intent} sent: ${differenceText(differs)}. The service may have answered with another payment's id. Compare them: ${purser`history show ${holder.intent}`}. If it is another payment: ${purser`pay settle ${holder.intent} --reopen --reason TEXT`}`;
		if (differs.length > 0) context.report.warn(said);
		return differs.some((field) => field !== "reference");
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.report.warn(`It could not be checked whether transaction ${id} is the payment that holds its id: ${error.message}`);
		return false;
	}
}
