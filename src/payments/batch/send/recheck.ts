/**
 * Before rows that were settled as not created are sent again, the service's list is read once per ledger and run.
 */
import * as z from "zod/mini";
import { plain } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";
import { plainId } from "../../../api/text/ids.js";
import type { Context } from "../../../context.js";
import type { BatchOverrides, BatchRecord } from "../../../ports/batches.js";
import type { IntentRecord, IntentState } from "../../../ports/intent.js";
import type { Reading } from "../../../ports/service.js";
import type { Rechecking } from "./again.js";

/** The flag of every command that sends rows. */
export const notThisFields = () => ({
	notThis: z.optional(
		field(z.array(plain("Transaction")), {
			description:
				"A listed transaction that looks like a row that was not created, but that you know to be another payment; can be repeated",
			placeholder: "transaction",
		}),
	),
});

/**
 * Checks that rows settled as not created are still not listed before they are sent again. This includes payments outside the batch that
 * were
 * settled as not created and that a row duplicates: sending the row would repeat that payment.
 * @param takes the states whose rows are sent; `notThis`: transactions that a person declares to be different payments; `refused`: rows of
 *   this run that were refused for the moment
 * @returns what was checked, for the journal to compare; undefined in a dry run
 * @throws PurserError guard, if one may be listed, or if a list was the proof and the list cannot be read now; interrupted
 */
export async function recheckRows(
	context: Context,
	service: Reading,
	{ batch }: Pick<BatchRecord, "batch">,
	{ takes, notThis = [], refused = [] }: { takes: readonly IntentState[]; notThis?: readonly string[]; refused?: readonly IntentRecord[] },
): Promise<BatchOverrides["again"]> {
	const { profile, dryRun } = await context.settings();
	if (dryRun) return undefined;
	const notCreated = await (await context.batches(profile)).notCreated(batch, takes);
	const own = notCreated.filter((one) => one.batch === batch);
	if (notCreated.length + refused.length > 0) {
		const { checkStillNotListed: lookAgain } = await import("../../single/recheck-listed.js");
		await lookAgain(context, service, [...notCreated, ...refused], { named: new Set(notThis.map((id) => plainId(id))), road: "rows" });
	}
	return { rows: own.length, attempts: own.reduce((sum, { attempt }) => sum + attempt, 0), notThis };
}

/** The same for rows that were refused for the moment, before they are sent again at the end of their run. */
export function recheckRefused(
	context: Context,
	service: Reading,
	batch: Pick<BatchRecord, "batch">,
	notThis: readonly string[] | undefined,
): Rechecking {
	return (refused) => recheckRows(context, service, batch, { takes: ["refused"], notThis, refused });
}
