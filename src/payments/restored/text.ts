/**
 * What was sent after a backup, for people.
 */
import type { Style } from "../../ports/style.js";
import type { SinceBackup, UnknownPayment } from "./reading.js";

/** Most payments that are shown; all are in the JSON. */
const mostShown = 20;

/** Most rows that are named with a payment. */
const mostRows = 3;

/** The listed payments that the journal does not know, and the ledgers that could not be compared. */
export function sinceBackupText({ payments, unread }: SinceBackup, style: Style): string {
	const first = payments.slice(0, mostShown);
	return [
		payments.length === 0
			? "The service lists no payment that this journal does not know"
			: `The service lists ${payments.length} ${payments.length === 1 ? "payment" : "payments"} that this journal does not know:`,
		...first.map((one) => `  ${paymentText(one, style)}`),
		...(payments.length > first.length ? [style.dim(`  … and ${payments.length - first.length} more (--json shows all)`)] : []),
		...unread.map(({ ledgerId, why }) => style.bad(`Ledger ${ledgerId} could not be compared: ${why}`)),
	].join("\n");
}

function paymentText({ id, createdAt, amount, currency, reference, status, rows }: UnknownPayment, style: Style): string {
	const said = [
		createdAt === undefined ? undefined : style.moment(createdAt),
		[amount, currency].filter((one) => one !== undefined).join(" "),
		reference,
		status,
		id,
	];
	return `${said.filter((one) => one !== undefined && one !== "").join("  ")}  ${rowsText(rows)}`;
}

function rowsText(rows: UnknownPayment["rows"]): string {
	if (rows.length === 0) return "fits no row of a batch";
	const named = rows.slice(0, mostRows).map(({ batch, row }) => `row ${row} of batch ${batch}`);
	return `may be ${named.join(" or ")}${rows.length > mostRows ? ` or ${rows.length - mostRows} more` : ""}`;
}
