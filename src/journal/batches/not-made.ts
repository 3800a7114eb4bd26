/**
 * Finds payments that count as not made and that a batch would send again: its own rows that were refused, not sent or settled as not
 * created, and other payments that were refused or settled as not created and that one of its rows duplicates.
 */
import type { IntentRecord, IntentState } from "../../ports/intent.js";
import { statement } from "../../sqlite/statement.js";
import type { Storage } from "../../sqlite/storage.js";
import { recordOf } from "../intents/record.js";
import { mayBeOfSandbox } from "../sqlite/batch-row.js";
import { inDuplicateWindow, type WindowStart } from "../sqlite/service-time.js";
import { storedIntent } from "../sqlite/tables.js";
import { sqlList } from "./duplicates.js";
import type { StoredBatch } from "./table.js";

/**
 * What a person said was not created has no time limit, because this machine's clock may have been wrong then or may be wrong now. What an
 * answer refused has that of duplicates: older payments may be repeated, also where they were made.
 * @param takes the states whose rows are sent
 * @param since the start of that time
 * @returns own rows first, each in the order of their numbers
 */
export function notMade(
	storage: Storage,
	{ number, first, last, shared }: StoredBatch,
	takes: readonly IntentState[],
	since: WindowStart,
): IntentRecord[] {
	const { sandbox } = shared;
	const again = takes.filter((state) => state === "not-created" || state === "refused" || state === "not-sent");
	const ofBatch = `SELECT * FROM intent WHERE number BETWEEN ? AND ? AND batch = ? AND state IN (${sqlList(again)}) ORDER BY number`;
	const own = again.length === 0 ? [] : statement(storage, ofBatch).all(first, last, number);
	const mine = `SELECT 1 FROM intent AS mine INDEXED BY intent_alike WHERE mine.alike = other.alike AND mine.fingerprint = other.fingerprint
		AND mine.batch = ?1 AND mine.state IN (${sqlList(takes)})`;
	const others = statement(
		storage,
		`SELECT * FROM intent AS other WHERE (state = 'not-created' OR (state = 'refused' AND ${inDuplicateWindow("other", "?2", "?3")}))
		AND effect = 'money' AND alike IS NOT NULL
		AND batch IS NOT ?1 AND EXISTS (${mine})${sandbox === undefined ? "" : ` AND ${mayBeOfSandbox("other", "?4")}`} ORDER BY number`,
	).all(number, since.timed, since.untimed, ...(sandbox === undefined ? [] : [sandbox]));
	// None of them is being sent, so it does not matter whether their senders are alive.
	return [...own, ...others].map((row) => recordOf(storedIntent(storage, row), () => true));
}
