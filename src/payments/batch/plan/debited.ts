/**
 * Looks up names and balances of the ledgers that a batch debits, for the preview.
 */

import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Reading } from "../../../ports/service.js";
import { lookUpLedger } from "../../single/facts.js";
import type { Balance } from "./totals.js";

/** By id; undefined if the ledger could not be read. */
export type DebitedLedgers = ReadonlyMap<string, (Balance & { name?: string }) | undefined>;

/** Most ledgers that a preview lists. */
export const mostNamed = 8;

/**
 * Looks up the ledgers that a preview lists.
 * @throws PurserError auth (401) or interrupted; after any other failure the ledger is undefined
 */
export async function lookUpDebited(service: Pick<Reading, "get">, { totals }: Pick<BatchPlan, "totals">): Promise<DebitedLedgers> {
	const ids = [...new Set(totals.map(({ ledgerFromId }) => ledgerFromId))].slice(0, mostNamed);
	const look = async (id: string): Promise<[string, (Balance & { name?: string }) | undefined]> => {
		const looked = await lookUpLedger(service, id);
		return [id, "found" in looked ? looked.found : undefined];
	};
	return new Map(await Promise.all(ids.map(look)));
}
