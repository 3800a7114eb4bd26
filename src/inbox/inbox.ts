/**
 * The inbox over an open file.
 */
import { PurserError } from "../errors.js";
import type { Inbox } from "../ports/events.js";
import type { Clock, Random } from "../ports/machine.js";
import { closeStorage } from "../sqlite/durable.js";
import { GroupCommit } from "../sqlite/group-commit.js";
import { stillThere } from "../sqlite/same-file.js";
import { statement } from "../sqlite/statement.js";
import type { Storage } from "../sqlite/storage.js";
import { addHook, dueHooks, hookDone, hookFailed } from "./hooks.js";
import { eventAt, eventsSince, listEvents, showEvent } from "./read.js";
import { receive } from "./receive.js";
import { unusableInbox } from "./trouble.js";

/** Milliseconds after which a listener that has said nothing is taken for gone. */
const heartbeat = 30_000;
/** Milliseconds between two removals of old bodies. */
const betweenPrunes = 3_600_000;
/** Milliseconds that a body may wait for its hooks where none are kept. */
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
	const own = random.uuid();
	let pruned = -Infinity;
	const prune = (): number => {
		pruned = clock.monotonic();
		const removed = sql("UPDATE delivery SET headers = NULL, body = NULL WHERE body IS NOT NULL AND heard_at < ? RETURNING seq");
		return removed.all(ago(keeps ? keep : waitOfHooks)).length;
	};
	return {
		file,
		receive: (heard, hooks = []) =>
			write(() => {
				if (clock.monotonic() - pruned > betweenPrunes) prune();
				const received = receive(storage, heard, clock.now().toISOString(), { hooks, keeps, unique: () => random.uuid() });
				return { ...received, event: eventAt(storage, received.sequence) };
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
			done: (event, hook) => write(() => hookDone(storage, event, hook, keeps)),
			failed: (event, hook, why, nextAt) => write(() => hookFailed(storage, event, hook, { why, nextAt }, keeps)),
		},
		latest: () => guarded(() => Number(sql("SELECT coalesce(max(seq), 0) AS latest FROM event").get()?.latest)),
		since: (sequence, subject) => guarded(() => eventsSince(storage, sequence, subject)),
		listening: () => guarded(() => sql("SELECT 1 AS one FROM listener WHERE at > ? LIMIT 1").get(ago(heartbeat)) !== undefined),
		beat: () =>
			write(() => {
				sql("DELETE FROM listener WHERE at <= ?").run(ago(heartbeat));
				const beat = "INSERT INTO listener (name, at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET at = excluded.at";
				sql(beat).run(own, clock.now().toISOString());
			}),
		rest: () => write(() => sql("DELETE FROM listener WHERE name = ?").run(own)),
		prune: () => write(prune),
		close: () => {
			queue.close();
			closeStorage(storage, file);
		},
	};
}

function moved(file: string): PurserError {
	return new PurserError("usage", {
		code: "INBOX_MOVED",
		message: "The inbox of events was moved, deleted or replaced while it was in use, so nothing more is accepted into it",
		why: `${file} is not the file that was opened`,
		fix: "Run this again: it opens the inbox that is there, or begins a new one.",
	});
}
