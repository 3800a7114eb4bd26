/**
 * What was settled as not created and would be sent again with a batch: rows of its own, and payments from elsewhere that are the same
 * as one of its rows.
 */
import type { IntentRecord, IntentState } from "../../ports/intent.js";
import { recordOf } from "../intents/record.js";
import type { Storage } from "../sqlite/storage.js";
import { storedIntent } from "../sqlite/tables.js";
import { statement } from "../sqlite/transaction.js";
import { sqlList } from "./duplicates.js";
import type { StoredBatch } from "./table.js";

/**
 * However long ago that was: this machine's clock may have been wrong then, or be so now.
 * @param takes the states of which rows are sent
 * @returns in the order of their numbers
 */
export function notCreated(storage: Storage, { number, first, last }: StoredBatch, takes: readonly IntentState[]): IntentRecord[] {
	const own = takes.includes("not-created")
		? statement(storage, "SELECT * FROM intent WHERE number BETWEEN ? AND ? AND batch = ? AND state = 'not-created' ORDER BY number").all(
				first,
				last,
				number,
			)
		: [];
	const mine = `SELECT 1 FROM intent AS mine INDEXED BY intent_alike WHERE mine.alike = other.alike AND mine.fingerprint = other.fingerprint
		AND mine.batch = ? AND mine.state IN (${sqlList(takes)})`;
	const others = statement(
		storage,
		`SELECT * FROM intent AS other WHERE state = 'not-created' AND effect = 'money' AND alike IS NOT NULL
		AND batch IS NOT ? AND EXISTS (${mine}) ORDER BY number`,
	).all(number, number);
	// Nothing of these is being sent, so nobody need be asked whether its sender lives.
	return [...own, ...others].map((row) => recordOf(storedIntent(storage, row), () => true));
}
