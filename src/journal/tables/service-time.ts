/**
 * The service's time in the journal: the skew of each attempt, the highest service time ever seen, and when an attempt was made by the
 * service's clock.
 */
import type { Rules } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import { type Reading, raw, type Sql, sql } from "./sql.js";
import { metaOf } from "./transaction.js";

/** Milliseconds by which the highest time seen may be ahead of the service's present time. */
const tolerance = 5 * 60_000;

/** What is needed of the journal's tables; they use this file in turn. */
interface Clocked {
	readonly now: Date;
	append(kind: string, intent: undefined, content: Record<string, unknown>): Promise<void>;
	highestTime(): Promise<string | undefined>;
	setHighestTime(time: string): Promise<void>;
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
 * expire, so it is dropped, with an event.
 * @param skew the service's clock minus this machine's, in milliseconds, if known
 */
export async function recordServiceTime(tables: Clocked, skew: number | undefined): Promise<Times & { isNew?: boolean }> {
	const { now } = tables;
	const stored = await tables.highestTime();
	const highest = stored === undefined ? undefined : new Date(stored);
	if (skew === undefined) return { now, highest };
	const service = shifted(now, skew);
	const wrong = highest !== undefined && highest.getTime() > service.getTime() + tolerance;
	if (wrong) await tables.append("clock", undefined, { dropped: stored, service: service.toISOString() });
	if (highest !== undefined && !wrong && highest >= service) return { now, service, highest };
	await tables.setHighestTime(service.toISOString());
	return { now, service, highest: service, isNew: !wrong };
}

/** Does a step by the times known. Where it is refused, none of its events tells the service's time, which stays recorded by one of its own. */
export async function atServiceTime<T>(tables: Clocked, skew: number | undefined, step: (times: Times) => Promise<T>): Promise<T> {
	const times = await recordServiceTime(tables, skew);
	try {
		return await step(times);
	} catch (error) {
		if (error instanceof RefusedJob && times.isNew) await tables.append("clock", undefined, { service: times.service?.toISOString() });
		throw error;
	}
}

/** The highest service time ever seen; undefined if no answer told it. */
export async function highestTime(reading: Reading): Promise<Date | undefined> {
	const stored = await metaOf(reading, "service-time");
	return stored === undefined ? undefined : new Date(stored);
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
	return atService(time, skew).slice(0, 10);
}

/** Converts a time of this machine to the service's clock. */
function shifted(time: Date, skew: number): Date {
	return new Date(time.getTime() + skew);
}

/** A time of this machine by the service's clock; as it is where the skew is not known. RFC 3339 UTC. */
export const atService = (time: string, skew: number | undefined): string =>
	skew === undefined ? time : shifted(new Date(time), skew).toISOString();

/** SQL: whether a row of `intent` began within the duplicate window. @param row its name in the statement */
export const inDuplicateWindow = (row: string, { timed, untimed }: WindowStart): Sql =>
	sql`(${raw(row)}.begun_service >= CASE WHEN ${raw(row)}.skew IS NULL THEN ${untimed} ELSE ${timed} END)`;
