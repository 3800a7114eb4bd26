/**
 * A company as the root of its ownership.
 */
import type { Received } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import type { Service } from "../../ports/service.js";
import { readOwnership } from "./read-ownership.js";
import { ifOffered, readCorporate } from "./reading.js";

/**
 * Its id and name. The name is read only where somebody holds shares of a company that is not listed: a deployment may name the owned
 * company without its id, and then the shares of the root are found by its name.
 * @throws PurserError as the service does
 */
export async function rootOf(
	context: Context,
	service: Pick<Service, "call">,
	corporateId: string,
	records: readonly Received[],
): Promise<{ id: string; name: string }> {
	const root = { id: corporateId, name: corporateId };
	const { parties, holdings } = readOwnership(root, records);
	const known = new Set([corporateId, ...parties.map(({ id }) => id)]);
	if (holdings.every(({ owned }) => known.has(owned))) return root;
	const record = await ifOffered(context, "shares that name the corporate are not counted", () => readCorporate(service, corporateId));
	return { ...root, name: viewCorporate(record ?? {}).name ?? corporateId };
}
