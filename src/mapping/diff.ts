/**
 * What two mappings do differently: what is used alone, so that a mapping that only says the same in other words has none.
 */
import { Decimal } from "../api/json.js";
import type { AnyOperation } from "../api/operation.js";
import { catalog } from "../api/operations/catalog.js";
import { isRecord } from "../api/schema.js";
import type { Mapping } from "../ports/mapping.js";
import { checkAgainst } from "./check.js";
import { confirmable } from "./confirmation.js";
import type { TheirDocument } from "./document.js";
import { fileOf, type MappingFault } from "./file.js";

export interface Difference {
	/** In the file. */
	path: readonly string[];
	/** Absent: it was not there. */
	before?: string;
	after?: string;
	/** Operations that have to be confirmed again because of it. */
	confirm: readonly string[];
}

/** Every value of the file with the names that lead to it; nothing of the order in which they stand. */
function leavesOf(value: unknown, path: readonly string[] = []): [string, string][] {
	if (isRecord(value)) return Object.entries(value).flatMap(([name, part]) => leavesOf(part, [...path, name]));
	if (value === undefined) return [];
	return [[path.join("\0"), Array.isArray(value) || value instanceof Decimal ? JSON.stringify(value) : String(value)]];
}

/** A field that stands in a record of its own and one that is only a place say the same. */
const plain = (path: string): string => path.replace(/^(operations\0[^\0]+\0(?:answer\0)?fields\0[^\0]+)\0at$/, "$1");

/** The differences, in the order of the file. */
export function diffMappings(before: Mapping, after: Mapping): Difference[] {
	const [old, now] = [before, after].map((one) => new Map(leavesOf(fileOf(one)).map(([path, value]) => [plain(path), value])));
	const changed = new Set<string>(catalog.filter((one) => digestIn(before, one) !== digestIn(after, one)).map(({ id }) => id));
	const paths = [...new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])];
	return paths.flatMap((key): Difference[] => {
		const [was, is] = [old?.get(key), now?.get(key)];
		if (was === is) return [];
		const path = key.split("\0");
		const confirm = path[0] === "operations" ? [path[1] as string].filter((id) => changed.has(id)) : [...changed];
		return [{ path, ...(was !== undefined && { before: was }), ...(is !== undefined && { after: is }), confirm }];
	});
}

/** Of what a person has to confirm. The address is any: it is the same for both. */
const digestIn = (mapping: Mapping, operation: AnyOperation): string | undefined =>
	confirmable(operation, { baseUrl: "https://api.example.com", mapping })?.digest;

/** The faults that a mapping has against a document and that another one before it did not have; remarks are none. */
export function newFaults(before: Mapping, after: Mapping, document: TheirDocument): MappingFault[] {
	const keyOf = ({ path, message }: MappingFault): string => [...path, message].join("\0");
	const known = new Set(diffMappings(before, after).length === 0 ? [] : checkAgainst(before, document).map(keyOf));
	return checkAgainst(after, document).filter((fault) => !fault.isRemark && !known.has(keyOf(fault)));
}
