/**
 * A binding as one document that people review and hand on: what `api export` writes, and `api use` and the sandbox's dialect read.
 */
import { Decimal } from "../api/json.js";
import type { AnyOperation } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import type { Fault } from "../errors.js";
import type { OperationBinding, ServiceBinding } from "../ports/binding.js";
import { bindingFaults, serviceFaults } from "./faults.js";
import { type BindingDocument, bindingDocument } from "./shape.js";

/** What a profile replaces of the whole service. */
export interface Bindings {
	service?: ServiceBinding;
	/** By operation id. */
	operations: Record<string, OperationBinding>;
}

/** The document of a profile's bindings: its members in one order, so that it is the same again after it was read. */
export function bindingFile({ service, operations }: Bindings): BindingDocument {
	const document: BindingDocument = { purser: "binding", version: 1, ...(service === undefined ? {} : { service }), operations };
	const ordered = bindingDocument.safeParse(document);
	return ordered.success ? (ordered.data as BindingDocument) : document;
}

/**
 * Reads such a document, as JSON or YAML has it, and finds all its faults.
 * @param catalog the operations that can be bound
 * @param baseUrl of the profile that will use it
 */
export function readBindingFile(
	document: unknown,
	catalog: readonly AnyOperation[],
	baseUrl: string,
): { bindings: Bindings; faults: readonly Fault[] } {
	const read = bindingDocument.safeParse(withNumbers(document));
	if (!read.success) {
		const faults = read.error.issues
			.slice(0, 50)
			.map((issue) => ({ field: issue.path.map(String).join("."), message: shapeMessage(issue) }));
		return { bindings: { operations: {} }, faults };
	}
	const { service, operations } = read.data as BindingDocument;
	const faults: Fault[] = service === undefined ? [] : serviceFaults(service).map((one) => ({ ...one, field: `service.${one.field}` }));
	for (const [id, binding] of Object.entries(operations)) {
		const operation = catalog.find((one) => one.id === id);
		if (operation === undefined) faults.push({ field: `operations.${id}`, message: "is not an operation; see `purser api list`" });
		else for (const one of bindingFaults(operation, binding, baseUrl)) faults.push({ ...one, field: `operations.${id}.${one.field}` });
	}
	return { bindings: { service, operations }, faults };
}

function shapeMessage(issue: { code: string; keys?: readonly string[] }): string {
	if (issue.code === "unrecognized_keys") return `has ${(issue.keys ?? []).join(", ")}, which no binding has`;
	if (issue.code === "invalid_type") return "is missing, or of another type than it must be";
	if (issue.code === "invalid_value" || issue.code === "invalid_union") return "is none of the values that it may have";
	return "is not as it must be";
}

/** Numbers of a document as plain ones: a binding has statuses and sizes only. */
function withNumbers(value: unknown): unknown {
	if (value instanceof Decimal) return /^-?\d{1,9}$/.test(value.text) ? Number(value.text) : value.text;
	if (Array.isArray(value)) return value.map(withNumbers);
	return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withNumbers(part)])) : value;
}
