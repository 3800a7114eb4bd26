import * as z from "zod/mini";
import { field } from "../../api/schema.js";
import type { Context } from "../../context.js";

/** The --limit of list commands. */
export const limitField = () =>
	z._default(
		field(z.string().check(z.regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1 to 999999")), {
			description: "Maximum number of records",
			placeholder: "number",
		}),
		"100",
	);

/**
 * The records up to a limit, with a warning where there are more.
 * @param found at least one record more than the limit, where there are more
 */
export function firstOf<T>({ report }: Pick<Context, "report">, found: readonly T[], limit: string): T[] {
	if (found.length > limitOf(limit)) report.warn(`There are more than ${limit}; show them with --limit`);
	return found.slice(0, limitOf(limit));
}

/** A checked `limit` as a number. */
export function limitOf(limit: string): number {
	return Number(limit);
}
