/**
 * The service's related entities as parties and holdings of the ownership (`ownedCorporateId` is assumed).
 */
import { listAt, type Received, textAt } from "../../api/answer.js";
import { viewRelated } from "../../api/operations/related.js";
import { plainId } from "../../api/text/ids.js";
import type { Profile } from "../../ports/profiles.js";
import type { Holding, Party } from "../ownership/ownership.js";

/** Percentage from which a person counts as a beneficial owner where the profile says nothing. */
const usualThreshold = "25";

/** The profile's setting `ubo-threshold`: decimal text. */
export function uboThreshold({ settings }: Pick<Profile, "settings">): string {
	return settings["ubo-threshold"] ?? usualThreshold;
}

/**
 * Reads the records of a company's related entities. Shares are taken from `shares[]` where it has any, else from
 * `directSharesPercentage`, which concerns the company `ownedCorporateId`, or the root itself. A record that is listed twice counts once.
 */
export function readOwnership(corporate: { id: string }, records: readonly Received[]): { parties: Party[]; holdings: Holding[] } {
	const parties = new Map<string, Party>();
	const stated: Holding[] = [];
	for (const [place, record] of records.entries()) {
		const party = partyOf(record, place);
		if (party.id === corporate.id || parties.has(party.id)) continue;
		parties.set(party.id, party);
		for (const { owned, percentage } of statements(record, corporate.id)) stated.push({ owner: party.id, owned, percentage });
	}
	const ids = new Map([corporate.id, ...parties.keys()].map((id) => [plainId(id), id]));
	const holdings = stated.map((one) => ({ ...one, owned: ids.get(plainId(one.owned)) ?? one.owned }));
	return { parties: [...parties.values()], holdings };
}

function partyOf(record: Received, place: number): Party {
	const { id, name, isCompany, isDirector, isAccountOwner, isUbo, kycType } = viewRelated(record);
	const key = id ?? `entity ${place + 1}`;
	// Only the sandbox and newer deployments show the type; elsewhere the fields of the name decide.
	const type = textAt(record, "type");
	const company = type === "COMPANY" || (type !== "PHYSICAL" && isCompany);
	return { id: key, name: name ?? key, isCompany: company, isDirector, isAccountOwner, isUbo, kycType };
}

/** What a record states to hold, of which company, by its id. */
export function statements(record: Received, corporateId: string): { owned: string; percentage: string }[] {
	const listed = listAt(record, "shares").flatMap((share) => {
		const percentage = textAt(share, "directSharesPercentage");
		return percentage === undefined ? [] : [{ owned: ownedBy(share) ?? corporateId, percentage }];
	});
	if (listed.length > 0) return listed;
	const percentage = textAt(record, "directSharesPercentage");
	return percentage === undefined ? [] : [{ owned: textAt(record, "ownedCorporateId") ?? corporateId, percentage }];
}

/** The company that a share is of, by its id. */
export const ownedBy = (share: Received): string | undefined => textAt(share, "ownedCorporate.id", "ownedCorporate", "ownedCorporateId");
