/**
 * The page of a batch that was sent: what became of it, for whoever leads the team or checks the books. Pure; it shows what the command
 * answers.
 */
import { join } from "node:path";
import { advice, purser } from "../../../api/advice.js";
import { groupDigits, inCurrency } from "../../../api/amount.js";
import { paidStates } from "../../../api/operations/transfer.js";
import type { Advice } from "../../../errors.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Block, Cell, Page, Section, Tone } from "../../../ports/page.js";
import { stateWords } from "../../rules/intent-text.js";
import { refusalReason, refusalsText } from "../../rules/refusal-text.js";
import { sourceOf } from "../plan/totals.js";
import { agrees } from "../report/gathered.js";
import type { BatchReport } from "../report/report.js";
import { rowsIn } from "../send/text.js";
import { counted, type Fact, fingerprints, ledgers, most, note, notice, paymentsTable, sumsText } from "./parts.js";

/** What became of this batch. */
export interface ReportOptions {
	/** Where the report is written. */
	folder: string;
	/** Show references, which may name persons. */
	unmasked: boolean;
	/** The tool and its version. */
	madeBy: string;
	/** The text of an advice, its commands as they are typed. */
	shown(advice: Advice): string;
}

export function reportPage(report: BatchReport, options: ReportOptions): Page {
	const { plan, batch, written } = report;
	return {
		title: `Batch ${batch}: ${sourceOf(plan)}`,
		lead: `${counted(plan.count, "payment")}, ${sumsText(plan)} in all, as planned.`,
		personalData: options.unmasked ? "shown" : "masked",
		madeBy: options.madeBy,
		madeAt: written,
		of: `${plan.profile} (${plan.environment})`,
		sections: [
			resultSection(report, options),
			recordSection(report),
			{ title: "Payments to check", blocks: listedBlocks(report, options) },
			peopleSection(report, options),
			fingerprints(plan, [
				["Page for the approval (SHA-256)", plan.sheet && { code: plan.sheet.sha256 }],
				...Object.values(report.parts).map(({ file, sha256 }): Fact => [`${file} (SHA-256)`, sha256 && { code: sha256 }]),
			]),
		],
	};
}

/** In the order of the page, each with its tone and what it means for the money. */
const states: readonly (readonly [state: IntentState, tone: Tone, meaning: string])[] = [
	["accepted", "good", "The service took the payment. It may still be declined later."],
	["waiting", "warn", "The service took the payment and waits for strong authentication."],
	["in-doubt", "warn", "It was sent, and no answer says whether it arrived."],
	["sending", "warn", "It was being sent when this was read."],
	["refused", "bad", "The service refused it. Nothing was paid."],
	["not-sent", "quiet", "It did not leave this machine. Nothing was paid."],
	["not-created", "quiet", "It was in doubt and then settled: the service did not create it."],
	["planned", "quiet", "Not sent yet."],
	["abandoned", "quiet", "Cancelled before it was sent. Nothing was paid."],
];

function resultSection(report: BatchReport, { shown, unmasked }: ReportOptions): Section {
	const { batch, control, counts, state, sending, abandoned, totals, refusals } = report;
	const doubts = rowsIn(counts, "in-doubt");
	const [they, them] = doubts === 1 ? ["it", "it is"] : ["they", "they are"];
	const warnings = [
		sending && "The batch was still being sent when this was read: the numbers have changed since.",
		doubts > 0 &&
			`${counted(doubts, "payment")} ${doubts === 1 ? "is" : "are"} in doubt: sent, and no answer says whether ${they} arrived. Do not send ${doubts === 1 ? "it" : "them"} again before ${them} settled, which could pay twice: ${shown(purser`pay settle --batch ${batch}`)}`,
		state === "planned" && "Nothing of this batch was sent.",
		abandoned &&
			`The rest was cancelled: ${counted(abandoned.rows, "payment")} will never be sent. Reason: ${unmasked ? abandoned.reason : "***"}`,
	].filter((text) => typeof text === "string");
	const rows = states.flatMap(([name, tone, meaning]) =>
		totals
			.filter((total) => total.state === name)
			.map(({ currency, rows: count, amount }): Cell[] => [
				{ text: stateWords(name), tone },
				groupDigits(count),
				{ amount, currency },
				name === "refused" ? `${meaning} ${refusalsText(refusals, most.reasons) ?? ""}` : meaning,
			]),
	);
	return {
		title: "What became of it",
		blocks: [
			control.agrees
				? notice("good")("All rows accounted for; totals match the plan.")
				: notice("bad")("The recorded rows do not match the plan. Have this looked into before anything else is sent."),
			...control.faults.slice(0, most.notices).map((text): Block => ({ kind: "text", tone: "bad", text })),
			...note(
				control.faults.length > most.notices &&
					`and ${counted(control.faults.length - most.notices, "more difference")}; the report's JSON has all of them`,
			),
			...warnings.map(notice("warn")),
			{
				kind: "table",
				caption: "Payments and totals by state",
				columns: [{ name: "State" }, { name: "Payments", right: true }, { name: "Total", right: true }, { name: "What it means" }],
				rows: rows.slice(0, most.rows),
				empty: "There are no rows on record.",
				of: rows.length,
				where: "report.json",
			},
			...note(
				rowsIn(counts, ...paidStates) > 0 &&
					shown(advice`How each accepted payment ended is not on this page. To see it: ${purser`pay reconcile -o csv`}`),
			),
		],
	};
}

function recordSection({ byLedger }: BatchReport): Section {
	const sum = ({ rows, amount }: { rows: number; amount: string }, currency: string | undefined): Cell =>
		`${inCurrency(amount, currency)} · ${groupDigits(rows)}`;
	const rows = byLedger.slice(0, most.rows).map((ledger): Cell[] => {
		const { ledgerFromId, ledgerName, currency, planned, recorded, accepted } = ledger;
		return [
			ledgerName,
			{ code: ledgerFromId },
			sum(planned, currency),
			sum(recorded, currency),
			sum(accepted, currency),
			agrees(ledger) ? { text: "yes", tone: "good" } : { text: "no", tone: "bad" },
		];
	});
	return ledgers(["From", "Ledger", "Planned", "On record", "Accepted", "As planned"], rows, byLedger.length, "report.json");
}

/** Payments in doubt, then refused, then not sent: a table for each that has some. */
function listedBlocks(report: BatchReport, { unmasked, folder }: ReportOptions): Block[] {
	const { parts, byLedger, listed } = report;
	const tables = (
		[
			["doubt", "In doubt"],
			["refused", "Refused"],
			["unsent", "Not sent"],
		] as const
	).flatMap(([part, caption]) => {
		const { file, rows } = parts[part];
		const found = listed[part];
		const table = paymentsTable(caption, found, byLedger, {
			nameOf: (id, { counterpartyId, payeeName }) => (id === counterpartyId ? payeeName : undefined),
			references: unmasked,
			more: [
				{ name: "State", of: ({ state }) => (part === "refused" ? undefined : stateWords(state)) },
				{
					name: "Why",
					of: (row) => (part === "refused" ? refusalReason(row) : row.state === "sending" ? "It is being sent now" : row.why),
				},
				{ name: "Sent", of: ({ begun }) => (part === "doubt" ? { time: begun } : undefined) },
				{ name: "Journal", of: ({ intent }) => (part === "unsent" ? undefined : intent) },
			],
		});
		return rows === 0 ? [] : [{ ...table, of: rows, where: join(folder, file) }];
	});
	return tables.length === 0 ? note("None: no payment is in doubt, refused or left unsent.") : tables;
}

function peopleSection(
	{ plan, approvals, plannerName, begun, operators, state, ...report }: BatchReport,
	{ unmasked }: ReportOptions,
): Section {
	const { despite } = plan;
	const although = [
		...(despite?.duplicates ? [counted(despite.duplicates, "possible duplicate")] : []),
		...(despite?.batches?.length ? [`the same rows in batch ${despite.batches.join(", ")}`] : []),
	];
	const signed = approvals
		.slice(0, most.settings)
		.map(({ approver, key, at }): Fact => ["Approved by", `${personText(approver, key)}, ${at.slice(0, 16).replace("T", " ")} UTC`]);
	return {
		title: "Who planned, approved and sent it",
		blocks: [
			{
				kind: "facts",
				rows: [
					["Planned by", personText(plannerName ?? plan.operator, plan.planner)],
					["Planned", { time: plan.planned }],
					["Planned although it has", although.length === 0 ? undefined : although.join(", ")],
					["Reason", despite && (unmasked ? despite.reason : "***")],
					...(signed.length > 0
						? signed
						: [["Approved by", begun === undefined ? "nobody yet" : "nobody; none was needed when it was started"] as const]),
					["Started", begun === undefined ? (state === "abandoned" ? "never; it was cancelled" : "not yet") : { time: begun }],
					["Sent by", operators.length === 0 ? undefined : operators.join(", ")],
					["Cancelled", report.abandoned && { time: report.abandoned.at }],
					["Service", plan.origin],
				],
			},
		],
	};
}

/** A person by the name that the profile has for the key, and by the key, which is what counts. */
function personText(name: string | undefined, key: string | undefined): string {
	if (key === undefined) return "someone without a key";
	return name === undefined ? `key ${key}` : `${name}, key ${key}`;
}
