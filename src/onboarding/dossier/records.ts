/**
 * What a bundle of evidence says of a company and its people, masked where the bundle is.
 */
import { listAt, type Received } from "../../api/answer.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { listRelated, viewRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";
import type { Bundle } from "../evidence/bundle.js";

/** The answers of a bundle as records. */
export interface BundledRecords {
	corporate: Received;
	/** Undefined where the service did not list them. */
	related: readonly Received[] | undefined;
	/** Whether the service listed only a part of them. */
	partial: boolean;
}

export function recordsOf({ answers, masked }: Pick<Bundle, "answers" | "masked">): BundledRecords {
	const corporate = answers.find(({ operation }) => operation === getCorporate.id)?.data;
	const listed = answers.find(({ operation }) => operation === listRelated.id);
	const related = listed && listAt(listed.data);
	return {
		corporate: isRecord(corporate) ? corporate : {},
		related: masked ? related?.map(numbered) : related,
		partial: listed?.partial === true,
	};
}

/** Persons whose names are masked are told apart by their place in the list, `Person 2`; companies keep their names. */
function numbered(record: Received, place: number): Received {
	const { isCompany } = viewRelated(record);
	if (isCompany || record.type === "COMPANY") return record;
	return { ...record, firstName: "Person", lastName: String(place + 1) };
}
