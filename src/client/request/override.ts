/**
 * What a profile replaces of an operation's description: method, path, headers, and field names both ways.
 * Pure, and the only place where an override is applied.
 */
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation, Method } from "../../api/operation.js";
import { isRecord } from "../../api/schema.js";
import { sharedNames } from "../../api/wire-names.js";
import { PurserError } from "../../errors.js";
import type { Override } from "../../ports/profiles.js";

/**
 * Where an operation lives once the profile has had its say.
 * @throws PurserError usage, for a path that cannot be, or names with which a field would be sent in the place of another
 */
export function addressOfOperation(operation: AnyOperation, override: Override | undefined): { method: Method; path: string } {
	const path = override?.path ?? operation.path;
	if (!path.startsWith("/") || /[?#\\\s]/.test(path))
		throw fault(operation.id, `the path ${JSON.stringify(path)} must start with "/" and hold no space, "?", "#" or "\\"`);
	const [shared] = override?.fields ? sharedNames(operation, override.fields) : [];
	if (shared !== undefined) throw fault(operation.id, `two fields would both be sent as ${shared}`);
	return { method: override?.method ?? operation.method, path };
}

/** Headers that carry a secret or decide how a request is framed: not for a profile to set. */
const reserved =
	/^(authorization|proxy-.*|cookie|host|content-length|content-type|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/;

/**
 * The profile's own headers for an operation, names in lower case.
 * @throws PurserError usage, for a header that is not a profile's to set or cannot stand in a request
 */
export function headersOf(operation: AnyOperation, override: Override | undefined): Record<string, string> {
	const headers: Record<string, string> = {};
	for (const [given, value] of Object.entries(override?.headers ?? {})) {
		const name = given.toLowerCase();
		if (reserved.test(name)) throw fault(operation.id, `the header ${given} cannot be set in a profile`);
		if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name) || !/^[\x20-\x7e]*$/.test(value))
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

/** Names of one level: as found → as wanted, and the levels below each name as found. */
interface Names {
	name?: string;
	below: Map<string, Names>;
}

/** Renames a body or a query from the description's names to the wire's. Lists are walked through. */
export function toWire(value: unknown, override: Override | undefined): unknown {
	return override?.fields ? renamed(value, tree(override.fields, false)) : value;
}

/** Renames an answer from the wire's names to the description's. Lists are walked through. */
export function fromWire(value: unknown, override: Override | undefined): unknown {
	return override?.fields ? renamed(value, tree(override.fields, true)) : value;
}

/** A field path of the wire (in an error's details) by the description's names. List indexes stay where they are. */
export function pathFromWire(path: string, override: Override | undefined): string {
	if (!override?.fields) return path;
	let level: Names | undefined = tree(override.fields, true);
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
		// A name given by the profile wins over a field that happens to be called so.
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
