/**
 * What a profile may replace of an operation's description, checked against that description. Pure.
 */
import type { AnyOperation, Method } from "../api/operation.js";
import { describe, type Field } from "../api/schema.js";
import { sharedNames } from "../api/wire-names.js";
import { hasField, pathFaults } from "../binding/described.js";
import { isHeaderName, isHeaderValue, isOfTheClient, isSecret } from "../binding/headers.js";
import type { Fault } from "../errors.js";
import type { OperationBinding } from "../ports/binding.js";

/** A replacement as typed. */
export interface OverrideText {
	method?: Method;
	path?: string;
	/** `ours=theirs`. */
	field?: readonly string[];
	/** `Name: value`. */
	header?: readonly string[];
}

/**
 * The override that results from adding `text` to an existing one, with all its faults.
 * @param before what the profile replaces already
 */
export function changedOverride(
	operation: AnyOperation,
	before: OperationBinding,
	text: OverrideText,
): { override: OperationBinding; faults: Fault[] } {
	const faults: Fault[] = [];
	const refuse = (field: string, message: string): void => void faults.push({ field, message });
	const override: OperationBinding = { ...before };
	if (text.method !== undefined) {
		if (text.method === "GET" && operation.body) refuse("method", `GET carries no body, and ${operation.id} sends one`);
		override.method = text.method;
	}
	if (text.path !== undefined) {
		for (const message of faultsOfPath(operation, text.path, before)) refuse("path", message);
		override.path = text.path;
	}
	for (const given of text.field ?? []) {
		const [ours = "", theirs = ""] = split(given, "=");
		for (const message of [...fieldFaults(operation, ours, theirs), ...placedFaults(before, ours)])
			refuse("field", `${JSON.stringify(given)} ${message}`);
		override.fields = { ...override.fields, [ours]: theirs };
	}
	for (const message of collisions(operation, override.fields ?? {})) refuse("field", message);
	for (const given of text.header ?? []) {
		const [name = "", value = ""] = split(given, ":").map((part) => part.trim());
		const message = headerFault(name, value);
		if (message) refuse("header", `${JSON.stringify(name || given)} ${message}`);
		override.headers = { ...withoutHeader(override.headers ?? {}, name), [name]: value };
	}
	return { override, faults };
}

function split(text: string, by: string): string[] {
	const at = text.indexOf(by);
	return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function faultsOfPath(operation: AnyOperation, path: string, { request }: OperationBinding): string[] {
	// Where fields have places of their own, the path may name others; `binding/faults.ts` holds them against it.
	if (Object.values(request?.fields ?? {}).some(({ place }) => place === "path")) return [];
	const wanted = Object.keys(operation.params.shape);
	const allowed = wanted.length === 0 ? "it takes none" : `it takes ${wanted.map((name) => `{${name}}`).join(", ")}`;
	return pathFaults(path, wanted, (name) => `has {${name}}, which ${operation.id} does not know; ${allowed}`);
}

function fieldFaults(operation: AnyOperation, ours: string, theirs: string): string[] {
	const schemas = [operation.query, operation.body, operation.answer].filter((schema) => schema !== undefined);
	const shapes = schemas.map((schema) => describe(schema));
	// A name on the wire is the same for each of a list.
	const parts = ours.split(".");
	if (parts.includes("*") || !shapes.some((shape) => hasField(shape, parts))) {
		const known = [...new Set(shapes.flatMap((shape) => names(shape, "")))];
		return [`names no field of ${operation.id}; it has ${known.join(", ") || "none"}`];
	}
	if (!/^[A-Za-z_$][A-Za-z0-9_$-]*(\[\])?$/.test(theirs))
		return ["must be ours=theirs, where theirs is the last part's plain name on the wire"];
	return [];
}

/** Another name would have no effect on a field that is bound to a place of its own. */
function placedFaults({ request, answer }: OperationBinding, ours: string): string[] {
	const at = request?.fields?.[ours]?.at ?? answer?.fields?.[ours]?.at;
	if (at === undefined) return [];
	return [`is bound to ${at}; change that in the file of \`purser api export\`, and take it with \`purser api use\``];
}

function names(shape: Field, before: string): string[] {
	return (shape.fields ?? []).flatMap((part) => [before + part.name, ...names(part, `${before}${part.name}.`)]);
}

/** Two fields of one object may not have one name on the wire: of those replaced, and of a request's that are not. */
function collisions(operation: AnyOperation, fields: Record<string, string>): string[] {
	const places = Object.entries(fields).map(([ours, theirs]) => [...ours.split(".").slice(0, -1), theirs].join("."));
	const twice = places.filter((place, at) => places.indexOf(place) !== at);
	return [...new Set([...twice, ...sharedNames(operation, fields)])].map((place) => `two fields would both be sent as ${place}`);
}

function headerFault(name: string, value: string): string | undefined {
	if (!isHeaderName(name) || value === "") return "must be 'Name: value'";
	if (isOfTheClient(name)) return "is set by purser itself and cannot be replaced";
	if (isSecret(name))
		return "looks like a secret; no flag takes one: use `purser profile set NAME --auth header --auth-header …`, then `purser auth login`";
	if (!isHeaderValue(value)) return "has a character in its value that no header may carry";
	return undefined;
}

function withoutHeader(headers: Record<string, string>, name: string): Record<string, string> {
	return Object.fromEntries(Object.entries(headers).filter(([one]) => one.toLowerCase() !== name.toLowerCase()));
}
