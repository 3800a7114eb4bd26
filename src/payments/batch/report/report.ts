/**
 * Writes the report of a batch: a folder with its rows by outcome, and a check that they are the plan's. Rows are streamed.
 */

import { createHash, type Hash } from "node:crypto";
import { join } from "node:path";
import { advice, purser } from "../../../api/advice.js";
import { jsonDocument } from "../../../api/json.js";
import { isDiskFull, troubleWords } from "../../../api/text/trouble.js";
import { PurserError } from "../../../errors.js";
import type { Approval, BatchPlan } from "../../../ports/batch-plan.js";
import type { Batches, BatchRecord } from "../../../ports/batches.js";
import type { Files, FileWriter } from "../../../ports/machine.js";
import type { CsvStyle } from "../../../system/disk/csv-line.js";
import { approversOf, nameOfKey } from "../../rules/approval-needed.js";
import type { Parties } from "../../rules/parties.js";
import { withNames } from "../approval/approval.js";
import { Control, Gathered, type LedgerControl, type Listed, type Refusals, type SentRows } from "./gathered.js";
import { headerLine, type PartName, partOf, parts, reportLine } from "./row.js";

/** The content of `report.json` and the command's answer. */
export interface BatchReport extends Pick<BatchRecord, "batch" | "state" | "begun" | "abandoned" | "sending" | "counts"> {
	/** RFC 3339 UTC. */
	written: string;
	plan: BatchPlan;
	/** With the names from the profile. */
	approvals: readonly Approval[];
	/** The name that the profile has for the planner's key, if any. */
	plannerName?: string;
	/** Each file with its rows; without the SHA-256 (hex) of its bytes in a dry run, which writes none. */
	parts: Record<PartName, { file: string; rows: number; sha256?: string }>;
	/** By state and currency, exact. */
	totals: Control["totals"];
	/** By debited ledger and currency, with the ledger's name where it is known. */
	byLedger: (LedgerControl & Pick<Parties, "ledgerName">)[];
	/** Why rows were refused, the most frequent reason first. */
	refusals: Refusals[];
	sent: SentRows;
	/** Only where a page was asked for: what it lists, at most 200 rows of each part. */
	listed?: Listed;
	/** Whether rows and sums of the parts are the plan's, and the differences. */
	control: { agrees: boolean; faults: string[] };
}

export interface ReportInput {
	record: BatchRecord;
	/** The folder; created if missing. Nothing is written outside it. */
	folder: string;
	settings: Readonly<Record<string, string>>;
	now: Date;
	/** The name of a ledger or beneficiary, where one is known. */
	nameOf(id: string): string | undefined;
	/** A page will list rows. */
	listing: boolean;
	/** Write nothing. */
	dry: boolean;
	progress(rows: number): void;
}

type Tools = { batches: Pick<Batches, "rows">; files: Pick<Files, "folder" | "writer" | "isLink"> };

/**
 * Writes the report. Existing files of the same names are replaced atomically.
 * @throws PurserError usage, if the folder cannot be written; unavailable, if its disk is full
 */
export async function writeReport({ batches, files }: Tools, input: ReportInput): Promise<BatchReport> {
	const { folder, record, dry } = input;
	const open = new Map<PartName | "report", FileWriter>();
	try {
		if (!dry) await openAll(files, folder, open);
		const report = await streamed(batches, open, input);
		await open.get("report")?.write(jsonDocument(report));
		for (const writer of open.values()) await writer.finish();
		return report;
	} catch (error) {
		for (const writer of open.values()) await writer.discard().catch(() => {});
		throw unwritable(error, folder, record.batch);
	}
}

async function openAll(files: Tools["files"], folder: string, open: Map<PartName | "report", FileWriter>): Promise<void> {
	if (await files.isLink(folder)) throw Object.assign(new Error("a symbolic link is in its place"), { code: "ELINK" });
	await files.folder(folder);
	for (const name of names) open.set(name, await files.writer(join(folder, fileOf(name)), 0o600));
	open.set("report", await files.writer(join(folder, "report.json"), 0o600));
}

const names = Object.keys(parts) as PartName[];
const fileOf = (name: PartName): string => `${name}.csv`;

async function streamed(batches: Tools["batches"], open: ReadonlyMap<string, FileWriter>, input: ReportInput): Promise<BatchReport> {
	const { record, settings, now, nameOf, listing, progress } = input;
	const { abandoned } = record;
	const style: CsvStyle = { separator: ",", safe: true };
	const control = new Control();
	const gathered = new Gathered(nameOf);
	const rows: Record<PartName, number> = { accepted: 0, refused: 0, unsent: 0, doubt: 0 };
	const hashes = Object.fromEntries(names.map((name) => [name, createHash("sha256")])) as Record<PartName, Hash>;
	const write = async (name: PartName, text: string): Promise<void> => {
		hashes[name].update(text);
		await open.get(name)?.write(text);
	};
	for (const name of names) await write(name, headerLine(style));
	for await (const group of batches.rows(record.batch)) {
		const texts: Partial<Record<PartName, string>> = {};
		for (const row of group) {
			const part = partOf(row.state);
			control.add(row);
			gathered.add(row);
			rows[part] += 1;
			const shown = row.state === "abandoned" ? { ...row, why: abandoned?.reason } : row;
			texts[part] = (texts[part] ?? "") + reportLine(shown, style, nameOf(row.transfer.counterpartyId));
		}
		for (const [name, text] of Object.entries(texts)) await write(name as PartName, text);
		progress(control.rows);
	}
	const partWith = (name: PartName): BatchReport["parts"][PartName] => ({
		file: fileOf(name),
		rows: rows[name],
		...(open.has(name) ? { sha256: hashes[name].digest("hex") } : {}),
	});
	const faults = control.faults(record.plan);
	const { batch, state, begun, sending, counts, plan, approvals = [] } = withNames(record, settings);
	const plannerName = plannerNameIn(plan, settings);
	return {
		batch,
		state,
		begun,
		abandoned,
		sending,
		counts,
		written: now.toISOString(),
		plan,
		approvals,
		...(plannerName === undefined ? {} : { plannerName }),
		parts: Object.fromEntries(names.map((name) => [name, partWith(name)])) as BatchReport["parts"],
		totals: control.totals,
		byLedger: control.ledgers(plan).map((ledger) => {
			const ledgerName = nameOf(ledger.ledgerFromId);
			return ledgerName === undefined ? ledger : { ...ledger, ledgerName };
		}),
		refusals: gathered.refusals,
		sent: gathered.sent,
		...(listing ? { listed: gathered.listed } : {}),
		control: { agrees: faults.length === 0, faults },
	};
}

function plannerNameIn({ planner }: BatchPlan, settings: Readonly<Record<string, string>>): string | undefined {
	if (planner === undefined) return undefined;
	return nameOfKey(approversOf(settings.planners), planner) ?? nameOfKey(approversOf(settings.approvers), planner);
}

function unwritable(error: unknown, folder: string, batch: string): unknown {
	const { code } = (error ?? {}) as { code?: unknown };
	if (error instanceof PurserError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return error;
	return new PurserError(isDiskFull(error) ? "unavailable" : "usage", {
		code: "REPORT_UNWRITABLE",
		message: `The report cannot be written to ${folder} (${code}); nothing of the batch was changed`,
		why: troubleWords(error),
		fix: advice`Choose a folder that you can write to: ${purser`pay batch report ${batch} --to FOLDER`}`,
		cause: error,
	});
}
