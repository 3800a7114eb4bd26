/**
 * The service's related entities as parties and holdings of the ownership (`ownedCorporateId` is assumed).
 */
import { at, listAt, type Received, textAt } from "../../api/answer.js";
import { nameKey } from "../../api/names.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";
import type { Service } from "../../ports/service.js";
import { fractionOf, percentText } from "../ownership/fraction.js";
import type { Holding, Party } from "../ownership/ownership.js";
import { ifOffered, readCorporate } from "./reading.js";

/** Percentage from which a person counts as a beneficial owner where the profile says nothing. */
const usualThreshold = "25";

/** The profile's setting `ubo-threshold`: decimal text. */
export function uboThreshold({ settings }: Pick<Profile, "settings">): string {
	return settings["ubo-threshold"] ?? usualThreshold;
}

/**
 * Reads the records of a company's related entities. Shares are taken from `shares[]` where it has any, else from
 * `directSharesPercentage`, which concerns the company `ownedCorporateId`, or the root itself. A company is found by
 * its id, or by its name where only one has it. A statement that a record repeats is marked; one of a record that is listed twice counts once.
 * @param more holdings known from elsewhere, by the records' ids; one of which a record says something is left out
 */
export function readOwnership(
	corporate: { id: string; name: string },
	records: readonly Received[],
	more: readonly Holding[] = [],
): { parties: Party[]; holdings: Holding[] } {
	const taken = new Set([corporate.id]);
	const parties: Party[] = [];
	const owners: string[] = [];
	for (const [place, record] of records.entries()) {
		const party = partyOf(record, place);
		owners.push(party.id);
		if (taken.has(party.id)) continue;
		taken.add(party.id);
		parties.push(party);
	}
	const find = finder(corporate, parties);
	const holdings = new Map<string, Holding[]>();
	for (const [place, record] of records.entries()) {
		const own = new Map<string, Holding[]>();
		for (const { owned, percentage, layer } of statements(record, corporate.id)) {
			const holding = { owner: owners[place] as string, owned: find(owned), percentage };
			const share = fractionOf(percentage);
			const key = JSON.stringify([holding.owner, holding.owned, share === undefined ? percentage : percentText(share, 40), layer]);
			own.set(key, [...(own.get(key) ?? []), holding]);
		}
		for (const [key, equal] of own) if (equal.length > (holdings.get(key)?.length ?? 0)) holdings.set(key, equal);
	}
	const stated = [...holdings.values()].flatMap(([first, ...others]) => [
		first as Holding,
		...others.map((one): Holding => ({ ...one, again: true })),
	]);
	const pair = ({ owner, owned }: Holding): string => JSON.stringify([plainId(owner), plainId(owned)]);
	const pairs = new Set(stated.map(pair));
	return { parties, holdings: [...stated, ...more.filter((one) => !pairs.has(pair(one)))] };
}

function partyOf(record: Received, place: number): Party {
	const { id, name, isCompany, isDirector, isAccountOwner, isUbo, kycType } = viewRelated(record);
	const key = id ?? `entity ${place + 1}`;
	// Only the sandbox and newer deployments show the type; elsewhere the fields of the name decide.
	const type = textAt(record, "type");
	const company = type === "COMPANY" || (type !== "PHYSICAL" && isCompany);
	return { id: key, name: name ?? key, isCompany: company, isDirector, isAccountOwner, isUbo, kycType };
}

interface Statement {
	owned: string;
	percentage: string;
	layer?: string;
}

/** What a record states to hold, of which company: by its id, or as the record names it. */
export function statements(record: Received, corporateId: string): Statement[] {
	const listed = listAt(record, "shares").flatMap((share): Statement[] => {
		const percentage = textAt(share, "directSharesPercentage");
		return percentage === undefined ? [] : [{ owned: ownedBy(share) ?? corporateId, percentage, layer: textAt(share, "layer") }];
	});
	if (listed.length > 0) return listed;
	const percentage = textAt(record, "directSharesPercentage");
	return percentage === undefined ? [] : [{ owned: textAt(record, "ownedCorporateId") ?? corporateId, percentage }];
}

function ownedBy(share: Received): string | undefined {
	const inside = ["id", "corporateRelatedId", "corporateId", "corporateName", "registeredName", "name"].map(
		(name) => `ownedCorporate.${name}`,
	);
	const named = textAt(share, ...inside, "ownedCorporateId");
	return named ?? (typeof at(share, "ownedCorporate") === "string" ? textAt(share, "ownedCorporate") : undefined);
}

/** Finds the id by an id, or by a name that only one company has; anything else is returned unchanged. */
function finder(corporate: { id: string; name: string }, parties: readonly Party[]): (owned: string) => string {
	const ids = new Map([corporate, ...parties].map(({ id }) => [plainId(id), id]));
	const names = new Map<string, string | undefined>();
	for (const { id, name } of [corporate, ...parties.filter((party) => party.isCompany)])
		names.set(nameKey(name), names.has(nameKey(name)) ? undefined : id);
	return (owned) => ids.get(plainId(owned)) ?? names.get(nameKey(owned)) ?? owned;
}

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
