/** Bounds of the texts of a sheet, so that a file with long texts gives no large page. */

/** Most characters of a name, an id or a reference. */
const mostText = 60;

/** A text that fits a cell; an ellipsis stands for what was cut. */
export function short(text: string, most = mostText): string {
	if (text.length <= most) return text;
	// Not within a pair of surrogates.
	const end = /[\ud800-\udbff]/.test(text[most - 1] ?? "") ? most - 1 : most;
	return `${text.slice(0, end)}…`;
}
