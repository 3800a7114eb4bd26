/**
 * Reads events of the inbox.
 */

import { PurserError } from "../errors.js";
import { rawIn } from "../events/normal.js";
import type { EventFilter, EventSource, EventSubject, HookState, ServiceEvent, StoredDelivery, StoredEvent } from "../ports/events.js";
import { statement } from "../sqlite/statement.js";
import type { SqlRow, SqlValue, Storage } from "../sqlite/storage.js";

const columns = `event.*, (SELECT body FROM delivery WHERE delivery.event = event.seq AND body IS NOT NULL ORDER BY delivery.seq LIMIT 1) AS body`;

/** The newest first. */
export function listEvents(storage: Storage, { limit, since, types = [], subject, failed, before }: EventFilter): ServiceEvent[] {
	const conditions: (readonly [sql: string, ...values: SqlValue[]])[] = [];
	if (since !== undefined) conditions.push(["heard_at >= ?", since]);
	if (before !== undefined) conditions.push(["seq < ?", before]);
	if (subject !== undefined) conditions.push(["same_subject IN (?, ?)", subject, subject.toLowerCase()]);
	if (types.length > 0) conditions.push([`(${types.map(() => "type GLOB ?").join(" OR ")})`, ...types.map(globOf)]);
	if (failed) conditions.push(["EXISTS (SELECT 1 FROM hook WHERE hook.event = event.seq AND hook.state = 'failed')"]);
	const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`;
	const rows = storage.prepare(`SELECT ${columns} FROM event ${where} ORDER BY seq DESC LIMIT ?`);
	return rows.all(...conditions.flatMap(([, ...values]) => values), limit ?? -1).map(eventOf);
}

/** `*` stands for any characters, and nothing else is special. */
const globOf = (type: string): string => type.toLowerCase().replace(/[?[]/g, "[$&]");

/** @throws PurserError usage, where several begin so */
export function showEvent(storage: Storage, id: string): StoredEvent | undefined {
	const typed = id.toLowerCase();
	const whole = typed.startsWith("evt_") ? typed : `evt_${typed}`;
	if (!/^evt_[0-9a-f]{4,32}$/.test(whole)) return undefined;
	const found = statement(storage, `SELECT ${columns} FROM event WHERE id >= ? AND id < ? LIMIT 2`).all(whole, `${whole}g`);
	if (found.length > 1)
		throw new PurserError("usage", {
			code: "AMBIGUOUS_EVENT",
			message: `More than one event begins with ${whole}`,
			fix: "Give more of its id.",
		});
	return found[0] && storedOf(storage, found[0]);
}

export function eventAt(storage: Storage, sequence: number): ServiceEvent {
	return eventOf(statement(storage, `SELECT ${columns} FROM event WHERE seq = ?`).get(sequence) as SqlRow);
}

/** The oldest first. */
export function eventsSince(storage: Storage, sequence: number, subject: string): StoredEvent[] {
	const rows = statement(storage, `SELECT ${columns} FROM event WHERE seq > ? AND same_subject IN (?, ?) ORDER BY seq`);
	return rows.all(sequence, subject, subject.toLowerCase()).map((row) => storedOf(storage, row));
}

function storedOf(storage: Storage, row: SqlRow): StoredEvent {
	const sequence = Number(row.seq);
	return {
		event: eventOf(row),
		sequence,
		heardAt: String(row.heard_at),
		deliveries: statement(storage, "SELECT * FROM delivery WHERE event = ? AND witness <> 'poll' ORDER BY seq")
			.all(sequence)
			.map(deliveryOf),
		hooks: statement(storage, "SELECT * FROM hook WHERE event = ? ORDER BY hook").all(sequence).map(hookOf),
	};
}

const text = (value: SqlValue | undefined): string | null => (typeof value === "string" ? value : null);

function eventOf(row: SqlRow): ServiceEvent {
	const subject = text(row.subject);
	const status = text(row.confirmed_status);
	return {
		id: String(row.id),
		type: String(row.type),
		at: String(row.at),
		subject: subject === null ? null : { kind: row.subject_kind as EventSubject["kind"], id: subject },
		from: text(row.state_from),
		to: text(row.state_to),
		source: row.source as EventSource,
		// Nothing else is stored.
		verified: true,
		confirmed: status === null ? null : { status, at: String(row.confirmed_at) },
		...(row.missed === 1 ? { missed: true } : {}),
		...(typeof row.body === "string" ? { raw: rawIn(Buffer.from(row.body, "base64")) } : {}),
	};
}

function deliveryOf(row: SqlRow): StoredDelivery {
	return {
		source: row.source as EventSource,
		scheme: String(row.scheme),
		id: text(row.sender_id),
		heardAt: String(row.heard_at),
		digest: String(row.digest),
		...(typeof row.headers === "string" ? { headers: JSON.parse(row.headers) as StoredDelivery["headers"] } : {}),
		...(typeof row.body === "string" ? { body: Buffer.from(row.body, "base64") } : {}),
	};
}

function hookOf(row: SqlRow): HookState {
	return {
		hook: String(row.hook),
		state: row.state as HookState["state"],
		tries: Number(row.tries),
		dueAt: text(row.due_at),
		why: text(row.why),
	};
}
