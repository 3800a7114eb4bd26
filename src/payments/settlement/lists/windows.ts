/**
 * Reads what a service lists from a moment on, however long it is: first by pages alone, which is enough for most ledgers; a longer
 * list in windows of time, because some services refuse pages far into a list or become slow there. What is read is handed on page
 * by page and not kept here.
 *
 * A window is believed only after a check: the first one must end, and must show every record that the list without windows showed
 * in that time. Where it does not, because the service does not know `endDate` or takes no notice of it, the list is read by pages
 * to its end.
 */

import type { Received } from "../../../api/answer.js";
import { viewTransaction } from "../../../api/operations/transaction.js";
import { PurserError } from "../../../errors.js";
import type { ListPage } from "../../../ports/service.js";

import { spanOf } from "../matching/time-span.js";
import { lineId, PageWalk } from "./walk.js";

/** Requests that one look at one ledger makes at most: two million records in pages of a hundred. */
export const mostRequests = 20_000;

/** Pages without an end after which windows are tried, and in which each window must end. */
const windowPages = 100;
/** Milliseconds by which a window begins before the end of the one before it: what stands on the border is seen twice and merged by id. */
const overlap = 60_000;
/** Milliseconds; no window is shorter, what is crowded into this is read by pages. */
const shortest = 60_000;
/** Milliseconds by which what a window shows may lie before its start: some services take a date as the whole day, in their own time zone. */
const farOutside = 36 * 3_600_000;

/** What is read, and who is told. */
export interface RangeReader {
	/** One page of what is listed between two moments, RFC 3339 UTC; without `to` there is no end. */
	read(from: string, to: string | undefined, page: number): Promise<ListPage>;
	/** Told each page's records; one that stands in two windows comes twice. */
	take(records: readonly Received[]): Promise<void>;
	/** Told how far the reading has come. @param upTo the date of what was read last, where it tells one */
	progress?(read: number, upTo: string | undefined): void;
}

/** What a reading saw. */
export interface ReadUp {
	/** Why it may not be everything, in words; undefined where it is, as far as can be told. */
	lacks?: string;
	/** Records seen; one that stands in two windows counts twice. */
	seen: number;
	/** When the service says it gave the oldest page, in milliseconds, where it says so. */
	at?: number;
}

/**
 * Reads everything from a moment on.
 * @param start milliseconds; `now`: from here on the last window has no end
 * @throws PurserError as reading does, where the first page cannot be read
 */
export async function readUp(reading: RangeReader, start: number, now: number, most = mostRequests): Promise<ReadUp> {
	const walk = new TimeWalk(reading, start, now, most);
	const lacks = await walk.go();
	return { lacks, seen: walk.seen, at: walk.at };
}

/** Milliseconds. */
interface Window {
	from: number;
	to?: number;
}

/** The records with which the first pages showed what lies in a time. */
interface Known {
	id: string;
	at: number;
}

class TimeWalk {
	seen = 0;
	at?: number;
	#requests = 0;
	#longest = 0;
	/** Of the first pages; undefined where one of them has no id or no moment of its own. */
	#known: Known[] | undefined = [];

	constructor(
		private readonly reading: RangeReader,
		private readonly start: number,
		private readonly now: number,
		private readonly most: number,
	) {}

	/** @returns why it may not be everything */
	async go(): Promise<string | undefined> {
		const first = this.#walk({ from: this.start }, (records) => this.#learn(records));
		await first.go(windowPages);
		if (first.end === "one page" && first.lacks(this.#longest) !== undefined) return this.#byHalves(first);
		if (first.end !== undefined && first.end !== "refused") return first.lacks(this.#longest);
		if (first.end === "refused" && first.lacks(this.#longest) === undefined) return undefined;
		const lacks = await this.#byWindows();
		if (lacks !== "no windows") return lacks;
		await this.#toEnd(first);
		return this.#lacksOf(first);
	}

	#walk({ from, to }: Window, told?: (records: readonly Received[]) => void): PageWalk {
		const [since, until] = [iso(from), to === undefined ? undefined : iso(to)];
		const walk: PageWalk = new PageWalk(
			async (page) => {
				this.#requests += 1;
				const found = await this.reading.read(since, until, page);
				if (found.at !== undefined) this.at = Math.min(found.at, this.at ?? found.at);
				this.#longest = Math.max(this.#longest, found.found.length);
				return found;
			},
			async (records) => {
				told?.(records);
				this.seen += records.length;
				await this.reading.take(records);
				this.reading.progress?.(this.seen, viewTransaction(records.at(-1) as Received).createdAt);
			},
		);
		return walk;
	}

	async #toEnd(walk: PageWalk): Promise<void> {
		await walk.go(walk.pages + Math.max(this.most - this.#requests, 0));
	}

	#lacksOf(walk: PageWalk): string | undefined {
		if (walk.end === undefined) return `the list is longer than the ${this.most} requests that one look makes`;
		return walk.lacks(this.#longest);
	}

	#learn(records: readonly Received[]): void {
		for (const record of records) {
			const [id, at] = [lineId(record), momentOf(record)];
			if (id === undefined || at === undefined) this.#known = undefined;
			else this.#known?.push({ id, at });
		}
	}

	/**
	 * The whole list from windows, or `no windows` where the service cannot be asked in that way.
	 * @returns why it may not be everything
	 */
	async #byWindows(): Promise<string | undefined | "no windows"> {
		const middle = middleOf(this.#known?.map(({ at }) => at));
		const [earliest] = this.#known ?? [];
		if (middle === undefined || earliest === undefined) return "no windows";
		const probe = await this.#probe({ from: this.start, to: middle });
		if (probe === undefined) return "no windows";
		this.#known = undefined;
		let lacks = this.#lacksOf(probe);
		let from = middle;
		let width = Math.max(middle - earliest.at, shortest);
		for (let last = false; !last; ) {
			const to = from + width >= this.now ? undefined : from + width;
			const walk = await this.#window({ from, to }, earliest.id);
			if (walk === "no windows") return walk;
			if (typeof walk === "number") width = walk;
			else {
				lacks ??= this.#lacksOf(walk);
				last = to === undefined || walk.end === undefined;
				from = to ?? from;
				width = Math.max(width * Math.min(Math.max(windowPages / 2 / walk.pages, 0.25), 4), shortest);
			}
		}
		return lacks;
	}

	/**
	 * One window, as far as the requests reach; where it is too long, the width of a shorter one to try.
	 * @param first the list's first record
	 */
	async #window({ from, to }: Window, first: string): Promise<PageWalk | number | "no windows"> {
		const times: number[] = [];
		const walk = this.#walk({ from: from - overlap, to }, (records) => {
			for (const record of records) times.push(momentOf(record) ?? from);
		});
		await walk.go(Math.min(windowPages, Math.max(this.most - this.#requests, 0)));
		// What is as long as the list and begins with its first record is no window: `startDate` was taken no notice of.
		const outside = times.some((at) => at < from - overlap - farOutside);
		if (outside || (walk.end === undefined && walk.ids.has(first))) return "no windows";
		if ((walk.end !== undefined && walk.end !== "refused") || this.#requests >= this.most) return walk;
		const width = (to ?? this.now) - from;
		// Half of what was read fits, where the list is in order; else this is a guess like any other.
		if (width > shortest) return Math.max(Math.min((middleOf(times) ?? from) - from, width / 2), shortest);
		await this.#toEnd(walk);
		return walk;
	}

	/** A window that is believed: it ended, and shows all that is known of its time. */
	async #probe(window: Window): Promise<PageWalk | undefined> {
		const walk = this.#walk(window);
		try {
			await walk.go(windowPages);
		} catch (cause) {
			// A deployment may not know the field.
			if (cause instanceof PurserError && cause.kind === "rejected") return undefined;
			throw cause;
		}
		const inside = (this.#known ?? []).filter(({ at }) => at < (window.to as number));
		return walk.end !== undefined && walk.end !== "refused" && inside.every(({ id }) => walk.ids.has(id)) ? walk : undefined;
	}

	/**
	 * Of a service that gives one page whatever page is asked for: where both halves of the time show fewer records than the whole, and
	 * together the same, none of the three was cut at the length of a page.
	 */
	async #byHalves(first: PageWalk): Promise<string | undefined> {
		const lacks = first.lacks(this.#longest);
		const middle = middleOf(this.#known?.map(({ at }) => at));
		if (middle === undefined) return lacks;
		const earlier = await this.#probe({ from: this.start, to: middle });
		if (earlier === undefined || earlier.lacks(this.#longest) !== undefined) return lacks;
		const later = this.#walk({ from: middle - overlap });
		await later.go(windowPages);
		if (later.lacks(this.#longest) !== undefined) return lacks;
		const known = this.#known ?? [];
		const halves = [earlier, later];
		const nothingLost = known.every(({ id }) => halves.some((half) => half.ids.has(id)));
		const nothingNew = halves.every((half) => half.seen === known.filter(({ id }) => half.ids.has(id)).length);
		return nothingLost && nothingNew ? undefined : lacks;
	}
}

/** The moment in the middle of many, where there is something before it. */
function middleOf(moments: readonly number[] = []): number | undefined {
	const times = [...moments].sort((one, other) => one - other);
	const middle = times[Math.floor(times.length / 2)];
	return middle !== undefined && (times[0] as number) < middle ? middle : undefined;
}

/** The moment that a record tells; undefined where it may be in any time zone, or is told in no way that is understood. */
function momentOf(record: Received): number | undefined {
	const span = spanOf(viewTransaction(record).createdAt);
	return span !== undefined && span.from === span.to ? span.from : undefined;
}

const iso = (at: number): string => new Date(at).toISOString();
