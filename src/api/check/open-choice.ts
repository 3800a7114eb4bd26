/**
 * Fields that hold one value of a list of which only some values were ever shown.
 */
import * as z from "zod/mini";
import type { FieldOptions } from "../fields.js";
import { field } from "../schema.js";
import { suggestionFor } from "../suggest.js";

/** One value of an open list: of the right shape it passes, with a warning when it is not among the known ones. */
export function openChoice(description: string, known: readonly string[], say: FieldOptions = {}) {
	return field(z.string().check(z.regex(/^[A-Z0-9_]+$/, `must be in capitals, digits and "_", like ${known[0]}`)), {
		description,
		known,
		warn: say.list === undefined ? (value: string) => (known.includes(value) ? undefined : notKnown(value, known)) : undefined,
		...say,
	});
}

function notKnown(value: string, known: readonly string[]): string {
	const near = suggestionFor(value, known, 4);
	return `is not among the values known so far; the service may refuse it${near === undefined ? "" : ` (did you mean ${near}?)`}`;
}

/** A currency code of three capitals. */
export function currency(description: string, known: readonly string[]) {
	return field(z.string().check(z.regex(/^[A-Z]{3}$/, "must be a currency code, like EUR")), {
		description,
		known,
		example: "EUR",
		placeholder: "currency",
		warn: (value: string) => (known.includes(value) ? undefined : "is not among the currencies known so far; the service may refuse it"),
	});
}
