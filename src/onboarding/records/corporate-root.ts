/**
 * The corporate as the root of its ownership.
 */
import type { Received } from "../../api/answer.js";
import { getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import { askedRecord } from "./asked-record.js";
import { ifOffered } from "./optional-read.js";
import { readOwnership } from "./read-ownership.js";
import type { Client } from "./service.js";

/**
 * Its id and name. The name is read only where somebody holds shares of what no listed record is: a deployment may name the
 * owned company and not tell its id, and then the corporate's own shares are known by its name.
 * @throws PurserError as the client does
 */
export async function rootOf(
	context: Context,
	{ call }: Pick<Client, "call">,
	corporateId: string,
	records: readonly Received[],
): Promise<{ id: string; name: string }> {
	const root = { id: corporateId, name: corporateId };
	const { parties, holdings } = readOwnership(root, records);
	const known = new Set([corporateId, ...parties.map(({ id }) => id)]);
	if (holdings.every(({ owned }) => known.has(owned))) return root;
	const reply = await ifOffered(context, "shares that name the corporate are not counted", () =>
		call(context, getCorporate, { params: { corporateId } }),
	);
	const record = reply && askedRecord("corporate", corporateId, reply.data as Received);
	return { ...root, name: viewCorporate(record ?? {}).name ?? corporateId };
}
