/**
 * The page of a batch's report: how it went, for whoever leads the team or checks the books. Pure; it shows what the command answers.
 */
import { join } from "node:path";
import { advice, purser } from "../../../api/advice.js";
import { groupDigits, inCurrency } from "../../../api/amount.js";
import { paidStates } from "../../../api/operations/transfer.js";
import type { Block, Cell, Page, Section, Tone } from "../../../ports/page.js";
import { stateWords } from "../../rules/intent-text.js";
import { totalsText } from "../plan/totals.js";
import { rowsIn } from "../send/outcome.js";
import { agrees } from "./control.js";
import { listedSections } from "./page-lists.js";
import { planSections } from "./page-plan.js";
import { bounded, counted, moreOf, most, type PageOptions, timesText } from "./page-words.js";
import type { BatchReport } from "./report.js";
import { stepsAfter, type WrittenReport } from "./steps.js";

type State = BatchReport["totals"][number]["state"];

/** In the order of the page, each with its tone and what it means for the money. */
const states: readonly (readonly [state: State, tone: Tone, meaning: string])[] = [
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

/** @param report with the folder and the lists; `listed` is absent where they were not asked for */
export function batchPage(report: WrittenReport, options: PageOptions): Page {
	const { plan, batch, written } = report;
	return {
		title: `Batch ${batch}: ${bounded(plan.source === "-" ? "rows from standard input" : plan.source, 200)}`,
		lead: `${counted(plan.count, "payment")}, ${bounded(totalsText(plan, { money }), 300)} in all, as planned. ${timesText(report)}`,
		personalData: options.unmasked ? "shown" : "masked",
		madeBy: options.madeBy,
		madeAt: written,
		of: `${plan.profile} (${plan.environment})`,
		sections: [
			resultSection(report, options),
			stepsSection(report, options),
			ledgerSection(report),
			...listedSections(report, options),
			...planSections(report),
			filesSection(report, options),
		],
	};
}

const money = (amount: string | undefined, currency: string | undefined): string | undefined => amount && inCurrency(amount, currency);

function resultSection(report: WrittenReport, { shown }: PageOptions): Section {
	const { batch, control, counts, state, sending, abandoned, totals } = report;
	const doubts = rowsIn(counts, "in-doubt");
	const rows = states.flatMap(([name, tone, meaning]) =>
		totals
			.filter((total) => total.state === name)
			.map(({ currency, rows, amount }): Cell[] => [{ text: stateWords(name), tone }, groupDigits(rows), { amount, currency }, meaning]),
	);
	const bars = states.flatMap(([name]) => (counts[name] > 0 ? [{ label: stateWords(name), count: counts[name] }] : []));
	return {
		title: "How it went",
		blocks: [
			control.agrees
				? { kind: "notice", tone: "good", text: "All rows accounted for; totals match the plan." }
				: {
						kind: "notice",
						tone: "bad",
						text: "The recorded rows do not match the plan. Have this looked into before anything else is sent.",
					},
			...control.faults.slice(0, most.faults).map((text): Block => ({ kind: "text", tone: "bad", text: bounded(text, 400) })),
			...notices(
				control.faults.length > most.faults &&
					`and ${moreOf(control.faults.length - most.faults, "difference")}; the report's JSON has all of them`,
			),
			...notices(sending && "The batch was still being sent when this was read: the numbers have changed since."),
			...notices(
				doubts > 0 &&
					`${counted(doubts, "payment")} ${doubts === 1 ? "is" : "are"} in doubt: sent, and no answer says whether ${doubts === 1 ? "it" : "they"} arrived. Do not send ${doubts === 1 ? "it" : "them"} again before ${doubts === 1 ? "it is" : "they are"} settled.`,
			),
			...notices(state === "planned" && "Nothing of this batch was sent."),
			...notices(abandoned && `The rest was cancelled: ${counted(abandoned.rows, "payment")} will never be sent.`),
			...(bars.length > 1 ? [{ kind: "histogram", caption: "Payments by state", bars } as const] : []),
			{
				kind: "table",
				caption: "Payments and totals by state",
				columns: [{ name: "State" }, { name: "Payments", right: true }, { name: "Total", right: true }, { name: "What it means" }],
				rows: rows.slice(0, most.rows),
				empty: "There are no rows on record.",
				...(rows.length > most.rows ? { more: `and ${moreOf(rows.length - most.rows, "line")} in the report's JSON` } : {}),
			},
			...(rowsIn(counts, ...paidStates) > 0
				? [
						{
							kind: "text",
							tone: "quiet",
							text: shown(advice`How each accepted payment ended is not on this page. To see it: ${purser`pay batch wait ${batch}`}`),
						} as const,
					]
				: []),
			...(abandoned === undefined
				? []
				: [
						{
							kind: "facts",
							rows: [
								["Cancelled", { time: abandoned.at }],
								["Reason", bounded(abandoned.reason, 400)],
							],
						} as const,
					]),
		],
	};
}

const notices = (text: string | false | undefined): Block[] => (text ? [{ kind: "notice", tone: "warn", text }] : []);

/** Why each command is suggested, by its words, where it has no remark of its own. */
const purposes: Readonly<Record<string, string>> = {
	"pay settle": "looks for the payments in doubt in the service's list",
	"pay batch plan": "plans the rows of that file as a new batch, once you have corrected them; do not use retry-refused after that",
	"pay batch resume": "sends the rows that were not sent",
	"pay batch send": "sends the batch",
	"pay batch status": "shows how far it is",
};

function stepsSection(report: WrittenReport, { shown }: PageOptions): Section {
	const rows = stepsAfter(report).map((step): Cell[] => {
		const words = step.words.map((word) => (typeof word === "string" ? word : word.value)).join(" ");
		const known = Object.entries(purposes).find(([start]) => words.startsWith(start))?.[1];
		return [{ code: bounded(shown(step), 600) }, step.remark === undefined ? known : shown(step.remark)];
	});
	return {
		title: "What to do next",
		blocks: [
			{
				kind: "table",
				caption: "Commands to type",
				columns: [{ name: "Command" }, { name: "What it is for" }],
				rows,
				empty: "Nothing is left to do.",
			},
		],
	};
}

function ledgerSection({ byLedger: ledgers }: WrittenReport): Section {
	const named = ledgers.slice(0, most.rows).some(({ ledgerName }) => ledgerName !== undefined);
	const sum = ({ rows, amount }: { rows: number; amount: string }, currency: string | undefined): Cell =>
		`${inCurrency(amount, currency)} · ${groupDigits(rows)}`;
	return {
		title: "By ledger, against the plan",
		blocks: [
			{
				kind: "table",
				caption: "Total and number of payments from each ledger",
				columns: [
					...(named ? [{ name: "From" }] : []),
					{ name: "Ledger" },
					{ name: "Planned", right: true },
					{ name: "On record", right: true },
					{ name: "Accepted", right: true },
					{ name: "On record as planned" },
				],
				rows: ledgers.slice(0, most.rows).map((ledger) => {
					const { ledgerFromId, ledgerName, currency, planned, recorded, accepted } = ledger;
					return [
						...(named ? [bounded(ledgerName ?? "", 120)] : []),
						{ code: bounded(ledgerFromId, 120) },
						sum(planned, currency),
						sum(recorded, currency),
						sum(accepted, currency),
						agrees(ledger) ? { text: "yes", tone: "good" } : { text: "no", tone: "bad" },
					];
				}),
				empty: "No ledger pays anything.",
				...(ledgers.length > most.rows
					? { more: `The first ${most.rows} of ${groupDigits(ledgers.length)} are shown; the report's JSON has all of them.` }
					: {}),
			},
		],
	};
}

function filesSection({ parts, folder, plan, batch }: WrittenReport, { unmasked }: PageOptions): Section {
	return {
		title: "Files with every row",
		blocks: [
			{
				kind: "table",
				caption: "CSV files of this report",
				columns: [{ name: "File" }, { name: "Rows", right: true }, { name: "SHA-256 of the file" }],
				rows: Object.values(parts).map(({ file, rows, sha256 }) => [
					{ code: bounded(folder === undefined ? file : join(folder, file), 400) },
					groupDigits(rows),
					sha256 === undefined ? "not written" : { code: sha256 },
				]),
				empty: "No file was written.",
			},
			{
				kind: "text",
				text: unmasked
					? "The files show the references too."
					: "References are masked on this page, because they may name a person; the files show them. Everything else is shown: ids, amounts, names of ledgers and companies (purser keeps no name of a person who is paid), and who planned, approved and sent.",
			},
			{
				kind: "text",
				tone: "quiet",
				text: `Made from the journal of profile ${plan.profile} without asking the service. Batch ${batch} of that journal.`,
			},
		],
	};
}
