/**
 * What every handler works with: the state, the sandbox's clock, and lookups that answer 404.
 */

import { plainId } from "../api/text/ids.js";
import type { Random } from "../ports/machine.js";
import { HttpError } from "./message.js";
import type { Corporate, Related, State } from "./state.js";
import type { Deliveries } from "./webhooks.js";

export interface Options {
	/** Address under which links of the sandbox can be opened. */
	origin: string;
	/** Milliseconds that compliance takes over a KYB once nothing is missing. */
	complianceTakes: number;
	/** Milliseconds until a transaction is final: instant and inter-ledger rails take a third. */
	settlementTakes: number;
}

export interface Backend {
	readonly state: State;
	readonly random: Random;
	readonly options: Options;
	readonly webhooks: Deliveries;
	/** The sandbox's time: the clock's, plus what it was advanced by. */
	now(): Date;
}

/** Milliseconds since 1970, by the sandbox's clock. */
export const timeOf = (backend: Backend): number => backend.now().getTime();

/** A record by its id, in letters of either case. */
export const byId = <T extends { id: string }>(records: readonly T[], id: string): T | undefined => {
	const wanted = plainId(id);
	return records.find((one) => one.id === wanted);
};

/** The related entities of a corporate. */
export const relatedOf = ({ state }: Backend, corporateId: string): Related[] =>
	state.related.filter((one) => one.corporateId === corporateId);

type Kind = "corporates" | "related" | "ledgers" | "beneficiaries" | "transactions";

/** Finds a record by its id. What it returns throws HttpError 404 where there is none. */
const finder =
	<K extends Kind>(list: K, what: string) =>
	({ state }: Backend, id: string): State[K][number] => {
		const record = byId<State[K][number]>(state[list], id);
		if (record === undefined) throw new HttpError(404, `${what.toUpperCase().replace(" ", "_")}_NOT_FOUND`, `No ${what} ${id}`);
		return record;
	};

export const findCorporate = finder("corporates", "corporate");
export const findRelated = finder("related", "corporate related");
export const findLedger = finder("ledgers", "ledger");
export const findBeneficiary = finder("beneficiaries", "beneficiary");
export const findTransaction = finder("transactions", "transaction");

export const latestTerms = (backend: Backend): string => (backend.state.terms.at(-1) as { version: string }).version;

/** Whether a corporate has accepted the latest terms (specification 3). */
export const termsAccepted = (backend: Backend, corporate: Corporate): boolean => corporate.accepted === latestTerms(backend);

/** A secret for a link: 128 bits in hex. */
export const newSecret = (backend: Backend): string => backend.random.uuid().replaceAll("-", "");
