/**
 * Lists: filters and paging (operations 3).
 */
import { Decimal } from "../api/json.js";
import { Refusal } from "./message.js";

const whole = (value: string | null, fallback: number, least: number, most: number, field: string): number => {
	if (value === null) return fallback;
	const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
	if (!(number >= least && number <= most))
		throw new Refusal(400, "VALIDATION_FAILED", "The request has invalid fields", [
			{ field, rejectedValue: value, message: `must be between ${least} and ${most}` },
		]);
	return number;
};

/** One page of records. @throws Refusal 400 for a page that cannot be */
export function page<T>(records: readonly T[], query: URLSearchParams, show: (record: T) => unknown): unknown {
	const pageSize = whole(query.get("pageSize"), 20, 1, 100, "pageSize");
	const number = whole(query.get("page"), 0, 0, 999_999_999, "page");
	const ordered = query.get("sortDirection") === "DESC" ? [...records].reverse() : records;
	return {
		content: ordered.slice(number * pageSize, (number + 1) * pageSize).map(show),
		totalElements: new Decimal(String(records.length)),
		page: new Decimal(String(number)),
		pageSize: new Decimal(String(pageSize)),
	};
}

/** The values of a filter that may stand several times, as `status=A&status=B`, `status[]=A` or `status=A,B`. */
export function several(query: URLSearchParams, name: string): string[] {
	return [...query.getAll(name), ...query.getAll(`${name}[]`)].flatMap((value) => value.split(",")).filter(Boolean);
}

/** True where no filter is given, or the value is among those asked for. */
export function among(values: readonly string[], value: string): boolean {
	return values.length === 0 || values.includes(value);
}
