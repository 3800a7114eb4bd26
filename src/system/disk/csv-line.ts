/**
 * CSV as it is written everywhere: RFC 4180, and by default so that a spreadsheet program shows what stands there and calculates nothing.
 * A signed number such as `-5.00` counts as a formula too. Amounts in columns of ours have no sign, so they always stay numbers, and what a
 * payment may hold has no sign of a formula, so reports are read back as they were.
 */
export type Separator = "," | ";" | "\t";

export interface CsvStyle {
	separator: Separator;
	/** A cell that a spreadsheet would take for a formula gets an apostrophe in front. Off: lossless, for programs. */
	safe: boolean;
	/** Every cell stands in quotes, for readers that know no other form. */
	quoteAll?: boolean;
}

/**
 * How a formula begins: with a sign, in any of the widths that programs take for it, or with the minus of mathematics. Before it programs
 * leave out what is not seen: blanks of every kind, control characters, marks of order and of joining.
 */
const unseen = String.raw`\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800`;
const sign = String.raw`=+\-@\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u2212`;

/**
 * Where an apostrophe belongs: before a formula, and before a tab or a line's end at the beginning of a cell, which are harmful by
 * themselves. A program that takes another separator than ours for one begins a cell behind that too, and at the end of a line. No
 * character is passed over twice, so a long cell takes no longer than its length.
 */
const within = `(?:(?![\\t\\r\\n])[${unseen}])*[${sign}]`;
const harmful = new RegExp(`^(?=[\\t\\r\\n]|[${unseen}]*[${sign}])|(?<=[,;\\t\\r\\n])(?=${within})`, "gu");

/** Nearly every cell: nothing in it can begin a formula. */
const harmless = /^(?:[A-Za-z0-9][^,;\t\r\n]*)?$/;

/** A cell that no spreadsheet program calculates. */
export const calculatedNowhere = (cell: string): string => (harmless.test(cell) ? cell : cell.replace(harmful, "'"));

/** One record with its line's end. */
export function csvLine(cells: readonly (string | undefined)[], { separator, safe, quoteAll = false }: CsvStyle): string {
	const needsQuotes = (cell: string): boolean => quoteAll || /["\r\n]|^\s|\s$/.test(cell) || cell.includes(separator);
	const texts = cells.map((cell = "") => (safe ? calculatedNowhere(cell) : cell));
	return `${texts.map((text) => (needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(separator)}\r\n`;
}
