/**
 * Reads a list page by page until pages are empty or bring nothing new. Totals and page lengths are not trusted: a total may be wrong, a
 * page in the middle may be shorter than requested, and a service may ignore paging altogether.
 */
import { textAt } from "../../../api/answer.js";
import { formatJson } from "../../../api/json.js";
import { plainId } from "../../../api/text/ids.js";
import { PurserError } from "../../../errors.js";
import type { ListPage } from "../../../ports/service.js";

/** Most requests for one list: two million records in pages of a hundred. */
const maxRequests = 20_000;
/** Milliseconds after which no further page of one list is requested. */
const maxTime = 2 * 3_600_000;
/** No known service has shorter pages, so a list shorter than this was not cut off at the page length. */
const shortestPage = 10;
/** Consecutive pages without a new record that end a reading; one is not enough, since inserted records may shift a whole page. */
const maxStalePages = 2;

/** What a reading found out about the list. */
interface PagesRead {
	/** Why the list may be incomplete, for people; undefined if it seems complete. */
	lacks?: string;
	/** Distinct records seen. */
	seen: number;
	/** The earliest time that the service reports for a page, in milliseconds. */
	at?: number;
	/** The ids that were seen, and whole records where there is none. */
	ids: ReadonlySet<string>;
}

/**
 * @param read returns a page, from 0
 * @param take receives each page that has a new record, and how many were seen
 * @throws PurserError from reading; a refusal after the first page is an end instead
 */
export async function readPages(
	read: (page: number) => Promise<ListPage>,
	take: (page: ListPage, seen: number) => Promise<void>,
	now: () => Date,
): Promise<PagesRead> {
	const ids = new Set<string>();
	const began = now().getTime();
	let [seen, pages, stale, fresh, unnamed] = [0, 0, 0, 0, false];
	let [at, total]: (number | undefined)[] = [];
	let lacks: string | undefined;
	for (let ended = false; !ended && stale < maxStalePages; ) {
		const late = now().getTime() - began < maxTime ? undefined : `one check reads in ${maxTime / 3_600_000} hours`;
		const bound = pages < maxRequests ? late : `the ${maxRequests} requests that one check may make`;
		if (bound !== undefined) return { lacks: lacks ?? `the list is longer than ${bound}`, seen, at, ids };
		let page: ListPage;
		try {
			page = await read(pages);
		} catch (cause) {
			// Some services refuse a page beyond the last one: an end only if the total agrees.
			if (pages === 0 || !(cause instanceof PurserError) || cause.kind !== "rejected") throw cause;
			if (total !== seen) lacks ??= `the list cannot be read beyond page ${pages} (${cause.message})`;
			break;
		}
		pages += 1;
		total = page.total ?? total;
		at = page.at === undefined ? at : Math.min(page.at, at ?? page.at);
		if (!page.whole) lacks ??= "not everything in the list is a transaction";
		if (page.narrowed !== undefined)
			lacks ??= `the profile always asks the list with a value of its own (${page.narrowed}), which may leave payments out`;
		ended = page.found.length === 0;
		const known = ids.size;
		for (const record of page.found) {
			const id = plainId(textAt(record, "id", "transactionId"));
			unnamed ||= id === undefined;
			const key = id ?? formatJson(record);
			// Identical records without an id cannot be distinguished, so all of them count.
			if (!ids.has(key) || id === undefined) seen += 1;
			ids.add(key);
		}
		const isNew = ids.size > known;
		stale = isNew || ended ? 0 : stale + 1;
		if (!isNew) continue;
		fresh += 1;
		await take(page, seen);
	}
	if (total !== undefined && total > seen) lacks ??= `the list announces ${total} transactions and shows ${seen}`;
	if (stale > 0 && unnamed) lacks ??= "the list repeats itself and has no ids, so its end cannot be seen";
	if (stale > 0 && fresh === 1 && seen >= shortestPage)
		lacks ??= "the list gives the same page whatever page is asked for, so it may be a part";
	return { lacks, seen, at, ids };
}
