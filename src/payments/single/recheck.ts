/**
 * Before a payment that was settled as not created is sent again, the service's list is read once more, in scripts too. Every payment
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
 * Checks that a payment settled as not created is still not listed before it is sent again.
 * @param despite intents that the operator declares to be different payments
 * @returns the attempt that the new one follows, if any; undefined in a dry run
 * @throws PurserError guard, if it may be listed now, or if a list was the proof and the list cannot be read now; interrupted
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
	const notCreatedIntents = await notCreated(journal, transfer);
	const repeated = notCreatedIntents.filter(({ intent }) => !despite.includes(intent));
	if (repeated.length > 0) {
		const { checkStillNotListed: lookAgain } = await import("./recheck-listed.js");
		await lookAgain(context, service, repeated, { named: new Set(), road: "one" });
	}
	// A row of a batch is resent only by its batch.
	const last = notCreatedIntents.find(({ batch }) => batch === undefined);
	return last === undefined || despite.includes(last.intent) ? {} : { intent: last.intent, attempt: last.attempt };
}

/** Newest first. */
function notCreated(journal: Journal, transfer: Transfer): Promise<IntentRecord[]> {
	return journal.list({ states: ["not-created"], effect: "money", fingerprint: fingerprintOf(transfer) });
}
