import { advice, purser } from "../api/advice.js";
import { groupDigits } from "../api/amount.js";
import { countAt, at as fieldAt, listAt, type Received, recordFault, textAt } from "../api/answer.js";
import { sha256 } from "../api/digest.js";
import { largestPage } from "../api/fields.js";
import { formatJson } from "../api/json.js";
import type { AnyOperation, Input } from "../api/operation.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { entryOf } from "../mapping/request/applied.js";
import type { Following } from "../mapping/request/paging.js";
import type { Clock } from "../ports/machine.js";
import type { MappedOperation, Paging } from "../ports/mapping.js";
import type { Listed, ListPage } from "../ports/service.js";
import { call } from "./call.js";

/** How many requests reading lists may make, how long it may take, and how many bytes of answers it may read. */
export interface BudgetBounds {
	requests: number;
	milliseconds: number;
	bytes: number;
}

/** What reading lists may still use, because a service may list without end. */
export class Budget {
	#made = 0;
	#bytes = 0;
	readonly #ends: number;

	/** @param within the budget that this one shares with others */
	constructor(
		private readonly clock: Pick<Clock, "monotonic">,
		private readonly bounds: BudgetBounds,
		private readonly within?: Budget,
	) {
		this.#ends = clock.monotonic() + bounds.milliseconds;
	}

	/** Counts a request about to be made. Returns false if no more may be made. */
	take(): boolean {
		if (this.spent !== undefined) return false;
		this.#made += 1;
		return this.within?.take() ?? true;
	}

	keep(bytes: number): void {
		this.#bytes += bytes;
		this.within?.keep(bytes);
	}

	/** The bound that was reached, in words: `500 requests`, `128 MiB`, `10 minutes`, `30 s`; undefined before that. */
	get spent(): string | undefined {
		const { requests, milliseconds, bytes } = this.bounds;
		if (this.#made >= requests) return `${groupDigits(requests)} requests`;
		if (this.#bytes >= bytes) return `${bytes / 1024 / 1024} MiB`;
		if (this.clock.monotonic() >= this.#ends)
			return milliseconds >= 120_000 ? `${Math.round(milliseconds / 60_000)} minutes` : `${Math.round(milliseconds / 1_000)} s`;
		return this.within?.spent;
	}
}

/** Bounds of reading one list; a longer list is not useful at a terminal. */
export const oneWalk: BudgetBounds = { requests: 500, milliseconds: 600_000, bytes: 128 * 1024 * 1024 };

/** Bounds of a list to choose from, because a person waits for it. */
const forChoices: BudgetBounds = { requests: 50, milliseconds: 30_000, bytes: 32 * 1024 * 1024 };
/** Most records to choose from, and most that are looked through for a few of them. */
const [mostChoices, mostSearched] = [500, 5_000];

/**
 * A list as a walk found it. It is `complete` where the walk reached its end: the announced total, an empty page, or a bare list; not where it
 * was cut, repeated itself, ended before the announced total, or is always asked with values of the profile's own, which may leave records out.
 */
export interface Pages extends Listed {
	more: boolean;
	/** As announced by the service, where it was. */
	total?: number;
}

export interface Page extends ListPage {
	/** A list without a page around it. */
	bare: boolean;
	/** It was not asked for, because the page before was the last one. */
	ended?: true;
	bytes: number;
}

/**
 * What the pages of one list said of those after them, by number, at a service whose pages can only be asked for with that: by offsets too, as a
 * service may give fewer records than it was asked for, and what it left out would be passed over. Other services' pages have numbers.
 */
export type PageStarts = Map<number, Following | undefined>;

/**
 * What a list is always asked with beside our own filters. It may leave records out, so a list with any proves nothing absent. A header says
 * who asks and in which version, and what was sent said the same.
 */
const narrowing = (entry: MappedOperation | undefined): string[] =>
	(entry?.constants ?? []).filter(({ place }) => place !== "header").map(({ at }) => at);

/**
 * Reads one page of a list, for callers with their own rules for the end.
 * @param place `page` from 0; `pageSize` at most 100
 * @param starts of the list that the page belongs to; one for all its pages
 * @throws PurserError from {@link call}; bug, if the answer is no list
 */
export async function onePage<O extends AnyOperation>(
	context: Context,
	operation: O,
	input: Input<O>,
	place: { page: number; pageSize: number },
	starts: PageStarts = new Map(),
): Promise<Page> {
	const { profile } = await context.settings.read();
	const isLinked = (profile.mapping?.paging?.style ?? "page") !== "page" && place.page > 0;
	const start = isLinked ? (starts.get(place.page - 1) ?? "silent") : undefined;
	const narrowed = narrowing(entryOf(operation, profile.mapping)).join(", ") || undefined;
	// After the last page. Where the service did not say that the list had ended, it is not known to be the whole list.
	if (start === "end" || start === "silent") return { found: [], whole: start === "end", bare: false, bytes: 0, narrowed, ended: true };
	const paging = { page: String(place.page), pageSize: String(place.pageSize) };
	const query = { ...(input.query as Record<string, unknown> | undefined), ...paging };
	const asked = { params: input.params, query };
	const { data, at, bytes, following } = await call(context, operation as AnyOperation, asked, { after: start?.after });
	starts.set(place.page, following);
	const total = countAt(data, "totalElements");
	return { ...listOf(operation, data), bare: Array.isArray(data), bytes: bytes.length, total, at, narrowed };
}

/**
 * Reads a list page by page (`page` from 0, `pageSize` at most 100; answer `{content, totalElements, …}`). Tolerates a bare list (possibly
 * partial), a missing total and pages smaller than requested. A record that appears twice, because the list changed meanwhile, is returned
 * once.
 * @param input filters; `page` and `pageSize` are set here
 * @param options `limit`: most records to return; `budget`: bounds that several walks share, in addition to those of each walk
 */
export async function everyPage<O extends AnyOperation>(
	context: Context,
	operation: O,
	input: Input<O>,
	{ limit, budget: within }: { limit: number; budget?: Budget },
): Promise<Pages> {
	const budget = new Budget(context.clock, oneWalk, within);
	// Request one more than the limit to learn whether there are more.
	const pageSize = Math.min(largestPage, limit + 1);
	const records = new Map<string, Received>();
	const seen = new Set<string>();
	let total: number | undefined;
	let oldest: number | undefined;
	const result = (complete: boolean): Pages => ({
		records: [...records.values()].slice(0, limit),
		more: records.size > limit || (!complete && total !== undefined && total > records.size),
		complete: complete && records.size <= limit,
		total,
		at: oldest,
	});
	const starts: PageStarts = new Map();
	const { paging } = (await context.settings.read()).profile.mapping ?? {};
	for (let page = 0; budget.take(); page++) {
		const read = await onePage(context, operation, input, { page, pageSize }, starts);
		const { found, at } = read;
		budget.keep(read.bytes);
		if (at !== undefined) oldest = Math.min(at, oldest ?? at);
		const print = sha256(formatJson(found));
		const again = found.length > 0 && seen.has(print);
		seen.add(print);
		for (const [index, record] of again ? [] : found.entries()) {
			const key = textAt(record, ...idNames) ?? `${page}/${index}`;
			if (!records.has(key)) records.set(key, record);
		}
		total = read.total ?? total;
		const isFull = page === 0 && found.length >= Math.min(pageSize, paging?.size?.most ?? pageSize);
		// A bare list as long as the page size may have been cut.
		const complete = ending(read, again, found.length < pageSize, reached(total, records.size, isFull, paging));
		if (complete !== undefined) return result(complete && read.narrowed === undefined);
		if (records.size > limit) return result(false);
	}
	return { ...result(false), more: true, cut: budget.spent };
}

/**
 * The records of a list up to a limit, for display; `more` where there are more. Warns if the service may not have listed all.
 * @param isMeant which of them are wanted, where the service cannot be asked for those alone
 */
export async function listAll<O extends AnyOperation>(
	context: Context,
	operation: O,
	input: Input<O>,
	limit: number,
	isMeant?: (record: Received) => boolean,
): Promise<{ records: Received[]; more: boolean }> {
	const read = await everyPage(context, operation, input, { limit: isMeant === undefined ? limit : mostSearched });
	const { records, more, complete, total, cut } = read;
	if (isMeant !== undefined) {
		const found = records.filter(isMeant);
		if (!complete)
			context.report.warn(`Only the first ${groupDigits(records.length)} records were searched; another filter makes them fewer`);
		return { records: found.slice(0, limit), more: found.length > limit };
	}
	if (more && records.length >= limit) return { records, more: true };
	if (cut !== undefined)
		context.report.warn(
			`Stopped after ${cut}: the first ${records.length} are shown, and there may be more. A filter makes the list shorter: --help shows them`,
		);
	else if (more || !complete) {
		const of = total !== undefined && total > records.length ? ` of the ${total} that it announces` : "";
		context.report.warn(`The service may not have listed all: ${records.length}${of} are shown`);
	}
	return { records, more: false };
}

/** The first records of a list, for a person to choose from. Warns if there are more. */
export async function offerable<O extends AnyOperation>(context: Context, operation: O, input: Input<O>): Promise<Received[]> {
	const budget = new Budget(context.clock, forChoices);
	const { records, more } = await everyPage(context, operation, input, { limit: mostChoices, budget });
	if (more) context.report.warn(`Only the first ${records.length} of the list are offered; give another one by its id on the command line`);
	return records;
}

/** Whether the announced total was reached; undefined where none was announced, or it says nothing. @param isFull a page as long as may be */
function reached(total: number | undefined, read: number, isFull: boolean, paging: Paging | undefined): boolean | undefined {
	// Ignore a total below the number of records already read, and go on to an empty page.
	if (total === undefined || total < read) return undefined;
	// A deployment's total may turn out to count the records of a page, and a full page says nothing of those behind it.
	return paging?.total !== undefined && isFull ? undefined : read === total;
}

/**
 * Whether the walk ends with this page: true if the list is complete, false if it was cut, undefined to go on.
 * @param isAgain the same page came before
 * @param isShort the page is shorter than one may be
 */
function ending(page: Page, isAgain: boolean, isShort: boolean, announced: boolean | undefined): boolean | undefined {
	// A repeated bare list shows that the service has no paging; a single one may be a page of the service's own size.
	if (isAgain) return (page.bare && isShort) || announced === true;
	if (page.ended) return announced ?? true;
	if (!page.whole) return false;
	if (page.found.length === 0) return announced ?? true;
	return announced === true ? true : undefined;
}

/**
 * The records of one page, and whether every entry was a record.
 * @throws PurserError bug, if the answer is no list, or no entry can be read: nonsense must never count as an empty list
 */
export function listOf(operation: AnyOperation, data: unknown): { found: Received[]; whole: boolean } {
	const found = listAt(data);
	const raw = Array.isArray(data) ? data : fieldAt(data, "content");
	if (Array.isArray(raw)) {
		const { record } = operation;
		const isRead = (one: Received): boolean =>
			textAt(one, ...idNames) !== undefined || record === undefined || recordFault(one, record) === undefined;
		const read = found.filter(isRead).length;
		if (found.length > 0 && read === 0) throw unreadable(operation, data, "it has no record with a known field");
		return { found, whole: raw.length === read };
	}
	if (raw === null && countAt(data, "totalElements") === 0) return { found, whole: true };
	throw unreadable(operation, data, "it has no list");
}

function unreadable(operation: AnyOperation, answer: unknown, what: string): PurserError {
	return new PurserError("bug", {
		code: "ANSWER_UNREADABLE",
		message: `${operation.title}: the answer makes no sense: ${what}`,
		why: "A list, or a page with its records in content, is expected. This does not mean that the list is empty",
		fix: advice`Check the path (${purser`api list`}), and where the mapping says that the records stand: ${purser`help mapping`}`,
		answer,
	});
}

const idNames = ["id", "transactionId", "corporateRelatedId"];
