/**
 * Asking the service in the place of webhooks: the difference of what was known of each record and what a poll sees now, the place that polls
 * have come to, as the inbox keeps it between two runs, and when the service is asked again. Pure.
 */
import { spanOf } from "../api/text/duration.js";
import { decidedKybStatuses, finalTransactionStatuses } from "../api/values.js";
import type { Change } from "../ports/events.js";

export type PolledKind = "transaction" | "corporate" | "related";

export interface Known {
	/** Absent where the service never gave one. */
	status?: string;
	/** Of a company: whether it has accepted the latest terms. */
	terms?: boolean;
	/** Of a transaction: when it was made, RFC 3339. */
	created?: string;
	/** Of a company: its related entities were all seen. */
	people?: true;
}

export interface Seen extends Known {
	kind: PolledKind;
	id: string;
	/** It was made since the poll before: it is news when it is seen for the first time. Every other record is only noted then. */
	isNew?: boolean;
}

export type Records = Readonly<Record<PolledKind, ReadonlyMap<string, Known>>>;

export const nothingSeen: Records = { transaction: new Map(), corporate: new Map(), related: new Map() };

/** The final statuses: a record that has one is not asked for by itself any more. */
const finals: Readonly<Record<PolledKind, readonly string[]>> = {
	transaction: finalTransactionStatuses,
	corporate: decidedKybStatuses,
	related: ["VALIDATED", "DECLINED"],
};

/** The names of events begin as those of the service do (operations, section 7). */
const typeOf: Readonly<Record<PolledKind, string>> = {
	transaction: "transaction",
	corporate: "corporate.kyb",
	related: "corporate.related.kyc",
};

/** Whether a record can still change by itself; one whose status was not given, or nobody knows, can. */
export const isMoving = (kind: PolledKind, { status }: Known): boolean => status === undefined || !finals[kind].includes(status);

/** What happened since the poll before, in the order in which the records were seen. */
export function differenceOf(before: Records, seen: readonly Seen[]): { changes: Change[]; after: Records } {
	const after = { transaction: new Map(before.transaction), corporate: new Map(before.corporate), related: new Map(before.related) };
	const found: Change[] = [];
	for (const { kind, id, isNew = false, ...now } of seen) {
		const known = after[kind].get(id);
		if (known !== undefined || isNew) for (const one of changesOf(kind, id, known ?? {}, now)) found.push(one);
		// What the service left out this time is not forgotten.
		after[kind].set(id, { ...known, ...Object.fromEntries(Object.entries(now).filter(([, value]) => value !== undefined)) });
	}
	return { changes: found, after };
}

function changesOf(kind: PolledKind, id: string, known: Known, { status, terms }: Known): Change[] {
	const subject = { kind, id };
	const found: Change[] = [];
	const from = known.status ?? null;
	// That a record is there to which nothing happened yet is no change of its state.
	if (status !== undefined && status !== from && !(from === null && status === "NOT_STARTED"))
		found.push({ type: `${typeOf[kind]}.${status.toLowerCase().replaceAll("_", ".")}`, subject, from, to: status });
	// The specification states no webhook for it (section 6): only a poll sees it.
	if (known.terms !== undefined && terms !== undefined && terms !== known.terms) {
		const type = `corporate.terms.${terms ? "accepted" : "outdated"}`;
		found.push({ type, subject, from: `termsAccepted: ${known.terms}`, to: `termsAccepted: ${terms}` });
	}
	return found;
}

/** Without what need not be read any more: transactions that are final and too old to be listed again. */
export function withoutOlder(records: Records, oldest: string): Records {
	const end = Date.parse(oldest);
	const isOld = (known: Known): boolean => !isMoving("transaction", known) && (spanOf(known.created)?.to ?? Number.NEGATIVE_INFINITY) < end;
	return { ...records, transaction: new Map([...records.transaction].filter(([, known]) => !isOld(known))) };
}

export interface PollPlace {
	/** The service that was polled, and the identity of a local sandbox: what was seen of another one says nothing. */
	service: string;
	/** What was made before is no news, RFC 3339 UTC, by the service's clock. */
	began: string;
	/** Every transaction that was made before was seen, RFC 3339 UTC, by the service's clock. */
	watermark: string;
	records: Records;
}

/** Lists are read again from this long before the watermark: a clock may differ, and a record may appear late. In milliseconds. */
const overlap = 3_600_000;

export const startingPlace = (service: string, now: Date): PollPlace => ({
	service,
	began: now.toISOString(),
	watermark: now.toISOString(),
	records: nothingSeen,
});

/** Where the lists are read from. RFC 3339. */
export const listedFrom = ({ watermark }: PollPlace): string => new Date(Date.parse(watermark) - overlap).toISOString();

/** A record that was not seen before is news where it was made at this time or later. RFC 3339. */
export const newsFrom = (place: PollPlace): string => [place.began, listedFrom(place)].sort().at(-1) as string;

/**
 * The watermark after a list was seen to its end: the newest record's time, and never later than the service's own clock, so that a wrong
 * date hides nothing. A time without a zone counts as the earliest that it may mean.
 */
export function nextWatermark({ watermark }: PollPlace, created: readonly (string | undefined)[], now: Date): string {
	const times = created.map((one) => spanOf(one)?.from ?? Number.NaN).filter((one) => one <= now.getTime());
	const newest = times.reduce((most, one) => Math.max(most, one), Date.parse(watermark));
	return new Date(newest).toISOString();
}

export const placeText = ({ records, ...place }: PollPlace): string =>
	JSON.stringify({ ...place, records: Object.fromEntries(Object.entries(records).map(([kind, known]) => [kind, [...known]])) });

/** @returns undefined where it is of another service, or was not written by {@link placeText} */
export function placeOf(text: string | undefined, service: string): PollPlace | undefined {
	try {
		const { records, ...place } = JSON.parse(text ?? "") as Omit<PollPlace, "records"> & { records: Record<PolledKind, [string, Known][]> };
		if (place.service !== service || [place.began, place.watermark].some((one) => Number.isNaN(Date.parse(one)))) return undefined;
		const { transaction, corporate, related } = records;
		return { ...place, records: { transaction: new Map(transaction), corporate: new Map(corporate), related: new Map(related) } };
	} catch {
		return undefined;
	}
}

/**
 * Milliseconds until the next round.
 * @param asked what the service asked for (Retry-After), in milliseconds
 * @param fraction from 0 up to, not including, 1: rounds of several machines drift apart
 */
export const pauseOf = (every: number, asked: number, fraction: number): number =>
	Math.round(Math.max(asked, every * (0.9 + fraction * 0.2)));
