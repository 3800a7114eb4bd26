import type { Fault, Fields, Reply } from "./strict.js";

/** The status that goes with a number; 400 with all others. */
export const HTTP: Record<number, number> = { 1101: 401, 1404: 404, 1409: 409, 1501: 422, 1601: 422, 1602: 422, 1701: 403 };
/** Calls of the document that no key of ours may use. */
export const NOISE =
	/^(party\.remove|wallet\.open|creditor\.add|payment\.(recall|quote)|fee\.list|user\.\w+|hook\.\w+|card\.\w+|statement\.get|system\.hello)$/;

/** A request refused in the error form of the document. */
export class Refusal extends Error {
	constructor(
		readonly number: number,
		message: string,
		readonly parameter: string | null = null,
	) {
		super(message);
	}
}
/** An answer as JSON. */
export const json = (status: number, body: unknown): Reply => ({ status, type: "application/json", body: JSON.stringify(body) });
/** An answer that worked. */
export const done = (result: unknown) => json(200, { ok: true, result });
/** Cents as this service writes money. */
export const money = (cents: number) => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
/** Now, as this service counts time. */
export const seconds = () => Math.floor(Date.now() / 1000);
const named = ([first, ...rest]: readonly string[]) => (first === undefined ? null : first + rest.map((part) => `[${part}]`).join(""));

/** Refuses what a rule found wrong. */
export function refuseFault(fault: Fault | undefined): void {
	const number = { missing: 1001, malformed: 1002, unknown: 1003 } as const;
	// The place in a list is not part of the name of a list.
	const name = fault && named(fault.at)?.replace(/\[\]\[\d+\]$/, "[]");
	if (fault) throw new Refusal(number[fault.code], `${name} ${fault.why}.`, name);
}

/** Reads `a=1&b[c]=2&d[]=3`; one level of brackets, and no name twice unless it is a list. */
export function readForm(pairs: URLSearchParams): Fields {
	const whole: Fields = {};
	for (const [name, value] of pairs) {
		const [, group, member] = /^(\w+)\[(\w+)\]$/.exec(name) ?? [];
		if (group !== undefined && !Object.hasOwn(whole, group)) whole[group] = {};
		const into = group === undefined ? whole : (whole[group] as Fields);
		const key = member ?? name;
		if (typeof into !== "object" || (Object.hasOwn(into, key) && !name.endsWith("[]")))
			throw new Refusal(1002, `${name} is given twice.`, name);
		if (name.endsWith("[]")) into[key] = [...((into[key] as string[]) ?? []), value];
		else into[key] = value;
	}
	return whole;
}
/** One page, oldest first. */
export function rows<T>(all: T[], given: Record<string, string>, show: (row: T) => unknown = (row) => row): Reply {
	const offset = Number(given.offset ?? 0);
	const part = all.slice(offset, offset + Number(given.limit ?? 20));
	return done({ total: all.length, offset, rows: part.map(show) });
}
