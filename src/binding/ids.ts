/**
 * The form of a deployment's ids, where they are no UUIDs: a small language of patterns that cannot take long to compare.
 */
import { isUuid } from "../api/answer.js";
import type { IdKind, ServiceBinding } from "../ports/binding.js";

/** Most characters of an id. */
export const longestId = 128;
/** Parts of a pattern whose length varies; each more would multiply the time of a comparison. */
const mostVariable = 3;

const part = /(?:[A-Za-z0-9_-]|\[(?:[A-Za-z0-9_]-[A-Za-z0-9_]|[A-Za-z0-9_-])+\])(?:\{\d{1,3}(?:,\d{1,3})?\})?/g;

/**
 * What is wrong with a pattern; undefined if nothing is. A pattern is a row of characters and classes (`[0-9a-f]`), each with a count
 * (`{12}`, `{1,20}`) or without: `pay_[0-9a-z]{16}`. Letters, digits, `_` and `-` are all that an id may hold.
 */
export function idPatternFault(pattern: string): string | undefined {
	const parts = pattern.match(part) ?? [];
	if (pattern === "" || pattern.length > 200 || parts.join("") !== pattern)
		return "must be a row of letters, digits, _ and - or classes like [0-9a-f], each with a count like {12} or without";
	const counts = parts
		.map((one) => /\{(\d+)(?:,(\d+))?\}$/.exec(one))
		.map((found) => [Number(found?.[1] ?? 1), Number(found?.[2] ?? found?.[1] ?? 1)]);
	if (counts.some(([least = 1, most = 1]) => least > most)) return "has a count whose first number is above the second";
	const longest = counts.reduce((sum, [, most = 1]) => sum + most, 0);
	if (longest > longestId) return `allows ${longest} characters; at most ${longestId} are allowed`;
	if (counts.reduce((sum, [least = 1]) => sum + least, 0) < 4) return "allows ids of less than 4 characters";
	if (counts.filter(([least, most]) => least !== most).length > mostVariable) return `has more than ${mostVariable} counts that vary`;
	try {
		new RegExp(pattern);
		return undefined;
	} catch {
		return "has a class that is none";
	}
}

/** The kind of id that each of our fields with an id is. */
export const idKindOf: Readonly<Record<string, IdKind>> = {
	corporateId: "corporate",
	corporateRelatedId: "related",
	relatedPhysicalPersonId: "related",
	transactionId: "transaction",
	ledgerId: "ledger",
	ledgerFromId: "ledger",
	ledgerToId: "ledger",
	beneficiaryId: "beneficiary",
	endUserId: "endUser",
};

/** Whether a value has the form of an id of this kind: a UUID, unless the profile gives another form. */
export function isIdOf(kind: IdKind, value: unknown, service: ServiceBinding | undefined): value is string {
	const pattern = service?.ids?.[kind];
	if (pattern === undefined) return isUuid(value);
	return (
		typeof value === "string" &&
		value.length <= longestId &&
		idPatternFault(pattern) === undefined &&
		new RegExp(`^(?:${pattern})$`).test(value)
	);
}

/**
 * An id of a pattern of {@link idPatternFault}'s language, made at random.
 * @param fraction from 0 up to, not including, 1
 */
export function randomId(pattern: string, fraction: () => number): string {
	const upTo = (count: number): number => Math.floor(fraction() * count);
	return (pattern.match(part) ?? [])
		.map((one) => {
			const [, what = "", least = "1", most = least] = /^(\[.*\]|.)(?:\{(\d+)(?:,(\d+))?\})?$/.exec(one) ?? [];
			const among = charactersOf(what);
			const length = Number(least) + upTo(Number(most) - Number(least) + 1);
			return Array.from({ length }, () => among[upTo(among.length)]).join("");
		})
		.join("");
}

/** The characters that one part of a pattern stands for. */
function charactersOf(what: string): string[] {
	const form = new RegExp(`^${what}$`);
	return [..."0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_-"].filter((one) => form.test(one));
}
