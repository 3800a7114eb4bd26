/**
 * A search over the operations of a document, for the person who completes a mapping.
 */
import type { TheirDocument, TheirField, TheirOperation } from "./document.js";
import { wordsOf } from "./words.js";

export interface Found extends Pick<TheirOperation, "method" | "path" | "summary"> {
	/** Places of the request as a mapping names them, `!` behind those that are required, and closed lists in brackets. */
	request: readonly string[];
	/** Pointers of the answer. */
	answer: readonly string[];
	/** The more of the words it has, and the nearer to its name, the higher. */
	score: number;
}

const compact = (at: string, { values = [] }: TheirField): string =>
	`${at}${values.length > 0 ? ` (${values.slice(0, 12).join("|")})` : ""}`;

/** The operations that speak of the words, the best first; without a word all of them. */
export function findOperations({ operations }: TheirDocument, words: readonly string[]): Found[] {
	const wanted = words.flatMap(wordsOf);
	const found = operations.map((one) => {
		const request = one.request
			.filter(({ at }) => at !== "")
			.map((place) => compact(`${place.place} ${place.at}${place.required ? "!" : ""}`, place));
		const answer = one.answer.filter(({ pointer }) => pointer !== "").map((field) => compact(field.pointer, field));
		const texts = [`${one.id} ${one.path} ${one.method}`, one.summary, [...one.tags, ...request, ...answer].join(" "), one.description].map(
			wordsOf,
		);
		// Each word counts once, where it says most; an operation that has all of them comes before one that has fewer.
		const ranks = wanted.map((word) =>
			texts.findIndex((text) => text.some((said) => said === word || (word.length > 3 && said.startsWith(word)))),
		);
		const score = wanted.length === 0 ? 1 : ranks.reduce((sum, rank) => sum + (rank < 0 ? 0 : 14 - rank), 0);
		return { method: one.method, path: one.path, summary: one.summary || one.description.slice(0, 120), request, answer, score };
	});
	return found.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
}
