/**
 * The preview that a person is shown before a batch is sent.
 */

import { advice, purser } from "../../../api/advice.js";
import { groupDigits, inCurrency } from "../../../api/amount.js";
import type { Advice } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, BatchRecord } from "../../../ports/batches.js";
import type { Reading } from "../../../ports/service.js";
import { difference } from "../../rules/decimal.js";
import { lookUpLedger } from "../../single/facts.js";
import { sumsByCurrency } from "../plan/check.js";
import type { Balance } from "../plan/totals.js";
import { mostNamed, rowsIn } from "./text.js";

/** A time is shown as the terminal shows times. */
type Row = [string, string | { time: string }];

export interface BatchPreview {
	title: string;
	rows: Row[];
	warnings: Advice[];
	/** What must be typed on a live profile: the total, or the number of rows if there are several currencies. */
	amount: string;
	currency?: string;
	/** For a person who does not go on. */
	before?: { done: readonly string[]; notDone: readonly string[] };
}

export function previewOfBatch(plan: BatchPlan, foundDuplicates: BatchDuplicates, debited: DebitedLedgers): BatchPreview {
	const sums = [...sumsByCurrency(plan)];
	const [only] = sums;
	const single = sums.length === 1 && only !== undefined && only[0] !== "?";
	const total = totalOf(plan);
	return {
		title: `Send ${paymentsIn(plan.count)}, ${total} in all`,
		rows: [
			["File", plan.source === "-" ? "standard input" : plan.source],
			["Payments", groupDigits(plan.count)],
			["Total", total],
			...ledgerRows(plan, debited, true),
			["Planned", { time: plan.planned }],
			["Valid until", { time: plan.expires }],
			...(plan.sheet === undefined ? [] : [["Page (SHA-256)", plan.sheet.sha256] as Row]),
		],
		warnings: [...balanceWarnings(plan, debited), ...duplicateWarnings(plan, foundDuplicates)],
		amount: single ? only[1] : String(plan.count),
		currency: single ? only[0] : undefined,
	};
}

const paymentsIn = (rows: number): string => `${groupDigits(rows)} ${rows === 1 ? "payment" : "payments"}`;

function totalOf(plan: BatchPlan): string {
	return [...sumsByCurrency(plan)].map(([currency, amount]) => inCurrency(amount, currency === "?" ? undefined : currency)).join(", ");
}

/** @param whole the whole batch is to be sent; otherwise the remaining amounts are not known */
function ledgerRows({ totals }: BatchPlan, debited: DebitedLedgers, whole: boolean): Row[] {
	const rows = totals.slice(0, mostNamed).flatMap(({ ledgerFromId, currency, rows, amount }): Row[] => {
		const ledger = debited.get(ledgerFromId);
		const available = ledger?.available === undefined ? "balance unknown" : `${inCurrency(ledger.available, ledger.currency)} available`;
		const leaves = `${inCurrency(amount, currency)} in ${paymentsIn(rows)}, `;
		return [
			[
				"From",
				ledger === undefined ? `${ledgerFromId} (could not be read)` : `${ledger.name ?? "ledger without a name"} · ${ledgerFromId}`,
			],
			["", `${whole ? leaves : ""}${available}`],
		];
	});
	const more = totals.length - mostNamed;
	return more > 0 ? [...rows, ["", `and ${more} more ${more === 1 ? "ledger" : "ledgers"}`]] : rows;
}

/** Warnings about ledgers whose balance is not enough. */
function balanceWarnings({ totals }: BatchPlan, debited: DebitedLedgers): string[] {
	return totals.flatMap(({ ledgerFromId, currency, amount }) => {
		const ledger = debited.get(ledgerFromId);
		if (ledger?.available === undefined || ledger.currency !== currency) return [];
		const left = difference(ledger.available, amount);
		return left?.startsWith("-")
			? [`The available balance of ${ledger.name ?? ledgerFromId} is not enough: ${inCurrency(left.slice(1), currency)} is missing`]
			: [];
	});
}

/** The warning about rows of unknown currency, which count against every limit; undefined if there are none. */
export function unknownCurrencyWarning({ totals, count }: Pick<BatchPlan, "totals" | "count">): string | undefined {
	const rows = totals.reduce((all, total) => all + (total.currency === undefined ? total.rows : 0), 0);
	if (rows === 0) return undefined;
	const which = `${groupDigits(rows)} of ${groupDigits(count)} ${count === 1 ? "row" : "rows"}`;
	return `The currency of ${which} is unknown, so they count against every limit, and as above one that names a currency. It is given when the file is planned: in a column "currency", or with --currency EUR for all rows`;
}

/** Warnings about duplicates. */
export function duplicateWarnings(
	plan: Pick<BatchPlan, "count" | "totals">,
	{ inside, earlier, doubts, sending, batches }: BatchDuplicates,
): string[] {
	const of = (rows: number, one: string, many: string): string =>
		`${groupDigits(rows)} of ${groupDigits(plan.count)} ${plan.count === 1 ? "row" : "rows"} ${rows === 1 ? one : many}`;
	const unknown = unknownCurrencyWarning(plan);
	return [
		...(unknown === undefined ? [] : [unknown]),
		...(inside > 0 ? [`${of(inside, "is", "are")} the same as another row of this file`] : []),
		...(earlier > 0
			? [of(earlier, "was paid recently, or is in a batch under way", "were paid recently, or are in a batch under way")]
			: []),
		...(sending === undefined
			? []
			: [
					`${of(sending.rows, "is", "are")} the same as a payment that is being sent right now (intent ${sending.intents.join(", ")}): wait for it first`,
				]),
		...(doubts.rows > 0
			? [`${of(doubts.rows, "looks", "look")} the same as a payment in doubt (intent ${doubts.intents.join(", ")}): settle it first`]
			: []),
		...batches.map(({ batch, rows, same }) =>
			same ? `This is batch ${batch} again: the same rows` : `${of(rows, "is", "are")} also in batch ${batch}`,
		),
	];
}

/** The preview before a batch is resumed. It shows the number of remaining rows; their total is not known here. */
export function previewOfRest(
	{ batch, plan, counts }: BatchRecord,
	foundDuplicates: BatchDuplicates,
	debited: DebitedLedgers,
): BatchPreview {
	const left = rowsIn(counts, "planned", "not-sent", "not-created");
	const doubts = rowsIn(counts, "in-doubt");
	return {
		title: `Send ${groupDigits(left)} of the ${paymentsIn(plan.count)} of batch ${batch}`,
		rows: [
			["File", plan.source === "-" ? "standard input" : plan.source],
			["Whole batch", `${paymentsIn(plan.count)}, ${totalOf(plan)}`],
			["Accepted", groupDigits(rowsIn(counts, "accepted", "waiting"))],
			["To be sent", groupDigits(left)],
			...ledgerRows(plan, debited, false),
			["Planned", { time: plan.planned }],
		],
		warnings: [
			...(doubts > 0
				? [
						advice`${groupDigits(doubts)} ${doubts === 1 ? "row is in doubt and is" : "rows are in doubt and are"} not sent again: ${purser`pay settle --batch ${batch}`}`,
					]
				: []),
			...duplicateWarnings(plan, foundDuplicates),
		],
		amount: String(left),
	};
}

/** By id; undefined if the ledger could not be read. */
export type DebitedLedgers = ReadonlyMap<string, (Balance & { name?: string }) | undefined>;

/**
 * Looks up the ledgers that a preview lists.
 * @throws PurserError auth (401) or interrupted; after any other failure the ledger is undefined
 */
export async function lookUpDebited(service: Pick<Reading, "get">, { totals }: Pick<BatchPlan, "totals">): Promise<DebitedLedgers> {
	const ids = [...new Set(totals.map(({ ledgerFromId }) => ledgerFromId))].slice(0, mostNamed);
	const lookup = async (id: string): Promise<[string, (Balance & { name?: string }) | undefined]> => {
		const lookup = await lookUpLedger(service, id);
		return [id, "found" in lookup ? lookup.found : undefined];
	};
	return new Map(await Promise.all(ids.map(lookup)));
}
