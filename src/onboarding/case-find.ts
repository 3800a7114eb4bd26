/**
 * Finds what a case already has at the service: by externalId in its lists, else by what the journal knows. Never by guessing.
 */
import { type Received, textAt } from "../api/answer.js";
import { createCorporate, getCorporate, listCorporates, viewCorporate } from "../api/corporate.js";
import { createRelated, getRelated, listRelated, viewRelated } from "../api/related.js";
import { getTerms } from "../api/terms.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { type Case, type Company, corporateKey, externalIdOf, ownerKey, type Person } from "./case.js";
import { type Creations, creations, settleCreation, withoutList } from "./case-doubts.js";
import type { Client, LookOptions } from "./case-service.js";
import { ifOffered, isNotOffered } from "./lenient.js";

/** Most records of a list that are looked through. */
const mostCorporates = 50_000;
const mostEntities = 5_000;

/** What the service has of a case. */
export interface Found {
	corporateId?: string;
	corporate?: Received;
	/** Ids and records by the keys of the case. */
	ids: Map<string, string>;
	records: Map<string, Received>;
	/** Every related entity listed, also those that the case does not name. */
	related: readonly Received[];
	/** Keys whose creation got no answer before: only in a plan, which settles nothing. */
	doubtful: Set<string>;
	/** Version of the latest terms, where the service names one. */
	latestTerms?: string;
}

/** Looks that several cases of one run share. */
export interface Finder {
	find(of: Case): Promise<Found>;
}

type List = { records: readonly Received[]; complete: boolean };

/**
 * @param settle whether doubts are waited for and settled in the journal; false for a plan, which changes nothing
 */
export function finder(context: Context, client: Client, options: LookOptions, settle: boolean): Finder {
	let listed: Promise<List | undefined> | undefined;
	let terms: Promise<string | undefined> | undefined;
	const list = (fresh: boolean): Promise<List | undefined> => {
		if (fresh || listed === undefined) listed = listCorporateRecords(context, client);
		return listed;
	};
	return {
		find: async (of) => {
			const known = await creations(context);
			const found: Found = { ids: new Map(), records: new Map(), related: [], doubtful: new Set() };
			terms ??= latestTerms(context, client);
			found.latestTerms = await terms;
			const looker = { context, client, options, settle, known, found, of };
			found.corporateId = await findCorporate(looker, list);
			if (found.corporateId === undefined) return found;
			found.ids.set(corporateKey, found.corporateId);
			found.corporate = (await client.call(context, getCorporate, { params: { corporateId: found.corporateId } })).data as Received;
			await findEntities(looker, found.corporateId);
			return found;
		},
	};
}

interface Looker {
	context: Context;
	client: Client;
	options: LookOptions;
	settle: boolean;
	known: Creations;
	found: Found;
	of: Case;
}

async function listCorporateRecords(context: Context, client: Client): Promise<List | undefined> {
	const query = { sortAttribute: "CREATION_DATE", sortDirection: "DESC" } as const;
	return ifOffered(context, "corporates were looked for in the journal only", () =>
		client.everyPage(context, listCorporates, { query }, { limit: mostCorporates }),
	);
}

async function latestTerms(context: Context, client: Client): Promise<string | undefined> {
	const reply = await ifOffered(context, "the latest version of the terms is not known", () =>
		client.call(context, getTerms, { query: {} }),
	);
	return textAt(reply?.data, "version");
}

async function findCorporate(looker: Looker, list: (fresh: boolean) => Promise<List | undefined>): Promise<string | undefined> {
	const { context, options, known, of, found } = looker;
	const { externalId } = of.corporate;
	const made = known.made(createCorporate.id, externalId);
	const doubts = known.doubts(createCorporate.id, externalId);
	const sought = { name: `the corporate ${of.corporate.corporateName}`, externalId, doubts };
	let first = true;
	const look = async (): Promise<string | undefined> => {
		const seen = await list(!first);
		first = false;
		return seen === undefined ? undefined : corporateIn(seen.records, of, options.isNew);
	};
	const seen = await list(false);
	const id = await look();
	if (id === undefined && seen?.complete !== true) return withoutList(sought, made, options.isNew);
	if (doubts.length > 0 && !looker.settle) {
		if (id === undefined) found.doubtful.add(corporateKey);
		return id;
	}
	if (doubts.length > 0) return settleCreation(context, sought, options.settleAfter, look);
	return id ?? (made?.id !== undefined && (await stillThere(looker, () => getOf(looker, made.id as string))) ? made.id : undefined);
}

const getOf = ({ client, context }: Looker, corporateId: string) => client.call(context, getCorporate, { params: { corporateId } });

/** What the journal knows but the list does not show: a list may lag behind, and a record may have been removed. */
async function stillThere(_: Looker, get: () => Promise<unknown>): Promise<boolean> {
	try {
		await get();
		return true;
	} catch (error) {
		if (isNotOffered(error) && error.failure.status === 404) return false;
		throw error;
	}
}

/** @throws PurserError guard, where several have the externalId, or another looks the same */
function corporateIn(records: readonly Received[], { corporate }: Case, isNew: boolean): string | undefined {
	const same = records.filter((record) => viewCorporate(record).externalId === corporate.externalId);
	if (same.length > 1)
		throw severalFound(
			corporate.externalId,
			same.map((record) => viewCorporate(record).id),
		);
	const [one] = same;
	if (one !== undefined) return idOf(viewCorporate(one).id, corporate.externalId);
	const alike = records.find(
		(record) =>
			viewCorporate(record).country === corporate.incorporationCountry &&
			textAt(record, "incorporationCode")?.replace(/\s/g, "") === corporate.incorporationCode.replace(/\s/g, "") &&
			viewCorporate(record).name === corporate.corporateName,
	);
	if (alike === undefined || isNew) return undefined;
	const view = viewCorporate(alike);
	throw new PurserError("guard", {
		code: "LOOKS_THE_SAME",
		message: `Is ${corporate.corporateName} the corporate ${view.id}? It has the same name, country and code, but ${otherId(view.externalId)}`,
		fix: `${view.externalId === undefined ? `If it is, set its externalId: purser corporate update ${view.id} --external-id ${corporate.externalId}` : `If it is, write externalId: ${view.externalId} in the case`}. If it is not, add --new.`,
	});
}

const otherId = (externalId: string | undefined): string => (externalId === undefined ? "no externalId" : `the externalId ${externalId}`);

function idOf(id: string | undefined, externalId: string): string {
	if (id !== undefined) return id;
	throw new PurserError("bug", {
		code: "RECORD_WITHOUT_ID",
		message: `The service lists ${externalId} without an id`,
		fix: "Look at its answer with `purser corporate list --json`; a renamed field is set with `purser api set corporate.list`.",
	});
}

function severalFound(externalId: string, ids: readonly (string | undefined)[]): PurserError {
	return new PurserError("guard", {
		code: "SEVERAL_FOUND",
		message: `${ids.length} records have the externalId ${externalId}: ${ids.join(", ")}. Nothing was sent`,
		fix: "Decide which one is right, and give the others another externalId: purser corporate update ID --external-id …, purser related update ID --external-id …",
	});
}

async function findEntities(looker: Looker, corporateId: string): Promise<void> {
	const { context, client, of, found, options, known } = looker;
	const read = () =>
		ifOffered(context, "related entities were looked for in the journal only", () =>
			client.everyPage(context, listRelated, { params: { corporateId } }, { limit: mostEntities }),
		);
	let listed = await read();
	found.related = listed?.records ?? [];
	await findOwner(looker, found.related);
	for (const entity of [...of.companies, ...of.persons]) {
		const externalId = externalIdOf(of, entity);
		const made = known.made(createRelated.id, externalId, corporateId);
		const doubts = known.doubts(createRelated.id, externalId, corporateId);
		const sought = { name: nameOf(entity), externalId, doubts };
		let first = true;
		const look = async (): Promise<string | undefined> => {
			if (!first) listed = await read();
			first = false;
			found.related = listed?.records ?? [];
			return entityIn(found.related, entity, externalId, options.isNew);
		};
		let id = await look();
		if (id === undefined && listed?.complete !== true) id = withoutList(sought, made, options.isNew);
		else if (doubts.length > 0 && looker.settle) id = await settleCreation(context, sought, options.settleAfter, look);
		else if (doubts.length > 0 && id === undefined) found.doubtful.add(entity.key);
		else if (id === undefined && made?.id !== undefined && (await stillThere(looker, () => getEntity(looker, made.id as string))))
			id = made.id;
		if (id === undefined) continue;
		found.ids.set(entity.key, id);
		const record = found.related.find((one) => viewRelated(one).id === id) ?? ((await getEntity(looker, id)).data as Received);
		found.records.set(entity.key, record);
	}
}

const getEntity = ({ client, context }: Looker, corporateRelatedId: string) =>
	client.call(context, getRelated, { params: { corporateRelatedId } });

async function findOwner(looker: Looker, related: readonly Received[]): Promise<void> {
	const { found, of } = looker;
	const { firstName, lastName } = of.accountOwner;
	const told = textAt(found.corporate, "accountOwnerId");
	const record =
		related.find((one) => viewRelated(one).id === told && told !== undefined) ??
		related.find((one) => viewRelated(one).isAccountOwner === true) ??
		related.find((one) => viewRelated(one).name === `${firstName} ${lastName}` && viewRelated(one).isAccountOwner !== false);
	const id = (record && viewRelated(record).id) ?? told;
	if (id === undefined) return;
	found.ids.set(ownerKey, id);
	found.records.set(ownerKey, record ?? ((await getEntity(looker, id)).data as Received));
}

/** The name of a person or company of a case. */
export function nameOf(entity: Person | Company | Case["accountOwner"]): string {
	return "corporateName" in entity ? entity.corporateName : `${entity.firstName} ${entity.lastName}`;
}

function entityIn(records: readonly Received[], entity: Person | Company, externalId: string, isNew: boolean): string | undefined {
	const same = records.filter((record) => viewRelated(record).externalId === externalId);
	if (same.length > 1)
		throw severalFound(
			externalId,
			same.map((record) => viewRelated(record).id),
		);
	const [one] = same;
	if (one !== undefined) return idOf(viewRelated(one).id, externalId);
	const email = "emailAddress" in entity ? entity.emailAddress : undefined;
	const alike = records
		.map(viewRelated)
		.find((view) => view.isAccountOwner !== true && fold(view.name) === fold(nameOf(entity)) && fold(view.email) === fold(email));
	if (alike === undefined || isNew) return undefined;
	// A deployment that keeps no externalId of related entities leaves the name and the email to go by.
	if (alike.externalId === undefined) return alike.id;
	throw new PurserError("guard", {
		code: "LOOKS_THE_SAME",
		message: `Is ${nameOf(entity)} the related entity ${alike.id}? It has the same name and email, but ${otherId(alike.externalId)}`,
		fix: `If it is, write externalId: ${alike.externalId} at ${entity.key} in the case. If it is not, add --new.`,
	});
}

const fold = (text: string | undefined): string => (text ?? "").normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();
