/**
 * Reads a list page by page until pages are empty or bring nothing new. Totals and page lengths are not trusted: a total may be wrong, a
 * page
 * in the middle may be shorter than requested, and a service may ignore paging altogether.
 */

import { type Received, textAt } from "../../../api/answer.js";
import { formatJson } from "../../../api/json.js";
import { viewTransaction } from "../../../api/operations/transaction.js";
import { plainId } from "../../../api/text/ids.js";
import { PurserError } from "../../../errors.js";
import type { ListPage } from "../../../ports/service.js";

import { spanOf } from "../time-span.js";
import { IdSet } from "./id-set.js";

/**
 * How a walk ended. `empty`: with an empty page; `again`: with pages whose records all came before; `one page`: the service returns the
 * same
 * page for every page number; `refused`: a page after the first was refused, as some services do far into a list.
 */
export type End = "empty" | "again" | "one page" | "refused";

/** No known service has shorter pages, so a list shorter than this was not cut off at the page length. */
const shortestPage = 10;

/** Consecutive pages without a new record that end a walk; one is not enough, since inserted records may shift a whole page. */
const maxStalePages = 2;

export class PageWalk {
	/** Pages requested so far. */
	pages = 0;
	/** Distinct records seen. */
	seen = 0;
	end?: End;
	/** Length of the longest page, in records. */
	longest = 0;
	/** The earliest time that the service reports for a page, in milliseconds. */
	at?: number;
	readonly ids = new IdSet();
	#total?: number;
	#whole = true;
	#unnamed = false;
	#stale = 0;
	#fresh = 0;
	#refusal?: string;
	#narrowed?: string;

	/** @param read returns a page, from 0 @param take receives the records of each page that has a new one */
	constructor(
		private readonly read: (page: number) => Promise<ListPage>,
		private readonly take: (records: readonly Received[]) => Promise<void>,
	) {}

	/**
	 * Reads on to the end, or until `most` pages were requested in total.
	 * @param may whether another page may be requested
	 * @throws PurserError from reading; a refusal after the first page is an end instead
	 */
	async go(most: number, may: () => boolean): Promise<void> {
		while (this.end === undefined && this.pages < most && may()) await this.#next();
	}

	/**
	 * Why the list may be incomplete, for people; undefined if it seems complete.
	 * @param longest the longest page seen from this service; a shorter list was not cut off at the page length
	 */
	lacks(longest: number): string | undefined {
		if (this.#narrowed !== undefined)
			return `the profile always asks the list with a value of its own (${this.#narrowed}), which may leave payments out`;
		if (!this.#whole) return "not everything in the list is a transaction";
		if (this.end === undefined) return `the list goes on after ${this.pages} pages, which is more than one check reads`;
		// Some services refuse a page beyond the last one. That is the end only if the total agrees.
		if (this.end === "refused" && this.#total !== this.seen) return `the list cannot be read beyond page ${this.pages} (${this.#refusal})`;
		if (this.#total !== undefined && this.#total > this.seen)
			return `the list announces ${this.#total} transactions and shows ${this.seen}`;
		if (this.end === "empty" || this.end === "refused") return undefined;
		if (this.#unnamed) return "the list repeats itself and has no ids, so its end cannot be seen";
		if (this.end === "one page" && this.seen >= Math.max(shortestPage, longest))
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
		this.#narrowed ??= page.narrowed;
		if (page.at !== undefined) this.at = Math.min(page.at, this.at ?? page.at);
		this.longest = Math.max(this.longest, page.found.length);
		if (page.found.length === 0) this.end = "empty";
		else await this.#receive(page.found);
	}

	async #receive(found: readonly Received[]): Promise<void> {
		const fresh = found.filter((record) => this.#isNew(record));
		if (fresh.length === 0) {
			this.#stale += 1;
			if (this.#stale === maxStalePages) this.end = this.#fresh === 1 ? "one page" : "again";
			return;
		}
		this.#stale = 0;
		this.#fresh += 1;
		// Identical records without an id cannot be distinguished, so all of them on a page with something new count.
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

/** The record's plain id. */
export function lineId(record: Received): string | undefined {
	return plainId(textAt(record, "id", "transactionId"));
}

/** A record's exact time; undefined if its time zone is unknown or its format is not understood. */
export function momentOf(record: Received): number | undefined {
	const span = spanOf(viewTransaction(record).createdAt);
	return span !== undefined && span.from === span.to ? span.from : undefined;
}
