import { advice, purser } from "../api/advice.js";
import { countAt, at as fieldAt, listAt, type Received, textAt } from "../api/answer.js";
import { formatJson } from "../api/json.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { largestPage } from "../api/paging.js";
import { recordFault } from "../api/understood.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { call } from "./call.js";

/** Pages that one walk asks for, whatever was asked: beyond this a list is not for a terminal. */
const mostPages = 500;

export interface Pages {
	records: Received[];
	/** There are more records than the limit. */
	more: boolean;
	/**
	 * The walk saw the list to its end as the service tells it: the announced total, an empty page, a bare list.
	 * False where it was cut, repeated itself, or ended before the announced total.
	 */
	complete: boolean;
	/** As announced by the service, where it was. */
	total?: number;
	/** When the service says it gave the oldest page, in milliseconds, where it says so. */
	at?: number;
}

/** One page of a list as the service gave it. */
export interface Page {
	found: Received[];
	/** Nothing but records stood in it. */
	whole: boolean;
	/** A list without a page around it. */
	bare: boolean;
	/** As announced by the service, where it was. */
	total?: number;
	/** When the service says it gave it, in milliseconds, where it says so. */
	at?: number;
}

/**
 * One page of a list, for whoever walks it by rules of their own.
 * @param place `page` from 0; `pageSize` at most 100
 * @throws PurserError as {@link call}; bug, where the answer is no list
 */
export async function onePage<O extends AnyOperation>(
	context: Context,
	operation: O,
	input: Input<O>,
	place: { page: number; pageSize: number },
): Promise<Page> {
	const paging = { page: String(place.page), pageSize: String(place.pageSize) };
	const query = { ...(input.query as Record<string, unknown> | undefined), ...paging };
	const { data, at } = await call(context, operation as AnyOperation, { params: input.params, query });
	return { ...listOf(operation, data), bare: Array.isArray(data), total: countAt(data, "totalElements"), at };
}

/**
 * Walks a list page by page (`page` from 0, `pageSize` at most 100; answer `{content, totalElements, …}`).
 * A bare list (which may be a part only), a missing total and a smaller page than asked for are taken as they are. A record that comes twice, because
 * the list moved under the walk, is kept once.
 * @param input filters; `page` and `pageSize` are the walk's own
 * @param options `limit`: most records to return
 * @throws PurserError as {@link call}
 */
export async function everyPage<O extends AnyOperation>(
	context: Context,
	operation: O,
	input: Input<O>,
	options: { limit: number },
): Promise<Pages> {
	const { limit } = options;
	// One more than wanted says whether there are more.
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
	for (let page = 0; page < mostPages; page++) {
		const { found, whole, bare, total: announcedTotal, at } = await onePage(context, operation, input, { page, pageSize });
		if (at !== undefined) oldest = Math.min(at, oldest ?? at);
		const print = formatJson(found);
		const again = found.length > 0 && seen.has(print);
		seen.add(print);
		if (!again) for (const [index, record] of found.entries()) keep(records, record, `${page}/${index}`);
		total = announcedTotal ?? total;
		// A total below what is there already is no total: the walk goes on to an empty page.
		const announced = total === undefined || total < records.size ? undefined : records.size === total;
		const complete = ending({
			// A list as long as was asked for may have been cut there.
			unpaged: bare && found.length < pageSize,
			again,
			whole,
			announced,
			found: found.length,
		});
		if (complete !== undefined) return result(complete);
		if (records.size > limit) return result(false);
	}
	return { ...result(false), more: true };
}

/**
 * The records of a list up to a limit, for a command that shows them. Says where there are more, or where the service may not have listed all.
 * @throws PurserError as {@link call}
 */
export async function listAll<O extends AnyOperation>(context: Context, operation: O, input: Input<O>, limit: number): Promise<Received[]> {
	const { records, more, complete, total } = await everyPage(context, operation, input, { limit });
	if (more && records.length >= limit) context.reporter.warn(`There are more than ${limit}; show them with --limit`);
	else if (more || !complete) {
		const of = total !== undefined && total > records.length ? ` of the ${total} that it announces` : "";
		context.reporter.warn(`The service may not have listed all: ${records.length}${of} are shown`);
	}
	return records;
}

interface PageFindings {
	/** A list without a page around it, and shorter than a page may be. */
	unpaged: boolean;
	/** The same page came before. */
	again: boolean;
	/** Nothing but records stood in it. */
	whole: boolean;
	/** Whether all that was announced is there; undefined where nothing was announced. */
	announced?: boolean;
	found: number;
}

/** Whether the walk ends with this page: true where the list is complete, false where it was cut, undefined to go on. */
function ending({ unpaged, again, whole, announced, found }: PageFindings): boolean | undefined {
	// A bare list that comes again is one that knows no pages. One that comes once may be a page of the service's own size.
	if (again) return unpaged || announced === true;
	if (!whole) return false;
	if (found === 0) return announced ?? true;
	return announced === true ? true : undefined;
}

/**
 * The records of one page, and whether nothing else stood among them.
 * @throws PurserError bug, where the answer is no list, or none of its records can be read: that nothing is listed must never be read out of nonsense
 */
function listOf(operation: AnyOperation, data: unknown): { found: Received[]; whole: boolean } {
	const found = listAt(data);
	const raw = Array.isArray(data) ? data : fieldAt(data, "content");
	if (Array.isArray(raw)) {
		const { record } = operation;
		const isRead = (one: Received): boolean =>
			textAt(one, ...idNames) !== undefined || record === undefined || recordFault(one, record) === undefined;
		const read = found.filter(isRead).length;
		if (found.length > 0 && read === 0) throw unreadable(operation, data, "it holds no record in which a field is known");
		return { found, whole: raw.length === read };
	}
	if (raw === null && countAt(data, "totalElements") === 0) return { found, whole: true };
	throw unreadable(operation, data, "it holds no list");
}

function unreadable(operation: AnyOperation, answer: unknown, what: string): PurserError {
	return new PurserError("bug", {
		code: "ANSWER_UNREADABLE",
		message: `${operation.title}: the answer makes no sense: ${what}`,
		why: "A list, or a page with its records in content, is expected; that nothing is listed does not follow from this",
		fix: advice`Check the path (${purser`api list`}). If the list has another name here: ${purser`api set ${operation.id} --field content=NAME`}`,
		answer,
	});
}

/** Names that the id of a listed record has. */
const idNames = ["id", "transactionId", "corporateRelatedId"];

function keep(records: Map<string, Received>, record: Received, place: string): void {
	const key = textAt(record, ...idNames) ?? place;
	if (!records.has(key)) records.set(key, record);
}
