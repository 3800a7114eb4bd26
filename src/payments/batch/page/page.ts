/**
 * The page of a batch at its two moments: before it is sent, for the person who approves it, and as the report of what became of it. Pure: the same
 * plan and the same answer give the same page.
 */
import { join } from "node:path";
import { advice, purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import { paidStates } from "../../../api/operations/transfer.js";
import type { Advice } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Table } from "../../../ports/changes.js";
import type { Block, Cell, Page } from "../../../ports/page.js";
import { allStates, stateWords, toneOf } from "../../rules/intent-text.js";
import { counted, refusalReason, refusalsText } from "../../rules/refusal-text.js";
import { ledgersTable, named, rowsTable } from "../plan/findings.js";
import type { Planned } from "../plan/planning.js";
import { sourceOf, totalsText } from "../plan/totals.js";
import type { BatchReport, Listed } from "../report/report.js";
import { duplicatesText, previewOfApproval } from "../send/preview.js";
import { rowsIn } from "../send/text.js";

const most = { rows: 200, notices: 20, currencies: 5, reasons: 5, settings: 30 } as const;

interface Making {
	unmasked: boolean;
	madeBy: string;
}

type Fact = readonly [label: string, value: Cell];

const notice =
	(tone: "good" | "warn" | "bad") =>
	(text: string): Block => ({ kind: "notice", tone, text });
const note = (text: string | false | undefined): Block[] => (text ? [{ kind: "text", tone: "quiet", text }] : []);

/** Sums by currency; of many only the first, since it stands on one line. */
function sumsText({ totals }: Pick<BatchPlan, "totals">): string {
	const sums = totalsText({ totals }).split(", ");
	const more = sums.length - most.currencies;
	return more > 0 ? `${sums.slice(0, most.currencies).join(", ")} and ${more} more currencies` : sums.join(", ");
}

const numbers = /^(Row|Rows|Payments|Amount|Total|Available|Planned|On record|Accepted)$/;

function tableOf(caption: string, columns: readonly string[], rows: readonly (readonly Cell[])[], of: number, where?: string): Block {
	const used = [...columns.entries()].filter(([at]) => rows.some((row) => row[at]));
	return {
		...{ kind: "table", caption, of, where, empty: "None." },
		columns: used.map(([, name]) => ({ name: name || "Note", right: numbers.test(name) })),
		rows: rows.map((row) => used.map(([at]) => row[at])),
	};
}

/** What both pages have in common. Digests stand at the end: they are compared, not read. */
function pageOf(
	plan: BatchPlan,
	{ unmasked, madeBy }: Making,
	page: Pick<Page, "title" | "lead" | "madeAt" | "sections">,
	digests: readonly Fact[],
): Page {
	const settings = Object.entries(plan.settings).slice(0, most.settings);
	const rows: Fact[] = [
		["Rows, in order (SHA-256)", { code: plan.digest.sequence }],
		["Rows, in any order (SHA-256)", { code: plan.digest.rows }],
		["File (SHA-256)", { code: plan.sourceDigest }],
		...digests,
		...settings.map(([name, value]): Fact => [`Setting ${name}`, { code: value }]),
	];
	const meaning =
		'A fingerprint changes when a single character changes; what is approved and sent is that of the rows, in order, which "pay batch approve" shows. If one of the settings changes, the plan can no longer be sent.';
	return {
		...page,
		...{ personalData: unmasked ? "shown" : "masked", madeBy, of: `${plan.profile} (${plan.environment})` },
		sections: [...page.sections, { title: "Fingerprints and settings", blocks: [{ kind: "facts", rows }, ...note(meaning)] }],
	};
}

export interface Approvable extends Planned, Making {
	/** The name of a payee that is no natural person. */
	nameOf(id: string): string | undefined;
	approve: string;
}

/** Whether this batch may be approved: what whoever approves it is shown at a terminal, with more rows. */
export function approvalPage({ nameOf, approve, unmasked, madeBy, ...planned }: Approvable): Page {
	const { plan } = planned;
	// Names that may be a person's are left out. References are not: whoever approves has to see what is paid.
	const findings = named(planned.findings, ({ transfer: { kind, counterpartyId }, payeeName }) => ({
		payeeName: unmasked || kind === "ledger" ? payeeName : nameOf(counterpartyId),
	}));
	const {
		title,
		rows,
		tables: [payments, ledgers] = [],
		warnings,
	} = previewOfApproval(plan, undefined, { ...planned, findings }, most.rows);
	const shown: Block[] = warnings.length === 0 ? [notice("good")("No warnings.")] : warnings.map((text) => notice("warn")(String(text)));
	const nobody = "Nobody can approve this plan: the planner had no key (purser pay batch key).";
	const command: Fact = ["To approve it, somebody else than the planner types", plan.planner && { code: approve }];
	const table = ({ columns, rows: cells }: Table, caption: string, of: number): Block => tableOf(caption, columns, cells, of);
	const page = {
		title,
		lead: "What this batch would pay. Nothing was sent yet.",
		madeAt: plan.planned,
		sections: [
			{
				title: "May it be approved?",
				blocks: [...shown, { kind: "facts" as const, rows: [...rows, command] }, ...note(plan.planner === undefined && nobody)],
			},
			{ title: "From which ledgers", blocks: ledgers ? [table(ledgers, "By debited ledger and currency", plan.totals.length)] : [] },
			{
				title: "Payments in the order of the file",
				blocks: payments ? [table(payments, "Rows are numbered as in the spreadsheet", plan.count)] : [],
			},
		],
	};
	return pageOf(plan, { unmasked, madeBy }, page, []);
}

export interface ReportOptions extends Making {
	folder: string;
	shown(advice: Advice): string;
	nameOf(id: string): string | undefined;
}

/** What became of this batch. @param listed the first rows of each part */
export function reportPage(report: BatchReport, listed: Listed, options: ReportOptions): Page {
	const { plan, batch, written, parts } = report;
	const debited = plan.totals.map(({ ledgerFromId }) => ({ ledgerFromId, name: options.nameOf(ledgerFromId) }));
	const { columns, rows } = ledgersTable(plan, debited, [], most.rows);
	const page = {
		title: `Batch ${batch}: ${sourceOf(plan)}`,
		lead: `${counted(plan.count, "payment")}, ${sumsText(plan)} in all, as planned.`,
		madeAt: written,
		sections: [
			{ title: "What became of it", blocks: resultBlocks(report, options) },
			{
				title: "From which ledgers",
				blocks: [tableOf("By debited ledger and currency, as planned", columns, rows, plan.totals.length, "--json")],
			},
			{ title: "Payments to check", blocks: listedBlocks(report, listed, options) },
			{ title: "Who planned, approved and sent it", blocks: [{ kind: "facts" as const, rows: peopleOf(report, options) }] },
		],
	};
	return pageOf(plan, options, page, [
		["Page for the approval (SHA-256)", plan.sheet && { code: plan.sheet.sha256 }],
		...Object.values(parts).map(({ file, sha256 }): Fact => [`${file} (SHA-256)`, sha256 && { code: sha256 }]),
	]);
}

function resultBlocks(report: BatchReport, { shown, unmasked }: ReportOptions): Block[] {
	const { batch, control, counts, state, sending, abandoned, totals, refusals } = report;
	const doubts = rowsIn(counts, "in-doubt");
	const [are, they, them] = doubts === 1 ? ["is", "it", "it"] : ["are", "they", "them"];
	const warnings = [
		sending && "The batch was still being sent when this was read: the numbers have changed since.",
		doubts > 0 &&
			`${counted(doubts, "payment")} ${are} in doubt: sent, and no answer says whether ${they} arrived. Do not send ${them} again before ${they} ${are} settled, which could pay twice: ${shown(purser`pay settle --batch ${batch}`)}`,
		refusalsText(refusals, most.reasons),
		state === "planned" && "Nothing of this batch was sent.",
		abandoned &&
			`The rest was cancelled: ${counted(abandoned.rows, "payment")} will never be sent. Reason: ${unmasked ? abandoned.reason : "***"}`,
	].filter((text) => typeof text === "string");
	const rows = allStates.flatMap((name) =>
		totals
			.filter((total) => total.state === name)
			.map(({ currency, rows: count, amount }): Cell[] => [
				{ text: stateWords(name), tone: toneOf(name) },
				groupDigits(count),
				{ amount, currency },
			]),
	);
	return [
		control.agrees
			? notice("good")("All rows accounted for; totals match the plan.")
			: notice("bad")("The recorded rows do not match the plan. Have this looked into before anything else is sent."),
		...warnings.map(notice("warn")),
		tableOf("Payments and totals by state", ["State", "Payments", "Total"], rows.slice(0, most.rows), rows.length, "--json"),
		...note(
			rowsIn(counts, ...paidStates) > 0 &&
				shown(advice`How each accepted payment ended is not on this page. To see it: ${purser`pay reconcile -o csv`}`),
		),
	];
}

function listedBlocks({ parts }: BatchReport, listed: Listed, { unmasked, folder }: ReportOptions): Block[] {
	const captions = { doubt: "In doubt", refused: "Refused", unsent: "Not sent" } as const;
	const tables = (["doubt", "refused", "unsent"] as const).flatMap((part) => {
		const rows = listed[part].map((row) =>
			unmasked || !row.transfer.reference ? row : { ...row, transfer: { ...row.transfer, reference: "***" } },
		);
		const table = rowsTable(rows, rows.length);
		const why = (row: (typeof rows)[number]): Cell[] => [
			part === "refused" ? undefined : stateWords(row.state),
			part === "refused" ? refusalReason(row) : row.state === "sending" ? "It is being sent now" : row.why,
			part === "doubt" ? { time: row.begun } : undefined,
			part === "unsent" ? undefined : row.intent,
		];
		const cells = table.rows.map((row, at) => [...row, ...why(rows[at] as (typeof rows)[number])]);
		const { file, rows: count } = parts[part];
		return count === 0
			? []
			: [tableOf(captions[part], [...table.columns, "State", "Why", "Sent", "Journal"], cells, count, join(folder, file))];
	});
	return tables.length === 0 ? note("None: no payment is in doubt, refused or left unsent.") : tables;
}

function peopleOf({ plan, approvals, plannerName, begun, operators, state, abandoned }: BatchReport, { unmasked }: ReportOptions): Fact[] {
	const { despite } = plan;
	const signed = approvals
		.slice(0, most.settings)
		.map(({ approver, key, at }) => `${personText(approver, key)}, ${at.slice(0, 16).replace("T", " ")} UTC`);
	const unsigned = begun === undefined ? "nobody yet" : "nobody; none was needed when it was started";
	return [
		["Planned by", personText(plannerName ?? plan.operator, plan.planner)],
		["Planned", { time: plan.planned }],
		["Planned although it has", despite && duplicatesText(despite)],
		["Reason", despite && (unmasked ? despite.reason : "***")],
		...(signed.length > 0 ? signed : [unsigned]).map((text): Fact => ["Approved by", text]),
		["Started", begun === undefined ? (state === "abandoned" ? "never; it was cancelled" : "not yet") : { time: begun }],
		["Sent by", operators.join(", ") || undefined],
		["Cancelled", abandoned && { time: abandoned.at }],
		["Service", plan.origin],
	];
}

/** A person by the name that the profile has for the key, and by the key, which is what counts. */
function personText(name: string | undefined, key: string | undefined): string {
	if (key === undefined) return "someone without a key";
	return name === undefined ? `key ${key}` : `${name}, key ${key}`;
}
