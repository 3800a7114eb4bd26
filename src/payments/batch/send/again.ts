/**
 * Rows that were refused for the moment (429, or 401 where the token was renewed since) are sent again at the end of their run, as new attempts,
 * where the service lists none of those of their ledger.
 */

import * as z from "zod/mini";
import { plain } from "../../../api/fields.js";
import { transferOperations } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { field } from "../../../api/schema.js";
import type { Context } from "../../../context.js";
import { type Advice, PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Batches, BatchOverrides, BatchRecord, BatchRow } from "../../../ports/batches.js";
import type { IntentRecord, IntentState } from "../../../ports/intent.js";
import { groupBy } from "../../rules/group-by.js";

/** Checks that these rows of one ledger are not listed, by a fresh reading of both sides. */
export type Rechecking = (rows: readonly BatchRow[]) => Promise<unknown>;

/** The rows that may be sent again, by the journal's numbers. Of each that stays refused a person is told why; it leaves `again`. */
export async function rowsToSendAgain(
	{ report }: Pick<Context, "report">,
	batches: Pick<Batches, "rows">,
	batch: string,
	again: Set<number>,
	recheck: Rechecking,
): Promise<number[]> {
	if (again.size === 0) return [];
	const refused: BatchRow[] = [];
	const intents = new Set([...again].map(String));
	for await (const rows of batches.rows(batch, ["refused"])) for (const row of rows) if (intents.has(row.intent)) refused.push(row);
	for (const rows of groupBy(refused, ({ transfer }) => transfer.ledgerFromId).values())
		await recheck(rows).catch((error: unknown) => {
			if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
			const stay = new Set(rows.map(({ intent }) => intent));
			for (const number of again) if (stay.has(String(number))) again.delete(number);
			report.warn(stayingText(rows, error));
		});
	return [...again].sort((one, other) => one - other);
}

const mostNamed = 20;

function stayingText(rows: readonly BatchRow[], { message, failure }: PurserError): Advice {
	const named = rows.slice(0, mostNamed).map(({ row }) => row);
	const more = rows.length > named.length ? ` and ${rows.length - named.length} more` : "";
	const [subject, are] = rows.length === 1 ? [`Row ${named[0]} stays`, "is"] : [`Rows ${named.join(", ")}${more} stay`, "are"];
	const listed = failure.details?.map((one) => one.message).join("; ");
	const why =
		failure.code === "LISTED_NOW"
			? `the service may have made some after all (intent ${listed ?? failure.intent}); check that before you pay in another way`
			: `whether the service made them could not be checked (${failure.why ?? message})`;
	return `${subject} refused and ${are} not sent again: ${why}`;
}

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
 */
export async function recheckRows(
	context: Context,
	{ batch, approvals }: Pick<BatchRecord, "batch"> & Partial<Pick<BatchRecord, "approvals">>,
	{ takes, notThis = [], refused }: { takes: readonly IntentState[]; notThis?: readonly string[]; refused?: readonly IntentRecord[] },
): Promise<BatchOverrides["again"]> {
	const { profile, dryRun } = await context.settings.read();
	if (dryRun) return undefined;
	const found = await (await context.journal.batches(profile)).notMade(batch, takes);
	const isMeant = (one: IntentRecord): boolean => one.batch !== batch || refused?.some(({ intent }) => intent === one.intent) !== false;
	const notMade = found.filter(isMeant);
	const own = notMade.filter((one) => one.batch === batch && one.state === "not-created");
	const reopened = approvals?.length ? own.filter(({ formerIds }) => formerIds !== undefined) : [];
	if (reopened.length > 0)
		context.report.warn(
			`Left out, because it was opened again and needs an approval of its own: ${reopened.map(({ row }) => `row ${row}`).join(", ")}. Plan it in a file of its own`,
		);
	if (notMade.length > 0) {
		const { checkBeforeResending } = await import("../../matching/resend.js");
		await checkBeforeResending(context, context.service, notMade, { notThis, what: "rows", mustRead: refused !== undefined });
	}
	return { rows: own.length, attempts: own.reduce((sum, { attempt }) => sum + attempt, 0), notThis };
}

/**
 * Checks before the first row of a batch leaves that somebody has confirmed what the mapping sends for each kind of its rows, which are read only
 * where there is a mapping.
 * @throws PurserError guard: nothing was sent
 */
export async function requireConfirmedRows(context: Context, { batch }: Pick<BatchPlan, "batch">): Promise<void> {
	const { profile, dryRun } = await context.settings.read();
	if (dryRun || profile.mapping === undefined) return;
	const kinds = new Set<Transfer["kind"]>();
	for await (const transfers of (await context.journal.batches(profile)).planned(batch)) for (const { kind } of transfers) kinds.add(kind);
	for (const kind of kinds) await context.service.requireConfirmed(transferOperations[kind]);
}
