/**
 * Which rows a listed payment may be. Pure, and the one place that decides it for restored journals.
 */
import type { TransactionView } from "../../api/operations/transaction.js";
import type { BatchRow } from "../../ports/batches.js";
import { compare, type Line, lettersOf, lineOf } from "../matching/fits.js";
import { canonicalAmount } from "../rules/decimal.js";
import { groupBy } from "../rules/group-by.js";

/** A row that its batch may still send. */
export type SendableRow = Pick<BatchRow, "intent" | "batch" | "row" | "transfer">;

/**
 * Makes a function that finds the rows which a line may be: ledger, payee, amount and reference do not contradict. The time is left out: when
 * a row was sent is not known.
 * @param rows of one ledger
 */
export function rowsThatFit(rows: readonly SendableRow[]): (line: TransactionView) => readonly SendableRow[] {
	const byAmount = groupBy(rows, ({ transfer }) => canonicalAmount(transfer.amount));
	const byReference = groupBy(rows, ({ transfer }) => lettersOf(transfer.reference));
	return (view) => {
		const line = lineOf(view);
		const sameAmount = line.value === undefined ? rows : (byAmount.get(line.value) ?? []);
		// Another amount may be the one debited after an exchange; then the reference tells the payment.
		const sameReference = line.letters === "" ? [] : (byReference.get(line.letters) ?? []);
		return [...new Set([...sameAmount, ...sameReference])].filter((row) => fits(row, line));
	};
}

function fits({ intent, transfer }: SendableRow, line: Line): boolean {
	const row = { intent, attempt: 1, state: "planned" as const, transfer, begun: 0, timed: false };
	return compare(row, line, 0).fit !== "no";
}
