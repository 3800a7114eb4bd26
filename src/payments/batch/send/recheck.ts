/**
 * Before rows that were refused, not sent or settled as not created are sent again, both sides are read, once per ledger and run.
 */
import * as z from "zod/mini";
import { plain } from "../../../api/fields.js";
import { field } from "../../../api/schema.js";
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
 * Checks that rows which count as not made are still not listed before they are sent again. This includes payments outside the batch that
 * were settled as not created and that a row duplicates: sending the row would repeat that payment.
 * @param takes the states whose rows are sent; `notThis`: transactions that a person declares to be different payments; `refused`: of the rows only
 *   these, which must be read for: nobody was asked
 * @returns what was checked, for the journal to compare; undefined in a dry run
 * @throws PurserError guard, if one may be listed, or the list cannot be read now; interrupted
 */
export async function recheckRows(
	context: Context,
	service: Reading,
	{ batch, approvals }: Pick<BatchRecord, "batch"> & Partial<Pick<BatchRecord, "approvals">>,
	{ takes, notThis = [], refused }: { takes: readonly IntentState[]; notThis?: readonly string[]; refused?: readonly IntentRecord[] },
): Promise<BatchOverrides["again"]> {
	const { profile, dryRun } = await context.settings();
	if (dryRun) return undefined;
	const found = await (await context.batches(profile)).notMade(batch, takes);
	const isMeant = (one: IntentRecord): boolean => one.batch !== batch || refused?.some(({ intent }) => intent === one.intent) !== false;
	const notMade = found.filter(isMeant);
	const own = notMade.filter((one) => one.batch === batch && one.state === "not-created");
	const reopened = approvals?.length ? own.filter(({ formerIds }) => formerIds !== undefined) : [];
	if (reopened.length > 0)
		context.reporter.warn(
			`Left out, because it was opened again and needs an approval of its own: ${reopened.map(({ row }) => `row ${row}`).join(", ")}. Plan it in a file of its own`,
		);
	if (notMade.length > 0) {
		const { checkBeforeResending } = await import("../../matching/resend.js");
		await checkBeforeResending(context, service, notMade, { notThis, what: "rows", mustRead: refused !== undefined });
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
