/**
 * Which events somebody wants to hear of, and when that is enough. Pure.
 */
import { finalTransactionStatuses } from "../api/values.js";
import type { EventSubject, ServiceEvent } from "../ports/events.js";

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

/** The final statuses of each kind of record and those of them that are success (operations, section 5). */
const endings: Readonly<Partial<Record<EventSubject["kind"], { final: readonly string[]; good: readonly string[] }>>> = {
	transaction: { final: finalTransactionStatuses, good: ["APPROVED"] },
	corporate: { final: ["VALIDATED", "DECLINED"], good: ["VALIDATED"] },
	related: { final: ["VALIDATED", "DECLINED"], good: ["VALIDATED"] },
	beneficiary: { final: ["VALID", "DECLINED"], good: ["VALID"] },
	ledger: { final: ["CLOSED", "FAILED"], good: ["CLOSED"] },
};

/** Whether a status of a record ends it; undefined where it does not, or nobody knows. */
export function endingOf(kind: EventSubject["kind"], status: string | undefined): "good" | "bad" | undefined {
	const ending = endings[kind];
	if (status === undefined || !ending?.final.includes(status)) return undefined;
	return ending.good.includes(status) ? "good" : "bad";
}
