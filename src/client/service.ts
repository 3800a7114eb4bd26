import type { AnyOperation } from "../api/operation.js";
import { transferOperations } from "../api/operations/transaction.js";
import { transferBody } from "../api/operations/transfer.js";
import { largestPage } from "../api/paging.js";
import type { Context } from "../context.js";
import type { Service } from "../ports/service.js";
import { call } from "./call.js";
import { openLane } from "./lane.js";
import { everyPage, onePage } from "./pages.js";
import { waitFor } from "./wait.js";

/** The service, for whoever is handed it instead of the client itself. */
export function serviceOf(context: Context): Service {
	return {
		get: async (operation, input) => (await call(context, operation, input)).data,
		list: (operation, query, limit) => everyPage(context, operation, { query }, { limit }),
		page: (operation, query, page) => onePage(context, operation, { query }, { page, pageSize: largestPage }),
		send: (transfer, { added, ...beside }) => {
			const { kind, currency, token } = transfer;
			const body = { ...added, ...transferBody(transfer) };
			return call(context, transferOperations[kind] as AnyOperation, { body }, { currency, token, ...beside });
		},
		lane: (first) => openLane(context, first),
		until: (limits, look) => waitFor(context, limits, look),
	};
}
