import type { Received } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { largestPage } from "../api/paging.js";
import type { Context } from "../context.js";
import { call } from "./call.js";
import { everyPage, onePage, type Page } from "./pages.js";

/** Reading from the service, for whoever is handed it instead of the client itself. */
export function reader(context: Context) {
	return {
		/** The record an operation answers with. */
		get: async <O extends AnyOperation>(operation: O, input: Input<O>): Promise<unknown> => (await call(context, operation, input)).data,
		/** At most `limit` records of a list; `complete` where that is all of them; `at` as the service dates it, in milliseconds. */
		list: async <O extends AnyOperation>(
			operation: O,
			query: Record<string, unknown>,
			limit: number,
		): Promise<{ records: Received[]; complete: boolean; at?: number }> =>
			everyPage(context, operation as AnyOperation, { query }, { limit }),
		/** One page of a list, counted from 0, as long as a page may be. */
		page: async <O extends AnyOperation>(operation: O, query: Record<string, unknown>, page: number): Promise<Page> =>
			onePage(context, operation as AnyOperation, { query }, { page, pageSize: largestPage }),
	};
}
