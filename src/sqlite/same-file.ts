import { statSync } from "node:fs";

/** The write-ahead log belongs to the database: the newest records may be only there. */
const parts = ["", "-wal"];

/**
 * @param file the open database
 * @returns whether the files at these paths are still the opened ones. SQLite goes on writing to a file that was moved, deleted or replaced
 *   without an error, but nobody would ever read that.
 */
export function stillThere(file: string): () => boolean {
	const opened = identity(file);
	return () => identity(file) === opened;
}

function identity(file: string): string {
	return parts
		.map((part) => {
			const found = statSync(file + part, { bigint: true, throwIfNoEntry: false });
			return found === undefined ? "none" : `${found.dev} ${found.ino}`;
		})
		.join(", ");
}
