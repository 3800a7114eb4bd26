/**
 * What the hooks of an inbox have done and have to do.
 */
import type { DueHook } from "../ports/events.js";
import { statement } from "../sqlite/statement.js";
import type { Storage } from "../sqlite/storage.js";

const sequenceOf = "(SELECT seq FROM event WHERE id = ?)";

/** Due again where it was done or failed. Nothing where there is no such event. */
export function addHook(storage: Storage, event: string, hook: string, dueAt: string): void {
	statement(
		storage,
		`INSERT INTO hook (event, hook, state, tries, due_at) SELECT seq, ?, 'due', 0, ? FROM event WHERE id = ?
		ON CONFLICT (event, hook) DO UPDATE SET state = 'due', tries = 0, due_at = excluded.due_at, why = NULL`,
	).run(hook, dueAt, event);
}

export function dueHooks(storage: Storage, hook: string, now: string, most: number): DueHook[] {
	return statement(
		storage,
		`SELECT id, tries FROM hook JOIN event ON seq = event WHERE hook = ? AND hook.state = 'due' AND due_at <= ?
		ORDER BY due_at, event LIMIT ?`,
	)
		.all(hook, now, most)
		.map(({ id, tries }) => ({ event: String(id), tries: Number(tries) }));
}

/** @param keeps whether bodies are kept; where not, the one that the hook needed goes with its last use */
export function hookDone(storage: Storage, event: string, hook: string, keeps: boolean): void {
	const done = `UPDATE hook SET state = 'done', tries = tries + 1, due_at = NULL, why = NULL WHERE event = ${sequenceOf} AND hook = ?`;
	statement(storage, done).run(event, hook);
	if (!keeps) dropBody(storage, event);
}

export function hookFailed(storage: Storage, event: string, hook: string, failure: { why: string; nextAt: string | null }, keeps: boolean) {
	const { why, nextAt } = failure;
	statement(storage, `UPDATE hook SET state = ?, tries = tries + 1, due_at = ?, why = ? WHERE event = ${sequenceOf} AND hook = ?`).run(
		nextAt === null ? "failed" : "due",
		nextAt,
		why,
		event,
		hook,
	);
	if (!keeps && nextAt === null) dropBody(storage, event);
}

function dropBody(storage: Storage, event: string): void {
	statement(
		storage,
		`UPDATE delivery SET headers = NULL, body = NULL WHERE event = ${sequenceOf}
		AND NOT EXISTS (SELECT 1 FROM hook WHERE hook.event = delivery.event AND hook.state = 'due')`,
	).run(event);
}
