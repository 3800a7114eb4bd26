import { withDeadline } from "../api/deadline.js";
import { largestPage } from "../api/fields.js";
import { formatJson } from "../api/json.js";
import type { AnyOperation } from "../api/operation.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { entryOf } from "../mapping/request/applied.js";
import { mappingDigest } from "../mapping/request/confirmation.js";
import { withoutUnplaced } from "../mapping/request/paging.js";
import type { Service } from "../ports/service.js";
import { call } from "./call.js";
import { requireConfirmed } from "./confirm/confirmed.js";
import { Budget, everyPage, offerable, onePage, oneWalk, type PageStarts } from "./pages.js";
import { digestOf } from "./record.js";
import { waitFor } from "./wait.js";

/** The client as the port `Service`. */
export function serviceOf(context: Context): Service {
	const lists = new Map<string, PageStarts>();
	const placed = async <Q extends Record<string, unknown>>(operation: AnyOperation, query: Q): Promise<Q> =>
		withoutUnplaced(query, entryOf(operation, (await context.settings.read()).profile.mapping));
	return {
		get: async (operation, input) => (await call(context, operation, input)).data,
		list: async (operation, input, limit, requests) => {
			const query = await placed(operation, (input.query ?? {}) as Record<string, unknown>);
			const budget = requests === undefined ? undefined : new Budget(context.clock, { ...oneWalk, requests });
			return everyPage(context, operation, { ...input, query } as typeof input, { limit, budget });
		},
		offer: async (operation, input) => {
			const query = await placed(operation, (input.query ?? {}) as Record<string, unknown>);
			return offerable(context, operation, { ...input, query } as typeof input);
		},
		page: async (operation, query, page, params) => {
			const asked = await placed(operation, query);
			const list = formatJson([operation.id, query, params ?? {}]);
			// A list that is looked at once more begins with its first page.
			const starts = (page > 0 && lists.get(list)) || new Map();
			lists.set(list, starts);
			const read = await onePage(context, operation, { params, query: asked }, { page, pageSize: largestPage }, starts);
			return { ...read, isUnbounded: "startDate" in query && !("startDate" in asked) };
		},
		call: (operation, input, options) => call(context, operation, input, options),
		document: async (address) => (await import("./document.js")).fetchDocument(context, address),
		digestOf: (profile, operation, input) => digestOf(profile, operation, input, context.system.version),
		mappingOf: mappingDigest,
		requireConfirmed: async (operation) => {
			await requireConfirmed(context, (await context.settings.read()).profile, operation);
		},
		send: async (transfer, options) => (await import("./sender.js")).sendTransfer(context, transfer, options),
		resend: async (record) => (await import("./resend.js")).resendPayment(context, record),
		sender: async (first) => (await import("./sender.js")).openSender(context, first),
		until: (limits, poll) => waitFor(context, limits, poll),
	};
}

/**
 * Reads what is only shown, for a limited time: a person does without it rather than wait.
 * @throws PurserError interrupted, where the run was stopped
 */
export async function readSoon(
	context: Context,
	milliseconds: number,
	reads: readonly ((service: Service) => Promise<unknown>)[],
): Promise<void> {
	const signal = withDeadline(milliseconds, context.signal);
	const service = serviceOf({ ...context, signal });
	const tried = reads.map((read) =>
		read(service).catch((error: unknown) => {
			if (!(error instanceof PurserError) || context.signal.aborted) throw error;
		}),
	);
	await Promise.all(tried);
}
