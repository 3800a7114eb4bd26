/**
 * Walks a list page by page until an empty page or one that brings nothing new, whatever totals and lengths say: a total may
 * lie, a page may be shorter than asked for in the middle, and a service may not know pages at all.
 */

import { type Received, textAt } from "../../../api/answer.js";
import { formatJson } from "../../../api/json.js";
import { PurserError } from "../../../errors.js";
import type { ListPage } from "../../../ports/service.js";

import { IdSet } from "./id-set.js";

/**
 * How a walk ended. `empty`: with an empty page; `again`: with pages that came before; `one page`: it gives the same page whatever
 * page is asked for; `refused`: a page after the first was refused, as some services do far into a list.
 */
export type End = "empty" | "again" | "one page" | "refused";

/** No service is known whose pages hold fewer records: a list shorter than this was not cut at the length of a page. */
const leastPage = 10;

/** Pages in a row that bring nothing new before a walk ends: records that are inserted meanwhile may push one whole page forward. */
const staleEnough = 2;

export class PageWalk {
	/** Pages asked for so far. */
	pages = 0;
	/** Different records seen. */
	seen = 0;
	end?: End;
	/** The longest page in records. */
	longest = 0;
	/** When the service says it gave the oldest page, in milliseconds, where it says so. */
	at?: number;
	readonly ids = new IdSet();
	#total?: number;
	#whole = true;
	#unnamed = false;
	#stale = 0;
	#fresh = 0;
	#refusal?: string;

	/** @param read gives a page, from 0; `take` is told the records of each page that brings something new */
	constructor(
		private readonly read: (page: number) => Promise<ListPage>,
		private readonly take: (records: readonly Received[]) => Promise<void>,
	) {}

	/**
	 * Goes on until the end, or until so many pages were asked for in all.
	 * @throws PurserError as reading does; a refusal after the first page is an end
	 */
	async go(most: number): Promise<void> {
		while (this.end === undefined && this.pages < most) await this.#next();
	}

	/**
	 * Why it may not be everything, in words; undefined where it is, as far as can be told.
	 * @param longest the longest page that the same service gave: a list that is shorter was not cut at the length of a page
	 */
	lacks(longest: number): string | undefined {
		if (!this.#whole) return "not everything in the list is a transaction";
		if (this.end === undefined) return `the list goes on after ${this.pages} pages, which is more than one look reads`;
		// Some services refuse a page beyond the last one: an end only where it is the end by their total too.
		if (this.end === "refused" && this.#total !== this.seen) return `the list cannot be read beyond page ${this.pages} (${this.#refusal})`;
		if (this.#total !== undefined && this.#total > this.seen)
			return `the list announces ${this.#total} transactions and shows ${this.seen}`;
		if (this.end === "empty" || this.end === "refused") return undefined;
		if (this.#unnamed) return "the list repeats itself, and tells no ids by which its end could be seen";
		if (this.end === "one page" && this.seen >= Math.max(leastPage, longest))
			return "the list gives the same page whatever page is asked for, so it may be a part";
		return undefined;
	}

	async #next(): Promise<void> {
		let page: ListPage;
		try {
			page = await this.read(this.pages);
		} catch (cause) {
			if (this.pages === 0 || !(cause instanceof PurserError) || cause.kind !== "rejected") throw cause;
			this.end = "refused";
			this.#refusal = cause.message;
			return;
		}
		this.pages += 1;
		this.#total = page.total ?? this.#total;
		this.#whole &&= page.whole;
		if (page.at !== undefined) this.at = Math.min(page.at, this.at ?? page.at);
		this.longest = Math.max(this.longest, page.found.length);
		if (page.found.length === 0) this.end = "empty";
		else await this.#receive(page.found);
	}

	async #receive(found: readonly Received[]): Promise<void> {
		const fresh = found.filter((record) => this.#isNew(record));
		if (fresh.length === 0) {
			this.#stale += 1;
			if (this.#stale === staleEnough) this.end = this.#fresh === 1 ? "one page" : "again";
			return;
		}
		this.#stale = 0;
		this.#fresh += 1;
		// Records without an id cannot be told apart: all of a page that is new count.
		const counted = found.filter((record) => lineId(record) === undefined).length;
		this.seen += counted + fresh.filter((record) => lineId(record) !== undefined).length;
		await this.take(found);
	}

	#isNew(record: Received): boolean {
		const id = lineId(record);
		if (id === undefined) this.#unnamed = true;
		return this.ids.add(id ?? formatJson(record));
	}
}

/** In lower case, as ids are compared. */
export function lineId(record: Received): string | undefined {
	return textAt(record, "id", "transactionId")?.toLowerCase();
}
