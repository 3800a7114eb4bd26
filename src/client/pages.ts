import { countAt, listAt, type Received, textAt } from "../api/answer.js";
import { formatJson } from "../api/json.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { largestPage } from "../api/paging.js";
import type { Context } from "../context.js";
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
}

/**
 * Walks a list page by page (operations 3: `page` from 0, `pageSize` at most 100; answer `{content, totalElements, …}`).
 * A bare list, a missing total and a smaller page than asked for are taken as they are. A record that comes twice, because
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
	const pageSize = String(Math.min(largestPage, limit + 1));
	const records = new Map<string, Received>();
	const seen = new Set<string>();
	let total: number | undefined;
	const result = (complete: boolean): Pages => ({
		records: [...records.values()].slice(0, limit),
		more: records.size > limit || (!complete && total !== undefined && total > records.size),
		complete: complete && records.size <= limit,
		total,
	});
	for (let page = 0; page < mostPages; page++) {
		const query = { ...(input.query as Record<string, unknown> | undefined), page: String(page), pageSize };
		const { data } = await call(context, operation as AnyOperation, { params: input.params, query });
		const found = listAt(data);
		const print = formatJson(found);
		if (found.length > 0 && seen.has(print)) return result(total !== undefined && records.size >= total);
		seen.add(print);
		for (const [index, record] of found.entries()) keep(records, record, `${page}/${index}`);
		total = countAt(data, "totalElements") ?? total;
		if (Array.isArray(data)) return result(true);
		if (found.length === 0) return result(total === undefined || records.size >= total);
		if (total !== undefined && records.size >= total) return result(true);
		if (records.size > limit) return result(false);
	}
	return { ...result(false), more: true };
}

function keep(records: Map<string, Received>, record: Received, place: string): void {
	const key = textAt(record, "id", "corporateRelatedId") ?? place;
	if (!records.has(key)) records.set(key, record);
}
