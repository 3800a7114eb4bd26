/**
 * Lists: filters and paging.
 */
import { Decimal } from "../../api/json.js";
import { invalidFields } from "../message.js";

const whole = (query: URLSearchParams, field: string, fallback: number, least: number, most: number): number => {
	const value = query.get(field);
	if (value === null) return fallback;
	const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
	if (!(number >= least && number <= most))
		throw invalidFields({ field, rejectedValue: value, message: `must be between ${least} and ${most}` });
	return number;
};

/** One page of records. @throws HttpError 400 for a page or an order that cannot be */
export function page<T>(records: readonly T[], query: URLSearchParams, show: (record: T) => unknown): unknown {
	const pageSize = whole(query, "pageSize", 20, 1, 100);
	const number = whole(query, "page", 0, 0, 999_999_999);
	const descending = choiceFilter(query, "sortDirection", ["ASC", "DESC"]) === "DESC";
	const start = number * pageSize;
	const shown = descending
		? records.slice(Math.max(0, records.length - start - pageSize), Math.max(0, records.length - start)).reverse()
		: records.slice(start, start + pageSize);
	return {
		content: shown.map(show),
		totalElements: new Decimal(String(records.length)),
		page: new Decimal(String(number)),
		pageSize: new Decimal(String(pageSize)),
	};
}

/** A query field that is one of a few values, or absent. @throws HttpError 400 */
export function choiceFilter(query: URLSearchParams, field: string, values: readonly string[]): string | undefined {
	const value = query.get(field) ?? undefined;
	if (value === undefined || values.includes(value)) return value;
	throw invalidFields({ field, rejectedValue: value, message: `must be one of ${values.join(", ")}` });
}

/** A moment in a query as RFC 3339 UTC with milliseconds: such texts compare as the moments do. @throws HttpError 400 */
export function timeFilter(query: URLSearchParams, field: string): string | undefined {
	const value = query.get(field);
	if (value === null) return undefined;
	const at = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(value) : Number.NaN;
	if (Number.isNaN(at)) throw invalidFields({ field, rejectedValue: value, message: "must be a time (RFC 3339)" });
	return new Date(at).toISOString();
}

/** The values of a filter that may be repeated, as `status=A&status=B`, `status[]=A` or `status=A,B`. @throws HttpError 400 */
export function filterValues(query: URLSearchParams, name: string, values: readonly string[]): string[] {
	const given = [...query.getAll(name), ...query.getAll(`${name}[]`)].flatMap((value) => value.split(",")).filter(Boolean);
	const odd = given.find((value) => !values.includes(value));
	if (odd === undefined) return given;
	throw invalidFields({ field: name, rejectedValue: odd, message: `must be one of ${values.join(", ")}` });
}

/** True where no filter is given, or the value is among those asked for. */
export function passesFilter(values: readonly string[], value: string): boolean {
	return values.length === 0 || values.includes(value);
}
