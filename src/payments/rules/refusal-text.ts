/** Why the service refused payments, in words. The specification names no codes: those of the sandbox are known here, and every other one stands as it came. */

import { groupDigits } from "../../api/amount.js";
import type { Refusal } from "../../ports/batches.js";

const byCode: Readonly<Record<string, string>> = {
	BENEFICIARY_NOT_VALID: "the payee is not approved yet",
	BENEFICIARY_NOT_FOUND: "the payee does not belong to this company",
	CURRENCY_MISMATCH: "the payee's account has another currency",
	INSUFFICIENT_FUNDS: "the available balance does not cover it",
	KYB_NOT_VALIDATED: "the company's KYB is not validated",
	LEDGER_NOT_ACTIVE: "a ledger is not active",
	SAME_LEDGER: "the money would come back to the same ledger",
	TERMS_NOT_ACCEPTED: "the company has not accepted the latest terms",
};

const byStatus: Readonly<Record<number, string>> = {
	401: "the login is not valid",
	403: "this login may not pay",
	404: "the ledger, the payee or the address was not found",
	429: "too many requests",
};

type Reason = Pick<Refusal, "status" | "apiCode">;

/** `the payee is not approved yet (BENEFICIARY_NOT_VALID)`; of a code that is not known, the status too. */
export function refusalReason({ status, apiCode }: Reason): string {
	if (status === undefined) return "other reasons";
	const known = apiCode === undefined ? undefined : byCode[apiCode];
	if (known !== undefined) return `${known} (${apiCode})`;
	return `${byStatus[status] ?? "the service did not take it"} (${[`HTTP ${status}`, apiCode].filter(Boolean).join(", ")})`;
}

/** `1 row`, `18 230 rows`. */
export const counted = (count: number, noun: string): string => `${groupDigits(count)} ${noun}${count === 1 ? "" : "s"}`;

/** `row 4`, `rows 3, 5 and 7`, or `rows 3, 5, 7 and 115 more`. @param all how many there are, of which `rows` are the first */
export function rowsText(rows: readonly number[], all = rows.length): string {
	const shown = rows.map(groupDigits);
	const last = all > rows.length ? `${groupDigits(all - rows.length)} more` : shown.length > 1 ? shown.pop() : undefined;
	return `${all === 1 ? "row" : "rows"} ${shown.join(", ")}${last === undefined ? "" : ` and ${last}`}`;
}

/** `Refused 2: rows 3 and 4, the payee is not approved yet (BENEFICIARY_NOT_VALID)`; undefined where none was. @param most most reasons that are told apart */
export function refusalsText(refusals: readonly Refusal[] = [], most = 5): string | undefined {
	if (refusals.length === 0) return undefined;
	const count = (some: readonly Refusal[]): number => some.reduce((sum, { rows }) => sum + rows, 0);
	const named = refusals.slice(0, most).map((one) => `${rowsText(one.first, one.rows)}, ${refusalReason(one)}`);
	const others = count(refusals.slice(most));
	const more = others === 0 ? [] : [`${groupDigits(others)} for other reasons`];
	return `Refused ${groupDigits(count(refusals))}: ${[...named, ...more].join("; ")}`;
}
