/**
 * The companies of a spreadsheet as cases: rows gathered by the company's key. Pure.
 */
import { nameKey } from "../../api/names.js";
import { keyColumn } from "./columns.js";
import { Gathered, type SheetCompany } from "./gathering.js";
import { faulty, type Sheet, type SheetRow, tell } from "./read.js";

/** Maximum number of rows of one company: a case has at most 500 persons, companies and holdings each. */
const maxRows = 1_500;

/** Gathers the companies, and adds what contradicts itself to the faults of the sheet. */
export function companiesOf(sheet: Sheet): SheetCompany[] {
	const groups = new Map<string, SheetRow[]>();
	for (const one of sheet.rows) {
		const key = one.values.get(keyColumn);
		if (typeof key !== "string") {
			if (!faulty(sheet, one.row, keyColumn))
				tell(sheet, one.row, keyColumn, "is required: the company's key, the same in each of its rows");
			continue;
		}
		const group = groups.get(key);
		if (group === undefined) groups.set(key, [one]);
		else group.push(one);
	}
	refuseAlike(sheet, groups);
	return [...groups].map(([externalId, rows]) => {
		const first = rows.slice(0, maxRows);
		const more = rows[maxRows];
		if (more !== undefined) tell(sheet, more.row, keyColumn, `is the key of ${rows.length} rows; a company may have ${maxRows}`);
		return new Gathered(sheet, externalId, first).company();
	});
}

/** Two keys for one company would become two records at the service, and none can be taken back. */
function refuseAlike(sheet: Sheet, groups: ReadonlyMap<string, readonly SheetRow[]>): void {
	const byCapitals = new Map<string, [key: string, row: number]>();
	const seen = new Map<string, [key: string, row: number]>();
	for (const [key, rows] of groups) {
		const row = rows[0]?.row as number;
		const alike = byCapitals.get(nameKey(key));
		if (alike !== undefined)
			tell(sheet, row, keyColumn, `is ${key}, and ${alike[0]} in row ${alike[1]}: they differ only in how they are written`);
		else byCapitals.set(nameKey(key), [key, row]);
		const text = (column: string): string => String(rows.find(({ values }) => values.has(column))?.values.get(column) ?? "");
		const [name, country, code] = ["corporateName", "incorporationCountry", "incorporationCode"].map((part) => text(`corporate.${part}`));
		if (code === "") continue;
		const one = JSON.stringify([name, country, code?.replace(/\s/g, "")].map(nameKey));
		const same = seen.get(one);
		if (same === undefined) seen.set(one, [key, row]);
		else tell(sheet, row, keyColumn, `is ${key}, and row ${same[1]} has the same company as ${same[0]}: name, country and code are equal`);
	}
}
