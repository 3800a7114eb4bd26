/**
 * Stopping at each change of an upgrade.
 */
import type { OpenStorage } from "../../src/sqlite/storage.js";

/** A storage that calls before each change to the journal or to a file beside it, and after a commit, once an upgrade has begun. */
export function watched(load: OpenStorage, change: () => void): OpenStorage {
	// What configures a connection comes before that.
	let begun = false;
	const changed = (): void => {
		if (begun) change();
	};
	return (path, options) => {
		const storage = load(path, options);
		return {
			exec: (sql) => {
				changed();
				storage.exec(sql);
				changed();
			},
			prepare: (sql) => {
				begun ||= sql.startsWith("VACUUM");
				const statement = storage.prepare(sql);
				return {
					...statement,
					run: (...values) => {
						changed();
						statement.run(...values);
					},
				};
			},
			// Files are synced, renamed and removed between closing the copy and the next change.
			close: () => {
				changed();
				storage.close();
				changed();
			},
		};
	};
}
