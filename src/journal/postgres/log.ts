/**
 * This machine's own log of a team's journal: what it was about to send, and what became of it, durable here before the database is relied on.
 * Lines are only added. A file for each month in a folder of its own; several processes write at once, each write in one piece.
 */
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { sha256 } from "../../api/digest.js";
import { PurserError } from "../../errors.js";
import type { BatchShared } from "../../ports/batches.js";
import type { JournalIntent, JournalOutcome } from "../../ports/intent.js";
import type { Head } from "../../ports/journal.js";
import type { Profile } from "../../ports/profiles.js";
import { createPrivate, durableFolder, profileFile, syncFolder } from "../../system/disk/private-folder.js";
import { type Cells, rowIntent } from "../tables/batch-row.js";
import { among, type Reading, sql } from "../tables/sql.js";

/** A payment that was marked as being sent, with the event that did: all that is needed to know it again. */
export interface Marked extends Head {
	/** RFC 3339 UTC, by this machine's clock. */
	at: string;
	intent: number;
	attempt: number;
	asked: JournalIntent;
	batch?: number;
	row?: number;
}

/** What became of an attempt, with the event that marked it. */
export interface Outcome extends Head {
	/** The process that sent it, by its name as a sender. */
	by: string;
	intent: number;
	attempt: number;
	outcome: JournalOutcome;
}

/** The process, by its name as a sender, and an event of the database. */
type Written = Head & { by: string };

/**
 * Payments that are about to be sent: a single one, also a row that is sent once more with its key, or rows of a batch. What these have in
 * common is there once: a million of them are sent.
 */
export type Mark = { is: "mark"; at: string } & (
	| ({ intent: number; attempt: number; asked: JournalIntent } & Pick<Marked, "batch" | "row">)
	| {
			batch: number;
			shared: BatchShared;
			mapping: string | undefined;
			skew: number | undefined;
			rows: readonly (readonly [intent: number, attempt: number, row: number, cells: Cells])[];
	  }
);

export type Line = Written &
	(
		| Mark
		| { is: "outcome"; outcomes: readonly (readonly [intent: number, attempt: number, outcome: JournalOutcome])[] }
		/** The database has these as of the event: outcomes by the event that marked them, and all that these events marked. */
		| { is: "recorded"; outcomes: readonly (readonly [hash: string, intent: number])[]; marks?: readonly string[] }
	);

/** Days for which a file is kept after its month, once nothing waits to be carried over. */
const daysKept = 30;

/** Processes whose newest mark is looked for in the database before money leaves. */
const processesKept = 100;

const [before, between] = ['{"digest":"', '","line":'];

function textOf(line: Line): string {
	const { is, by, seq, hash, ...rest } = line;
	const text = JSON.stringify({ is, by, seq, hash, ...rest });
	return `${before}${sha256(text)}${between}${text}}`;
}

/** @returns undefined for one that was torn or altered */
function lineIn(text: string): Line | undefined {
	const start = before.length + 64 + between.length;
	const line = text.slice(start, -1);
	if (text.slice(0, start) !== `${before}${sha256(line)}${between}`) return undefined;
	return JSON.parse(line) as Line;
}

export class MachineLog {
	readonly folder: string;
	/** The newest mark of each of the latest processes, as of {@link opened}: no money leaves from a database without them. */
	newest: readonly Head[] = [];
	/** Files that this process has seen to be there. */
	readonly #made = new Set<string>();

	/** @param directory the state directory; `installation`: the team's journal's */
	constructor(
		directory: string,
		profile: Pick<Profile, "name" | "environment">,
		installation: string,
		private readonly now: () => Date,
	) {
		this.folder = profileFile(join(directory, "journal"), profile, `.team-${installation}`);
	}

	/**
	 * Adds lines with one write.
	 * @param lazy they are not synced: what they say can be found out again
	 * @throws PurserError usage, where they are not durable: nothing may be sent then
	 */
	async append(lines: readonly Line[], lazy = false): Promise<void> {
		const file = join(this.folder, `${this.now().toISOString().slice(0, 7)}.log`);
		try {
			if (!this.#made.has(file)) {
				durableFolder(this.folder);
				if (createPrivate(file)) syncFolder(this.folder);
				this.#made.add(file);
			}
			// A line that was torn by a full disk has no end: each write begins one of its own.
			const bytes = Buffer.from(`\n${lines.map((line) => `${textOf(line)}\n`).join("")}`);
			const handle = await open(file, "a", 0o600);
			try {
				const { bytesWritten } = await handle.write(bytes);
				if (bytesWritten < bytes.length) throw Object.assign(new Error("the disk is full"), { code: "ENOSPC" });
				if (!lazy) await handle.datasync();
			} finally {
				await handle.close();
			}
		} catch (cause) {
			throw unwritable(file, cause);
		}
	}

	/** Every line, oldest first, one file after the other. @param unreadable called for each that was torn or altered */
	*lines(unreadable: () => void = () => {}): Generator<Line> {
		for (const text of this.#texts()) {
			const line = lineIn(text);
			if (line === undefined) unreadable();
			else yield line;
		}
	}

	*#texts(): Generator<string> {
		for (const name of this.#files()) {
			const bytes = readFileSync(join(this.folder, name));
			for (let at = 0; at < bytes.length; ) {
				const end = bytes.indexOf(10, at);
				// Without its end it is torn, or being written.
				if (end < 0) break;
				if (end > at) yield bytes.toString("utf8", at, end);
				at = end + 1;
			}
		}
	}

	#files(): string[] {
		try {
			return readdirSync(this.folder)
				.filter((name) => /^\d{4}-\d\d\.log$/.test(name))
				.sort();
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
			throw error;
		}
	}

	/** Reads it when the journal is opened. @returns the outcomes that no line says to be in the database */
	opened(): Outcome[] {
		const pending = new Map<string, Outcome>();
		const newest = new Map<string, Head>();
		for (const text of this.#texts()) {
			// Marks are most of a log, and long: only where they stand is read of them here.
			const mark = text.startsWith('{"is":"mark","by":"', before.length + 64 + between.length) && headIn(text);
			if (mark) {
				newest.delete(mark.by);
				newest.set(mark.by, mark);
				continue;
			}
			const line = lineIn(text);
			if (line?.is === "outcome") for (const outcome of outcomesIn(line)) pending.set(keyOf(outcome), outcome);
			if (line?.is !== "recorded") continue;
			for (const [hash, intent] of line.outcomes) pending.delete(keyOf({ hash, intent }));
			const filled = new Set(line.marks);
			for (const [by, { hash }] of newest) if (filled.has(hash)) newest.delete(by);
		}
		if (pending.size === 0) this.#forget();
		this.newest = [...newest.values()].slice(-processesKept);
		return [...pending.values()];
	}

	/** What the database lacks. @returns `late`: outcomes that were written after their payment was filled in */
	async lacking(reading: Reading): Promise<{ marks: Marked[]; outcomes: Outcome[]; late: Outcome[]; unreadable: number }> {
		const isThere = await eventsThere(reading, this.lines());
		const marks = new Map<string, Marked>();
		const outcomes = new Map<string, Outcome>();
		let unreadable = 0;
		const lines = this.lines(() => {
			unreadable += 1;
		});
		for (const line of lines) {
			if (line.is === "mark" && !isThere(line)) for (const mark of marksIn(line)) marks.set(keyOf(mark), mark);
			if (line.is === "outcome") for (const outcome of outcomesIn(line)) outcomes.set(keyOf(outcome), outcome);
			if (line.is !== "recorded" || !isThere(line)) continue;
			for (const [hash, intent] of line.outcomes) outcomes.delete(keyOf({ hash, intent }));
			const filled = new Set(line.marks);
			if (filled.size > 0) for (const [key, { hash }] of marks) if (filled.has(hash)) marks.delete(key);
		}
		const late: Outcome[] = [];
		for (const [key, one] of outcomes) if (!isThere(one) && !marks.has(key)) late.push(one);
		return { marks: [...marks.values()], outcomes: [...outcomes.values()].filter((one) => !late.includes(one)), late, unreadable };
	}

	/** A mark of this machine that the database does not know; undefined if it knows the newest of each process. */
	async lost(reading: Reading): Promise<Head | undefined> {
		const isThere = await eventsThere(reading, this.newest);
		return this.newest.find((head) => !isThere(head));
	}

	/** How much of it the database lacks: payments that were marked, and outcomes. */
	async countLacking(reading: Reading): Promise<{ marks: number; outcomes: number }> {
		const { marks, outcomes, late } = await this.lacking(reading);
		return { marks: marks.length, outcomes: outcomes.length + late.length };
	}

	/** Removes the files of months that ended long ago. */
	#forget(): void {
		const files = this.#files();
		if (files.length < 2) return;
		const since = new Date(this.now().getTime() - daysKept * 86_400_000).toISOString().slice(0, 7);
		for (const name of files) if (name.slice(0, 7) < since) rmSync(join(this.folder, name), { force: true });
	}
}

/** Events that are looked for at once. */
const headsAtOnce = 500;

/** Which of these events are in the database. */
export async function eventsThere(reading: Reading, heads: Iterable<Head>): Promise<(head: Head) => boolean> {
	const seqs = [...new Set([...heads].map(({ seq }) => seq))];
	const there = new Map<number, string>();
	for (let at = 0; at < seqs.length; at += headsAtOnce)
		for (const { seq, hash } of await reading.all(
			sql`SELECT seq, hash FROM event WHERE ${among(sql`seq`, seqs.slice(at, at + headsAtOnce))}`,
		))
			there.set(Number(seq), String(hash));
	return ({ seq, hash }) => there.get(seq) === hash;
}

/** Which attempt of which mark, for maps. */
const keyOf = ({ hash, intent }: { hash: string; intent: number }): string => `${hash} ${intent}`;

function headIn(text: string): Written | undefined {
	const found = /"by":"([^"]*)","seq":(\d+),"hash":"(\w+)"/.exec(text.slice(0, 400));
	return found === null ? undefined : { by: found[1] as string, seq: Number(found[2]), hash: found[3] as string };
}

function outcomesIn({ by, seq, hash, outcomes }: Line & { is: "outcome" }): Outcome[] {
	return outcomes.map(([intent, attempt, outcome]) => ({ by, seq, hash, intent, attempt, outcome }));
}

function marksIn(line: Line & { is: "mark" }): Marked[] {
	const { seq, hash, at } = line;
	if (!("rows" in line)) {
		const { intent, attempt, asked, batch, row } = line;
		return [{ seq, hash, at, intent, attempt, asked, batch, row }];
	}
	const { batch, shared, mapping, skew } = line;
	return line.rows.map(([intent, attempt, row, cells]) => {
		const asked = { ...rowIntent(shared, cells), ...(mapping !== undefined && { mapping }), ...(skew !== undefined && { skew }) };
		return { seq, hash, at, intent, attempt, asked, batch, row };
	});
}

function unwritable(file: string, cause: unknown): PurserError {
	const { code } = cause as NodeJS.ErrnoException;
	return new PurserError("usage", {
		code: "JOURNAL_LOG",
		message: "This machine's log of the team's journal could not be written, and nothing is sent that is not in it",
		why: `${file}: ${code === undefined ? (cause as Error).message : `the system said ${code}`}`,
		fix: "Make room on the disk, or allow writing there, then run this again.",
		cause,
	});
}
