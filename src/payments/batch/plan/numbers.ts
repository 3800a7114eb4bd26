/**
 * Reads the amounts of a column as it writes them: with a decimal comma or point, in groups or without. One cell alone may be two numbers
 * (`1.250`), so the first cell that can only be one decides for the whole column. Text from end to end.
 */
import { type Fault, PurserError, rowName } from "../../../errors.js";

export const decimalSigns = ["comma", "point"] as const;
export type DecimalSign = (typeof decimalSigns)[number];

/** Digits, or groups of three after one to three, all with the same sign between them: a space of three kinds, an apostrophe of two. */
const written = (group: string, decimal: string): RegExp =>
	new RegExp(`^(?:\\d+|[1-9]\\d{0,2}([${group} \\u00a0\\u202f'\\u2019])\\d{3}(?:\\1\\d{3})*)(?:\\${decimal}\\d+)?$`);
const forms: Readonly<Record<DecimalSign, RegExp>> = { comma: written(".", ","), point: written(",", ".") };

/** What a cell is with each decimal sign, as plain digits; undefined where it is no number with that sign. */
export function readingsOf(cell: string): Record<DecimalSign, string | undefined> {
	const plain = (sign: DecimalSign, decimal: string): string | undefined =>
		forms[sign].test(cell)
			? cell
					.replaceAll(decimal, "d")
					.replace(/[^\dd]/g, "")
					.replace("d", ".")
			: undefined;
	return { comma: plain("comma", ","), point: plain("point", ".") };
}

export interface Amount {
	row: number;
	reference?: string;
	cell: string;
}

const noNumber = "is not an amount; write digits alone, without sign or currency, like 1234.56 or 1234,56";

export interface ReadAmount extends Amount {
	amount: string;
}

export class Amounts {
	#unclear: Amount | undefined;
	#decisive: Amount | undefined;
	example: ReadAmount | undefined;

	constructor(private sign: DecimalSign | undefined) {}

	see(amount: Amount): void {
		if (this.sign !== undefined) return;
		const { comma, point } = readingsOf(amount.cell);
		if (comma === point) return;
		if (comma === undefined || point === undefined) {
			this.sign = comma === undefined ? "point" : "comma";
			this.#decisive = amount;
		} else this.#unclear ??= amount;
	}

	/** Whether the cells that were seen cannot be read yet. */
	get isUnclear(): boolean {
		return this.sign === undefined && this.#unclear !== undefined;
	}

	read(amount: Amount): string | Pick<Fault, "message"> {
		const { comma, point } = readingsOf(amount.cell);
		const read = this.sign === undefined ? (point ?? comma) : { comma, point }[this.sign];
		if (read === undefined)
			return { message: comma === point ? `${JSON.stringify(amount.cell)} ${noNumber}` : this.#otherSign(amount.cell) };
		if (read !== amount.cell) this.example ??= { ...amount, amount: read };
		return read;
	}

	#otherSign(cell: string): string {
		const by = this.#decisive;
		if (by === undefined) return `${JSON.stringify(cell)} cannot be read with a decimal ${this.sign} (--decimal)`;
		return `${JSON.stringify(cell)} is not written like ${JSON.stringify(by.cell)} in row ${by.row}; write all amounts in one way`;
	}

	check(file: string): void {
		if (!this.isUnclear) return;
		const { cell } = this.#unclear as Amount;
		const { comma, point } = readingsOf(cell);
		throw new PurserError("validation", {
			code: "AMOUNTS_UNCLEAR",
			message: `${file}, ${rowName(this.#unclear as Amount)}: the amount ${JSON.stringify(cell)} can be ${comma} or ${point}; nothing was planned`,
			why: "No other amount in the file says whether it has a decimal comma or a decimal point",
			fix: `Plan it again with --decimal comma (it is ${comma}) or --decimal point (it is ${point}).`,
		});
	}
}
