/**
 * The place of a journal: one file per profile and environment, 0600 in a 0700 folder, created so that it survives a power cut.
 */
import { chmodSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";
import { stillThere } from "../../sqlite/durable.js";
import { createPrivate, durableFolder, profileFile, syncFolder } from "../../system/disk/private-folder.js";

/** The files of one journal. */
export interface Place {
	/** The database. */
	file: string;
	/** The folder of the locks that living senders hold. */
	senders: string;
}

/** @param directory the state directory */
export function placeOf(directory: string, profile: Pick<Profile, "name" | "environment">): Place {
	const folder = join(directory, "journal");
	return { file: profileFile(folder, profile, ".db"), senders: profileFile(folder, profile, ".senders") };
}

/**
 * Creates folder and file with their modes, or corrects the modes of existing ones.
 * @throws PurserError usage, if the path is no plain file; the system's errors
 */
export function prepareFiles({ file, senders }: Place): void {
	durableFolder(dirname(file));
	durableFolder(senders);
	const created = createPrivate(file);
	const found = lstatSync(file);
	if (!found.isFile())
		throw new PurserError("usage", {
			code: "JOURNAL_DENIED",
			message: `${file} is not a plain file, so it is not used as the journal`,
			fix: "Move away what is there, then run this again.",
		});
	if ((found.mode & 0o077) !== 0) chmodSync(file, 0o600);
	if (created) syncFolder(dirname(file));
}

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
