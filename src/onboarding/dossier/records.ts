/**
 * What a bundle of evidence says of a company and its people, masked where the bundle is.
 */
import { listAt, type Received } from "../../api/answer.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { isRecord } from "../../api/schema.js";
import type { Bundle } from "../evidence/bundle.js";
import { numbered } from "../evidence/mask.js";

/** The answers of a bundle as records. */
export interface BundledRecords {
	corporate: Received;
	/** Undefined where the service did not list them. */
	related: readonly Received[] | undefined;
	/** Whether the service listed only a part of them. */
	partial: boolean;
}

/** Persons whose names are masked are told apart by numbers. */
export function recordsOf({ answers, masked }: Pick<Bundle, "answers" | "masked">): BundledRecords {
	const corporate = answers.find(({ operation }) => operation === getCorporate.id)?.data;
	const listed = answers.find(({ operation }) => operation === listRelated.id);
	const related = listed && listAt(listed.data);
	return {
		corporate: isRecord(corporate) ? corporate : {},
		related: masked ? related && numbered(related) : related,
		partial: listed?.partial === true,
	};
}
