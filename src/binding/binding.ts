/**
 * Applies a profile's binding of an operation, in both directions: what the client sends and reads, and what a sandbox that speaks the
 * same dialect reads and sends. Pure. Without a binding everything stays as it is.
 */
import type { AnyOperation, Method } from "../api/operation.js";
import type { IdForms } from "../api/text/ids.js";
import type { BoundErrors, OperationBinding, ServiceBinding } from "../ports/binding.js";
import { AnswerForm } from "./answer.js";
import { addressOfOperation, pathFromWire } from "./names.js";
import { partsOf } from "./pointer.js";
import { type Facts, RequestForm, type Values } from "./request.js";

/** An operation as a deployment has it. */
export interface BoundOperation {
	method: Method;
	/** With `{named}` parameters, which are keys of `params` in {@link Values}. */
	path: string;
	/** How the deployment tells an error, where the profile says so. */
	errors?: BoundErrors;
	/** Statuses that mean done or waiting, where the profile says so; no other 2xx proves anything then. */
	statuses?: { accepted?: number[]; waiting?: number[] };
	/** The forms of the deployment's ids. */
	ids: IdForms;
	/** Our values → the deployment's. @throws PurserError validation or guard, where one cannot be written */
	toRequest(ours: Values, facts?: Facts): Values;
	/** The deployment's values → ours: the other way round. */
	fromRequest(theirs: Values): Values;
	/** An answer's data under our names. */
	fromAnswer(data: unknown): unknown;
	/** Our data under the deployment's names: the other way round. */
	toAnswer(data: unknown): unknown;
	/** The deployment's path of a field, in an error, under our name. */
	fieldFromWire(path: string): string;
	/** Our path of a field as the deployment tells it in an error: the other way round. */
	fieldToWire(path: string): string;
}

/**
 * @param binding of this operation; its faults were found when it was stored (`faults.ts`)
 * @throws PurserError usage, where a stored binding cannot be applied
 */
export function boundOperation(
	operation: AnyOperation,
	binding: OperationBinding | undefined,
	service: ServiceBinding | undefined,
): BoundOperation {
	const { method, path } = addressOfOperation(operation, binding);
	const known = { method, path, errors: service?.errors, statuses: binding?.answer?.statuses, ids: service?.ids ?? {} };
	// Most profiles bind nothing, and every request passes here.
	if (binding === undefined && service?.paging === undefined) return { ...known, ...asDescribed };
	const request = new RequestForm(operation, binding, service);
	const answer = new AnswerForm(operation, binding, service);
	return {
		...known,
		toRequest: (ours, facts = {}) => request.write(ours, facts),
		fromRequest: (theirs) => request.read(theirs),
		fromAnswer: (data) => answer.read(data),
		toAnswer: (data) => answer.write(data),
		fieldFromWire: (name) => request.nameOf(partsOfField(name)) ?? pathFromWire(name, binding),
		fieldToWire: (name) => request.placeOfName(name),
	};
}

const asDescribed: Pick<BoundOperation, "toRequest" | "fromRequest" | "fromAnswer" | "toAnswer" | "fieldFromWire" | "fieldToWire"> = {
	toRequest: (ours) => ours,
	fromRequest: (theirs) => theirs,
	fromAnswer: (data) => data,
	toAnswer: (data) => data,
	fieldFromWire: (name) => name,
	fieldToWire: (name) => name,
};

/** The parts of a field's path in an error, written with dots, slashes or brackets. */
function partsOfField(path: string): string[] {
	if (path.startsWith("/")) return partsOf(path) ?? [path];
	return path.replace(/\[(\w+)\]/g, ".$1").split(".");
}
