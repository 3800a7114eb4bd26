/**
 * Separated values, written so that a spreadsheet program shows what stands there and calculates nothing.
 */
import type { Separator } from "./csv.js";

export interface CsvStyle {
	separator: Separator;
	/** A cell that a spreadsheet would take for a formula gets an apostrophe in front. Off: lossless, for programs. */
	safe: boolean;
}

/** One record with its line's end. */
export function csvLine(cells: readonly (string | undefined)[], { separator, safe }: CsvStyle): string {
	return `${cells.map((cell) => quoted(safe ? harmless(cell ?? "") : (cell ?? ""), separator)).join(separator)}\r\n`;
}

function harmless(cell: string): string {
	return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string, separator: Separator): string {
	return cell.includes('"') || cell.includes(separator) || /[\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
