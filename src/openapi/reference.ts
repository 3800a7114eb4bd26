/**
 * Local references of a document (`$ref: "#/…"`). Nothing is ever fetched.
 */
import { isRecord } from "../api/schema.js";
import { unescapedPart } from "../binding/pointer.js";
import { notReadable } from "./refusal.js";

/** Most references in a row, each leading to the next. */
const mostHops = 20;

/** An own member; a document may have any name, `constructor` too. */
export function member(value: unknown, name: string): unknown {
	return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** A text of the document on one line, cut at a length that people read: a line of its own would look like one of ours. */
export function textOf(value: unknown, longest = 300): string {
	return typeof value === "string" ? oneLine(value.slice(0, longest * 2)).slice(0, longest) : "";
}

/** Control characters and line ends as single blanks. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}]+/gu, " ");

/** Whether a name can be shown as it is; one with a line end in it can be no field's and no path's. */
export const isName = (name: string): boolean => !/[\p{Cc}\u2028\u2029]/u.test(name);

export interface Resolved {
	value: unknown;
	/** The last reference that was followed. */
	reference?: string;
}

/** Follows references. */
export class References {
	constructor(private readonly root: unknown) {}

	/**
	 * What stands at a place, with references followed.
	 * @throws PurserError validation, for a reference that leads nowhere, only to itself, or out of the document
	 */
	at(value: unknown): Resolved {
		const seen = new Set<string>();
		let found = value;
		let reference: string | undefined;
		for (;;) {
			const next = member(found, "$ref");
			if (typeof next !== "string") return { value: found, reference };
			if (seen.has(next) || seen.size >= mostHops) throw notReadable(`The reference ${shown(next)} leads only to itself`);
			seen.add(next);
			reference = next;
			found = this.#target(next);
		}
	}

	#target(reference: string): unknown {
		if (!reference.startsWith("#")) throw remoteReference(reference);
		let found = this.root;
		for (const part of reference.slice(1).split("/").slice(1)) {
			const name = unescaped(part);
			found = Array.isArray(found) ? found[Number(/^\d{1,6}$/.test(name) ? name : -1)] : member(found, name);
		}
		if (found === undefined || !/^#(\/|$)/.test(reference))
			throw notReadable(`The reference ${shown(reference)} points to nothing in the document`);
		return found;
	}
}

function unescaped(part: string): string {
	try {
		return unescapedPart(decodeURIComponent(part));
	} catch {
		return part;
	}
}

const shown = (reference: string): string => JSON.stringify(reference.slice(0, 120));

const remoteReference = (reference: string) =>
	notReadable(
		`The document refers to another one, ${shown(reference)}, and nothing is fetched`,
		"Join the documents into one first, for example with `npx @redocly/cli bundle FILE -o ONE.yaml`, and import that.",
	);

/** Places whose content is somebody's data, not the document's own. */
const data: ReadonlySet<string> = new Set(["example", "examples", "default", "enum", "const"]);

/**
 * @throws PurserError validation, for a reference out of the document, wherever it stands: a part of it would be missing
 */
export function refuseRemote(root: unknown): void {
	const left: unknown[] = [root];
	while (left.length > 0) {
		const one = left.pop();
		if (Array.isArray(one)) for (const part of one) left.push(part);
		else if (isRecord(one))
			for (const [name, part] of Object.entries(one)) {
				if (name === "$ref" && typeof part === "string" && !part.startsWith("#")) throw remoteReference(part);
				if (!data.has(name)) left.push(part);
			}
	}
}
