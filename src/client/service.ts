import { formatJson } from "../api/json.js";
import { createBeneficiaryTransaction, createInterLedger } from "../api/operations/transaction.js";
import { largestPage } from "../api/paging.js";
import { lookUpsDigest, sentThrough } from "../binding/kept.js";
import { PageStarts } from "../binding/paging.js";
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
	return {
		get: async (operation, input) => (await call(context, operation, input)).data,
		list: (operation, input, limit) => everyPage(context, operation, input, { limit }),
		through: async (lookUps) => {
			const { profile } = await context.settings();
			if (lookUpsDigest(lookUps.effect, profile) === (lookUps.digest ?? undefined)) return undefined;
			const key = `${lookUps.effect} ${lookUps.digest}`;
			const known = described.get(key) ?? serviceOf(contextThrough(context, lookUps));
			described.set(key, known);
			return known;
		},
		offer: (operation, input) => offerable(context, operation, input),
		page: (operation, query, page, params) =>
			onePage(
				context,
				operation,
				{ params, query },
				{ page, pageSize: largestPage },
				startsOf(formatJson([operation.id, query, params ?? {}]), page),
			),
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
