/**
 * The place that polls have come to, as the inbox keeps it between two runs. Pure.
 */
import { spanOf } from "../api/text/time-span.js";
import { type Known, nothingSeen, type PolledKind, type Records } from "./difference.js";

export interface PollPlace {
	/** The service that was polled, and the identity of a local sandbox: what was seen of another one says nothing. */
	service: string;
	/** What was made before is no news, RFC 3339 UTC, by the service's clock. */
	began: string;
	/** Every transaction that was made before was seen, RFC 3339 UTC, by the service's clock. */
	watermark: string;
	/** When everything was last heard, the journal's payments included, RFC 3339 UTC, by this machine's clock. */
	at: string;
	records: Records;
}

/** Lists are read again from this long before the watermark: a clock may differ, and a record may appear late. In milliseconds. */
export const overlap = 3_600_000;

/** A place to begin at where none is kept. @param at by this machine's clock */
export function startingPlace(service: string, at: Date, watermark: Date): PollPlace {
	return {
		service,
		began: watermark.toISOString(),
		watermark: watermark.toISOString(),
		at: at.toISOString(),
		records: nothingSeen,
	};
}

/** Where the lists are read from. RFC 3339. */
export const listedFrom = ({ watermark }: PollPlace): string => new Date(Date.parse(watermark) - overlap).toISOString();

/** A record that was not seen before is told of where it was made at this time or later. RFC 3339. */
export const toldFrom = (place: PollPlace): string => [place.began, listedFrom(place)].sort().at(-1) as string;

/** The place from which everything since a time is told that is not told yet. */
export function placeFrom(place: PollPlace, from: Date): PollPlace {
	const time = from.toISOString();
	// The list is read from an hour before, and what was made in that hour is no news.
	return { ...place, began: time, watermark: [place.watermark, time].sort()[0] as string };
}

/**
 * The watermark after a list was seen to its end: the newest record's time, and never later than the service's own clock, so that a wrong
 * date hides nothing. A time without a zone counts as the earliest that it may mean.
 * @param now of the service
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
		if (place.service !== service || [place.began, place.watermark, place.at].some((one) => Number.isNaN(Date.parse(one))))
			return undefined;
		const { transaction, corporate, related } = records;
		return { ...place, records: { transaction: new Map(transaction), corporate: new Map(corporate), related: new Map(related) } };
	} catch {
		return undefined;
	}
}
