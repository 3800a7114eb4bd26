import { z } from "zod";
import { field } from "../../api/schema.js";
import type { Context } from "../../context.js";

/** How many records a list command shows at most. */
export const limitField = () =>
	field(z.string().regex(/^[1-9]\d{0,5}$/, "must be a whole number from 1 to 999999"), {
		description: "Most records to show",
		placeholder: "number",
	}).default("100");

/** A `limit` that passed its check, as a number. */
export function limitOf(limit: string): number {
	return Number(limit);
}

/** Says that persons or companies may be missing where the list of related entities was not seen to its end; undefined: there was none. */
export function warnIfPartial(context: Context, listed: { complete: boolean } | undefined): void {
	if (listed?.complete === false) context.reporter.warn("The service did not list all related entities; what is shown may miss some");
}
