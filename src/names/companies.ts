/**
 * Companies and persons as the resolver reads them. They are described at length and a payment names neither, so they are loaded when asked for.
 */
import { textAt } from "../api/answer.js";
import { listCorporates, viewCorporate } from "../api/operations/corporate.js";
import { listRelated, rolesOf, viewRelated } from "../api/operations/related.js";
import { type EntriesOf, entry } from "./entries.js";
import type { Listing } from "./list.js";

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
