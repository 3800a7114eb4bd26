/**
 * The cases of a spreadsheet, checked as case files are; every fault is told at once, by its row and column.
 */
import { advice, purser } from "../../api/advice.js";
import { isMissing } from "../../api/schema.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import { ownerKey } from "../case/case.js";
import { checkCase } from "../case/files.js";
import { columns, keyColumn } from "./columns.js";
import type { SheetCompany } from "./companies.js";
import { companiesOf } from "./companies.js";
import { faulty, readSheet, type Sheet, type SheetRecord, tell } from "./read.js";

/**
 * Reads the companies of a spreadsheet.
 * @param name of the file, for messages
 * @throws PurserError validation, with every fault of every row
 */
export function readCompanies(context: Context, records: readonly SheetRecord[], name: string): SheetCompany[] {
	const sheet = readSheet(records);
	if (!sheet.present.has(keyColumn)) {
		sheet.faults.unshift({ row: 1, field: keyColumn, message: "is required as a column: the company's key, the same in each of its rows" });
		throw sheetError(name, sheet.faults);
	}
	const companies = companiesOf(sheet);
	const lacking = new Map<string, number>();
	for (const one of companies) checkCompany(context, sheet, one, lacking);
	for (const [column, count] of lacking)
		sheet.faults.push({
			row: 1,
			field: column,
			message: `is not a column here, and ${count === 1 ? "one row needs" : `${count} rows need`} it`,
		});
	if (companies.length === 0 && sheet.faults.length === 0) sheet.faults.push({ row: 1, field: "", message: "has no row below it" });
	if (sheet.faults.length > 0) throw sheetError(name, sheet.faults);
	const shares = sheet.rows.flatMap(({ values }) => (values.has("percentage") ? [String(values.get("percentage"))] : []));
	// A spreadsheet keeps 60 % as 0.6, and may write it so.
	if (shares.length > 0 && shares.every((share) => /^(0(\.\d+)?|1(\.0+)?)$/.test(share)))
		context.report.warn(`${name}: every percentage is at most 1. Write 60 for 60 %; 0.6 is 0.6 %`);
	return companies;
}

/** @param lacking receives required columns that the sheet does not have at all */
function checkCompany(context: Context, sheet: Sheet, { document, hasOwner, placeOf }: SheetCompany, lacking: Map<string, number>): void {
	try {
		checkCase(context, document, "case", { warns: false });
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind !== "validation") throw error;
		for (const { field, message } of error.failure.details ?? []) {
			if (!hasOwner && field.startsWith(ownerKey)) continue;
			const { row, column } = placeOf(field);
			const isColumn = columns.some(({ name }) => name === column);
			if (faulty(sheet, row, column)) continue;
			if (isMissing(message) && isColumn && !sheet.present.has(column)) lacking.set(column, (lacking.get(column) ?? 0) + 1);
			else tell(sheet, row, column, wording(message));
		}
	}
}

/** Words of a case file in those of a spreadsheet. */
const wording = (message: string): string =>
	message
		.replace("is not a key of this file", "is not a key of this company's rows")
		.replace(/(stands|appears) twice in the file/, "appears twice in this company's rows");

function sheetError(name: string, faults: readonly Fault[]): PurserError {
	const details = [...faults].sort((one, other) => (one.row ?? 0) - (other.row ?? 0));
	return new PurserError("validation", {
		code: "INVALID_SHEET",
		message: `${name}: ${faults.length === 1 ? "one cell is wrong" : `${faults.length} cells are wrong`}; nothing was written`,
		fix: advice`Correct the spreadsheet and run this again. One to start from: ${purser`onboard import --print-template csv`}`,
		details,
	});
}
