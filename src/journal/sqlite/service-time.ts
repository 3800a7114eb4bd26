/**
 * The service's time in the journal: the skew of each attempt, the highest service time ever seen, and when an attempt was made by the
 * service's clock.
 */
import type { Rules } from "../../ports/journal.js";
import { statement } from "../../sqlite/statement.js";
import type { Storage } from "../../sqlite/storage.js";

/** Milliseconds by which the highest time seen may be ahead of the service's present time. */
const tolerance = 5 * 60_000;

/** What is needed of the journal's tables; they use this file in turn. */
interface Clocked {
	readonly now: Date;
	append(kind: string, intent: undefined, content: Record<string, unknown>): unknown;
	highestTime(): string | undefined;
	setHighestTime(time: string): void;
}

/** The known times in one transaction. */
export interface Times {
	/** By this machine's clock. */
	now: Date;
	/** The service's present time, if known. */
	service?: Date;
	/** The highest service time ever seen. */
	highest?: Date;
}

/**
 * Records the service's time. A stored highest time that is ahead of it came from an answer with a wrong date; it would make every plan
 * expire,
 * so it is dropped, with an event. Call this first in a step: the time stays recorded even if the rules refuse the step.
 * @param skew the service's clock minus this machine's, in milliseconds, if known
 */
export function recordServiceTime(tables: Clocked, skew: number | undefined): Times {
	const { now } = tables;
	const stored = tables.highestTime();
	const highest = stored === undefined ? undefined : new Date(stored);
	if (skew === undefined) return { now, highest };
	const service = shifted(now, skew);
	const wrong = highest !== undefined && highest.getTime() > service.getTime() + tolerance;
	if (wrong) tables.append("clock", undefined, { dropped: stored, service: service.toISOString() });
	if (highest !== undefined && !wrong && highest >= service) return { now, service, highest };
	tables.setHighestTime(service.toISOString());
	return { now, service, highest: service };
}

/** The highest service time ever seen; undefined if no answer told it. */
export function highestTime(storage: Storage): Date | undefined {
	const stored = statement(storage, "SELECT value FROM meta WHERE key = 'service-time'").get()?.value;
	return typeof stored === "string" ? new Date(stored) : undefined;
}

/** The start of the duplicate window. RFC 3339 UTC. */
export interface WindowStart {
	/** For an attempt whose time is known by the service's clock. */
	timed: string;
	/** For an attempt whose time is only known by this machine's clock. */
	untimed: string;
}

/** Uses the service's time; if it is not known, time counts as having passed only up to the highest service time ever seen. */
export function windowStartOf(rules: Pick<Rules, "duplicateWindowStart">, { now, service, highest }: Times): WindowStart {
	const present = service ?? earlier(now, highest ?? now);
	return {
		timed: rules.duplicateWindowStart(present).toISOString(),
		untimed: rules.duplicateWindowStart(earlier(now, present)).toISOString(),
	};
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other);

/** The latest of the known times, by which plans expire. */
export function latest({ now, service, highest }: Times): Date {
	return new Date(Math.max(...[now, service, highest].map((one) => one?.getTime() ?? 0)));
}

/** The UTC day, by the service's clock, of a time by this machine's. @param skew at that time, if known */
export function dayOf(time: string, skew: number | undefined): string {
	return (skew === undefined ? time : shifted(new Date(time), skew).toISOString()).slice(0, 10);
}

/** Converts a time of this machine to the service's clock. */
function shifted(time: Date, skew: number): Date {
	return new Date(time.getTime() + skew);
}

/** SQL: the skew of a row of `intent`; it is in the result for a row of a batch and for a payment that learned it from its own answer. */
const skewIn = (row: string): string => `coalesce(${row}.content->>'$.skew', ${row}.result->>'$.skew')`;

/** SQL: when a row of `intent` began by the service's clock; by this machine's if the skew is not known. */
export const begunAtService = (row: string): string => shiftedBy(`${row}.begun`, skewIn(row));

/** SQL: whether a row of `intent` began within the duplicate window. @param timed,untimed SQL parameters for the values of {@link WindowStart} */
export const inDuplicateWindow = (row: string, timed: string, untimed: string): string =>
	`(${begunAtService(row)} >= CASE WHEN ${skewIn(row)} IS NULL THEN ${untimed} ELSE ${timed} END)`;

/** SQL: the day that a row of `intent` counts on, like {@link dayOf}, with the skew known when it began. */
export const countedOn = (row: string): string =>
	`substr(${shiftedBy(`${row}.begun`, `CASE WHEN ${row}.batch IS NULL THEN ${row}.content->>'$.skew' ELSE ${row}.result->>'$.skew' END`)}, 1, 10)`;

/** SQL: a time plus a skew that may be null. */
export const shiftedBy = (time: string, skew: string): string =>
	`coalesce(strftime('%Y-%m-%dT%H:%M:%fZ', ${time}, (${skew} / 1000.0) || ' seconds'), ${time})`;

/** SQL: a new result that keeps the row's skew. */
export const withSkew = (result: string): string =>
	`CASE WHEN intent.result->>'$.skew' IS NULL THEN ${result} ELSE json_set(${result}, '$.skew', intent.result->>'$.skew') END`;
