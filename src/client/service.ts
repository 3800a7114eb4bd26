import { formatJson } from "../api/json.js";
import type { AnyOperation } from "../api/operation.js";
import { createBeneficiaryTransaction, createInterLedger } from "../api/operations/transaction.js";
import { largestPage } from "../api/paging.js";
import { lookUpsDigest, sentThrough } from "../binding/kept.js";
import { PageStarts, withoutUnplaced } from "../binding/paging.js";
import type { Context } from "../context.js";
import type { Reading, Service } from "../ports/service.js";
import { call } from "./call.js";
import { everyPage, offerable, onePage } from "./pages.js";
import { digestOf } from "./record.js";
import { contextThrough } from "./request/through.js";
import { waitFor } from "./wait/wait.js";

/** The client as the port `Service`. */
export function serviceOf(context: Context): Service {
	const starts = new Map<string, PageStarts>();
	const described = new Map<string, Reading>();
	/** Of the pages of one list. A list that is looked at once more begins with its first page. */
	const startsOf = (list: string, page: number): PageStarts => {
		const held = page === 0 ? undefined : starts.get(list);
		const own = held ?? new PageStarts();
		starts.set(list, own);
		return own;
	};
	const placed = async <Q extends Record<string, unknown>>({ id }: AnyOperation, query: Q): Promise<Q> =>
		withoutUnplaced(query, (await context.settings()).profile.overrides[id]);
	return {
		get: async (operation, input) => (await call(context, operation, input)).data,
		list: async (operation, input, limit) => {
			const query = await placed(operation, (input.query ?? {}) as Record<string, unknown>);
			return everyPage(context, operation, { ...input, query } as typeof input, { limit });
		},
		through: async (lookUps) => {
			const { profile } = await context.settings();
			if (lookUpsDigest(lookUps.effect, profile) === (lookUps.digest ?? undefined)) return undefined;
			const key = `${lookUps.effect} ${lookUps.digest}`;
			const known = described.get(key) ?? serviceOf(contextThrough(context, lookUps));
			described.set(key, known);
			return known;
		},
		offer: (operation, input) => offerable(context, operation, input),
		page: async (operation, query, page, params) => {
			const asked = await placed(operation, query);
			const starts = startsOf(formatJson([operation.id, query, params ?? {}]), page);
			const read = await onePage(context, operation, { params, query: asked }, { page, pageSize: largestPage }, starts);
			return { ...read, isUnbounded: "startDate" in query && !("startDate" in asked) };
		},
		call: (operation, input, beside) => call(context, operation, input, beside),
		document: async (address) => (await import("./document.js")).fetchDocument(context, address, async () => false),
		digestOf: (profile, operation, input) => digestOf(profile, operation, input, context.version),
		paymentsThrough: (profile) => {
			const sent = { ledger: sentThrough(createInterLedger, profile), beneficiary: sentThrough(createBeneficiaryTransaction, profile) };
			return {
				through: { ledger: sent.ledger.binding, beneficiary: sent.beneficiary.binding },
				kept: [...sent.ledger.kept, ...sent.beneficiary.kept],
			};
		},
		send: async (transfer, beside) => (await import("./lane.js")).sendTransfer(context, transfer, beside),
		lane: async (first) => (await import("./lane.js")).openLane(context, first),
		until: (limits, look) => waitFor(context, limits, look),
	};
}
