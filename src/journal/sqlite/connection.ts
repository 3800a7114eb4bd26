/**
 * A journal in a SQLite file: one connection, used by one transaction or reader at a time.
 */
import { closeStorage, rollBack } from "../../sqlite/durable.js";
import { GroupCommit } from "../../sqlite/group-commit.js";
import { type Storage, statement } from "../../sqlite/storage.js";
import type { Connection } from "../tables/connection.js";
import type { Sql, Statements } from "../tables/sql.js";
import { WriteTransaction } from "../tables/transaction.js";

/** The statements of a SQLite connection. */
export function statementsOf(storage: Storage): Statements {
	const prepared = ({ texts }: Sql) => statement(storage, texts.join("?"));
	return {
		get: async (query) => prepared(query).get(...query.values),
		all: async (query) => prepared(query).all(...query.values),
		run: async (query) => prepared(query).run(...query.values),
	};
}

/**
 * @param now this machine's clock
 * @param stillInPlace throws if the file that was committed to is no longer the journal; see `place.ts`
 */
export function connectionTo(storage: Storage, file: string, now: () => Date, stillInPlace: () => void = () => {}): Connection {
	const statements = statementsOf(storage);
	const queue = new GroupCommit<WriteTransaction>({
		begin: () => {
			storage.exec("BEGIN IMMEDIATE");
			return WriteTransaction.begin(statements, now());
		},
		commit: async (transaction) => {
			await transaction.finish();
			storage.exec("COMMIT");
			stillInPlace();
		},
		rollBack: () => rollBack(storage),
	});
	return {
		write: (job) => queue.run(job),
		read: (job) => queue.alone(() => job(statements)),
		locked: (job) =>
			queue.alone(async () => {
				storage.exec("BEGIN IMMEDIATE");
				try {
					return await job(statements);
				} finally {
					rollBack(storage);
				}
			}),
		async close() {
			await queue.close();
			closeStorage(storage, file);
		},
	};
}
