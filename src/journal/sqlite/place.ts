/**
 * The place of a journal: one file per profile and environment, 0600 in a 0700 folder, created so that it survives a power cut.
 */
import { chmodSync, closeSync, constants, lstatSync, openSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { makeFolder, syncFolder } from "../../disk/private-folder.js";
import { PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";

/** The files of one journal. */
export interface Place {
	/** The database. */
	file: string;
	/** The folder of the locks that living senders hold. */
	senders: string;
}

/** @param directory the state directory */
export function placeOf(directory: string, profile: Pick<Profile, "name" | "environment">): Place {
	// Profile names are lower case by rule. Encode anything else so that different names never share a file on any file system.
	const name = profile.name.replace(/[^a-z0-9._-]/g, (odd) => `%${Buffer.from(odd).toString("hex")}`);
	const folder = join(directory, "journal");
	return { file: join(folder, `${name}.${profile.environment}.db`), senders: join(folder, `${name}.${profile.environment}.senders`) };
}

/**
 * Creates folder and file with their modes, or corrects the modes of existing ones.
 * @throws PurserError usage, if the path is no plain file; the system's errors
 */
export function prepareFiles({ file, senders }: Place): void {
	folderAt(dirname(file));
	folderAt(senders);
	const created = create(file);
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

function create(file: string): boolean {
	try {
		closeSync(openSync(file, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
		throw error;
	}
}

/** Creates a private folder and syncs the parent of each new level, so that it survives a power cut. */
function folderAt(folder: string): void {
	const path = resolve(folder);
	const first = makeFolder(path);
	if ((lstatSync(path).mode & 0o077) !== 0) chmodSync(path, 0o700);
	if (first === undefined) return;
	for (let level = path; level !== dirname(level); level = dirname(level)) {
		syncFolder(dirname(level));
		if (level === first) return;
	}
}
