/**
 * The parts of a binding that `purser api set` writes: method, path, headers, and other names for fields in both directions. Pure.
 */
import { advice, purser } from "../api/advice.js";
import type { AnyOperation, Method } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import { sharedNames } from "../api/wire-names.js";
import { PurserError } from "../errors.js";
import type { OperationBinding } from "../ports/binding.js";
import { isHeaderName, isHeaderValue, isOfTheClient } from "./headers.js";

/**
 * Method and path of an operation after the profile's override.
 * @throws PurserError usage, for an invalid path, or names by which one field would be sent in place of another
 */
export function addressOfOperation(operation: AnyOperation, override: OperationBinding | undefined): { method: Method; path: string } {
	const path = override?.path ?? operation.path;
	if (!path.startsWith("/") || /[?#\\\s]/.test(path))
		throw fault(operation.id, `the path ${JSON.stringify(path)} must start with "/" and hold no space, "?", "#" or "\\"`);
	const [shared] = override?.fields ? sharedNames(operation, override.fields) : [];
	if (shared !== undefined) throw fault(operation.id, `two fields would both be sent as ${shared}`);
	return { method: override?.method ?? operation.method, path };
}

/**
 * The profile's own headers for an operation, names in lower case.
 * @throws PurserError usage, for a header that a profile may not set or that is invalid
 */
export function headersOf(operation: AnyOperation, override: OperationBinding | undefined): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const [given, value] of Object.entries(override?.headers ?? {})) {
		const name = given.toLowerCase();
		if (isOfTheClient(name)) throw fault(operation.id, `the header ${given} cannot be set in a profile`);
		if (!isHeaderName(name) || !isHeaderValue(value))
			throw fault(operation.id, `the header ${JSON.stringify(given)} is not one that can be sent`);
		headers[name] = value;
	}
	return headers;
}

function fault(id: string, message: string): PurserError {
	return new PurserError("usage", {
		code: "OVERRIDE_INVALID",
		message: `The profile's override of ${id} cannot be used: ${message}`,
		fix: advice`Correct it with: ${purser`api set ${id} --help`}`,
	});
}

/** The names of one level, source → target, and the levels below each source name. */
interface Names {
	name?: string;
	below: Map<string, Names>;
}

/** Renames a body or a query from the description's names to the wire's, also inside lists. */
export function toWire(value: unknown, override: OperationBinding | undefined): unknown {
	return override?.fields ? renamed(value, tree(override.fields, false)) : value;
}

/** Renames an answer from the wire's names to the description's, also inside lists. */
export function fromWire(value: unknown, override: OperationBinding | undefined): unknown {
	return override?.fields ? renamed(value, tree(override.fields, true)) : value;
}

/** Renames a field path in an error's details from the wire's names to the description's, keeping list indexes. */
export function pathFromWire(path: string, override: OperationBinding | undefined): string {
	return override?.fields ? renamedPath(path, tree(override.fields, true)) : path;
}

/** The same from the description's names to the wire's. */
export function pathToWire(path: string, override: OperationBinding | undefined): string {
	return override?.fields ? renamedPath(path, tree(override.fields, false)) : path;
}

function renamedPath(path: string, names: Names): string {
	let level: Names | undefined = names;
	return path
		.split(".")
		.map((part) => {
			if (/^\d+$/.test(part)) return part;
			level = level?.below.get(part);
			return level?.name ?? part;
		})
		.join(".");
}

function tree(fields: Record<string, string>, back: boolean): Names {
	const root: Names = { below: new Map() };
	for (const [path, wire] of Object.entries(fields)) {
		let level = root;
		const parts = path.split(".");
		for (const [index, ours] of parts.entries()) {
			const theirs = fields[parts.slice(0, index + 1).join(".")] ?? ours;
			const key = back ? theirs : ours;
			const next: Names = level.below.get(key) ?? { below: new Map() };
			level.below.set(key, next);
			level = next;
			if (index === parts.length - 1) level.name = back ? ours : wire;
		}
	}
	return root;
}

function renamed(value: unknown, names: Names): unknown {
	if (Array.isArray(value)) return value.map((part) => renamed(part, names));
	if (!isRecord(value)) return value;
	const result: Record<string, unknown> = {};
	const taken = new Set<string>();
	for (const [key, part] of Object.entries(value)) {
		const level = names.below.get(key);
		const name = level?.name ?? key;
		// A name given by the profile takes precedence over a field with the same name.
		if (level?.name === undefined && taken.has(name)) continue;
		if (level?.name !== undefined) taken.add(name);
		Object.defineProperty(result, name, {
			value: level ? renamed(part, level) : part,
			enumerable: true,
			configurable: true,
			writable: true,
		});
	}
	return result;
}
