/**
 * Writes the report of a batch: a folder with its rows by outcome, a page for people, and a check that the rows are the plan's. Rows are
 * streamed. Each CSV file has the columns of a batch's file, so that it can be corrected and planned again, and the outcome of each row.
 */

import { createHash } from "node:crypto";
import { join } from "node:path";
import { purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import { RowsDigest } from "../../../api/operations/rows-digest.js";
import { paidStates, payeeField } from "../../../api/operations/transfer.js";
import { fileNotWritten } from "../../../api/text/trouble.js";
import { PurserError, type SuggestedCommand } from "../../../errors.js";
import type { Approval, BatchPlan } from "../../../ports/batch-plan.js";
import type { Batches, BatchRecord, BatchRow, Refusal } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Files, FileWriter } from "../../../ports/machine.js";
import { type CsvStyle, csvLine } from "../../../system/disk/csv-line.js";
import { sum } from "../../rules/decimal.js";
import { type Parties, stateText, type Words } from "../../rules/intent-text.js";
import { refusalsText } from "../../rules/refusal-text.js";
import { plannerName, withNames } from "../approval/approval.js";
import { type BatchField, fields } from "../plan/columns.js";
import { systemError } from "../plan/file.js";
import { nextSteps } from "../send/text.js";

/** The files of a report and the states of their rows; each row is in exactly one file. */
export const parts = {
	accepted: paidStates,
	refused: ["refused"],
	unsent: ["planned", "not-sent", "not-created", "abandoned"],
	doubt: ["in-doubt", "sending"],
} as const satisfies Readonly<Record<string, readonly IntentState[]>>;

type PartName = keyof typeof parts;
const names = Object.keys(parts) as PartName[];
const partOf = (state: IntentState): PartName => names.find((name) => (parts[name] as readonly IntentState[]).includes(state)) as PartName;

export type ListedRow = Pick<BatchRow, "row" | "transfer" | "state" | "intent" | "begun" | "status" | "apiCode" | "why"> & Parties;

export type Listed = Record<Exclude<PartName, "accepted">, ListedRow[]>;

const [mostOperators, mostListed] = [20, 200];

/** What a report gathers while rows are streamed: sums, the first rows of each part, and whether the rows are the plan's. */
export class Gathered {
	readonly rows: Record<PartName, number> = { accepted: 0, refused: 0, unsent: 0, doubt: 0 };
	readonly listed: Listed = { refused: [], doubt: [], unsent: [] };
	/** Who asked for the runs that sent rows, as recorded; at most 20. */
	readonly operators: string[] = [];
	readonly #sums = new Map<string, { state: IntentState; currency?: string; rows: number; amount: string }>();
	readonly #digest = new RowsDigest();

	/** @param nameOf the name of a payee, where one is known */
	constructor(private readonly nameOf: (id: string) => string | undefined) {}

	add(row: BatchRow): void {
		const { state, operator, transfer } = row;
		const { currency, amount } = transfer;
		const part = partOf(state);
		this.#digest.add(transfer);
		this.rows[part] += 1;
		const key = `${state} ${currency ?? ""}`;
		const { rows, amount: before } = this.#sums.get(key) ?? { rows: 0, amount: "0" };
		this.#sums.set(key, { state, ...(currency !== undefined && { currency }), rows: rows + 1, amount: sum(before, amount) });
		if (part !== "accepted" && this.listed[part].length < mostListed)
			this.listed[part].push({ ...row, payeeName: this.nameOf(transfer.counterpartyId) });
		const isSent = state !== "planned" && state !== "abandoned" && operator !== undefined;
		if (isSent && this.operators.length < mostOperators && !this.operators.includes(operator)) this.operators.push(operator);
	}

	get count(): number {
		return Object.values(this.rows).reduce((all, one) => all + one, 0);
	}

	/** By state and currency; without `currency` if it is not known. */
	get totals() {
		return [...this.#sums.values()];
	}

	/** Whether every row is the plan's, in its order: then so are their number and sums. */
	agrees({ digest }: Pick<BatchPlan, "digest">): boolean {
		return this.#digest.finish().sequence === digest.sequence;
	}
}

export interface BatchReport extends Pick<BatchRecord, "batch" | "state" | "begun" | "abandoned" | "sending" | "counts"> {
	/** RFC 3339 UTC. */
	written: string;
	plan: BatchPlan;
	approvals: readonly Approval[];
	plannerName?: string;
	/** Each file with its rows; without the SHA-256 (hex) of its bytes in a dry run, which writes none. */
	parts: Record<PartName, { file: string; rows: number; sha256?: string }>;
	totals: Gathered["totals"];
	refusals: readonly Refusal[];
	operators: readonly string[];
	control: { agrees: boolean };
}

interface ReportInput {
	record: BatchRecord;
	/** The folder; created if missing. Nothing is written outside it. */
	folder: string;
	settings: Readonly<Record<string, string>>;
	now: Date;
	nameOf(id: string): string | undefined;
	/** The bytes of the page. @param listed the first rows of each part */
	page(report: BatchReport, listed: Listed): Uint8Array;
	dry: boolean;
	progress(rows: number): void;
}

type Tools = { batches: Pick<Batches, "rows">; files: Pick<Files, "folder" | "writer" | "isLink"> };

const pageFile = "report.html";

const fileOf = (name: PartName): string => `${name}.csv`;

/** Writes the report. Existing files of the same names are replaced atomically. */
export async function writeReport({ batches, files }: Tools, input: ReportInput): Promise<BatchReport> {
	const { folder, dry, page } = input;
	const open = new Map<string, FileWriter>();
	try {
		if (!dry) await openAll(files, folder, open);
		const { report, listed } = await streamed(batches, open, input);
		await open.get(pageFile)?.write(new TextDecoder().decode(page(report, listed)));
		for (const writer of open.values()) await writer.finish();
		return report;
	} catch (error) {
		for (const writer of open.values()) await writer.discard().catch(() => {});
		// Other errors are not about the folder: of the journal, or of the program.
		throw systemError(error) ? fileNotWritten(folder, error, `The report ${folder}`) : error;
	}
}

async function openAll(files: Tools["files"], folder: string, open: Map<string, FileWriter>): Promise<void> {
	if (await files.isLink(folder))
		throw new PurserError("usage", {
			code: "FILE_NOT_WRITTEN",
			message: `Cannot write ${folder}`,
			why: "It is a symbolic link, and its target can change",
			fix: "Choose another folder with --to.",
		});
	await files.folder(folder);
	for (const file of [...names.map(fileOf), pageFile]) open.set(file, await files.writer(join(folder, file), 0o600));
}

async function streamed(
	batches: Tools["batches"],
	open: ReadonlyMap<string, FileWriter>,
	input: ReportInput,
): Promise<{ report: BatchReport; listed: Listed }> {
	const { record, settings, now, nameOf, progress } = input;
	const gathered = new Gathered(nameOf);
	const hashes = new Map(names.map((name) => [name, createHash("sha256")]));
	const write = async (name: PartName, text: string): Promise<void> => {
		hashes.get(name)?.update(text);
		await open.get(fileOf(name))?.write(text);
	};
	for (const name of names) await write(name, csvLine([...fields, ...outcomeColumns, "payee"], style));
	for await (const group of batches.rows(record.batch)) {
		const texts: Partial<Record<PartName, string>> = {};
		for (const row of group) {
			const part = partOf(row.state);
			gathered.add(row);
			const shown = row.state === "abandoned" ? { ...row, why: record.abandoned?.reason } : row;
			texts[part] = (texts[part] ?? "") + reportLine(shown, nameOf(row.transfer.counterpartyId));
		}
		for (const [name, text] of Object.entries(texts)) await write(name as PartName, text);
		progress(gathered.count);
	}
	const partWith = (name: PartName): BatchReport["parts"][PartName] => ({
		file: fileOf(name),
		rows: gathered.rows[name],
		...(open.size > 0 ? { sha256: hashes.get(name)?.digest("hex") } : {}),
	});
	const { batch, state, begun, abandoned, sending, counts, plan, approvals = [] } = withNames(record, settings);
	const planner = plannerName(plan, settings);
	const report: BatchReport = {
		...{ batch, state, begun, abandoned, sending, counts, plan, approvals },
		written: now.toISOString(),
		...(planner !== undefined && { plannerName: planner }),
		parts: Object.fromEntries(names.map((name) => [name, partWith(name)])) as BatchReport["parts"],
		totals: gathered.totals,
		refusals: record.refusals ?? [],
		operators: gathered.operators,
		control: { agrees: gathered.agrees(plan) },
	};
	return { report, listed: gathered.listed };
}

const style: CsvStyle = { separator: ",", safe: true };
const outcomeColumns = ["row", "state", "status", "apiCode", "intent", "id", "why"] as const;

/** One line of a report; amount and reference are written as planned. @param payee its name, where one is known */
function reportLine({ row, state, status, apiCode, intent, id, why, transfer }: BatchRow, payee: string | undefined): string {
	const planned: Partial<Record<BatchField, unknown>> = { ...transfer, [payeeField[transfer.kind]]: transfer.counterpartyId };
	const reason = state === "sending" ? "it is being sent now" : why;
	const cells = [...fields.map((field) => planned[field]), row, state, status, apiCode, intent, id, reason, payee];
	return csvLine(
		cells.map((cell) => (cell === undefined ? undefined : String(cell))),
		style,
	);
}

/** A report as the command answers it: in a dry run there is no folder. A batch of a sandbox that is gone can only be closed. */
export type WrittenReport = BatchReport & { folder?: string };

export function reportText({ folder, parts, totals, control, batch, refusals }: WrittenReport, style: Words): string {
	const place = (file: string): string => (folder === undefined ? file : join(folder, file));
	return [
		control.agrees
			? style.good(`Batch ${batch}: all rows accounted for; totals match the plan`)
			: style.bad(`Batch ${batch}: the recorded rows do not match the plan`),
		...(refusals.length > 0 ? [refusalsText(refusals) ?? ""] : []),
		"",
		style.table(
			["file", "rows"],
			Object.values(parts).map(({ file, rows }) => [place(file), groupDigits(rows)]),
		),
		"",
		style.pairs([["Page", place(pageFile)]]),
		"",
		style.table(
			["state", "rows", "amount"],
			totals.map((one) => [stateText(one.state, style), groupDigits(one.rows), style.money(one.amount, one.currency) ?? one.amount]),
		),
	].join("\n");
}

export function stepsAfter({ folder, ...report }: WrittenReport): SuggestedCommand[] {
	const { parts, state, batch } = report;
	if (state === "planned") return [purser`pay batch status ${batch}`];
	const steps = nextSteps(report).filter(({ words }) => words[2] !== "report");
	const planned = folder === undefined ? [] : state === "abandoned" ? [parts.refused, parts.unsent] : [parts.refused];
	const again = planned.flatMap(({ file, rows }) => (rows > 0 ? [purser`pay batch plan ${{ path: `${folder}/${file}` }}`] : []));
	// A doubt comes first: what it is about may have been paid.
	return steps[0]?.words[1] === "settle" ? [steps[0], ...again, ...steps.slice(1)] : [...again, ...steps];
}
