/**
 * The inbox over an open file.
 */
import { type Advice, PurserError } from "../errors.js";
import type { DueHook, Inbox } from "../ports/events.js";
import type { Clock, Random } from "../ports/machine.js";
import { closeStorage, stillThere } from "../sqlite/durable.js";
import { GroupCommit } from "../sqlite/group-commit.js";
import { statement } from "../sqlite/statement.js";
import { reasons, type Storage, type StorageTrouble, storageTrouble, systemCode } from "../sqlite/storage.js";
import { eventAt, listEvents, showEvent } from "./read.js";
import { receive } from "./receive.js";

/** Milliseconds between two removals of old bodies. */
const betweenPrunes = 3_600_000;
/** Milliseconds that a body may wait for its hooks where none are stored. */
const waitOfHooks = 86_400_000;

export function inboxOver(storage: Storage, file: string, { clock, random, keep }: { clock: Clock; random: Random; keep: number }): Inbox {
	const isThere = stillThere(file);
	const queue = new GroupCommit<undefined>(storage, {
		begin: () => undefined,
		finish: () => {},
		kept: () => {
			if (!isThere()) throw moved(file);
		},
	});
	const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
		try {
			return await work();
		} catch (error) {
			throw unusableInbox(error, file);
		}
	};
	const write = <T>(job: () => T): Promise<T> => guarded(() => queue.run(job));
	const sql = (text: string) => statement(storage, text);
	const ago = (milliseconds: number): string => new Date(clock.now().getTime() - milliseconds).toISOString();
	const keeps = keep > 0;
	let pruned = -Infinity;
	const prune = (): number => {
		pruned = clock.monotonic();
		const removed = sql("UPDATE delivery SET headers = NULL, body = NULL WHERE body IS NOT NULL AND received_at < ? RETURNING seq");
		return removed.all(ago(keeps ? keep : waitOfHooks)).length;
	};
	return {
		file,
		receive: (notice, hooks = []) =>
			write(() => {
				if (clock.monotonic() - pruned > betweenPrunes) prune();
				const received = receive(storage, notice, clock.now().toISOString(), { hooks, keeps, unique: () => random.uuid() });
				return { isNew: received.isNew, event: eventAt(storage, received.sequence) };
			}),
		confirm: (id, { status, at }) =>
			write(() => sql("UPDATE event SET confirmed_status = ?, confirmed_at = ? WHERE id = ?").run(status, at, id)),
		list: (filter) => guarded(() => listEvents(storage, filter)),
		show: (id) => guarded(() => showEvent(storage, id)),
		cursor: (source) => guarded(() => sql("SELECT value FROM place WHERE source = ?").get(source)?.value as string | undefined),
		setCursor: (source, value) =>
			write(() =>
				sql("INSERT INTO place (source, value) VALUES (?, ?) ON CONFLICT (source) DO UPDATE SET value = excluded.value").run(source, value),
			),
		hooks: {
			add: (event, hook, dueAt) => write(() => addHook(storage, event, hook, dueAt)),
			due: (hook, now, most) => guarded(() => dueHooks(storage, hook, now, most)),
			done: (event, hook) => write(() => tried(storage, event, hook, { state: "done", why: null, nextAt: null }, keeps)),
			failed: (event, hook, why, nextAt) =>
				write(() => tried(storage, event, hook, { state: nextAt === null ? "failed" : "due", why, nextAt }, keeps)),
		},
		prune: () => write(prune),
		close: () => {
			queue.close();
			closeStorage(storage, file);
		},
	};
}

/** Due again where it was done or failed. Nothing where there is no such event. */
function addHook(storage: Storage, event: string, hook: string, dueAt: string): void {
	statement(
		storage,
		`INSERT INTO hook (event, hook, state, tries, due_at) SELECT seq, ?, 'due', 0, ? FROM event WHERE id = ?
		ON CONFLICT (event, hook) DO UPDATE SET state = 'due', tries = 0, due_at = excluded.due_at, why = NULL`,
	).run(hook, dueAt, event);
}

function dueHooks(storage: Storage, hook: string, now: string, most: number): DueHook[] {
	return statement(
		storage,
		`SELECT id, tries FROM hook JOIN event ON seq = event WHERE hook = ? AND hook.state = 'due' AND due_at <= ?
		ORDER BY due_at, event LIMIT ?`,
	)
		.all(hook, now, most)
		.map(({ id, tries }) => ({ event: String(id), tries: Number(tries) }));
}

/** @param keeps whether bodies are stored; where not, the one that the hooks needed goes with its last use */
function tried(
	storage: Storage,
	event: string,
	hook: string,
	{ state, why, nextAt }: { state: "done" | "due" | "failed"; why: string | null; nextAt: string | null },
	keeps: boolean,
): void {
	const of = "event = (SELECT seq FROM event WHERE id = ?)";
	const update = `UPDATE hook SET state = ?, tries = tries + 1, due_at = ?, why = ? WHERE ${of} AND hook = ?`;
	statement(storage, update).run(state, nextAt, why, event, hook);
	if (keeps || state === "due") return;
	const drop = `UPDATE delivery SET headers = NULL, body = NULL WHERE ${of}
		AND NOT EXISTS (SELECT 1 FROM hook WHERE hook.event = delivery.event AND hook.state = 'due')`;
	statement(storage, drop).run(event);
}

const fixes: Readonly<Record<StorageTrouble, (file: string) => Advice>> = {
	full: () => "Make room on that disk, then run this again.",
	busy: () => "Wait until the other purser on this machine has finished, then run this again.",
	denied: (file) => `Give yourself permission to write ${file} and its folder, then run this again.`,
	damaged: (file) =>
		`Move ${file} away with the files beside it whose names begin alike, then run this again: it begins a new inbox. Payments are not recorded there.`,
	failed: (file) => `Check the disk that holds ${file}, then run this again.`,
};

/** The error for an inbox that cannot be used: what cannot be stored is not acknowledged to its sender. */
export function unusableInbox(cause: unknown, file: string): PurserError {
	if (cause instanceof PurserError) return cause;
	const trouble = storageTrouble(cause);
	return new PurserError(trouble === "full" ? "unavailable" : "usage", {
		code: `INBOX_${trouble.toUpperCase()}`,
		message: `The inbox of events cannot be used: ${reasons[trouble]}`,
		why: `${file}: ${systemCode(cause)}`,
		fix: fixes[trouble](file),
		cause,
	});
}

function moved(file: string): PurserError {
	return new PurserError("usage", {
		code: "INBOX_MOVED",
		message: "The inbox of events was moved, deleted or replaced while it was in use, so nothing more is accepted into it",
		why: `${file} is not the file that was opened`,
		fix: "Run this again: it opens the inbox that is there, or begins a new one.",
	});
}
