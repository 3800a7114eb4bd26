/**
 * An accepted row of a batch whose payment is followed to its final status.
 */
import type { Received } from "../../../api/answer.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { BatchRow } from "../../../ports/batches.js";
import { differencesOf } from "../../matching/difference.js";

/** A followed row with its last known status. */
export interface Followed {
	row: number;
	intent: string;
	id: string;
	amount: string;
	currency?: string;
	counterpartyId: string;
	reference?: string;
	status?: string;
	declineReason?: string;
}

/** A row that is not final yet. */
export interface HeldRow extends Followed {
	ledger: string;
	transfer: Transfer;
	begun: string;
	changed: string;
	/** The answer had no status. */
	untold?: boolean;
}

export function followedOf({
	ledger: _ledger,
	transfer: _transfer,
	begun: _begun,
	changed: _changed,
	untold: _untold,
	...followed
}: HeldRow): Followed {
	return followed;
}

/** Whether a record differs from the row as it was sent. */
export const isOther = ({ transfer }: HeldRow, record: Received): boolean => differencesOf(transfer, record).length > 0;

/** The row to follow, which was accepted with this id. */
export function heldOf({ row, intent, transfer, begun, changed }: BatchRow, id: string): HeldRow {
	const { ledgerFromId, counterpartyId, amount, currency, reference } = transfer;
	const ledger = plainId(ledgerFromId);
	return { row, intent, id: plainId(id), amount, currency, counterpartyId, reference, ledger, transfer, begun, changed };
}

/** The period in which rows were sent and answered, in milliseconds. */
export function sentBetween(rows: readonly HeldRow[]): [number, number] {
	let [from, to] = [Date.parse(rows[0]?.begun ?? ""), Date.parse(rows[0]?.changed ?? "")];
	for (const { begun, changed } of rows) {
		from = Math.min(from, Date.parse(begun));
		to = Math.max(to, Date.parse(changed));
	}
	return [from, to];
}
