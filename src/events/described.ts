/**
 * What a description of a service (OpenAPI 3.1, `webhooks`) says of its events: their names, and the scheme where its headers say enough.
 */
import { isRecord } from "../api/schema.js";
import type { EventScheme } from "../ports/event-schemes.js";
import { schemesOf } from "./schemes.js";

export interface DescribedEvents {
	/** As the document writes them. */
	names: string[];
	/** A scheme that is built in; null where the headers are those of none, or are not described. */
	scheme: string | null;
}

/** Most events that are read. */
const most = 500;

/** @returns undefined where the document describes none */
export function describedEvents(document: unknown): DescribedEvents | undefined {
	const webhooks = own(document, "webhooks");
	if (!isRecord(webhooks)) return undefined;
	const named = Object.entries(webhooks)
		.slice(0, most)
		.filter(([name]) => /^[^\p{C}]{1,200}$/u.test(name));
	if (named.length === 0) return undefined;
	const headers = named.map(([, item]) => headersOf(document, item));
	// One that says nothing of its headers takes nothing back; two that say different things do.
	const schemes = new Set(headers.filter(({ size }) => size > 0).map((names) => schemeWith(names)));
	const [scheme = null] = schemes;
	return { names: named.map(([name]) => name), scheme: schemes.size === 1 ? scheme : null };
}

/** The built-in scheme one of whose families of headers is there whole. */
function schemeWith(names: ReadonlySet<string>): string | null {
	const isThere = ({ headers }: EventScheme): boolean =>
		headers.some((family) => Object.values(family).every((name) => name === undefined || names.has(name)));
	return Object.entries(schemesOf({})).find(([, scheme]) => isThere(scheme))?.[0] ?? null;
}

/** The names of the headers of a delivery, in small letters. */
function headersOf(document: unknown, item: unknown): Set<string> {
	const path = resolved(document, item);
	const parameters = [own(path, "parameters"), own(own(path, "post"), "parameters")].flatMap((list) => (Array.isArray(list) ? list : []));
	const names = parameters.slice(0, 100).flatMap((one) => {
		const parameter = resolved(document, one);
		const name = own(parameter, "name");
		return own(parameter, "in") === "header" && typeof name === "string" ? [name.toLowerCase()] : [];
	});
	return new Set(names);
}

/** What stands at a reference into the document's own components; anything else as it is. */
function resolved(document: unknown, value: unknown): unknown {
	const [, kind, name] = /^#\/components\/(parameters|pathItems)\/([\w.-]{1,200})$/.exec(String(own(value, "$ref") ?? "")) ?? [];
	return kind === undefined || name === undefined ? value : own(own(own(document, "components"), kind), name);
}

const own = (value: unknown, name: string): unknown => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined);
