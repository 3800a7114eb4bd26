/**
 * Detects that the journal's file was moved, deleted or replaced while open. SQLite goes on writing to such a file without an error, but
 * nobody would ever read those records.
 */

import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import { stillThere } from "../../sqlite/durable.js";

/**
 * @param file the open database
 * @returns a check to run after a commit and before anything is sent that relies on it; it throws PurserError usage if the files at
 *   these paths are not the opened ones
 */
export function fileChecker(file: string): () => void {
	const isThere = stillThere(file);
	return () => {
		if (isThere()) return;
		throw new PurserError("usage", {
			code: "JOURNAL_MOVED",
			message: "The journal was moved, deleted or replaced while it was in use, and nothing is sent that is not on record",
			why: `${file} is not the file that was opened`,
			fix: advice`Put the journal back where it was, with its -wal file, before anything is paid: without it nobody knows what was sent. Then look: ${purser`pay doubts`}`,
		});
	};
}
