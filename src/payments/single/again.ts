/**
 * The same payment sent again after it was settled as not created: preceded by one look at the service's list, one for each ledger
 * and run, in a script too. Loaded by every payment, so what looks is loaded only where there is something to look for.
 */

import type { Transfer } from "../../api/operations/transfer.js";
import type { Context } from "../../context.js";
import type { ExpectedAttempt, IntentRecord } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { Reading } from "../../ports/service.js";
import { fingerprintOf } from "../rules/fingerprint.js";

/**
 * Looks whether a payment that was not created is listed by now, before it is sent again.
 * @param despite intents of which the operator says that this is another payment
 * @returns what the look was of: the attempt that this one follows, if any; undefined in a dry run
 * @throws PurserError guard, where it may be listed, or where it was proven by a list and none can be looked at; interrupted
 */
export async function lookedAgain(
	context: Context,
	service: Reading,
	transfer: Transfer,
	despite: readonly string[],
): Promise<ExpectedAttempt | undefined> {
	const { profile, dryRun } = await context.settings();
	if (dryRun) return undefined;
	const journal = await context.journal(profile);
	const gone = await notCreated(journal, transfer);
	const meant = gone.filter(({ intent }) => !despite.includes(intent));
	if (meant.length > 0) {
		const { lookAgain } = await import("./before-again.js");
		await lookAgain(context, service, meant, { named: new Set(), road: "one" });
	}
	// A row of a batch is sent again by its batch alone.
	const last = gone.find(({ batch }) => batch === undefined);
	return last === undefined || despite.includes(last.intent) ? {} : { intent: last.intent, attempt: last.attempt };
}

/** Newest first. */
function notCreated(journal: Journal, transfer: Transfer): Promise<IntentRecord[]> {
	return journal.list({ states: ["not-created"], effect: "money", fingerprint: fingerprintOf(transfer) });
}
