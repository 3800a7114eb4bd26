import { textAt } from "../api/answer.js";
import { listCorporates, viewCorporate } from "../api/operations/corporate.js";
import { listRelated, rolesOf, viewRelated } from "../api/operations/related.js";
import { type IdForms, isIdOf } from "../api/text/ids.js";
import type { Candidate, Findings } from "../ports/resolver.js";
import { candidateOf, type EntriesOf, entry, type List, type Listing, similarTo, waysOf } from "./entries.js";

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

const maxFitting = 10;

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
