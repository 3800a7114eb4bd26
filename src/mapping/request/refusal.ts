/**
 * What of a request cannot be written at a deployment, as errors. Nothing was sent then.
 */
import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation } from "../../api/operation.js";
import { describe, type Field, isRecord } from "../../api/schema.js";
import { PurserError } from "../../errors.js";
import { CurrencyUnknown, type Unwritable } from "./forms.js";

/** An amount whose currency must be known and is not is held back, not called wrong. */
export function unwritableError(operation: AnyOperation, name: string, error: Unwritable): PurserError {
	const kind = error instanceof CurrencyUnknown ? "guard" : "validation";
	return new PurserError(kind, {
		code: kind === "guard" ? "CURRENCY_UNKNOWN" : "INPUT_INVALID",
		message: `${operation.title}: ${name} cannot be sent: ${error.message}. Nothing was sent`,
		fix: kind === "guard" ? "Say the currency: --currency" : advice`Correct it, or see how it is mapped: ${purser`api list`}`,
		details: [{ field: name, message: error.message }],
	});
}

export function headerValue(operation: AnyOperation, name: string, value: unknown): string {
	const text = String(value);
	// Spaces at the ends of a header are no part of it.
	const fault = !/^[\x20-\x7e]*$/.test(text)
		? "has a character that no header may carry"
		: text.trim() !== text
			? "begins or ends with a space, which a header loses"
			: undefined;
	if (fault === undefined) return text;
	throw new PurserError("validation", {
		code: "INPUT_INVALID",
		message: `${operation.title}: ${name} ${fault}. Nothing was sent`,
		fix: "Give it without that character",
		details: [{ field: name, message: fault }],
	});
}

/**
 * Refuses our fields that have no place at the deployment. One with the description's own default is left out: the deployment's applies.
 * @param left what of the input no field of the mapping has taken
 */
export function refuseUnplaced({ title, query, body }: AnyOperation, left: unknown): void {
	const fields = [query, ...(body ? [body] : [])].flatMap((shape) => describe(shape).fields ?? []);
	const names = unplacedIn(left, fields);
	if (names.length === 0) return;
	throw new PurserError("validation", {
		code: "FIELD_WITHOUT_PLACE",
		message: `${title}: ${names[0]} has no place at this deployment. Nothing was sent`,
		fix: advice`Leave it out, or say in the mapping where it belongs: ${purser`help mapping`}`,
		details: names.map((field) => ({ field, message: "has no place at this deployment" })),
	});
}

/** The names of what is left, dotted, without what the description fills in by itself. */
function unplacedIn(left: unknown, fields: readonly Field[] = [], filled: unknown = undefined, before = ""): string[] {
	return Object.entries(isRecord(left) ? left : {}).flatMap(([name, value]) => {
		const field = fields.find((one) => one.name === name);
		const byItself = isRecord(filled) ? filled[name] : filledBy(field);
		if (value === undefined || value === byItself) return [];
		return isRecord(value) ? unplacedIn(value, field?.fields, byItself, `${before}${name}.`) : [before + name];
	});
}

/** What the description fills in where nothing is given: of an object, the defaults of its parts. */
const filledBy = (field: Field | undefined): unknown =>
	field?.fallback === undefined ? undefined : z.safeParse(field.schema, field.fallback).data;
