/**
 * A person named with a company, or looked for in every open company.
 */
import { type Received, textAt } from "../api/answer.js";
import { listCorporates, viewCorporate } from "../api/operations/corporate.js";
import { listRelated, rolesOf, viewRelated } from "../api/operations/related.js";
import { type IdForms, isIdOf } from "../api/text/ids.js";
import { decidedKybStatuses } from "../api/values.js";
import { isNotOffered, notOfferedBy } from "../errors.js";
import type { Candidate, Findings } from "../ports/resolver.js";
import type { ListPage, Reading } from "../ports/service.js";
import { candidateOf, type EntriesOf, type Entry, entry, type List, type Listing } from "./entries.js";
import { similarTo, waysOf } from "./matching.js";

export const companyEntriesOf: EntriesOf<"corporate" | "related"> = {
	corporate: (records) =>
		records.flatMap((record) => {
			const { id, name, externalId, kybStatus } = viewCorporate(record);
			const names = [name, textAt(record, "tradeName")];
			return entry("corporate", id, names, [externalId, kybStatus], { externalId, status: kybStatus });
		}),
	related: (records) =>
		records.flatMap((record) => {
			const { id, name, externalId, email, isCompany, kycStatus } = viewRelated(record);
			const status = isCompany ? undefined : kycStatus && `KYC ${kycStatus}`;
			return entry("related", id, [name], [rolesOf(record), status], { externalId, email, status });
		}),
};

export const companies: Listing = {
	operation: listCorporates,
	input: { query: { sortAttribute: "UPDATE_DATE", sortDirection: "DESC" } },
	entries: companyEntriesOf.corporate,
};

export const personsOf = (corporateId: string | undefined): Listing => ({
	operation: listRelated,
	input: { params: { corporateId } },
	entries: companyEntriesOf.related,
});

type Parts = readonly (readonly [company: string, person: string])[];

/** COMPANY/PERSON, parted at each "/": a name or an externalId may hold one of its own. At most ten ways. */
export function partsOf(text: string): Parts {
	const borders = [...text.matchAll(/\//g)].map(({ index }) => index).slice(0, 10);
	const parts = borders.map((at) => [text.slice(0, at).trim(), text.slice(at + 1).trim()] as const);
	return parts.filter(([company, person]) => company !== "" && person !== "");
}

/** Maximum number of companies that the first part may fit. */
const maxFitting = 10;

/** The persons that fit in the companies that fit. */
export async function personsIn(
	text: string,
	parts: Parts,
	{ companies, relatedOf, ids }: { companies: List; relatedOf(corporateId: string): Promise<List>; ids: IdForms },
): Promise<Findings> {
	const fitting = parts.flatMap(([company, person]) => companiesOf(company, companies, ids).map((one) => ({ ...one, company, person })));
	const found = new Map<string, Candidate>();
	const similar = parts.flatMap(([company]) => (fitting.length > 0 ? [] : similarTo(company, companies.entries)));
	const lists: List[] = [companies];
	for (const { id, name, company, person } of fitting.slice(0, maxFitting)) {
		const related = await relatedOf(id);
		lists.push(related);
		for (const entry of related.entries) {
			// The externalId of a person may be made of the company's, a "/" and more.
			const by = [...waysOf(person, entry, ids), ...waysOf(text, entry, ids).filter((way) => way === "externalId")];
			if (by.length > 0) found.set(entry.id, candidateOf(entry, [...new Set(by)], name));
		}
		similar.push(...similarTo(person, related.entries).map((one) => `${company}/${one}`));
	}
	const without = lists.findIndex(({ unlisted }) => unlisted !== undefined);
	const by = lists[without]?.unlisted;
	return {
		candidates: [...found.values()],
		whole: lists.every(({ whole }) => whole) && fitting.length <= maxFitting,
		similar: [...new Set(similar)].slice(0, 3),
		...(found.size === 0 && by !== undefined && { unlisted: { kind: without === 0 ? "corporate" : "related", by } }),
	};
}

function companiesOf(text: string, { entries }: List, ids: IdForms): { id: string; name?: string }[] {
	if (isIdOf("corporate", text, ids)) return [{ id: text }];
	return entries.filter((one) => waysOf(text, one, ids).length > 0).map(({ id, names: [name] }) => ({ id, name }));
}

/** Maximum number of requests of one search, and how many of them may be pages of the list of companies. */
export const maxRequests = 100;
const maxCompanyPages = 20;
/** Requests under way at once. */
const atOnce = 8;

/**
 * Looks through the companies changed last, one request each after those that list the companies.
 * @throws PurserError as the service does, unless it has no such list
 */
export async function everybody({ page }: Pick<Reading, "page">, text: string, ids: IdForms): Promise<Findings> {
	let requests = 0;
	const ask = (...asked: Parameters<typeof page>): Promise<ListPage> => {
		requests += 1;
		return page(...asked);
	};
	const companies: { id: string; name?: string }[] = [];
	let whole = false;
	try {
		const read: Received[] = [];
		for (let at = 0; at < maxCompanyPages && !whole; at += 1) {
			const answer = await ask(listCorporates, { sortAttribute: "UPDATE_DATE", sortDirection: "DESC" }, at);
			for (const record of answer.found) read.push(record);
			whole = isLast(answer, read.length);
		}
		const known = new Set<string>();
		for (const { id, name, kybStatus } of read.map(viewCorporate)) {
			if (id === undefined || known.has(id) || decidedKybStatuses.includes(kybStatus ?? "")) continue;
			known.add(id);
			companies.push({ id, name });
		}
		const reached = companies.slice(0, maxRequests - requests);
		const bounded = reached.length < companies.length || !whole;
		const found = new Map<string, Candidate>();
		const seen: Entry[] = [];
		for (let at = 0; at < reached.length; at += atOnce)
			await Promise.all(
				reached.slice(at, at + atOnce).map(async ({ id, name }) => {
					const answer = await ask(listRelated, {}, 0, { corporateId: id });
					whole &&= isLast(answer, answer.found.length);
					for (const entry of companyEntriesOf.related(answer.found)) {
						seen.push(entry);
						const by = waysOf(text, entry, ids);
						if (by.length > 0) found.set(entry.id, candidateOf(entry, by, name));
					}
				}),
			);
		const candidates = [...found.values()];
		return {
			candidates,
			whole: whole && !bounded,
			similar: candidates.length > 0 ? [] : similarTo(text, seen),
			...(bounded ? { bounded: requests } : {}),
		};
	} catch (cause) {
		if (!isNotOffered(cause)) throw cause;
		const kind = companies.length > 0 ? "related" : "corporate";
		return { candidates: [], whole: false, similar: [], unlisted: { kind, by: notOfferedBy(cause) } };
	}
}

/** Whether nothing comes after this page: all that was announced is there, or the page is empty. A short page may be of the service's own size. */
const isLast = ({ found, whole, total }: ListPage, read: number): boolean =>
	whole && (found.length === 0 || (total !== undefined && total <= read));
