/**
 * Applies a profile's mapping of an operation: our values → the deployment's request, and its answer → ours. Pure. Without a mapping
 * everything stays as it is.
 */
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation, Method } from "../../api/operation.js";
import type { IdForms } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { ErrorForm, MappedOperation, Mapping } from "../../ports/mapping.js";
import { answerReader } from "./answer.js";
import { type Facts, requestWriter, type Values } from "./request.js";

/** An operation as a deployment has it. */
export interface AppliedMapping {
	method: Method;
	/** With `{named}` parameters, which are keys of `params` in {@link Values}. */
	path: string;
	/** How a body is written. */
	body: "json" | "form";
	/** How the deployment tells an error, where the mapping says so. */
	errors?: ErrorForm;
	/** Statuses that mean done or waiting, where the mapping says so; no other 2xx proves anything then. */
	statuses?: MappedOperation["statuses"];
	/** The forms of the deployment's ids. */
	ids: IdForms;
	/** Our values → the deployment's. @throws PurserError validation or guard, where one cannot be written */
	toRequest(ours: Values, facts?: Facts): Values;
	/** An answer's data under our names. */
	fromAnswer(data: unknown): unknown;
}

/** The entry of an operation; undefined where it is as described. @throws PurserError usage, where the deployment does not have it */
export function entryOf(operation: AnyOperation, mapping: Mapping | undefined): MappedOperation | undefined {
	const { operations = {} } = mapping ?? {};
	const entry = Object.hasOwn(operations, operation.id) ? operations[operation.id] : undefined;
	if (entry !== "none") return entry;
	throw new PurserError("usage", {
		code: "OPERATION_ABSENT",
		message: `This service has no operation for: ${operation.title}. Nothing was sent`,
		why: `The mapping says that ${operation.id} is none`,
		fix: advice`Do it in the service's own way, or correct the mapping: ${purser`help mapping`}`,
	});
}

/**
 * @param mapping without faults: they are found before it is stored
 * @throws PurserError usage, where the deployment does not have the operation
 */
export function appliedMapping(operation: AnyOperation, mapping: Mapping | undefined): AppliedMapping {
	const entry = entryOf(operation, mapping);
	const known = {
		method: entry?.method ?? operation.method,
		path: entry?.path ?? operation.path,
		body: entry?.body ?? "json",
		errors: mapping?.errors,
		statuses: entry?.statuses,
		ids: mapping?.ids ?? {},
	} as const;
	// Most profiles map nothing, and every request passes here.
	if (mapping === undefined) return { ...known, toRequest: (ours) => ours, fromAnswer: (data) => data };
	const write = requestWriter(operation, entry, mapping);
	return { ...known, toRequest: (ours, facts = {}) => write(ours, facts), fromAnswer: answerReader(operation, entry, mapping) };
}
