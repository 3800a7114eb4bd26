/**
 * Reads events of the inbox.
 */
import { PurserError } from "../errors.js";
import { rawIn } from "../events/normal.js";
import type { EventFilter, EventSource, EventSubject, HookState, ServiceEvent, StoredDelivery, StoredEvent } from "../ports/events.js";
import type { SqlRow, SqlValue, Storage } from "../sqlite/storage.js";
import { statement } from "../sqlite/storage.js";

type Condition = readonly [sql: string, ...values: SqlValue[]];

/** The newest first. */
export function listEvents(storage: Storage, { limit, since, types = [], subject, failed }: EventFilter): ServiceEvent[] {
	const conditions: Condition[] = [];
	if (since !== undefined) conditions.push(["received_at >= ?", since]);
	if (subject !== undefined) conditions.push(["same_subject IN (?, ?)", subject, subject.toLowerCase()]);
	if (types.length > 0) conditions.push([`(${types.map(() => "type GLOB ?").join(" OR ")})`, ...types.map((type) => type.toLowerCase())]);
	if (failed) conditions.push(["EXISTS (SELECT 1 FROM hook WHERE hook.event = event.seq AND hook.state = 'failed')"]);
	return rowsOf(storage, conditions, limit).map(eventOf);
}

function rowsOf(storage: Storage, conditions: readonly Condition[], limit = -1): SqlRow[] {
	const where = conditions.length === 0 ? "" : `WHERE ${conditions.map(([sql]) => sql).join(" AND ")}`;
	const rows = statement(storage, `SELECT * FROM event ${where} ORDER BY seq DESC LIMIT ?`);
	return rows.all(...conditions.flatMap(([, ...values]) => values), limit);
}

/** @throws PurserError usage, where several begin so */
export function showEvent(storage: Storage, id: string): StoredEvent | undefined {
	const typed = id.toLowerCase();
	const whole = typed.startsWith("evt_") ? typed : `evt_${typed}`;
	if (!/^evt_[0-9a-f]{4,32}$/.test(whole)) return undefined;
	const found = rowsOf(storage, [["id >= ? AND id < ?", whole, `${whole}g`]], 2);
	if (found.length > 1)
		throw new PurserError("usage", {
			code: "AMBIGUOUS_EVENT",
			message: `More than one event begins with ${whole}`,
			fix: "Give more of its id.",
		});
	const [row] = found;
	if (row === undefined) return undefined;
	return {
		event: eventOf(row),
		receivedAt: String(row.received_at),
		...(row.sender_id === null ? {} : { delivery: deliveryOf(row) }),
		hooks: statement(storage, "SELECT * FROM hook WHERE event = ? ORDER BY hook").all(Number(row.seq)).map(hookOf),
	};
}

export const eventAt = (storage: Storage, sequence: number): ServiceEvent => eventOf(rowsOf(storage, [["seq = ?", sequence]])[0] as SqlRow);

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
		...(typeof row.body === "string" ? { raw: rawIn(Buffer.from(row.body, "base64")) } : {}),
	};
}

function deliveryOf(row: SqlRow): StoredDelivery {
	return {
		id: String(row.sender_id),
		digest: String(row.digest),
		...(typeof row.headers === "string" ? { headers: JSON.parse(row.headers) as StoredDelivery["headers"] } : {}),
		...(typeof row.body === "string" ? { body: Buffer.from(row.body, "base64") } : {}),
	};
}

function hookOf({ hook, state, why }: SqlRow): HookState {
	return { hook: String(hook), state: state as HookState["state"], why: text(why) };
}
