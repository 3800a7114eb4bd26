/**
 * Bindings that a batch is sent through. All of them are looked at before its first row leaves.
 */
import type { AnyOperation } from "../../api/operation.js";
import { transferOperations } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { confirmable } from "../../binding/confirmation.js";
import { call } from "../../client/call.js";
import { leaveFor } from "../../client/leave/leave.js";
import type { Context } from "../../context.js";
import type { Confirming } from "../../payments/batch/send/rest.js";
import type { BatchPlan } from "../../ports/batch-plan.js";
import { askUnconfirmed, confirmGiven } from "./confirming.js";

export const batchConfirming: Confirming = {
	ask: async (context, plan, given) => {
		const operations = await boundOperations(context, plan);
		await askUnconfirmed(context, operations, given);
		// Nobody is asked about a batch that would wait. What the command line confirms is looked at when it is sent.
		if (given === undefined) await requireLeave(context, operations);
	},
	take: async (context, plan, given) => {
		const operations = await boundOperations(context, plan);
		await confirmGiven(context, given === undefined ? operations : Object.values(transferOperations), given);
		await requireLeave(context, operations);
	},
};

async function requireLeave(context: Context, operations: readonly AnyOperation[]): Promise<void> {
	const { profile, dryRun } = await context.settings();
	if (!dryRun) for (const operation of operations) await leaveFor(context, profile, operation, { call });
}

/** The operations of a batch's rows that are bound; its rows are read only where any is. */
async function boundOperations(context: Context, { batch }: BatchPlan): Promise<AnyOperation[]> {
	const { profile } = await context.settings();
	const bound = Object.entries(transferOperations).filter(([, operation]) => confirmable(operation, profile) !== undefined);
	if (bound.length === 0) return [];
	const kinds = new Set<Transfer["kind"]>();
	for await (const transfers of (await context.batches(profile)).planned(batch)) for (const { kind } of transfers) kinds.add(kind);
	return bound.filter(([kind]) => kinds.has(kind as Transfer["kind"])).map(([, operation]) => operation);
}
