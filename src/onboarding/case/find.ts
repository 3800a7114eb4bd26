/**
 * Finds the records of a case at the service: by externalId in its lists, else by the journal. Never by guessing.
 */
import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, textAt } from "../../api/answer.js";
import { sameText } from "../../api/names.js";
import { createCorporate, getCorporate, listCorporates } from "../../api/operations/corporate.js";
import { createRelated, getRelated, listRelated, viewRelated } from "../../api/operations/related.js";
import { getTerms } from "../../api/operations/terms.js";
import type { Context } from "../../context.js";
import { isNotOffered, PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Listed } from "../../ports/service.js";
import { ifOffered, ifReadable, listRelatedOf, readCorporate, readRelated } from "../records/reading.js";
import { listNamed, newestFirst, severalFound } from "../records/twins.js";
import { type Case, companyName, corporateKey, externalIdOf, nameOf, ownerKey } from "./case.js";
import { type CreationSearch, type Creations, creations, settleCreation, withoutList } from "./doubts.js";
import { matchingCorporate, matchingEntity, matchingOwner, refuseAnother } from "./match.js";

/** The operations by which a case is looked up. */
export const lookupOperations = [listCorporates.id, getCorporate.id, listRelated.id, getRelated.id, getTerms.id] as const;

/** Maximum number of companies, and of related entities of one company, that are searched. */
const most = { companies: 50_000, entities: 5_000 };

/** The records of a case at the service. */
export interface CaseRecords {
	corporateId?: string;
	corporate?: Received;
	/** Ids and records by the keys of the case. */
	ids: Map<string, string>;
	records: Map<string, Received>;
	/** Every related entity listed, named in the case or not. */
	related: readonly Received[];
	/** Keys whose earlier creation got no answer: only in a plan, which settles nothing. */
	doubtful: Set<string>;
	/** Version of the latest terms, where the service names one. */
	latestTerms?: string;
}

/** Looks up a case; the cases of one run share what is the same for all. */
export type Finder = (of: Case) => Promise<CaseRecords>;

/**
 * @param isNew where the service cannot list, or lists one that looks the same: whether a record that the journal does not know counts as not
 * created yet
 * @param settle whether doubts are waited for and settled in the journal; false for a plan, which changes nothing
 */
export function newFinder(context: Context, isNew: boolean, settle: boolean): Finder {
	let terms: Promise<string | undefined> | undefined;
	let journal: Promise<Creations> | undefined;
	const list = sharedList(context);
	return async (of) => {
		// Read once: no two cases of a run share an externalId.
		journal ??= creations(context);
		const known = await journal;
		const found: CaseRecords = { ids: new Map(), records: new Map(), related: [], doubtful: new Set() };
		terms ??= latestTerms(context).catch((error: unknown) => {
			terms = undefined;
			throw error;
		});
		found.latestTerms = await terms;
		const search = { context, isNew, settle, known, found, of };
		found.corporateId = await findCorporate(search, list);
		if (found.corporateId === undefined) return found;
		found.ids.set(corporateKey, found.corporateId);
		found.corporate = await readCorporate(context.service, found.corporateId);
		await findEntities(search, found.corporateId);
		refuseAnother(of, found);
		return found;
	};
}

/** All companies, as the cases of one run share them; `isFresh`: read for this one. Undefined where the deployment lists none. */
type SharedList = (fresh: boolean) => Promise<(Listed & { isFresh: boolean }) | undefined>;

/** @param context warns where the deployment lists none */
function sharedList(context: Context): SharedList {
	/** A list that could not be read for one case is read again for the next. */
	let listed: { found: Listed | undefined } | undefined;
	return async (fresh) => {
		const isFresh = fresh || listed === undefined;
		if (isFresh)
			listed = {
				found: await ifReadable(context, "companies were looked for in the journal only", () =>
					context.service.list(listCorporates, { query: newestFirst }, most.companies),
				),
			};
		return listed?.found && { ...listed.found, isFresh };
	};
}

async function latestTerms(context: Context): Promise<string | undefined> {
	const reply = await ifOffered(context, "the latest version of the terms is not known", () =>
		context.service.call(getTerms, { query: {} }),
	);
	return textAt(reply?.data, "version");
}

interface Search {
	context: Context;
	isNew: boolean;
	settle: boolean;
	known: Creations;
	found: CaseRecords;
	of: Case;
}

/** What is looked for, and what the journal knows of it. */
interface Wanted extends CreationSearch {
	what: "company" | "related entity";
	key: string;
	made: IntentRecord | undefined;
	read(id: string): Promise<Received>;
}

/** The id of a company or entity of a case, by the service's list and the journal. */
async function idOf({ context, isNew, settle, found }: Search, wanted: Wanted): Promise<string | undefined> {
	const { what, key, externalId, made, doubts } = wanted;
	let seen = await wanted.lookup(false);
	// A list that grew while it was read seems cut; another look usually reads it whole.
	if (seen.id === undefined && !seen.complete && seen.offered) seen = await wanted.lookup(true);
	const { id } = seen;
	if (id === undefined && !seen.complete) return withoutList(wanted, made, isNew, seen.offered);
	if (doubts.length > 0 && settle) return settleCreation(context, wanted);
	if (doubts.length > 0 && id === undefined) found.doubtful.add(key);
	if (doubts.length > 0 || made?.id === undefined || sameId(id, made.id)) return id;
	// The list may lag, or the record was removed.
	const own = await wanted.read(made.id).catch((error: unknown) => {
		if (isNotOffered(error) && error.failure.status === 404) return undefined;
		throw error;
	});
	if (id === undefined) return own && made.id;
	if (own !== undefined && sameText(textAt(own, "externalId"), externalId)) throw severalFound(what, externalId, [{ id }, own]);
	return id;
}

async function findCorporate(search: Search, list: SharedList): Promise<string | undefined> {
	const { context, isNew, known, of, settle } = search;
	const { externalId, corporateName } = of.corporate;
	const made = known.made(createCorporate.id, externalId);
	const doubts = known.doubts(createCorporate.id, externalId);
	const match = ({ records }: Listed): string | undefined =>
		matchingCorporate(records, of, isNew, { made: made?.id, doubt: doubts[0]?.intent });
	const lookup: Wanted["lookup"] = async (fresh) => {
		const listed = await list(fresh);
		if (listed === undefined) return { complete: false, offered: false };
		const { complete, isFresh } = listed;
		const id = match(listed);
		if (id !== undefined || !complete || !settle || isFresh) return { id, complete, offered: true };
		// The list was read for an earlier case of the run, and another run may have created the company since.
		return { id: match(await listNamed(context.service, corporateName)), complete, offered: true };
	};
	const name = `the company ${companyName(of)}`;
	const read = (id: string) => readCorporate(context.service, id);
	const id = await idOf(search, { what: "company", key: corporateKey, name, externalId, made, doubts, lookup, read });
	if (id !== undefined || made === undefined || doubts.length > 0 || isNew) return id;
	// No operation removes a company, so it may appear late, or be hidden from this user.
	throw new PurserError("guard", {
		code: "MADE_AND_NOT_SHOWN",
		message: `The service created ${companyName(of)} (${externalId}) as ${made.id} on ${made.begun}, but no longer shows it; it was not created again`,
		why: "It may appear later, or not be visible to this user; a second one could not be undone",
		fix: advice`Run this again later. See what was done: ${purser`history show ${made.intent}`}. When you know that it is gone, add --new.`,
		intent: made.intent,
	});
}

async function findEntities(search: Search, corporateId: string): Promise<void> {
	const { context, of, found, isNew, known } = search;
	const { service } = context;
	const list = () =>
		ifReadable(context, "related entities were looked for in the journal only", () => listRelatedOf(service, corporateId, most.entities));
	let listed = await list();
	found.related = listed?.records ?? [];
	await findOwner(search);
	for (const entity of [...of.companies, ...of.persons]) {
		const externalId = externalIdOf(of, entity);
		const made = known.made(createRelated.id, externalId, corporateId);
		const doubts = known.doubts(createRelated.id, externalId, corporateId);
		const lookup: Wanted["lookup"] = async (fresh) => {
			if (fresh) listed = await list();
			found.related = listed?.records ?? [];
			// A record belongs to one entity of the case only, also where two have one name.
			const taken = new Set(found.ids.values());
			const free = found.related.filter((record) => !taken.has(viewRelated(record).id ?? ""));
			const id = matchingEntity(free, entity, externalId, isNew);
			return { id, complete: listed?.complete === true, offered: listed !== undefined };
		};
		const name = nameOf(entity);
		const read = (id: string) => readRelated(service, id);
		const id = await idOf(search, { what: "related entity", key: entity.key, name, externalId, made, doubts, lookup, read });
		if (id !== undefined) {
			found.ids.set(entity.key, id);
			found.records.set(entity.key, found.related.find((one) => viewRelated(one).id === id) ?? (await read(id)));
		}
	}
}

async function findOwner({ context, found }: Search): Promise<void> {
	const ownerId = textAt(found.corporate, "accountOwnerId");
	const record = matchingOwner(found.related, ownerId);
	const id = (record && viewRelated(record).id) ?? ownerId;
	if (id === undefined) return;
	found.ids.set(ownerKey, id);
	found.records.set(ownerKey, record ?? (await readRelated(context.service, id)));
}
