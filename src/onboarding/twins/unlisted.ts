/**
 * Records that this tool created and the service's list does not show.
 */
import { type Received, textAt } from "../../api/answer.js";
import { sameText } from "../../api/text/lookalike.js";
import { isNotOffered } from "../../errors.js";
import { type Sought, severalFound } from "./twin.js";

/** A record that the journal knows and the list lacks, if it exists: the list may lag, or the record was removed. */
export async function existing(get: () => Promise<Received>): Promise<Received | undefined> {
	try {
		return await get();
	} catch (error) {
		if (isNotOffered(error) && error.failure.status === 404) return undefined;
		throw error;
	}
}

/**
 * The listed record, unless this tool created another one with the same externalId, which the list does not show yet.
 * @throws PurserError guard
 */
export function refuseUnlisted(what: Sought["what"], externalIds: readonly (string | undefined)[], listed: string, own?: Received): string {
	const shown = textAt(own, "externalId");
	if (own !== undefined && externalIds.some((id) => sameText(shown, id))) throw severalFound(what, shown ?? "", [{ id: listed }, own]);
	return listed;
}
