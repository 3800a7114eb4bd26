/**
 * The names of who pays and who is paid, as earlier answers of the service told them, for people to read: no decision rests on them, and
 * nothing is asked for. A natural person's name is not kept on this machine, so there the id stands.
 */
import type { Transfer } from "../../api/operations/transfer.js";
import type { Context } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";

/** Beside a payment; absent where no name is known. */
export interface Parties {
	ledgerName?: string;
	payeeName?: string;
}

/** The name of a ledger or beneficiary; undefined where none is known, and where two have the same. */
export async function namesSeen({ names }: Pick<Context, "names">, _profile: Profile): Promise<(id: string) => string | undefined> {
	const nameOf = await names.of();
	return (id) => nameOf("ledger", id) ?? nameOf("beneficiary", id);
}

/** The records with the names of their parties. */
export async function withParties<T extends { transfer?: Transfer }>(
	context: Pick<Context, "names">,
	profile: Profile,
	records: readonly T[],
): Promise<(T & Parties)[]> {
	const nameOf = await context.names.of();
	return records.map((record) => {
		if (record.transfer === undefined) return record;
		const { ledgerFromId, kind, counterpartyId } = record.transfer;
		const [ledgerName, payeeName] = [nameOf("ledger", ledgerFromId), nameOf(kind, counterpartyId)];
		return { ...record, ...(ledgerName !== undefined && { ledgerName }), ...(payeeName !== undefined && { payeeName }) };
	});
}
