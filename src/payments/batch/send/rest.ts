/**
 * The common part of the commands that send the rest of a batch; they differ only in the states whose rows they send.
 */

import * as z from "zod/mini";
import { groupDigits } from "../../../api/amount.js";
import { getBeneficiary } from "../../../api/operations/beneficiary.js";
import { getLedger } from "../../../api/operations/ledger.js";
import {
	createBeneficiaryTransaction,
	createInterLedger,
	listTransactions,
	transferOperations,
} from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Service } from "../../../ports/service.js";
import { checkResumable } from "../plan/check.js";
import { notThisFields, recheckRefused, recheckRows } from "./again.js";
import { findShownDuplicates, overridesOf, type ShownDuplicates } from "./guards.js";
import { batchField, batchNamed, limitFields, limitsOf } from "./named.js";
import { outcomeOfRun, rowsIn } from "./outcome.js";
import { type BatchPreview, lookUpDebited, previewOfRest } from "./preview.js";
import { type BatchRun, runBatch } from "./run.js";
import { withoutNothingSent } from "./stop.js";
import { batchText } from "./text.js";

/** @param takes the states whose rows are sent */
export function sendingRest(takes: readonly IntentState[]) {
	const input = z.strictObject({ batch: batchField(), ...limitFields(), ...notThisFields() });
	type Given = z.output<typeof input>;
	const toldDone = <T>(record: BatchRecord, work: () => Promise<T>): Promise<T> =>
		work().catch((error: unknown) => {
			throw withDone(error, record, takes);
		});
	return {
		effect: "money",
		operations: [createInterLedger.id, createBeneficiaryTransaction.id, getLedger.id, listTransactions.id, getBeneficiary.id],
		input,
		async run(context: Context, { batch: named, notThis, newJournal, ...given }: Given) {
			const { profile } = await context.settings.read();
			const found = await batchNamed(context, named);
			const { batch } = found;
			const changed = await toldDone(found, async () => checkResumable(found, profile));
			if (changed.length > 0)
				context.report.warn(
					`since batch ${batch} was planned, these settings changed: ${changed.join(", ")}; the rest is sent with the current ones`,
				);
			const preview = async (): Promise<BatchPreview & { confirms: ShownDuplicates }> => {
				const record = await batchNamed(context, batch);
				return toldDone(record, () => previewRest(context, record, takes));
			};
			const shown = await context.ask.payment(preview, { newJournal });
			// It is read again: time has passed since the question.
			const record = await batchNamed(context, batch);
			const data = await toldDone(record, async (): Promise<BatchRun> => {
				await requireConfirmedRows(context, context.service, record.plan);
				const again = await recheckRows(context, context.service, record, { takes, notThis });
				const allowed = { ...overridesOf(record.plan, false, shown), again };
				const recheck = recheckRefused(context, context.service, record, notThis);
				return runBatch(context, context.service, { batch, takes, allowed, limits: limitsOf(given), recheck });
			});
			return { data, exit: outcomeOfRun(data) };
		},
		text: batchText,
	} as const;
}

async function previewRest(context: Context, record: BatchRecord, takes: readonly IntentState[]) {
	await requireConfirmedRows(context, context.service, record.plan);
	const shown = await findShownDuplicates(context, record.plan, takes, rowsIn(record.counts, ...takes));
	const preview = previewOfRest(record, takes, shown.alike, await lookUpDebited(context.service, record.plan));
	return { ...preview, before: doneOf(record, takes), confirms: shown };
}

/**
 * Checks before the first row of a batch leaves that somebody has confirmed what the mapping sends for each kind of its rows, which are read only
 * where there is a mapping.
 * @throws PurserError guard: nothing was sent
 */
export async function requireConfirmedRows(context: Context, service: Service, { batch }: BatchPlan): Promise<void> {
	const { profile, dryRun } = await context.settings.read();
	if (dryRun || profile.mapping === undefined) return;
	const kinds = new Set<Transfer["kind"]>();
	for await (const transfers of (await context.journal.batches(profile)).planned(batch)) for (const { kind } of transfers) kinds.add(kind);
	for (const kind of kinds) await service.requireConfirmed(transferOperations[kind]);
}

/** What was done of a batch and what was not, in words. */
interface DoneOfBatch {
	/** `40 rows accepted` */
	done: readonly string[];
	/** `80 rows` */
	notDone: readonly string[];
}

/**
 * What was done of a batch before; undefined where nothing of it was sent yet.
 * @param takes the states whose rows are asked for
 */
function doneOf({ counts }: Pick<BatchRecord, "counts">, takes: readonly IntentState[]): DoneOfBatch | undefined {
	if (rowsIn(counts, "accepted", "waiting", "in-doubt", "refused") === 0) return undefined;
	const rows = (count: number): string => `${groupDigits(count)} ${count === 1 ? "row" : "rows"}`;
	const words = [
		["accepted", "accepted"],
		["waiting", "waiting for strong authentication"],
		["in-doubt", "in doubt"],
		["refused", "refused"],
	] as const;
	const done = words.flatMap(([state, word]) => (counts[state] > 0 && !takes.includes(state) ? [`${rows(counts[state])} ${word}`] : []));
	return { done, notDone: [rows(rowsIn(counts, ...takes))] };
}

/** The error of a run that sent nothing of a batch of which something was sent before: with what was done and what was not. */
function withDone(error: unknown, record: BatchRecord, takes: readonly IntentState[]): unknown {
	const done = doneOf(record, takes);
	if (!(error instanceof PurserError) || error.kind === "unknown" || done === undefined) return error;
	const message = `${withoutNothingSent(error.message)}. Done: ${done.done.join(", ") || "nothing"}. Not done: ${done.notDone.join(", ")}`;
	return new PurserError(error.kind, { ...error.failure, ...done, message, cause: error });
}
