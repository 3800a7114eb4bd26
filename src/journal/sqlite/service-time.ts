/**
 * The service's time in the journal: the skew that an attempt was begun with, the highest time of the service that was ever seen, and
 * when an attempt left by the service's clock.
 */
import type { Rules } from "../../ports/journal.js";
import type { Tables } from "./tables.js";

/** Milliseconds by which the highest time seen may be ahead of the service. */
const tolerated = 5 * 60_000;

/** What is known of the time in one transaction. */
export interface Times {
	/** By this machine's clock. */
	now: Date;
	/** What time it is at the service, where that is known. */
	service?: Date;
	/** The highest time of the service that was ever seen. */
	highest?: Date;
}

/**
 * Takes note of the service's time. A mark that is ahead of it was made by an answer with a wrong date: it is dropped, and that is recorded,
 * for it would let every plan expire. To be called first in a step: what is noted holds whatever the rules say to the step itself.
 * @param skew the service's clock minus this machine's, in milliseconds, where it is known
 */
export function noteTime(tables: Pick<Tables, "now" | "append" | "highestTime" | "setHighestTime">, skew: number | undefined): Times {
	const { now } = tables;
	const stored = tables.highestTime();
	const highest = stored === undefined ? undefined : new Date(stored);
	if (skew === undefined) return { now, highest };
	const service = shifted(now, skew);
	const wrong = highest !== undefined && highest.getTime() > service.getTime() + tolerated;
	if (wrong) tables.append("clock", undefined, { dropped: stored, service: service.toISOString() });
	if (highest !== undefined && !wrong && highest >= service) return { now, service, highest };
	tables.setHighestTime(service.toISOString());
	return { now, service, highest: service };
}

/** The start of the duplicate window. RFC 3339 UTC. */
export interface Since {
	/** For one of which it is known when it left by the service's clock. */
	timed: string;
	/** For one of which only this machine's time is known. */
	untimed: string;
}

/** By the service's time; where that is not known, nothing after the highest time seen is believed to have passed. */
export function sinceOf(rules: Pick<Rules, "duplicateWindowStart">, { now, service, highest }: Times): Since {
	const present = service ?? earlier(now, highest ?? now);
	return {
		timed: rules.duplicateWindowStart(present).toISOString(),
		untimed: rules.duplicateWindowStart(earlier(now, present)).toISOString(),
	};
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** The latest time that is known of: what expired by it has expired. */
export function latest({ now, service, highest }: Times): Date {
	return new Date(Math.max(...[now, service, highest].map((one) => one?.getTime() ?? 0)));
}

/** The UTC day of a time of this machine's at the service. @param skew where it was known at that time */
export function dayOf(time: string, skew: number | undefined): string {
	return (skew === undefined ? time : shifted(new Date(time), skew).toISOString()).slice(0, 10);
}

/** A time of this machine's by the service's clock. */
function shifted(time: Date, skew: number): Date {
	return new Date(time.getTime() + skew);
}

/** SQL: the skew of a row of `intent`: of a row of a batch it stands with the result, of a payment that learned it from its own answer too. */
const skewIn = (row: string): string => `coalesce(${row}.content->>'$.skew', ${row}.result->>'$.skew')`;

/** SQL: when a row of `intent` began by the service's clock; by this machine's where no more is known. */
export const leftAt = (row: string): string => shiftedBy(`${row}.begun`, skewIn(row));

/** SQL: whether a row of `intent` left within the duplicate window. @param timed,untimed the places of {@link Since} */
export const leftLately = (row: string, timed: string, untimed: string): string =>
	`(${leftAt(row)} >= CASE WHEN ${skewIn(row)} IS NULL THEN ${untimed} ELSE ${timed} END)`;

/** SQL: the day that a row of `intent` counts on, as {@link dayOf} has it: by the skew that was known when it began. */
export const countedOn = (row: string): string =>
	`substr(${shiftedBy(`${row}.begun`, `CASE WHEN ${row}.batch IS NULL THEN ${row}.content->>'$.skew' ELSE ${row}.result->>'$.skew' END`)}, 1, 10)`;

/** SQL: a time, moved by a skew that may be null. */
export const shiftedBy = (time: string, skew: string): string =>
	`coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, (${skew} / 1000.0) || ' seconds'), ${time})`;

/** SQL: a result with the skew that its row was begun with. */
export const withSkew = (result: string): string =>
	`CASE WHEN intent.result->>'$.skew' IS NULL THEN ${result} ELSE json_set(${result}, '$.skew', intent.result->>'$.skew') END`;
