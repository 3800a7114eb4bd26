/**
 * Describes a new plan for people: what will be sent, from where, and what to check first.
 */

import { purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import type { SuggestedCommand } from "../../../errors.js";
import type { Style } from "../../../ports/style.js";
import type { Planned } from "../plan/planning.js";
import { totalsText } from "../plan/totals.js";
import { nearlyAll, overCap } from "../send/guards.js";
import { duplicateWarnings, unknownCurrencyWarning } from "../send/preview.js";
import { isOfReport } from "./row.js";

type Words = Pick<Style, "good" | "warn" | "pairs" | "table" | "money" | "time">;

export function plannedText(planned: Planned & { path?: string; sheet?: { path: string } }, style: Words): string {
	const { plan, path, balances } = planned;
	const ledgers = plan.totals.map(({ ledgerFromId, currency, rows, amount }) => {
		const balance = balances.find((one) => one.ledgerFromId === ledgerFromId);
		const dry = planned.dry.find((one) => one.ledgerFromId === ledgerFromId && balance?.currency === currency);
		return [
			balance?.name ?? ledgerFromId,
			groupDigits(rows),
			style.money(amount, currency) ?? amount,
			balance?.available === undefined ? "not known" : (style.money(balance.available, balance.currency) ?? ""),
			dry === undefined ? "" : style.warn(`runs out at row ${groupDigits(dry.row)}`),
		];
	});
	return [
		style.good(
			path === undefined ? "Every row can be paid (dry run: no plan was kept)" : `Batch ${plan.batch} is planned; nothing was sent`,
		),
		style.pairs([
			["File", plan.source === "-" ? "standard input" : plan.source],
			["Rows", groupDigits(plan.count)],
			["Total", totalsText(plan, style)],
			["Plan", path],
			["Sheet", planned.sheet?.path],
			["Valid until", style.time(plan.expires)],
		]),
		"",
		style.table(["From", "Rows", "Total", "Available", ""], ledgers),
		...notesOf(planned).map((note) => `${style.warn("Note:")} ${note}`),
	].join("\n");
}

/** A plan's file, with the options it was made with. */
interface Given {
	path: string;
	file: string;
	/** Whether flags mapped columns or gave values. */
	flags: boolean;
}

/**
 * Commands to suggest if a script could not send the plan as it is (`guards.ts` has the rules), the most certain obstacle first; empty if
 * there is none. At a terminal `send` shows the duplicates and asks, so a Yes is enough there.
 */
export function stepsBefore({ plan, alike: found }: Pick<Planned, "plan" | "alike">, { path, file, flags }: Given): SuggestedCommand[] {
	const { inside, earlier, doubts, sending, batches } = found;
	const same = batches.find((one) => one.same);
	if (same) return [{ ...purser`pay batch status ${same.batch}`, remark: "these rows were already sent and are not sent twice" }];
	if (sending !== undefined)
		return [
			{
				...purser`history show ${sending.intents[0]}`,
				remark: "the same payment is being sent right now; send the plan when that has finished",
			},
		];
	if (doubts.rows > 0) return [{ ...purser`pay settle ${doubts.intents[0]}`, remark: "then plan the file again" }];
	if (overCap(plan) !== undefined) {
		const first =
			unknownCurrencyWarning(plan) === undefined ? "the amounts are checked" : "the rows give their currency (--currency EUR for all)";
		return [{ ...purser`pay batch plan ${{ path: file }}`, remark: `once ${first}, or the limit is raised` }];
	}
	const named = plan.despite?.batches ?? [];
	const near = batches.filter(({ batch, rows }) => rows >= plan.count * nearlyAll && !named.includes(batch)).map(({ batch }) => batch);
	if (near.length === 0 && inside + earlier <= (plan.despite?.duplicates ?? 0)) return [];
	const overrides = [
		...(file === "-" ? ["--to", { path }] : []),
		...(near.length + named.length > 0 ? ["--despite-batches", [...named, ...near].join(",")] : []),
		...(inside + earlier > 0 ? ["--despite-duplicates", inside + earlier] : []),
	];
	return [
		{
			...purser`pay batch plan ${{ path: file }} ${overrides} --reason TEXT`,
			remark: `if these payments are intended${flags ? "; with the same flags" : ""}`,
		},
		{ ...purser`pay batch send ${{ path }}`, remark: "at a terminal: it shows them and asks" },
	];
}

function notesOf({ plan, alike, strangers, ignored }: Planned): string[] {
	const { beneficiaries, ledgers } = strangers;
	const cap = overCap(plan);
	return [
		...(cap === undefined ? [] : [`${cap}: it cannot be sent like this`]),
		...duplicateWarnings(plan, alike),
		...(beneficiaries > 0
			? [
					`${groupDigits(beneficiaries)} ${beneficiaries === 1 ? "beneficiary was" : "beneficiaries were"} never paid from this journal before`,
				]
			: []),
		...(ledgers > 0
			? [`${groupDigits(ledgers)} credited ${ledgers === 1 ? "ledger was" : "ledgers were"} never paid from this journal before`]
			: []),
		...(isOfReport(ignored)
			? [
					"This file is from the report of a batch. Once you pay it, do not run pay batch retry-refused or resume for that batch: they would send the original rows as well",
				]
			: []),
		...(ignored.length > 0 ? [`Ignored columns: ${ignored.join(", ")}`] : []),
	];
}
