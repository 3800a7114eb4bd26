/**
 * Finds the records of a case at the service: by externalId in its lists, else by the journal. Never by guessing.
 */
import { advice, purser } from "../../api/advice.js";
import { type Received, sameId, textAt } from "../../api/answer.js";
import { sameName } from "../../api/names.js";
import { createCorporate, getCorporate, listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { createRelated, getRelated, listRelated, viewRelated } from "../../api/operations/related.js";
import { getTerms } from "../../api/operations/terms.js";
import { sameText } from "../../api/text/lookalike.js";
import type { Context } from "../../context.js";
import { isNotOffered, PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Listed, Service } from "../../ports/service.js";
import { ifOffered, ifReadable, listRelatedOf, readCorporate, readRelated } from "../records/reading.js";
import { listNamed, newestFirst, severalFound } from "../records/twins.js";
import { type Case, type Company, companyName, corporateKey, externalIdOf, nameOf, ownerKey, type Person } from "./case.js";
import { type Creations, creations, type SearchResult, settleCreation, withoutList } from "./doubts.js";
import { matchingCorporate, matchingEntity, matchingOwner, refuseAnother, refuseNamesake } from "./match.js";

/** The operations by which a case is looked up. */
export const lookupOperations = [listCorporates.id, getCorporate.id, listRelated.id, getRelated.id, getTerms.id] as const;

/** How a case is looked up. */
export interface LookupOptions {
	/** Where the service cannot list: whether a record that the journal does not know counts as not created yet. */
	isNew: boolean;
	/** Milliseconds within which a created record appears in the service's list. */
	settleAfter: number;
}

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
	/** The newest change in the journal at the time of the look-up. */
	since: number;
	/** When the case was looked for, in monotonic milliseconds. */
	began: number;
	/** Ids of companies of that name and of related entities that were listed then: none of them was created by another run since. */
	known: Set<string>;
	/** Keys whose earlier creation got no answer and was found. */
	settled: Set<string>;
	/** Version of the latest terms, where the service names one. */
	latestTerms?: string;
}

/** Look-ups that the cases of one run share. */
export interface Finder {
	find(of: Case): Promise<CaseRecords>;
}

/**
 * @param settle whether doubts are waited for and settled in the journal; false for a plan, which changes nothing
 */
export function newFinder(context: Context, service: Service, options: LookupOptions, settle: boolean): Finder {
	let terms: Promise<string | undefined> | undefined;
	let journal: Promise<Creations> | undefined;
	const list = sharedList(context, service);
	return {
		find: async (of) => {
			// Read once: no two cases of a run share an externalId.
			journal ??= creations(context);
			const known = await journal;
			const found = nothingFound(known.newest, context.clock.monotonic());
			terms ??= latestTerms(context, service).catch((error: unknown) => {
				terms = undefined;
				throw error;
			});
			found.latestTerms = await terms;
			const search = { context, service, options, settle, known, found, of };
			found.corporateId = await findCorporate(search, list);
			if (found.corporateId === undefined) return found;
			found.ids.set(corporateKey, found.corporateId);
			found.corporate = await readCorporate(service, found.corporateId);
			await findEntities(search, found.corporateId);
			refuseAnother(of, found);
			return found;
		},
	};
}

function nothingFound(since: number, began: number): CaseRecords {
	const sets = { doubtful: new Set<string>(), known: new Set<string>(), settled: new Set<string>() };
	return { since, began, ids: new Map(), records: new Map(), related: [], ...sets };
}

/**
 * All companies, as the cases of one run share them; `begun`: monotonic milliseconds at which they were asked for. Undefined where the
 * deployment lists none.
 */
type SharedList = (fresh: boolean) => Promise<(Listed & { begun: number }) | undefined>;

/** @param context warns where the deployment lists none */
function sharedList(context: Context, service: Service): SharedList {
	let listed: ReturnType<SharedList> | undefined;
	const read: () => ReturnType<SharedList> = async () => {
		const begun = context.clock.monotonic();
		const found = await ifReadable(context, "companies were looked for in the journal only", () =>
			service.list(listCorporates, { query: newestFirst }, most.companies),
		);
		return found && { ...found, begun };
	};
	return async (fresh) => {
		if (fresh) listed = undefined;
		listed ??= read().catch((error: unknown) => {
			// A list that could not be read for one case is read again for the next.
			listed = undefined;
			throw error;
		});
		return listed;
	};
}

interface Search {
	context: Context;
	service: Service;
	options: LookupOptions;
	settle: boolean;
	known: Creations;
	found: CaseRecords;
	of: Case;
}

async function latestTerms(context: Context, service: Service): Promise<string | undefined> {
	const reply = await ifOffered(context, "the latest version of the terms is not known", () => service.call(getTerms, { query: {} }));
	return textAt(reply?.data, "version");
}

async function findCorporate(search: Search, list: SharedList): Promise<string | undefined> {
	const { context, service, options, known, of, found } = search;
	const { externalId } = of.corporate;
	const made = known.made(createCorporate.id, externalId);
	const doubts = known.doubts(createCorporate.id, externalId);
	const sought = { name: `the company ${companyName(of)}`, externalId, doubts };
	const match = ({ records }: Listed): string | undefined => {
		for (const { id, name } of records.map(viewCorporate))
			if (id !== undefined && sameName(name, of.corporate.corporateName)) found.known.add(id);
		return matchingCorporate(records, of, options.isNew, { made: made?.id, doubt: doubts[0]?.intent });
	};
	const look = async (fresh: boolean): Promise<SearchResult> => {
		const listed = await list(fresh);
		const id = listed && match(listed);
		const complete = listed?.complete === true;
		if (id !== undefined || !complete || !search.settle || listed.begun >= found.began)
			return { id, complete, offered: listed !== undefined };
		// The list was read for an earlier case of the run, and another run may have created the company since.
		found.began = context.clock.monotonic();
		return { id: match(await listNamed(service, of.corporate.corporateName)), complete };
	};
	let before = await look(false);
	// A list that grew while it was read seems cut; another look usually reads it whole.
	if (before.id === undefined && !before.complete && before.offered) before = await look(true);
	const { id, complete, offered } = before;
	if (id === undefined && !complete) return withoutList(sought, made, options.isNew, offered);
	if (doubts.length > 0 && !search.settle) {
		if (id === undefined) found.doubtful.add(corporateKey);
		return id;
	}
	if (doubts.length > 0) {
		found.settled.add(corporateKey);
		return settleCreation(context, service, sought, options.settleAfter, async (whole) =>
			whole ? look(true) : { id: match(await listNamed(service, of.corporate.corporateName)), complete: false },
		);
	}
	if (made?.id === undefined || sameId(id, made.id)) return id;
	const own = await existing(() => readCorporate(service, made.id as string));
	if (id !== undefined) return refuseUnlisted("company", externalId, id, own);
	if (own !== undefined) return made.id;
	if (options.isNew) return undefined;
	throw notShownError(of, made);
}

/** The error for a company that was created and is not shown. No operation removes one, so it may appear late, or be hidden from this user. */
function notShownError(of: Case, { intent, id, begun }: IntentRecord): PurserError {
	return new PurserError("guard", {
		code: "MADE_AND_NOT_SHOWN",
		message: `The service created ${companyName(of)} (${of.corporate.externalId}) as ${id} on ${begun}, but no longer shows it; it was not created again`,
		why: "It may appear later, or not be visible to this user; a second one could not be undone",
		fix: advice`Run this again later. See what was done: ${purser`history show ${intent}`}. When you know that it is gone, add --new.`,
		intent,
	});
}

async function findEntities(search: Search, corporateId: string): Promise<void> {
	const { context, service, of, found } = search;
	const read = () =>
		ifReadable(context, "related entities were looked for in the journal only", () => listRelatedOf(service, corporateId, most.entities));
	let listed = await read();
	found.related = listed?.records ?? [];
	for (const { id } of found.related.map(viewRelated)) if (id !== undefined) found.known.add(id);
	await findOwner(search, found.related);
	for (const entity of [...of.companies, ...of.persons]) {
		const id = await findEntity(search, corporateId, entity, async (fresh) => {
			if (fresh) listed = await read();
			found.related = listed?.records ?? [];
			return listed?.complete === true;
		});
		if (id === undefined) continue;
		found.ids.set(entity.key, id);
		const record = found.related.find((one) => viewRelated(one).id === id) ?? (await readRelated(service, id));
		found.records.set(entity.key, record);
	}
}

/** @param list lists the related entities, where asked for anew; returns whether they are all */
async function findEntity(
	{ context, service, of, found, options, known, settle }: Search,
	corporateId: string,
	entity: Person | Company,
	list: (fresh: boolean) => Promise<boolean>,
): Promise<string | undefined> {
	const externalId = externalIdOf(of, entity);
	const made = known.made(createRelated.id, externalId, corporateId);
	const doubts = known.doubts(createRelated.id, externalId, corporateId);
	const sought = { name: nameOf(entity), externalId, doubts };
	const look = async (fresh: boolean): Promise<SearchResult> => {
		const complete = await list(fresh);
		// A record belongs to one entity of the case only, also where two have one name.
		const taken = new Set(found.ids.values());
		const free = found.related.filter((record) => !taken.has(viewRelated(record).id ?? ""));
		return { id: matchingEntity(free, entity, externalId, options.isNew), complete };
	};
	const before = await look(false);
	let { id } = before;
	if (id === undefined && !before.complete) id = withoutList(sought, made, options.isNew);
	else if (doubts.length > 0 && settle) {
		found.settled.add(entity.key);
		id = await settleCreation(context, service, sought, options.settleAfter, () => look(true));
	} else if (doubts.length > 0 && id === undefined) found.doubtful.add(entity.key);
	else if (made?.id !== undefined && !sameId(id, made.id)) {
		const own = await existing(() => readRelated(service, made.id as string));
		id = id === undefined ? own && made.id : refuseUnlisted("related entity", externalId, id, own);
	}
	const isKnown = options.isNew || made !== undefined || doubts.length > 0;
	if (id === undefined && !isKnown) refuseNamesake(found.related, entity, externalId);
	return id;
}

/** A record that the journal knows and the list lacks, if it exists: the list may lag, or the record was removed. */
async function existing(get: () => Promise<Received>): Promise<Received | undefined> {
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
function refuseUnlisted(what: "company" | "related entity", externalId: string, listed: string, own: Received | undefined): string {
	if (own !== undefined && sameText(textAt(own, "externalId"), externalId)) throw severalFound(what, externalId, [{ id: listed }, own]);
	return listed;
}

async function findOwner(search: Search, related: readonly Received[]): Promise<void> {
	const { service, found, of, known } = search;
	const ownerId = textAt(found.corporate, "accountOwnerId");
	const made = (externalId: string) => known.made(createRelated.id, externalId, found.corporateId)?.id;
	const record = matchingOwner(related, of, ownerId, made);
	const id = (record && viewRelated(record).id) ?? ownerId;
	if (id === undefined) return;
	found.ids.set(ownerKey, id);
	found.records.set(ownerKey, record ?? (await readRelated(service, id)));
}
