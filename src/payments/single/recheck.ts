/**
 * Before a payment that was refused, not sent or settled as not created is sent again, both sides are read, in scripts too. Every payment
 * loads this module, so the code that reads the list is imported only if there is such a payment.
 */

import type { Transfer } from "../../api/operations/transfer.js";
import type { Context } from "../../context.js";
import type { ExpectedAttempt, IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { fingerprintOf } from "../rules/fingerprint.js";
import { journalHere } from "../rules/journal-here.js";

/**
 * Checks that an earlier payment of the same, which counts as not made, is still not listed before it is sent again.
 * @param despite intents that the operator declares to be different payments
 * @returns the attempt that the new one follows, if any; undefined in a dry run
 * @throws PurserError guard, if it may be listed now, or the list cannot be read now; interrupted
 */
export async function recheckNotCreated(
	context: Context,
	service: Reading,
	transfer: Transfer,
	despite: readonly string[],
): Promise<ExpectedAttempt | undefined> {
	const { profile, dryRun } = await context.settings();
	if (dryRun) return undefined;
	const journal = await journalHere(context, profile);
	const notMade = await notMadeBefore(journal, transfer);
	const repeated = notMade.filter(({ intent }) => !despite.includes(intent));
	if (repeated.length > 0) {
		const { checkBeforeResending } = await import("../matching/resend.js");
		await checkBeforeResending(context, service, repeated, { notThis: [], what: "payment" });
	}
	// A row of a batch is resent only by its batch.
	const last = notMade.find(({ batch, state }) => batch === undefined && state === "not-created");
	return last === undefined || despite.includes(last.intent) ? {} : { intent: last.intent, attempt: last.attempt };
}

/** Newest first. */
function notMadeBefore(journal: Journal, transfer: Transfer): Promise<IntentRecord[]> {
	return journal.list({ states: ["not-created", "refused", "not-sent"], effect: "money", fingerprint: fingerprintOf(transfer) });
}
