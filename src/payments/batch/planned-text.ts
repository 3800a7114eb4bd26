/**
 * A plan for people: what would leave, from where, and what is to be looked at first.
 */
import type { Planned } from "./planning.js";
import { warningsOf } from "./preview.js";
import { grouped } from "./progress.js";
import { totalsText } from "./told.js";

interface Words {
	good(text: string): string;
	warn(text: string): string;
	pairs(rows: readonly (readonly [string, string | undefined])[]): string;
	table(columns: readonly string[], rows: readonly (readonly string[])[]): string;
	money(amount: string | undefined, currency: string | undefined): string | undefined;
	time(text: string | undefined): string | undefined;
}

export function plannedText(planned: Planned & { path?: string }, style: Words): string {
	const { plan, path, balances } = planned;
	const ledgers = plan.totals.map(({ ledgerFromId, currency, rows, amount }) => {
		const balance = balances.find((one) => one.ledgerFromId === ledgerFromId);
		const dry = planned.dry.find((one) => one.ledgerFromId === ledgerFromId);
		return [
			balance?.name ?? ledgerFromId,
			grouped(rows),
			style.money(amount, currency) ?? amount,
			balance?.available === undefined ? "not told" : (style.money(balance.available, balance.currency) ?? ""),
			dry === undefined ? "" : style.warn(`runs dry at row ${grouped(dry.row)}`),
		];
	});
	return [
		style.good(
			path === undefined ? "Every row can be paid (dry run: no plan was kept)" : `Batch ${plan.batch} is planned; nothing was sent`,
		),
		style.pairs([
			["File", plan.source === "-" ? "standard input" : plan.source],
			["Rows", grouped(plan.count)],
			["Total", totalsText(plan, style)],
			["Plan", path],
			["Good until", style.time(plan.expires)],
		]),
		"",
		style.table(["From", "Rows", "Total", "Available", ""], ledgers),
		...notesOf(planned).map((note) => `${style.warn("Note:")} ${note}`),
	].join("\n");
}

function notesOf({ plan, alike, strangers, ignored }: Planned): string[] {
	const { beneficiaries, ledgers } = strangers;
	return [
		...warningsOf(plan, alike),
		...(beneficiaries > 0
			? [`${grouped(beneficiaries)} ${beneficiaries === 1 ? "beneficiary was" : "beneficiaries were"} never paid from this journal before`]
			: []),
		...(ledgers > 0
			? [`${grouped(ledgers)} credited ${ledgers === 1 ? "ledger was" : "ledgers were"} never paid from this journal before`]
			: []),
		...(ignored.length > 0 ? [`Columns not read: ${ignored.join(", ")}`] : []),
	];
}
