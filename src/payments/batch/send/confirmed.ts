import { transferOperations } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import type { Context } from "../../../context.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Service } from "../../../ports/service.js";

/**
 * Checks before the first row of a batch leaves that somebody has confirmed what the mapping sends for each kind of its rows, which are read only
 * where there is a mapping.
 * @throws PurserError guard: nothing was sent
 */
export async function requireConfirmedRows(context: Context, service: Service, { batch }: BatchPlan): Promise<void> {
	const { profile, dryRun } = await context.settings();
	if (dryRun || profile.mapping === undefined) return;
	const kinds = new Set<Transfer["kind"]>();
	for await (const transfers of (await context.batches(profile)).planned(batch)) for (const { kind } of transfers) kinds.add(kind);
	for (const kind of kinds) await service.requireConfirmed(transferOperations[kind]);
}
