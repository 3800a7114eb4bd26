/**
 * A copy of a journal that is whole in itself, made while others write, and believed only once it was read back.
 */

import { chmodSync, closeSync, constants, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { advice, purser } from "../api/advice.js";
import { syncFolder } from "../disk/private-folder.js";
import { PurserError } from "../errors.js";
import type { Backup } from "../ports/journal.js";
import type { Anchoring } from "./anchor/anchoring.js";
import type { Findings } from "./intents/steps.js";
import type { OpenStorage, Storage } from "./sqlite/storage.js";
import { checkChain } from "./verify/verify.js";

/** What was copied. */
export interface Copy {
	bytes: number;
	events: number;
	/** The newest event of the copy, which stands in the journal too. */
	head: { seq: number; hash: string };
}

/**
 * Copies a journal of any schema that has a chain into one new file, 0600 and durable: SQLite writes it in one view of the journal, and then its
 * pages, its chain and its head are read back. A file that is not as it should be is removed.
 * @param storage the journal, not in a transaction
 * @param open opens the copy
 * @throws PurserError guard, where something stands in the file's place; usage, where it cannot be written, or what was read back is not the journal
 */
export async function verifiedCopy(storage: Storage, open: OpenStorage, file: string): Promise<Copy> {
	const target = resolve(file);
	const draft = `${target}.${crypto.randomUUID()}.partial`;
	if (statSync(target, { throwIfNoEntry: false }) !== undefined) throw taken(file);
	try {
		// Made here, so that it never was readable by others; SQLite fills an empty file.
		closeSync(openSync(draft, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY, 0o600));
		storage.prepare("VACUUM INTO ?").run(draft);
		chmodSync(draft, 0o600);
		const { events, seq, hash } = await readBack(storage, open, draft);
		const { size } = settled(draft);
		put(draft, target, file);
		return { bytes: size, events, head: { seq, hash } };
	} catch (cause) {
		throw cause instanceof PurserError ? cause : unwritten(file, cause);
	} finally {
		for (const part of ["", "-wal", "-shm", "-journal"]) rmSync(draft + part, { force: true });
	}
}

/**
 * Copies the journal for a person, and moves its anchor on to where the copy ends: of two copies the older one is noticed in its place.
 * @throws PurserError as {@link verifiedCopy}; usage, where the anchor cannot be written
 */
export async function backup(storage: Storage, open: OpenStorage, file: string, anchoring: Anchoring | undefined): Promise<Backup> {
	const copy = { file, ...(await verifiedCopy(storage, open, file)) };
	if (anchoring === undefined) return copy;
	const held = anchoring.standing().kind === "held";
	if (held) anchoring.renew(copy.head);
	return { ...copy, anchored: held };
}

/** @throws PurserError usage, where the copy is not what stands in the journal */
async function readBack(storage: Storage, open: OpenStorage, draft: string): Promise<{ events: number; seq: number; hash: string }> {
	const copy = open(draft, { wait: 0 });
	const faults: string[] = [];
	const findings: Findings = { faults, add: (fault) => void faults.push(fault) };
	try {
		for (const { integrity_check: told } of copy.prepare("PRAGMA integrity_check(10)").all()) if (told !== "ok") findings.add(String(told));
		const found = await checkChain(copy, findings);
		const there = storage.prepare("SELECT hash FROM event WHERE seq = ?").get(found.seq)?.hash;
		if (there !== found.hash) findings.add(`it ends at event ${found.seq}, which is not in the journal so`);
		if (faults.length === 0) return found;
	} finally {
		copy.close();
	}
	throw new PurserError("usage", {
		code: "BACKUP_NOT_WHOLE",
		message: "The copy is not as the journal should be, so it was removed again",
		why: faults.slice(0, 3).join("; "),
		fix: advice`Check the journal itself: ${purser`history verify`}`,
	});
}

function settled(draft: string): { size: number } {
	const handle = openSync(draft, constants.O_RDWR);
	try {
		fsyncSync(handle);
	} finally {
		closeSync(handle);
	}
	return statSync(draft);
}

/** Under its name at once and whole, and never over something that is there. A file system without links is looked at before. */
function put(draft: string, target: string, file: string): void {
	try {
		linkSync(draft, target);
	} catch (cause) {
		if ((cause as { code?: unknown }).code === "EEXIST") throw taken(file);
		if (statSync(target, { throwIfNoEntry: false }) !== undefined) throw taken(file);
		renameSync(draft, target);
	}
	syncFolder(dirname(target));
}

function taken(file: string): PurserError {
	return new PurserError("guard", {
		code: "FILE_EXISTS",
		message: `${file} exists already and was left as it is`,
		fix: "Choose another file.",
	});
}

function unwritten(file: string, cause: unknown): PurserError {
	return new PurserError("usage", {
		code: "BACKUP_NOT_WRITTEN",
		message: `The copy ${file} could not be written`,
		why: cause instanceof Error ? cause.message : undefined,
		fix: "Check that the folder exists, that you may write there and that there is room for another journal, then run this again.",
		cause,
	});
}
