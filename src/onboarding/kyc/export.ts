/**
 * KYC links as a table for a mail merge.
 */
import { csvLine } from "../../disk/csv-line.js";
import type { LinkRow } from "./links.js";

/** Kinds of KYC in the words of the table. */
const needs = { full: "documents and liveness", documents: "documents", none: "" } as const;

/** Only links that were obtained: comma separated, every cell quoted, with the byte order mark by which office programs recognise UTF-8. */
export function linksCsv(links: readonly LinkRow[]): string {
	const rows = links
		.filter(({ url }) => url !== undefined)
		.map(({ name, email, url, expiresAt, need, relatedPhysicalPersonId }) => [
			name,
			email ?? "",
			url ?? "",
			expiresAt ?? "",
			needs[need],
			relatedPhysicalPersonId,
		]);
	const head = ["name", "email", "link", "valid_until", "kyc", "related_id"];
	return `\ufeff${[head, ...rows].map((cells) => csvLine(cells.map(flatten), { separator: ",", safe: true, quoteAll: true })).join("")}`;
}

/** Text on one line, for a letter: control characters become spaces. */
function flatten(text: string): string {
	return text.replace(/[\p{Cc}\u2028\u2029]/gu, " ");
}
