/**
 * Finds the record that a person means by an id's beginning, an externalId, a name or an email. The service's
 * lists alone decide; nothing stored on this machine does.
 */

import { sameId } from "../api/answer.js";
import { nameKey } from "../api/names.js";
import type { AnyOperation } from "../api/operation.js";
import { listBeneficiaries } from "../api/operations/beneficiary.js";
import { listLedgers } from "../api/operations/ledger.js";
import { getTransaction, listTransactions } from "../api/operations/transaction.js";
import { type IdForms, isIdOf, mayStartId, plainId } from "../api/text/ids.js";
import { isNotOffered, notOfferedBy, PurserError } from "../errors.js";
import type { BatchRecord } from "../ports/batches.js";
import type { Called, Findings, NameOf, RecordKind, Resolver, Scope, SeenName } from "../ports/resolver.js";
import type { Listed, Service } from "../ports/service.js";
import type { Choice } from "../ports/terminal.js";
import { candidateOf, type Entry, entriesOf, type List, type Listing, labelOf, nothing, similarTo, waysOf } from "./entries.js";

const maxSearched = 10_000;
const maxBatches = 500;
/** Bounds of reading names to show: people do without them rather than wait. In milliseconds, requests, records of a list, single records. */
const forNames = { patience: 3_000, requests: 5, listed: 500, single: 16 };

type ListedKind = Exclude<RecordKind, "batch" | "related">;

/** @param corporateId of the company whose persons are meant */
async function listingOf(kind: Entry["kind"], corporateId?: string): Promise<Listing> {
	if (kind === "ledger") return { operation: listLedgers, input: {}, entries: entriesOf.ledger };
	if (kind === "beneficiary") return { operation: listBeneficiaries, input: {}, entries: entriesOf.beneficiary };
	if (kind === "transaction")
		return { operation: listTransactions, input: { query: { sortDirection: "DESC" } }, entries: entriesOf.transaction };
	const { companies, personsOf } = await import("./persons.js");
	return kind === "related" ? personsOf(corporateId) : companies;
}

interface Sources {
	service: Pick<Service, "list" | "offer">;
	batches(): Promise<readonly BatchRecord[]>;
	ids?: IdForms;
	seen(): Promise<readonly SeenName[]>;
	/** Reads what need not succeed, for so many milliseconds at most. */
	soon(milliseconds: number, reads: readonly Read[]): Promise<void>;
}

/** Reads each thing once. */
function remembered<T>() {
	const known = new Map<string, Promise<T>>();
	return (key: string, read: () => Promise<T>): Promise<T> => {
		const found = known.get(key) ?? read();
		known.set(key, found);
		return found;
	};
}

export function makeResolver(sources: Sources): Resolver {
	// A command that asks the service nothing has no client, and still shows names.
	const { batches, ids = {}, seen, soon } = sources;
	const once = remembered<List>();
	const records = remembered<Listed>();
	const recordsOf = ({ operation, input }: Listing): Promise<Listed> =>
		records(`${operation.id} ${JSON.stringify(input)}`, () => sources.service.list(operation, input, maxSearched));
	const readList = async (kind: Entry["kind"], corporateId?: string): Promise<List> => {
		const listing = await listingOf(kind, corporateId);
		return listed(listing.entries, () => recordsOf(listing));
	};
	const listOf = (kind: ListedKind): Promise<List> => once(kind, () => readList(kind));
	const relatedOf = (corporateId: string): Promise<List> => once(`related ${corporateId}`, () => readList("related", corporateId));

	async function inCompany(text: string): Promise<Findings> {
		const { partsOf, personsIn } = await import("./persons.js");
		const parts = partsOf(text);
		const companies = parts.some(([company]) => !isIdOf("corporate", company, ids)) ? await listOf("corporate") : nothing;
		return personsIn(text, parts, { companies, relatedOf, ids });
	}

	async function findPerson(text: string, { corporateId }: Scope): Promise<Findings> {
		if (corporateId !== undefined) return findingsOf("related", text, await relatedOf(corporateId), ids);
		return text.includes("/") ? inCompany(text) : { candidates: [], whole: true, similar: [], needsCompany: true };
	}

	/** What was asked for once in this run: an answer that did not tell it does not tell it a moment later. */
	const asked = new Set<string>();

	async function names(wanted: readonly Called[]): Promise<NameOf> {
		const unnamed = async (): Promise<Called[]> =>
			calledBy(await seen())
				.unnamed(wanted)
				.filter((one) => !asked.has(one.join(" ")));
		const missing = await unnamed();
		if (missing.length > 0) await soon(forNames.patience, readsOf(missing));
		// Whose a ledger is, is known once it is read.
		for (const one of missing) asked.add(one.join(" "));
		const companies = missing.some(([kind]) => kind === "corporate") ? [] : (await unnamed()).filter(([kind]) => kind === "corporate");
		for (const one of companies) asked.add(one.join(" "));
		if (companies.length > 0) await soon(forNames.patience, readsOf(companies));
		return calledBy(await seen()).nameOf;
	}

	/** The payees that belong to the ledger's company; none where the service does not say whose they are. */
	async function ownPayees(kind: ListedKind, entries: Entry[], ledgerId: string | undefined): Promise<Entry[]> {
		if (kind !== "beneficiary" || ledgerId === undefined) return [];
		const company = (await listOf("ledger")).entries.find(({ id }) => sameId(id, ledgerId))?.of;
		return entries.filter(({ of }) => sameId(of, company));
	}

	/** Ledgers by the name that they are shown by too: `Main account of Example Bakery SAS`. */
	const ledgersOfCompanies = (): Promise<List> =>
		once("ledgers of companies", async () => {
			const [ledgers, companies] = [await listOf("ledger"), await listOf("corporate")];
			const entries = ledgers.entries.map((one) => {
				const company = companies.entries.find(({ id }) => sameId(id, one.of))?.names[0];
				return company === undefined ? one : { ...one, names: [...one.names, ...one.names.map((name) => `${name} of ${company}`)] };
			});
			return { ...ledgers, entries, whole: ledgers.whole && companies.whole };
		});

	async function withCompanies(entries: Entry[]): Promise<Entry[]> {
		if (!entries.some(({ of }) => of !== undefined)) return entries;
		const nameOf = await names(entries.map(({ of }) => ["corporate", of] as const));
		return entries.map((one) => ({ ...one, label: labelOf(one, nameOf("corporate", one.of)) }));
	}

	return {
		names,
		records: async (kind) => (await recordsOf(await listingOf(kind))).records,
		async find(kind, text, scope) {
			if (kind === "related") return findPerson(text, scope);
			if (kind === "batch") return { candidates: [], whole: true, similar: [] };
			const list = await listOf(kind);
			// An id, or the start of one, may be meant too: then each record is looked at.
			const typed = text.trim();
			const near = isIdOf(kind, typed, ids) || mayStartId(kind, typed, ids) ? list.entries : (keyed(list).get(nameKey(text)) ?? []);
			const fitting = near.filter((one) => waysOf(text, one, ids).length > 0);
			if (fitting.length === 0 && kind === "ledger" && text.includes(" of "))
				return findingsOf(kind, text, await ledgersOfCompanies(), ids);
			if (fitting.length < 2) return findingsOf(kind, text, fitting.length === 0 ? list : { ...list, entries: fitting }, ids);
			const own = await ownPayees(kind, fitting, scope.ledgerId);
			const meant = own.length === 1 ? own : await withCompanies(own.length > 1 ? own : fitting);
			return findingsOf(kind, text, { ...list, entries: meant }, ids);
		},
		async offer(kind, { corporateId, payable, ledgerId }) {
			if (kind === "batch")
				return (await batches()).slice(0, maxBatches).map(({ batch, state, plan }): Choice => {
					const source = plan.source === "-" ? "standard input" : plan.source;
					return { value: batch, label: `Batch ${batch} · ${state} · ${plan.count} rows · ${plan.planned.slice(0, 10)} · ${source}` };
				});
			if (kind === "related" && corporateId === undefined) return [];
			const listing = await listingOf(kind, corporateId);
			const read = await offered(async () => listing.entries(await sources.service.offer<AnyOperation>(listing.operation, listing.input)));
			const own = kind === "related" ? [] : await offered(() => ownPayees(kind, read, ledgerId));
			const entries = own.length > 0 ? own : await withCompanies(read);
			if (kind === "ledger" && payable === true) return entries.filter(({ inactive }) => !inactive).map(choiceOf);
			// Payees that can be paid come first; the others may be looked at.
			const later = ({ inactive }: Entry): number => (kind === "beneficiary" && inactive ? 1 : 0);
			return entries.sort((one, other) => later(one) - later(other)).map(choiceOf);
		},
	};
}

type Read = (service: Pick<Service, "get" | "list">) => Promise<unknown>;

/** The requests that tell these names: a list of each kind, and the single record where a list says nothing. */
function readsOf(missing: readonly Called[]): Read[] {
	const kinds = new Set(missing.map(([kind]) => kind));
	const lists = (["ledger", "beneficiary", "corporate"] as const).filter((kind) => kinds.has(kind));
	const single = missing.filter(([kind]) => kind === "related" || kind === "transaction");
	return [
		...lists.map(
			(kind): Read =>
				async (service) => {
					const { operation, input } = await listingOf(kind);
					return service.list<AnyOperation>(operation, input, forNames.listed, forNames.requests);
				},
		),
		...single.slice(0, forNames.single).map(
			([kind, id]): Read =>
				async (service) => {
					if (kind === "transaction") return service.get(getTransaction, { params: { transactionId: id as string } });
					const { getRelated } = await import("../api/operations/related.js");
					return service.get(getRelated, { params: { corporateRelatedId: id as string } });
				},
		),
	];
}

/** Whatever is wrong with the list, the id can still be typed; only a missing login and Ctrl-C end it. */
async function offered(read: () => Promise<Entry[]>): Promise<Entry[]> {
	try {
		return await read();
	} catch (cause) {
		if (!(cause instanceof PurserError) || cause.kind === "interrupted" || (cause.kind === "auth" && cause.failure.status !== 403))
			throw cause;
		return [];
	}
}

async function listed(entries: Listing["entries"], read: () => Promise<Listed>): Promise<List> {
	try {
		const { records, complete } = await read();
		return { entries: entries(records), whole: complete };
	} catch (cause) {
		if (!isNotOffered(cause)) throw cause;
		return { entries: [], whole: false, unlisted: notOfferedBy(cause) };
	}
}

const keys = new WeakMap<List, Map<string, Entry[]>>();

function keyed(list: List): Map<string, Entry[]> {
	const known = keys.get(list);
	if (known !== undefined) return known;
	const made = new Map<string, Entry[]>();
	for (const entry of list.entries)
		for (const key of new Set([...entry.names, entry.externalId, entry.email].map(nameKey))) {
			const same = made.get(key) ?? [];
			same.push(entry);
			made.set(key, same);
		}
	keys.set(list, made);
	return made;
}

function findingsOf(kind: Entry["kind"], text: string, { entries, whole, unlisted }: List, ids: IdForms): Findings {
	const candidates = entries.flatMap((entry) => {
		const by = waysOf(text, entry, ids);
		return by.length > 0 ? [candidateOf(entry, by)] : [];
	});
	return {
		candidates,
		whole,
		similar: candidates.length > 0 ? [] : similarTo(text, entries),
		unlisted: unlisted === undefined ? undefined : { kind, by: unlisted },
	};
}

const choiceOf = ({ id, label }: Entry): Choice => ({ value: id, label, hint: id });

const placeOf = (kind: SeenName["kind"], id: string): string => `${kind} ${plainId(id)}`;

/** @param seen the latest last */
export function calledBy(seen: readonly SeenName[]): { nameOf: NameOf; unnamed(wanted: readonly Called[]): Called[] } {
	const known = new Map<string, SeenName>();
	for (const one of seen) known.set(placeOf(one.kind, one.id), { ...known.get(placeOf(one.kind, one.id)), ...one });
	const companyOf = ({ of }: SeenName): string | undefined => (of === undefined ? undefined : known.get(placeOf("corporate", of))?.name);
	const counts = new Map<string, number>();
	for (const one of known.values())
		for (const text of new Set([one.name, textOf(one, companyOf(one))])) {
			const place = `${one.kind} ${text}`;
			counts.set(place, (counts.get(place) ?? 0) + 1);
		}
	return {
		nameOf: (kind, id) => {
			const one = id === undefined ? undefined : known.get(placeOf(kind, id));
			if (one === undefined) return undefined;
			const isAlone = (text: string): boolean => text !== "" && counts.get(`${kind} ${text}`) === 1;
			// Most payees need no more than their name.
			if (kind === "beneficiary" && isAlone(one.name)) return one.name;
			const text = textOf(one, companyOf(one));
			return isAlone(text) || (text !== "" && kind !== "ledger" && kind !== "beneficiary") ? text : undefined;
		},
		unnamed: (wanted) => {
			const found = wanted.flatMap(([kind, id]): Called[] => {
				const one = id === undefined ? undefined : known.get(placeOf(kind, id));
				const isOwnerUnknown = one?.of !== undefined && !known.has(placeOf("corporate", one.of));
				return [
					...(one?.name || id === undefined ? [] : [[kind, id] as const]),
					...(isOwnerUnknown ? [["corporate", one.of] as const] : []),
				];
			});
			return [...new Map(found.map((one) => [one.join(" "), one])).values()];
		},
	};
}

function textOf({ kind, name }: SeenName, company: string | undefined): string {
	if (company === undefined || kind === "corporate" || kind === "transaction") return name;
	if (kind === "related") return name === "" ? `a person of ${company}` : `${name}, ${company}`;
	if (name === "") return "";
	return kind === "ledger" ? `${name} of ${company}` : `${name} (payee of ${company})`;
}
