/**
 * The service's time in the journal: the skew of each attempt, the highest service time ever seen, and when an attempt was made by the
 * service's clock.
 */
import type { RuleFacts, Rules } from "../../ports/journal.js";
import { raw, type Sql, sql } from "./sql.js";

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
export type Times = Pick<RuleFacts, "now" | "service" | "highest">;

/** @param skew the service's clock minus this machine's, in milliseconds, if known */
export async function timesOf({ now, highestTime }: Pick<Clocked, "now" | "highestTime">, skew: number | undefined): Promise<Times> {
	return timesWith(await highestTime(), now, skew);
}

/** Both clocks. @param skew as in {@link timesOf} */
export const clocksOf = (now: Date, skew: number | undefined): Pick<Times, "now" | "service"> =>
	skew === undefined ? { now } : { now, service: shifted(now, skew) };

function timesWith(stored: string | undefined, now: Date, skew: number | undefined): Times {
	const highest = stored === undefined ? undefined : new Date(stored);
	const { service } = clocksOf(now, skew);
	if (service === undefined) return { now, highest };
	return { now, service, highest: highest === undefined || highest < service || isWrong(highest, service) ? service : highest };
}

/**
 * Records the service's time. A stored highest time that is ahead of it came from an answer with a wrong date; it would make every plan
 * expire, so it is dropped, with an event.
 */
export async function recordServiceTime(tables: Clocked, skew: number | undefined): Promise<void> {
	const stored = await tables.highestTime();
	const { service, highest } = timesWith(stored, tables.now, skew);
	if (service === undefined || highest === undefined || (stored !== undefined && highest.toISOString() === stored)) return;
	if (stored !== undefined && isWrong(new Date(stored), service))
		await tables.append("clock", undefined, { dropped: stored, service: service.toISOString() });
	await tables.setHighestTime(highest.toISOString());
}

const isWrong = (highest: Date, service: Date): boolean => highest.getTime() > service.getTime() + tolerance;

/** The start of the duplicate window by each clock. RFC 3339 UTC. */
export interface WindowStart {
	service: string;
	own: string;
	/** What this machine's clock says now. */
	now: string;
}

/** Uses the service's time; if it is not known, time counts as having passed only up to the highest service time ever seen. */
export function windowStartOf(rules: Pick<Rules, "duplicateWindowStart">, { now, service, highest }: Times): WindowStart {
	const present = service ?? earlier(now, highest ?? now);
	const [atOwn, atPresent] = [now, present].map((one) => rules.duplicateWindowStart(one).toISOString()) as [string, string];
	return { service: atPresent, own: atOwn, now: now.toISOString() };
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

/**
 * SQL: whether a row of `intent` began within the duplicate window, by either clock: one that is wrong makes no payment old. Where this
 * machine's clock was ahead then, it says nothing of that. @param row its name in the statement
 */
export const inDuplicateWindow = (row: string, { service, own, now }: WindowStart): Sql =>
	sql`(${raw(row)}.begun_service >= ${service} OR ${raw(row)}.begun BETWEEN ${own} AND ${now})`;
