/**
 * The ledgers that a batch debits, by name and with what is available, for whoever is asked.
 */

import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Reading } from "../../../ports/service.js";
import { lookUpLedger } from "../../single/facts.js";
import type { Balance } from "./totals.js";

/** By id; undefined is one that could not be read. */
export type Debited = ReadonlyMap<string, (Balance & { name?: string }) | undefined>;

/** Ledgers that are named one by one. */
export const mostNamed = 8;

/**
 * Looks up those that are named one by one.
 * @throws PurserError auth (401) or interrupted; any other look-up that fails leaves its ledger unread
 */
export async function debitedBy(service: Pick<Reading, "get">, { totals }: Pick<BatchPlan, "totals">): Promise<Debited> {
	const ids = [...new Set(totals.map(({ ledgerFromId }) => ledgerFromId))].slice(0, mostNamed);
	const look = async (id: string): Promise<[string, (Balance & { name?: string }) | undefined]> => {
		const looked = await lookUpLedger(service, id);
		return [id, "found" in looked ? looked.found : undefined];
	};
	return new Map(await Promise.all(ids.map(look)));
}
