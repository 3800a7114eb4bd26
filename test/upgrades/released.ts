/**
 * What a released purser wrote, as it lies in this folder: journals, plans and profiles of journal version 2 (2026-11-22).
 *
 * `journal`: as a Node 20 left it, every page in the `-wal`; payments in every state, a sender killed while it sent, and seven batches
 * (1 with a doubt, 2 half sent, 3 planned, 4 abandoned, 5 killed while sending, 6 planned and approved, 7 approved and half sent).
 * `purged`: six payments of six days of March 2026, of which a purge removed three, and a batch of three rows of which two were sent.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const at = (name: string): URL => new URL(`./version-2/${name}`, import.meta.url);

/** A file of the released purser as text. */
export const releasedText = (name: string): string => readFileSync(at(name), "utf8");

/** Profile of the journals. */
export const released = {
	journal: { name: "sandbox", environment: "sandbox" },
	purged: { name: "test", environment: "sandbox" },
} as const;

/** Puts a journal into a state directory. @returns its file */
export function unpack(directory: string, name: keyof typeof released): string {
	const folder = join(directory, "journal");
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const file = join(folder, `${released[name].name}.sandbox.db`);
	writeFileSync(file, gunzipSync(readFileSync(at(`${name}.db.gz`))), { mode: 0o600 });
	if (name === "journal") writeFileSync(`${file}-wal`, gunzipSync(readFileSync(at("journal.db-wal.gz"))), { mode: 0o600 });
	return file;
}

/**
 * A journal of version 3, whose profile had overrides of which its records say nothing: payments 1 (accepted), 2 (in doubt) and 3 (refused),
 * and a batch of which row 1 is accepted, row 2 in doubt, and two were not sent. In `settled` a person has settled both doubts by ids of a
 * statement, TX-9A and TX-9B.
 */
export function unpackBound(directory: string, name: "bound" | "settled" = "bound"): string {
	const folder = join(directory, "journal");
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const file = join(folder, "bound.sandbox.db");
	writeFileSync(file, gunzipSync(readFileSync(new URL(`./version-3/${name}.db.gz`, import.meta.url))), { mode: 0o600 });
	return file;
}
