/**
 * What of a request cannot be written at a deployment, as errors. Nothing was sent then.
 */
import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { canonicalJson } from "../../api/json.js";
import type { AnyOperation } from "../../api/operation.js";
import { describe, type Field, isRecord } from "../../api/schema.js";
import { PurserError } from "../../errors.js";
import { CurrencyUnknown, type Unwritable } from "./forms.js";
import { isHeaderValue } from "./headers.js";

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
	const fault = !isHeaderValue(text)
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

/** Our fields that have no place at the deployment. One with the description's own default is left out: the deployment's applies. */
export function refuseRest(operation: AnyOperation, rest: Record<"params" | "query" | "body", unknown>): void {
	const shapes = [operation.query, ...(operation.body ? [operation.body] : [])];
	const fields = shapes.flatMap((shape) => describe(shape).fields ?? []);
	const left = Object.values(rest).flatMap((part) => (isRecord(part) ? Object.entries(part) : []));
	const fieldNamed = (name: string) => fields.find((one) => one.name === name);
	const [refused] = left.filter(([name, value]) => value !== undefined && !isFallback(fieldNamed(name), value));
	if (refused === undefined) return;
	const names = leafNames(...refused, filledBy(fieldNamed(refused[0])));
	throw new PurserError("validation", {
		code: "FIELD_WITHOUT_PLACE",
		message: `${operation.title}: ${names[0]} has no place at this deployment. Nothing was sent`,
		fix: advice`Leave it out, or say in the mapping where it belongs: ${purser`help mapping`}`,
		details: names.map((field) => ({ field, message: "has no place at this deployment" })),
	});
}

/** The parts of a record that are left, dotted, without those that the description fills in: other parts of it may have their places. */
function leafNames(name: string, value: unknown, filled: unknown): string[] {
	const parts = isRecord(value) ? Object.entries(value) : [];
	const filledPart = (part: string): unknown => (isRecord(filled) ? filled[part] : undefined);
	const left = parts.filter(([part, one]) => one !== undefined && one !== filledPart(part));
	return left.length === 0 ? [name] : left.flatMap(([part, one]) => leafNames(`${name}.${part}`, one, filledPart(part)));
}

/** What the description fills in by itself: of an object, the defaults of its parts. */
function filledBy(field: Field | undefined): unknown {
	const filled = field?.fallback === undefined ? undefined : z.safeParse(field.schema, field.fallback);
	return filled?.success ? filled.data : undefined;
}

function isFallback(field: Field | undefined, value: unknown): boolean {
	if (field?.fallback === undefined) return false;
	if (!isRecord(value)) return value === field.fallback;
	const filled = filledBy(field);
	return filled !== undefined && canonicalJson(filled) === canonicalJson(value);
}
