/**
 * Cells of a spreadsheet, as programs write them. Nothing is guessed: what can be read in two ways is refused.
 */
import { Decimal } from "../../api/json.js";
import { isRecord, placeholder } from "../../api/schema.js";
import { dateFault } from "../../api/typed.js";
import type { CellKind, Role } from "./columns.js";

/** A value, or what is wrong with the cell. */
export type Cell = { value: unknown; fault?: undefined } | { fault: string };

/** Before a sign with which a formula begins, an apostrophe says that it is text; other apostrophes belong to names. */
const guard = /^'(?=[\s=+\-@\uff1d\uff0b\uff0d\uff20\u2212])/;

/** The text of a cell without what only the spreadsheet needs. */
export const cellText = (cell: string): string => cell.trim().replace(guard, "").trim();

/** The value of a cell that is not empty. */
export function cellValue(kind: CellKind, text: string): Cell {
	if (text.includes(placeholder)) return { fault: `still says ${placeholder}` };
	switch (kind) {
		case "yes":
			return yesOrNo(text);
		case "date":
			return dateFault(text) === undefined
				? { value: text }
				: { fault: `is ${JSON.stringify(text)}; write the date as YYYY-MM-DD, like 2019-04-01, and format the column so` };
		case "percent":
			return percent(text);
		case "role":
			return role(text);
		case "legal form":
			return legalForm(text);
		case "text":
			return /^\d(?:[.,]\d+)?E[+-]?\d+$/i.test(text)
				? { fault: `is ${JSON.stringify(text)}, a number that the spreadsheet shortened; format the column as text and write it again` }
				: { value: text };
	}
}

function yesOrNo(text: string): Cell {
	const word = text.toLowerCase();
	if (["yes", "true"].includes(word)) return { value: true };
	return ["no", "false"].includes(word) ? { value: false } : { fault: `is ${JSON.stringify(text)}; write yes or no` };
}

/** `33.5`, `33,5`, `33,5 %`: a percentage has no thousands, so that one comma can only be the decimal's. */
function percent(text: string): Cell {
	const digits = text.replace(/\s*%$/, "");
	const match = /^(\d{1,3})(?:[.,](\d+))?$/.exec(digits);
	if (match === null) return { fault: `is ${JSON.stringify(text)}; write a number from 0 to 100, like 33.5` };
	const whole = (match[1] as string).replace(/^0+(?=\d)/, "");
	return { value: new Decimal(match[2] === undefined ? whole : `${whole}.${match[2]}`) };
}

const roles: Readonly<Record<string, Role>> = { accountowner: "account owner", person: "person", company: "company" };

function role(text: string): Cell {
	const known = roles[text.toLowerCase().replace(/[\s_-]/g, "")];
	if (known !== undefined) return { value: known };
	const remark = /director|ubo|owner|shareholder/i.test(text) ? "; directors and owners have columns of their own" : "";
	return { fault: `is ${JSON.stringify(text)}; write account owner, person or company${remark}` };
}

/** The form alone, whose key follows from the country, or the object as the service takes it. */
function legalForm(text: string): Cell {
	if (!text.startsWith("{")) return { value: text };
	try {
		const value: unknown = JSON.parse(text);
		if (isRecord(value)) return { value };
	} catch {
		// Told below.
	}
	return { fault: 'is not a JSON object, like {"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}' };
}
