/**
 * The part of a sheet about parties that are paid for the first time. Pure.
 */

import { groupDigits, inCurrency } from "../../../api/amount.js";
import type { BatchPlan, BatchTotal } from "../../../ports/batch-plan.js";
import type { Block, Cell, Section } from "../../../ports/page.js";
import type { Planned } from "../plan/planning.js";
import { short } from "./cells.js";
import type { FirstTime } from "./first-time.js";
import { payeeName, type RowWords } from "./rows-table.js";

/** Most sums of one party. */
const mostSums = 3;

interface Subject extends Pick<RowWords, "nameOf" | "payees" | "unmasked"> {
	plan: BatchPlan;
	strangers: Planned["strangers"];
	firstTime: FirstTime;
}

export function firstTimeSection(subject: Subject): Section {
	const { plan, strangers, firstTime } = subject;
	const all = strangers.beneficiaries + strangers.ledgers;
	const meaning = `First time means: not paid before by the profile ${short(plan.profile)} on this machine, as far as its journal tells. Payments made elsewhere are not known here.`;
	if (all === 0)
		return {
			title: "Payees paid for the first time",
			blocks: [
				{ kind: "notice", tone: "good", text: "Every payee of this batch was paid before." },
				{ kind: "text", text: meaning, tone: "quiet" },
			],
		};
	const listed = firstTime.payees.length;
	const named = firstTime.payees.some(({ id }) => payeeName(id, subject) !== undefined);
	const table: Block = {
		kind: "table",
		caption:
			all > listed
				? `The first ${groupDigits(listed)} of ${groupDigits(all)} payees, in the order of the file`
				: "In the order of the file",
		columns: [
			...(named ? [{ name: "Payee" }] : []),
			{ name: named ? "Kind" : "Payee" },
			{ name: "Id" },
			{ name: "First row", right: true },
			{ name: "Payments", right: true },
			{ name: "Total", right: true },
		],
		rows: firstTime.payees.map(({ kind, id, firstRow, totals }): Cell[] => [
			...(named ? [payeeName(id, subject)] : []),
			kind,
			{ code: short(id) },
			String(firstRow),
			groupDigits(rowsIn(totals)),
			sumsText(totals),
		]),
		empty: "None.",
	};
	return {
		title: "Payees paid for the first time",
		blocks: [
			{
				kind: "notice",
				tone: "warn",
				text: `${countOf(strangers)} in ${groupDigits(rowsIn(firstTime.totals))} of ${groupDigits(plan.count)} payments: ${sumsText(firstTime.totals)}.`,
			},
			{ kind: "text", text: meaning },
			table,
		],
	};
}

const rowsIn = (totals: readonly BatchTotal[]): number => totals.reduce((all, { rows }) => all + rows, 0);

function sumsText(totals: readonly BatchTotal[]): string {
	const sums = totals.slice(0, mostSums).map(({ amount, currency }) => inCurrency(amount, currency));
	return `${sums.join(", ")}${totals.length > mostSums ? ` and ${groupDigits(totals.length - mostSums)} more currencies` : ""}`;
}

function countOf({ beneficiaries, ledgers }: Planned["strangers"]): string {
	return [
		...(beneficiaries > 0 ? [`${groupDigits(beneficiaries)} ${beneficiaries === 1 ? "beneficiary" : "beneficiaries"}`] : []),
		...(ledgers > 0 ? [`${groupDigits(ledgers)} ${ledgers === 1 ? "ledger" : "ledgers"}`] : []),
	].join(" and ");
}
