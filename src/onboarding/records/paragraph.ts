import type { Style } from "../../ports/style.js";

/**
 * A text wrapped at the terminal's width, each line with the same indentation.
 * @param first replaces the indentation of the first line
 */
export function paragraph(text: string, indent: number, style: Pick<Style, "columns" | "wrapped">, first = " ".repeat(indent)): string[] {
	const lines = style.wrapped(text, Math.max(20, style.columns - indent));
	return lines.map((part, at) => `${at === 0 ? first : " ".repeat(indent)}${part}`);
}
