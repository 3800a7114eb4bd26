/**
 * Suggestions for mistyped names.
 */

/**
 * The name with the least edits, capitals aside, where these are few enough.
 * @param letters of the word for each edit that is allowed; one edit always is
 */
export function suggestionFor(word: string, names: readonly string[], letters = 3): string | undefined {
	const lower = word.toLowerCase();
	const scored = names.map((name) => ({ name, distance: edits(lower, name.toLowerCase()) }));
	const best = scored.sort((one, other) => one.distance - other.distance)[0];
	return best && best.distance <= Math.max(1, Math.floor(word.length / letters)) ? best.name : undefined;
}

/** Levenshtein distance, with a neighbouring swap as one edit. */
function edits(from: string, to: string): number {
	const rows: number[][] = [[...Array(to.length + 1).keys()]];
	for (let i = 1; i <= from.length; i += 1) {
		const row = [i];
		const above = rows[i - 1] as number[];
		for (let j = 1; j <= to.length; j += 1) {
			const same = from[i - 1] === to[j - 1];
			let best = Math.min((above[j] as number) + 1, (row[j - 1] as number) + 1, (above[j - 1] as number) + (same ? 0 : 1));
			if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
				best = Math.min(best, ((rows[i - 2] as number[])[j - 2] as number) + 1);
			row.push(best);
		}
		rows.push(row);
	}
	return (rows[from.length] as number[])[to.length] as number;
}

/** What was typed, cut to what fits in a message. */
export function shortened(typed: string): string {
	return typed.length > 120 ? `${typed.slice(0, 120)}…` : typed;
}
