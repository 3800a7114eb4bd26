/**
 * KYC links as a table for a mail merge.
 */
import type { LinkRow } from "./links.js";

/** Kinds of KYC in the words of the table. */
const needs = { full: "documents and liveness", documents: "documents", none: "" } as const;

/** Only links that were obtained: comma separated, CRLF, every cell quoted (RFC 4180), with the mark by which office programs know UTF-8. */
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
	return `\ufeff${[head, ...rows].map((cells) => `${cells.map(cell).join(",")}\r\n`).join("")}`;
}

/**
 * A cell that no spreadsheet takes for a formula: one that begins like one, white space before it left out of account, gets an
 * apostrophe in front. Control characters become spaces.
 */
function cell(text: string): string {
	// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
	const flat = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ");
	const formula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(flat) || /^[\t\r\n]/.test(text);
	return `"${(formula ? `'${flat}` : flat).replaceAll('"', '""')}"`;
}
