import type { Fault, Fields, Reply, Rule, Seen } from "./strict.js";

/** A request refused in the error form of the document. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly type: string,
		readonly code: string,
		message: string,
		readonly field: string | null = null,
	) {
		super(message);
	}
}

/** What a route is given of a request. */
export interface Call {
	ids: string[];
	query: Record<string, string>;
	body: Fields;
}
interface Extras {
	body?: Rule;
	query?: Record<string, Rule>;
	pays?: boolean;
}
/** One operation. */
export interface Route extends Extras {
	method: string;
	path: RegExp;
	run(call: Call): Reply;
}
/** What the document has besides and no key of ours may use. */
export const NOISE =
	/^\/(webhook_endpoints|cards|fee_schedules|team_members|events|ping|payments\/.*\/cancel|accounts|accounts\/.*\/statements|payees)\b/;

/** An operation; `{biz}` in its path stands for an id with that prefix. */
export function route(method: string, path: string, run: Route["run"], extras: Extras = {}): Route {
	return { method, path: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, "($1_[0-9a-z]{12})")}$`), run, ...extras };
}
/** The body as JSON, none as no fields. */
export function readBody({ headers, body }: Seen): unknown {
	if (body === "") return {};
	if (!headers["content-type"]?.startsWith("application/json"))
		throw new Refusal(415, "invalid_request", "type_unsupported", "Send application/json.");
	try {
		return JSON.parse(body);
	} catch {
		throw new Refusal(400, "invalid_request", "body_unreadable", "The body is not JSON.");
	}
}
/** An answer as JSON. */
export function json(status: number, body: unknown): Reply {
	return { status, type: "application/json", body: JSON.stringify(body) };
}
/** An answer in the envelope. */
export const data = (status: number, content: unknown) => json(status, { data: content });
/** Refuses what a rule found wrong. */
export function refuseFault(fault: Fault | undefined): void {
	const code = { missing: "field_missing", malformed: "field_invalid", unknown: "field_unknown" } as const;
	if (fault)
		throw new Refusal(
			400,
			"invalid_request",
			code[fault.code],
			`${fault.at.join(".") || "The body"} ${fault.why}.`,
			fault.at.join(".") || null,
		);
}
/** The record of a path. */
export function find<T>(rows: Map<string, T>, key: string): T {
	const row = rows.get(key);
	if (!row) throw new Refusal(404, "not_found", "not_found", "There is no such record.");
	return row;
}
/** One page, newest first. */
export function page(rows: { id: string }[], query: Record<string, string>, show: (row: never) => unknown = (row) => row): Reply {
	const newest = [...rows].reverse();
	const last = query.cursor === undefined ? undefined : Buffer.from(query.cursor, "base64url").toString();
	const from = last === undefined ? 0 : newest.findIndex((row) => row.id === last) + 1;
	if (last !== undefined && from === 0) throw new Refusal(400, "invalid_request", "field_invalid", "cursor is not one of ours.", "cursor");
	const part = newest.slice(from, from + Number(query.limit ?? 25));
	const more = from + part.length < newest.length;
	return json(200, {
		data: part.map((row) => show(row as never)),
		page: { has_more: more, next_cursor: more ? Buffer.from(part.at(-1)!.id).toString("base64url") : null },
	});
}
