import type { Style } from "../../ports/style.js";

/**
 * A sentence broken between words where the terminal ends, each line with the same indentation.
 * @param first stands before the first line in the place of its indentation
 */
export function paragraph(text: string, indent: number, style: Pick<Style, "columns" | "wrapped">, first = " ".repeat(indent)): string[] {
	const lines = style.wrapped(text, Math.max(20, style.columns - indent));
	return lines.map((part, at) => `${at === 0 ? first : " ".repeat(indent)}${part}`);
}
