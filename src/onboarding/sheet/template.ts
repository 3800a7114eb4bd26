/**
 * A spreadsheet to start from.
 */
import { placeholder } from "../../api/schema.js";
import { csvLine } from "../../system/disk/csv-line.js";
import { columns, keyColumn } from "./columns.js";

/** Cells of the three rows that show how it is filled in: one company with its account owner, a person and an owning company. */
const company = {
	[keyColumn]: placeholder,
	"corporate.corporateName": placeholder,
	"corporate.incorporationCountry": placeholder,
	"corporate.incorporationCode": placeholder,
	"corporate.industry": placeholder,
	"corporate.registeredAddress.isoCountryCode": placeholder,
	"corporate.expectedMonthlyExpenses.value": placeholder,
	"corporate.expectedMonthlyExpenses.currency": placeholder,
};

const rows: readonly Readonly<Record<string, string>>[] = [
	{
		...company,
		role: "account owner",
		firstName: placeholder,
		lastName: placeholder,
		emailAddress: placeholder,
		position: placeholder,
		isDirector: "yes",
		isUbo: "yes",
		percentage: "40",
	},
	{ [keyColumn]: placeholder, role: "company", key: "holding", corporateName: placeholder, percentage: "60" },
	{
		[keyColumn]: placeholder,
		role: "person",
		key: "grace",
		firstName: placeholder,
		lastName: placeholder,
		emailAddress: placeholder,
		isDirector: "no",
		isUbo: "yes",
		owns: "holding",
		percentage: "100",
	},
];

/** As CSV with a byte-order mark, by which spreadsheet programs know UTF-8. */
export function sheetTemplate(): string {
	const names = columns.map(({ name }) => name);
	const lines = [names, ...rows.map((row) => names.map((name) => row[name] ?? ""))];
	return `\ufeff${lines.map((cells) => csvLine(cells, { separator: ",", safe: true })).join("")}`;
}
