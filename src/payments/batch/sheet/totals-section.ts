/**
 * The part of a sheet about totals by currency, and by ledger and currency. Pure.
 */

import { groupDigits, inCurrency } from "../../../api/amount.js";
import type { Cell, Section } from "../../../ports/page.js";
import { difference } from "../../rules/decimal.js";
import { sumsByCurrency } from "../plan/check.js";
import type { Planned } from "../plan/planning.js";
import { short } from "./cells.js";

/** Most ledgers that are listed. */
const mostLedgers = 100;

/** A ledger whose available balance is not enough for its payments in a currency. */
interface Shortfall {
	ledgerFromId: string;
	name?: string;
	currency: string | undefined;
	/** Decimal text. */
	missing: string;
	/** The first row that the balance does not cover. */
	row: number;
}

/** In the order of the totals. */
export function shortfalls({ plan, balances, dry }: Pick<Planned, "plan" | "balances" | "dry">): Shortfall[] {
	return plan.totals.flatMap(({ ledgerFromId, currency, amount }) => {
		const balance = balances.find((one) => one.ledgerFromId === ledgerFromId);
		const row = dry.find((one) => one.ledgerFromId === ledgerFromId)?.row;
		if (row === undefined || balance?.available === undefined || (balance.currency ?? currency) !== currency) return [];
		const left = difference(balance.available, amount);
		return left?.startsWith("-") ? [{ ledgerFromId, name: balance.name, currency, missing: left.slice(1), row }] : [];
	});
}

export function totalsSection({
	plan,
	balances,
	dry,
	nameOf,
}: Pick<Planned, "plan" | "balances" | "dry"> & { nameOf(id: string): string | undefined }): Section {
	const lacking = shortfalls({ plan, balances, dry });
	const ledgers = plan.totals.slice(0, mostLedgers).map(({ ledgerFromId, currency, rows, amount }): Cell[] => {
		const balance = balances.find((one) => one.ledgerFromId === ledgerFromId);
		const out = lacking.find((one) => one.ledgerFromId === ledgerFromId && one.currency === currency);
		return [
			short(balance?.name ?? nameOf(ledgerFromId) ?? ""),
			{ code: short(ledgerFromId) },
			groupDigits(rows),
			{ amount, currency },
			balance?.available === undefined ? "not known" : { amount: balance.available, currency: balance.currency },
			out === undefined
				? undefined
				: { text: `${inCurrency(out.missing, currency).replaceAll(" ", "\u00a0")} missing, from row ${groupDigits(out.row)}`, tone: "bad" },
		];
	});
	const currencies = [...sumsByCurrency(plan)].map(([currency, amount]): Cell[] => [
		currency === "?" ? "not known" : currency,
		groupDigits(plan.totals.reduce((all, one) => all + ((one.currency ?? "?") === currency ? one.rows : 0), 0)),
		{ amount, currency: currency === "?" ? undefined : currency },
	]);
	return {
		title: "Totals",
		blocks: [
			...(currencies.length > 1
				? [
						{
							kind: "table",
							caption: "By currency",
							columns: [{ name: "Currency" }, { name: "Payments", right: true }, { name: "Total", right: true }],
							rows: currencies.slice(0, mostLedgers),
							empty: "",
							more: moreOf(currencies.length, mostLedgers, "currencies"),
						} as const,
					]
				: []),
			{
				kind: "table",
				caption: "By debited ledger and currency",
				columns: [
					{ name: "From" },
					{ name: "Ledger" },
					{ name: "Payments", right: true },
					{ name: "Total", right: true },
					{ name: "Available when planned", right: true },
					{ name: "Note" },
				],
				rows: ledgers,
				empty: "",
				more: moreOf(plan.totals.length, mostLedgers, "ledgers"),
			},
		],
	};
}

/** @returns undefined where everything is listed */
const moreOf = (all: number, listed: number, what: string): string | undefined =>
	all > listed ? `These are the first ${listed} of ${groupDigits(all)} ${what}. All of them are in the plan's file.` : undefined;
