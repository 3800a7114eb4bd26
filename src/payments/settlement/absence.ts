/**
 * What it means that a transfer is not listed. The specification shows no list at all, so a list is evidence of absence and by itself no
 * proof: after two complete looks that agree, past the settling time, a person decides. If a profile declares that its list is complete
 * (`absence=list`), two such looks are proof, provided that neither of them lacks anything. Pure.
 */
import type { Evidence, Look } from "../../ports/intent.js";
import type { Doubt, Observation, Patience, Verdict } from "./counting.js";
import { dayAfter } from "./matching/time-span.js";

/** The reason shown when two looks agree. */
export const notListedTwice = "not found in two checks, which look complete; a person decides whether it was created";

/** What a look showed of a doubt and its duplicates. */
export interface Absent {
	doubt: Doubt;
	look: Look;
	/** The latest time at which the last transfer of its cluster may have begun, in milliseconds. */
	latest: number;
	/** Why a listed transaction may be it, if there is one. */
	possible?: string;
}

/** The verdict on a doubt that no transaction surely matches. */
export function absenceVerdict({ doubt, look, latest, possible }: Absent, seen: Observation, patience: Patience): Verdict {
	const { intent } = doubt;
	const inDoubt = (why: string, after?: number): Verdict => {
		const { agrees: _, ...lookAlone } = look;
		return { intent, state: "in-doubt", why, after: after === undefined ? undefined : new Date(after).toISOString(), look: lookAlone };
	};
	if (possible !== undefined) return inDoubt(possible);
	if (seen.unnamed > 0)
		return inDoubt(`an identical one was ${withoutIdText(seen.source)} and is not listed, so the list does not show everything`);
	const at = Date.parse(look.at);
	if (!seen.complete) return inDoubt(`it was not found, but ${seen.lacks ?? "the list is not complete"}`, at);
	const settled = latest + patience.settleAfter;
	if (at < settled) return inDoubt(tooEarlyText(seen.source, settled), settled);
	if (seen.lacks !== undefined) return inDoubt(`it was not found, but ${seen.lacks}`);
	const lateEnough = lateLooks(doubt.looks, settled);
	const agreeing = lateEnough.filter((one) => Date.parse(one.at) <= at - patience.apart);
	const [first] = agreeing;
	if (first === undefined)
		return inDoubt("it is not listed; a second check must agree", Date.parse(lateEnough[0]?.at ?? look.at) + patience.apart);
	const proving = patience.absence === "list" && look.lacks === undefined ? agreeing.find(({ lacks }) => lacks === undefined) : undefined;
	if (proving !== undefined) return { intent, state: "not-created", evidence: proof(doubt, proving, look) };
	const lacking = patience.absence === "list" ? (look.lacks ?? first.lacks) : undefined;
	const confirmableLook: Look = { ...look, agrees: first.number };
	const why = lacking === undefined ? notListedTwice : `${notListedTwice}. The list does not prove it by itself: ${lacking}`;
	return { intent, state: "in-doubt", why, look: confirmableLook };
}

/**
 * Earlier looks that may agree with one that shows nothing: complete, and later than the settling time (a payment may be listed late, so an
 * earlier look would let a single wrong list decide). Looks before one that showed a candidate do not count, nor do those of earlier
 * builds, which have no number and were checked less strictly.
 */
function lateLooks(looks: readonly Look[], settled: number): Look[] {
	const shown = looks.findLastIndex(({ unclaimed, possible }) => unclaimed > 0 || possible > 0);
	return looks.slice(shown + 1).filter(({ number, complete, at }) => number !== undefined && complete && Date.parse(at) >= settled);
}

function proof({ begun }: Doubt, first: Look, look: Look): Evidence {
	const hours = Math.floor((Date.parse(first.at) - Date.parse(begun)) / 3_600_000);
	const reason = `not among the transactions in two complete checks, the first ${hours} hours after it was started`;
	return { source: look.source, reason, looks: [first, look] };
}

/** Why an accepted payment cannot be found by its id in this source. */
export function withoutIdText(source: Look["source"]): string {
	return source === "statement" ? "accepted with an id that no statement shows" : "accepted without an id";
}

function tooEarlyText(source: Look["source"], settled: number): string {
	if (source !== "statement") return "it is not listed, but it may still appear";
	return `it was not found, but the statement ends too early: use one with a line of ${dayAfter(settled)} or later`;
}
