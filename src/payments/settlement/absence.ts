/**
 * What it means that a transfer is not listed. A list is evidence of absence and never by itself proof, for the specification shows no list at
 * all: after two complete looks that agree, past the settling time, a person decides. Where a profile says that its list is known to be
 * complete (`absence=list`) they prove it, but only where nothing is lacking in either of them. Pure.
 */
import type { Evidence, Look } from "../../ports/intent.js";
import type { Doubt, Patience, Seen, Verdict } from "./counting.js";
import { dayAfter } from "./matching/time-span.js";

/** What a person is told where two looks agree. */
export const notListedTwice = "not listed twice, complete as far as can be told; a person decides whether it was not created";

/** What a look saw of one doubt and of those alike. */
export interface Absent {
	doubt: Doubt;
	look: Look;
	/** When the last of those whose times overlap with it began at the latest, in milliseconds. */
	latest: number;
	/** Why a listed transaction may be it, where there is one. */
	possible?: string;
}

/** The verdict on a doubt of which no transaction is surely the one. */
export function absent({ doubt, look, latest, possible }: Absent, seen: Seen, patience: Patience): Verdict {
	const { intent } = doubt;
	const inDoubt = (why: string, after?: number): Verdict => {
		const { agrees: _, ...alone } = look;
		return { intent, state: "in-doubt", why, after: after === undefined ? undefined : new Date(after).toISOString(), look: alone };
	};
	if (possible !== undefined) return inDoubt(possible);
	if (seen.unnamed > 0) return inDoubt(`one alike was ${unnamed(seen.source)} and is not listed, so the list does not show everything`);
	const at = Date.parse(look.at);
	if (!seen.complete) return inDoubt(`it was not found, but ${seen.lacks ?? "the list is not complete"}`, at);
	const settled = latest + patience.settleAfter;
	if (at < settled) return inDoubt(tooEarly(seen.source, settled), settled);
	if (seen.lacks !== undefined) return inDoubt(`it was not found, but ${seen.lacks}`);
	const late = lateLooks(doubt.looks, settled);
	const agreeing = late.filter((one) => Date.parse(one.at) <= at - patience.apart);
	const [first] = agreeing;
	if (first === undefined)
		return inDoubt("it is not listed; a second look must agree", Date.parse(late[0]?.at ?? look.at) + patience.apart);
	const proving = patience.absence === "list" && look.lacks === undefined ? agreeing.find(({ lacks }) => lacks === undefined) : undefined;
	if (proving !== undefined) return { intent, state: "not-created", evidence: proof(doubt, proving, look) };
	const lacking = patience.absence === "list" ? (look.lacks ?? first.lacks) : undefined;
	const confirmable: Look = { ...look, agrees: first.number };
	const why = lacking === undefined ? notListedTwice : `${notListedTwice}. The list does not prove it by itself: ${lacking}`;
	return { intent, state: "in-doubt", why, look: confirmable };
}

/**
 * Looks that may agree with one that shows nothing: complete, late enough (an early one shows nothing of what comes late, so that one wrong
 * list later would do), and none of them from before one that showed something. Those of earlier builds were not checked as these are.
 */
function lateLooks(looks: readonly Look[], settled: number): Look[] {
	const shown = looks.findLastIndex(({ unclaimed, possible }) => unclaimed > 0 || possible > 0);
	return looks.slice(shown + 1).filter(({ number, complete, at }) => number !== undefined && complete && Date.parse(at) >= settled);
}

function proof({ begun }: Doubt, first: Look, look: Look): Evidence {
	const hours = Math.floor((Date.parse(first.at) - Date.parse(begun)) / 3_600_000);
	const reason = `not among the transactions of two complete looks, the first ${hours} hours after it was begun`;
	return { source: look.source, reason, looks: [first, look] };
}

/** How what was accepted cannot be found by its id. */
export function unnamed(source: Look["source"]): string {
	return source === "statement" ? "accepted under an id that no statement tells" : "accepted without an id";
}

function tooEarly(source: Look["source"], settled: number): string {
	if (source !== "statement") return "it is not listed, but it may still appear";
	return `it was not found, but the statement ends too early: one is needed with a line of ${dayAfter(settled)} or later`;
}
