/**
 * Finds the parties that a batch pays for the first time: no accepted transfer of this journal credits them. SQLite compares them, on disk if
 * necessary, because there may be a million.
 */
import type { Transfer } from "../../api/operations/transfer.js";
import type { PlannedRow } from "../../ports/batch-plan.js";
import { statement } from "../../sqlite/statement.js";
import { type Storage, yieldToEventLoop } from "../../sqlite/storage.js";
import { rowPages, transferIn } from "../sqlite/batch-row.js";
import type { WriteTransaction } from "../sqlite/transaction.js";
import type { StoredBatch } from "./table.js";

const page = 250;

const credited = "SELECT party FROM intent WHERE number BETWEEN ?1 AND ?2 AND batch = ?3";
const paid = "SELECT party FROM intent WHERE effect = 'money' AND state IN ('accepted', 'waiting')";

/** Counts the parties. */
export function firstTimePayees(storage: Storage, { first, last, number }: StoredBatch): { ledgers: number; beneficiaries: number } {
	const count = (kind: Transfer["kind"]): number =>
		Number(
			statement(storage, `SELECT count(*) AS parties FROM (${credited} AND party LIKE ?4 EXCEPT ${paid})`).get(
				first,
				last,
				number,
				`${kind} %`,
			)?.parties,
		);
	return { ledgers: count("ledger"), beneficiaries: count("beneficiary") };
}

/**
 * The rows that credit such a party, page by page. The parties are kept in a temporary table meanwhile.
 * @param run runs a write transaction
 */
export async function* firstTimeRows(
	storage: Storage,
	batch: StoredBatch,
	run: <T>(job: (transaction: WriteTransaction) => T) => Promise<T>,
): AsyncGenerator<PlannedRow[]> {
	await run((transaction) => {
		transaction.sql("CREATE TEMP TABLE IF NOT EXISTS newcomer (party TEXT PRIMARY KEY) WITHOUT ROWID").run();
		transaction.sql("DELETE FROM temp.newcomer").run();
		transaction.sql(`INSERT INTO temp.newcomer ${credited} EXCEPT ${paid}`).run(batch.first, batch.last, batch.number);
	});
	try {
		const where = "party IN (SELECT party FROM temp.newcomer)";
		for (const found of rowPages(storage, batch, { columns: "number, row, content", where, page })) {
			yield found.map((one) => ({ row: Number(one.row), transfer: transferIn(one) }));
			await yieldToEventLoop();
		}
	} finally {
		await run((transaction) => void transaction.sql("DELETE FROM temp.newcomer").run());
	}
}
