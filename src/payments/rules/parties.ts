/**
 * The names of who pays and who is paid, as earlier answers of the service told them, for people to read: no decision rests on them, and
 * nothing is asked for. A natural person's name is not kept on this machine, so there the id stands.
 */
import type { Transfer } from "../../api/operations/transfer.js";
import { plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";

/** Beside a payment; absent where no name is known. */
export interface Parties {
	ledgerName?: string;
	payeeName?: string;
}

/** The name of a ledger or beneficiary; undefined where none is known, and where two have the same. */
export async function namesSeen({ names }: Pick<Context, "names">, profile: Profile): Promise<(id: string) => string | undefined> {
	const seen = (await Promise.all((["ledger", "beneficiary"] as const).map((kind) => names.seen.read(profile, kind)))).flat();
	const named = new Map<string, string>();
	const owners = new Map<string, Set<string>>();
	for (const { id, name } of seen) {
		const key = plainId(id);
		named.set(key, name);
		owners.set(name, (owners.get(name) ?? new Set()).add(key));
	}
	return (id) => {
		const name = named.get(plainId(id));
		return name !== undefined && owners.get(name)?.size === 1 ? name : undefined;
	};
}

/** The records with the names of their parties. */
export async function withParties<T extends { transfer?: Transfer }>(
	context: Pick<Context, "names">,
	profile: Profile,
	records: readonly T[],
): Promise<(T & Parties)[]> {
	if (!records.some(({ transfer }) => transfer !== undefined)) return [...records];
	const nameOf = await namesSeen(context, profile);
	return records.map((record) => {
		if (record.transfer === undefined) return record;
		const [ledgerName, payeeName] = [nameOf(record.transfer.ledgerFromId), nameOf(record.transfer.counterpartyId)];
		return { ...record, ...(ledgerName !== undefined && { ledgerName }), ...(payeeName !== undefined && { payeeName }) };
	});
}
