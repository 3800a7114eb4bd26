/**
 * What every handler works with: the state, the sandbox's own time, and lookups that refuse.
 */
import type { Random } from "../ports/machine.js";
import { having } from "./lookup.js";
import { Refusal } from "./message.js";
import type { Beneficiary, Corporate, Ledger, Related, State, Transaction } from "./state.js";

export interface Options {
	/** Address under which links of the sandbox can be opened. */
	origin: string;
	/** Milliseconds that compliance takes over a KYB once nothing is missing. */
	complianceTakes: number;
	/** Milliseconds until a transaction is final: instant and inter-ledger rails take a third. */
	settlementTakes: number;
	/** What the due-diligence review answers with. */
	review: "html" | "pdf" | "json";
}

export interface Desk {
	readonly state: State;
	readonly random: Random;
	readonly options: Options;
	/** The sandbox's time: the clock's, plus what it was advanced by. */
	now(): Date;
}

/** Milliseconds since the epoch on the sandbox's clock. */
export const time = (desk: Desk): number => desk.now().getTime();

/** @throws Refusal 404 */
export function corporateOf(desk: Desk, id: string): Corporate {
	const [found] = having(desk.state.corporates, "id", id.toLowerCase());
	if (!found) throw new Refusal(404, "CORPORATE_NOT_FOUND", `No corporate ${id}`);
	return found;
}

/** @throws Refusal 404 */
export function relatedOf(desk: Desk, id: string): Related {
	const [found] = having(desk.state.related, "id", id.toLowerCase());
	if (!found) throw new Refusal(404, "CORPORATE_RELATED_NOT_FOUND", `No corporate related ${id}`);
	return found;
}

/** @throws Refusal 404 */
export function ledgerOf(desk: Desk, id: string): Ledger {
	const [found] = having(desk.state.ledgers, "id", id.toLowerCase());
	if (!found) throw new Refusal(404, "LEDGER_NOT_FOUND", `No ledger ${id}`);
	return found;
}

/** @throws Refusal 404 */
export function beneficiaryOf(desk: Desk, id: string): Beneficiary {
	const [found] = having(desk.state.beneficiaries, "id", id.toLowerCase());
	if (!found) throw new Refusal(404, "BENEFICIARY_NOT_FOUND", `No beneficiary ${id}`);
	return found;
}

/** @throws Refusal 404 */
export function transactionOf(desk: Desk, id: string): Transaction {
	const [found] = having(desk.state.transactions, "id", id.toLowerCase());
	if (!found) throw new Refusal(404, "TRANSACTION_NOT_FOUND", `No transaction ${id}`);
	return found;
}

/** The version that counts today. */
export const latestTerms = (desk: Desk): string => (desk.state.terms.at(-1) as { version: string }).version;

/** Whether a corporate has accepted the latest terms (specification 3). */
export const termsAccepted = (desk: Desk, corporate: Corporate): boolean => corporate.accepted === latestTerms(desk);

/** A secret for a link: 128 bits in hex. */
export const secretOf = (desk: Desk): string => desk.random.uuid().replaceAll("-", "");
