/**
 * Which events somebody wants to hear of. Pure.
 */
import type { ServiceEvent } from "../ports/events.js";

export interface Wanted {
	/** Names, each with `*` for any characters. Any of them; every type where there are none. */
	types?: readonly string[];
	/** The id of the record that it is about. */
	subject?: string;
}

export function isWanted({ type, subject }: Pick<ServiceEvent, "type" | "subject">, wanted: Wanted): boolean {
	if (wanted.subject !== undefined && subject?.id.toLowerCase() !== wanted.subject.toLowerCase()) return false;
	const { types = [] } = wanted;
	return types.length === 0 || types.some((pattern) => fits(type, pattern));
}

/** Compared piece by piece: a pattern made a regular expression could take for ever. */
function fits(type: string, pattern: string): boolean {
	const [first = "", ...rest] = pattern.split("*");
	const last = rest.pop();
	if (last === undefined) return type === pattern;
	if (!type.startsWith(first) || type.length < first.length + last.length || !type.endsWith(last)) return false;
	let at = first.length;
	for (const piece of rest) {
		const found = type.indexOf(piece, at);
		if (found < 0) return false;
		at = found + piece.length;
	}
	return at <= type.length - last.length;
}
