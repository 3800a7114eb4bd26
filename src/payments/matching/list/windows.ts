/**
 * Reads a list of any length from a moment on. It first reads pages only, which is enough for most ledgers. A longer list is read in
 * windows of time, because some services refuse pages far into a list or become slow there. Pages are passed on and not stored here.
 *
 * Windows are used only if a check succeeds: the first window must end, and must show every record that the list without windows showed for
 * that time. If it fails, because the service does not know or ignores `endDate`, the list is read by pages to its end.
 */

import type { Received } from "../../../api/answer.js";
import { viewTransaction } from "../../../api/operations/transaction.js";
import { PurserError } from "../../../errors.js";
import type { ListPage } from "../../../ports/service.js";

import { lineId, momentOf, PageWalk } from "./walk.js";

/** Most requests for one look at a ledger: two million records in pages of a hundred. */
export const maxRequests = 20_000;
/** Milliseconds after which one look at a ledger requests no further page. */
export const maxLookTime = 2 * 3_600_000;

/** Pages after which windows are tried, and within which each window must end. */
const windowPages = 100;
/** Overlap of consecutive windows in milliseconds: records on the border are read twice and merged by id. */
const overlap = 60_000;
/** The shortest window in milliseconds; a longer list within it is read by pages. */
const shortestWindow = 60_000;
/** Milliseconds by which records may precede a window's start: some services treat a date as a whole day in their own time zone. */
export const startTolerance = 36 * 3_600_000;

/** How the list is read, and who receives it. */
export interface RangeReader {
	/** Reads one page of the records between two moments, RFC 3339 UTC; without `to` there is no end. */
	read(from: string, to: string | undefined, page: number): Promise<ListPage>;
	/** Receives each page's records; a record in two windows comes twice. */
	take(records: readonly Received[]): Promise<void>;
	/** The time, so that the reading also ends where the service is slow. */
	now?(): Date;
	/** Reports how far the reading has come. @param upTo the date of the last record, if it has one */
	progress?(read: number, upTo: string | undefined): void;
}

/** The result of a reading. */
export interface ReadUp {
	/** Why the list may be incomplete, for people; undefined if it seems complete. */
	lacks?: string;
	/** Records seen; a record in two windows counts twice. */
	seen: number;
	/** The earliest time that the service reports for a page, in milliseconds. */
	at?: number;
}

/**
 * Reads everything from a moment on.
 * @param start milliseconds
 * @param now milliseconds; a window that reaches it has no end
 * @throws PurserError from reading, if the first page cannot be read
 */
export async function readUp(reading: RangeReader, start: number, now: number, most = maxRequests): Promise<ReadUp> {
	const walk = new TimeWalk(reading, start, now, most);
	const lacks = await walk.go();
	return { lacks, seen: walk.seen, at: walk.at };
}

/** In milliseconds. */
interface Window {
	from: number;
	to?: number;
}

/** A record from the first pages, used to check windows. */
interface Known {
	id: string;
	at: number;
}

class TimeWalk {
	seen = 0;
	at?: number;
	#requests = 0;
	#longest = 0;
	/** Records of the first pages; undefined if one of them lacks an id or an exact time. */
	#known: Known[] | undefined = [];
	readonly #began: number | undefined;

	constructor(
		private readonly reading: RangeReader,
		private readonly start: number,
		private readonly now: number,
		private readonly most: number,
	) {
		this.#began = reading.now?.().getTime();
	}

	/** @returns why the list may be incomplete */
	async go(): Promise<string | undefined> {
		const first = this.#walk({ from: this.start }, (records) => this.#learn(records));
		await first.go(windowPages, this.#may);
		if (first.end === "one page" && first.lacks(this.#longest) !== undefined) return this.#byHalves(first);
		if (first.end !== undefined && first.end !== "refused") return first.lacks(this.#longest);
		if (first.end === "refused" && first.lacks(this.#longest) === undefined) return undefined;
		const lacks = await this.#byWindows();
		if (lacks !== "no windows") return lacks;
		await this.#toEnd(first);
		return this.#lacksOf(first);
	}

	#walk({ from, to }: Window, learn?: (records: readonly Received[]) => void): PageWalk {
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
				learn?.(records);
				this.seen += records.length;
				await this.reading.take(records);
				this.reading.progress?.(this.seen, viewTransaction(records.at(-1) as Received).createdAt);
			},
		);
		return walk;
	}

	async #toEnd(walk: PageWalk): Promise<void> {
		await walk.go(Infinity, this.#may);
	}

	/** Whether another page may be asked for. Where none may, the list counts as not read to its end, and proves no absence. */
	readonly #may = (): boolean => this.#requests < this.most && !this.#late();

	#late(): boolean {
		const now = this.reading.now?.().getTime();
		return now !== undefined && this.#began !== undefined && now - this.#began >= maxLookTime;
	}

	#lacksOf(walk: PageWalk): string | undefined {
		if (walk.end !== undefined) return walk.lacks(this.#longest);
		if (this.#requests >= this.most) return `the list is longer than the ${this.most} requests that one check may make`;
		return `the list is longer than can be read in the ${maxLookTime / 3_600_000} hours that one check may take`;
	}

	#learn(records: readonly Received[]): void {
		for (const record of records) {
			const [id, at] = [lineId(record), momentOf(record)];
			if (id === undefined || at === undefined) this.#known = undefined;
			else this.#known?.push({ id, at });
		}
	}

	/**
	 * Reads the whole list in windows.
	 * @returns why the list may be incomplete; `no windows` if the service does not support them
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
		let width = Math.max(middle - earliest.at, shortestWindow);
		for (let last = false; !last; ) {
			const to = from + width >= this.now ? undefined : from + width;
			const walk = await this.#window({ from, to }, earliest.id);
			if (walk === "no windows") return walk;
			if (typeof walk === "number") width = walk;
			else {
				lacks ??= this.#lacksOf(walk);
				last = to === undefined || walk.end === undefined;
				from = to ?? from;
				width = Math.max(width * Math.min(Math.max(windowPages / 2 / walk.pages, 0.25), 4), shortestWindow);
			}
		}
		return lacks;
	}

	/**
	 * Reads one window, as far as the remaining requests allow.
	 * @param first the id of the list's first record
	 * @returns the walk; or the width of a narrower window to try, if this one has too many pages
	 */
	async #window({ from, to }: Window, first: string): Promise<PageWalk | number | "no windows"> {
		const times: number[] = [];
		const walk = this.#walk({ from: from - overlap, to }, (records) => {
			for (const record of records) times.push(momentOf(record) ?? from);
		});
		await walk.go(windowPages, this.#may);
		// A window that does not end and contains the list's first record shows that the service ignores `startDate`.
		const outside = times.some((at) => at < from - overlap - startTolerance);
		if (outside || (walk.end === undefined && walk.ids.has(first))) return "no windows";
		if ((walk.end !== undefined && walk.end !== "refused") || !this.#may()) return walk;
		const width = (to ?? this.now) - from;
		// Cut at the middle of what was read, which fits if the list is ordered by time; otherwise this is only a guess.
		if (width > shortestWindow) return Math.max(Math.min((middleOf(times) ?? from) - from, width / 2), shortestWindow);
		await this.#toEnd(walk);
		return walk;
	}

	/** Reads a window and checks it: it must end and show every known record of its time. @returns undefined if the check fails */
	async #probe(window: Window): Promise<PageWalk | undefined> {
		const walk = this.#walk(window);
		try {
			await walk.go(windowPages, this.#may);
		} catch (cause) {
			// The deployment may not know `endDate`.
			if (cause instanceof PurserError && cause.kind === "rejected") return undefined;
			throw cause;
		}
		const inside = (this.#known ?? []).filter(({ at }) => at < (window.to as number));
		return walk.end !== undefined && walk.end !== "refused" && inside.every(({ id }) => walk.ids.has(id)) ? walk : undefined;
	}

	/**
	 * For a service that returns the same page for every page number: if both halves of the period show fewer records than the whole, and
	 * together the same ones, none of the three lists was cut off at the page length.
	 */
	async #byHalves(first: PageWalk): Promise<string | undefined> {
		const lacks = first.lacks(this.#longest);
		const middle = middleOf(this.#known?.map(({ at }) => at));
		if (middle === undefined) return lacks;
		const earlier = await this.#probe({ from: this.start, to: middle });
		if (earlier === undefined || earlier.lacks(this.#longest) !== undefined) return lacks;
		const later = this.#walk({ from: middle - overlap });
		await later.go(windowPages, this.#may);
		if (later.lacks(this.#longest) !== undefined) return lacks;
		const known = this.#known ?? [];
		const halves = [earlier, later];
		const nothingLost = known.every(({ id }) => halves.some((half) => half.ids.has(id)));
		const nothingNew = halves.every((half) => half.seen === known.filter(({ id }) => half.ids.has(id)).length);
		return nothingLost && nothingNew ? undefined : lacks;
	}
}

/** The median of these moments; undefined if none is earlier than it. */
function middleOf(moments: readonly number[] = []): number | undefined {
	const times = [...moments].sort((one, other) => one - other);
	const middle = times[Math.floor(times.length / 2)];
	return middle !== undefined && (times[0] as number) < middle ? middle : undefined;
}

const iso = (at: number): string => new Date(at).toISOString();
