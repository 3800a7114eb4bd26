import * as z from "zod/mini";
import { field } from "../../api/schema.js";

/** The --limit of list commands. */
export const limitField = () =>
	z._default(
		field(z.string().check(z.regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1 to 999999")), {
			description: "Maximum number of records",
			placeholder: "number",
		}),
		"100",
	);

/** A checked `limit` as a number. */
export function limitOf(limit: string): number {
	return Number(limit);
}
