/**
 * Rows that were settled as not created, sent again: preceded by one look at the service's list, one for each ledger and run.
 */
import * as z from "zod/mini";
import { plain } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";
import type { Context } from "../../../context.js";
import type { BatchOverrides, BatchRecord } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Reading } from "../../../ports/service.js";

/** The flag of every command that sends rows. */
export const againFields = () => ({
	notThis: z.optional(
		field(z.array(plain("Transaction")), {
			description: "A listed transaction that may be a row that was not created, and that you know to be another payment; may be repeated",
			placeholder: "transaction",
		}),
	),
});

/**
 * Looks whether rows that were not created are listed by now, before they are sent again. A row that is like a payment from outside the
 * batch that was settled as not created is looked for too: planned anew, it is that payment sent again.
 * @param takes the states of which rows are sent; `notThis`: transactions that a person says to be others
 * @returns what the look was of, for the journal to compare; undefined in a dry run
 * @throws PurserError guard, where one may be listed, or was proven by a list and none can be looked at; interrupted
 */
export async function lookedAtRows(
	context: Context,
	service: Reading,
	{ batch }: Pick<BatchRecord, "batch">,
	{ takes, notThis = [] }: { takes: readonly IntentState[]; notThis?: readonly string[] },
): Promise<BatchOverrides["again"]> {
	const { profile, dryRun } = await context.settings();
	if (dryRun) return undefined;
	const gone = await (await context.batches(profile)).notCreated(batch, takes);
	const own = gone.filter((one) => one.batch === batch);
	if (gone.length > 0) {
		const { checkStillNotListed: lookAgain } = await import("../../single/before-again.js");
		await lookAgain(context, service, gone, { named: new Set(notThis.map((id) => id.toLowerCase())), road: "rows" });
	}
	return { rows: own.length, attempts: own.reduce((sum, { attempt }) => sum + attempt, 0), notThis };
}
