/**
 * CSV as it is written everywhere: RFC 4180, and by default so that a spreadsheet program shows what stands there and calculates nothing.
 */
export type Separator = "," | ";" | "\t";

export interface CsvStyle {
	separator: Separator;
	/** A cell that a spreadsheet would take for a formula gets an apostrophe in front. Off: lossless, for programs. */
	safe: boolean;
	/** Every cell stands in quotes, for readers that know no other form. */
	quoteAll?: boolean;
}

/** Spreadsheet programs leave out blanks and what cannot be seen before a formula, and some take the full-width signs for the others. */
const formula = /^(?:[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r\n])/u;

/** One record with its line's end. */
export function csvLine(cells: readonly (string | undefined)[], { separator, safe, quoteAll = false }: CsvStyle): string {
	const needsQuotes = (cell: string): boolean => quoteAll || /["\r\n]|^\s|\s$/.test(cell) || cell.includes(separator);
	const texts = cells.map((cell = "") => (safe && formula.test(cell) ? `'${cell}` : cell));
	return `${texts.map((text) => (needsQuotes(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(separator)}\r\n`;
}
