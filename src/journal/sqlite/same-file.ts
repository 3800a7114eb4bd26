/**
 * Whether the journal is still where it was opened. SQLite goes on writing to a file that was deleted or moved, and says that all is
 * well: then what is on record is on record for nobody.
 */

import { statSync } from "node:fs";
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";

/** What lies beside the database is part of it: what was written last stands in its log alone. */
const parts = ["", "-wal"];

/**
 * @param file the database, open
 * @returns a look, to be taken after a commit and before anything is sent that relies on it;
 *   @throws PurserError usage, where other files, or none, stand in the place of those that were opened
 */
export function sameFile(file: string): () => void {
	const opened = identity(file);
	return () => {
		if (identity(file) === opened) return;
		throw new PurserError("usage", {
			code: "JOURNAL_MOVED",
			message: "The journal was moved, deleted or replaced while it was in use, and nothing is sent that is not on record",
			why: `${file} is not the file that was opened`,
			fix: advice`Put the journal back where it was, with its -wal file, before anything is paid: without it nobody knows what was sent. Then look: ${purser`pay doubts`}`,
		});
	};
}

function identity(file: string): string {
	return parts
		.map((part) => {
			const found = statSync(file + part, { bigint: true, throwIfNoEntry: false });
			return found === undefined ? "none" : `${found.dev} ${found.ino}`;
		})
		.join(", ");
}
