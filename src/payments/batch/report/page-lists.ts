/** The lists of a report's page: payments in doubt, refused and not sent. */
import { purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import type { Block, Cell, Section } from "../../../ports/page.js";
import { stateWords } from "../../rules/intent-text.js";
import type { ListedPart, ListedRow, Refusals } from "./gathered.js";
import { bounded, counted, hiddenOr, most, type PageOptions } from "./page-words.js";
import type { WrittenReport } from "./steps.js";

interface Column {
	name: string;
	right?: true;
	of(row: ListedRow): Cell;
}

const entry: Column = { name: "Journal entry", of: ({ intent }) => intent };

/** Sections for what needs attention; one without rows is left out. */
export function listedSections(report: WrittenReport, options: PageOptions): Section[] {
	const { parts, refusals } = report;
	const before = columnsOfPayment(report, options);
	const example = report.listed?.doubt.find(({ state }) => state === "in-doubt");
	const sections: Section[] = [];
	if (parts.doubt.rows > 0)
		sections.push({
			title: "In doubt",
			blocks: [
				{
					kind: "text",
					text: "These payments were sent, and no answer says whether they arrived. Settle them first: each may have been paid, and sending it again could pay it twice.",
				},
				{
					kind: "facts",
					rows: [
						["To settle all of them, type", { code: options.shown(purser`pay settle --batch ${report.batch}`) }],
						["Or one, by its journal entry", example && { code: options.shown(purser`pay settle ${example.intent}`) }],
					],
				},
				table(report, "doubt", "Payments in doubt", [
					...before,
					{ name: "Sent", of: ({ begun }) => ({ time: begun }) },
					{ name: "What is known", of: ({ state, why }) => bounded(state === "sending" ? "It is being sent now" : (why ?? ""), 250) },
					entry,
				]),
			],
		});
	if (parts.refused.rows > 0)
		sections.push({
			title: "Refused",
			blocks: [
				reasonsTable(refusals),
				table(report, "refused", "Refused payments", [...before, { name: "Reason", of: reasonText }, entry]),
			],
		});
	if (parts.unsent.rows > 0)
		sections.push({
			title: "Not sent",
			blocks: [
				table(report, "unsent", "Payments that were not sent", [
					...before,
					{ name: "State", of: ({ state }) => stateWords(state) },
					{ name: "Why", of: ({ why }) => why && bounded(why, 250) },
				]),
			],
		});
	return sections;
}

/** What every list shows of a payment. The ledger it leaves stands there only where there are several. */
function columnsOfPayment({ byLedger, listed }: WrittenReport, { unmasked }: PageOptions): Column[] {
	const named = Object.values(listed ?? {}).some((rows) => rows.some(({ payeeName }) => payeeName !== undefined));
	const several = new Set(byLedger.map(({ ledgerFromId }) => ledgerFromId)).size > 1;
	return [
		{ name: "Row", right: true, of: ({ row }) => groupDigits(row) },
		{ name: "Amount", right: true, of: ({ amount, currency }) => ({ amount, currency }) },
		...(several ? [{ name: "From ledger", of: ({ ledgerFromId }: ListedRow): Cell => ({ code: bounded(ledgerFromId, 120) }) }] : []),
		...(named ? [{ name: "To", of: ({ payeeName }: ListedRow): Cell => bounded(payeeName ?? "", 120) }] : []),
		{ name: named ? "Id" : "To", of: ({ counterpartyId }) => ({ code: bounded(counterpartyId, 120) }) },
		{ name: "Reference", of: ({ reference }) => hiddenOr(unmasked, reference) },
	];
}

function table(report: WrittenReport, part: ListedPart, caption: string, columns: readonly Column[]): Block {
	const { file, rows } = report.parts[part];
	const listed = (report.listed?.[part] ?? []).slice(0, most.rows);
	const path = report.folder === undefined ? file : `${report.folder}/${file}`;
	return {
		kind: "table",
		caption,
		columns: columns.map(({ name, right }) => ({ name, ...(right ? { right } : {}) })),
		rows: listed.map((row) => columns.map((column) => column.of(row))),
		empty: "No row is listed here.",
		...(rows > listed.length
			? { more: `The first ${groupDigits(listed.length)} of ${counted(rows, "payment")} are shown; all are in ${bounded(path, 400)}.` }
			: {}),
	};
}

function reasonsTable(refusals: readonly Refusals[]): Block {
	return {
		kind: "table",
		caption: "Refused, by the service's reason",
		columns: [{ name: "Reason" }, { name: "Payments", right: true }],
		rows: refusals.map((reason) => [reason.status === undefined ? "other reasons" : reasonText(reason), groupDigits(reason.rows)]),
		empty: "No reason is on record.",
	};
}

const reasonText = ({ status, apiCode }: Pick<ListedRow, "status" | "apiCode">): string =>
	[...(apiCode === undefined ? [] : [bounded(apiCode, 120)]), ...(status === undefined ? [] : [`HTTP status ${status}`])].join(", ") ||
	"none on record";
