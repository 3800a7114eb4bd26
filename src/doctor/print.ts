/**
 * Whether two answers are the same one: what a router says of a path that is not there, and what a service says of a record. Pure.
 */
import { canonicalJson } from "../api/json.js";
import { isRecord } from "../api/schema.js";
import type { Look } from "../client/look/look.js";

/** An answer without what differs from one request to the next. */
export interface Print {
	/** Everything that is left. */
	whole: string;
	/** Only its status, its type and the names in it, for a service that puts something new into every answer. */
	outline: string;
}

type Answer = Look["outcome"] & { kind: "answer" };

/** Names of what is of one request alone. */
const ofOneRequest =
	/time|date|trace|span|request|correlation|instance|path|ur[il]\b|^url|href|nonce|^id$|error_?id|log_?id|host|server|duration/i;

/** Most characters of an answer that are compared. */
const longest = 20_000;

/**
 * @param own words of the request: the parts of its path, which many answers repeat
 */
export function printOf(outcome: Answer, content: Look["content"], own: readonly string[]): Print {
	const { status, headers } = outcome;
	const head = [status, content?.type ?? "", allowOf(outcome)?.join(" ") ?? "", evened(headers.location ?? "", own)].join("\n");
	if (content?.kind === "json") {
		const value = content.received ?? content.data;
		return { whole: `${head}\n${canonicalJson(essence(value, own, 0))}`, outline: `${head}\n${namesIn(value, 0)}` };
	}
	const text = new TextDecoder().decode(outcome.body.subarray(0, longest));
	const words = text.replace(/<(style|script)\b[\s\S]*?(<\/\1>|$)/gi, " ").replace(/<[^>]*(>|$)/g, " ");
	return { whole: `${head}\n${evened(words, own)}`, outline: head };
}

/** The methods of an Allow header (RFC 9110, 10.2.1); undefined where there is none. */
export function allowOf({ headers }: Pick<Answer, "headers">): string[] | undefined {
	if (headers.allow === undefined) return undefined;
	const methods = headers.allow.split(",").map((method) => method.trim().toUpperCase());
	return methods.filter((method) => /^[A-Z]{1,20}$/.test(method)).slice(0, 12);
}

/** Text without the request's own words, numbers and what looks like an id. */
function evened(text: string, own: readonly string[]): string {
	const without = own.filter((word) => word.length > 2).reduce((left, word) => left.replaceAll(word, "·"), text.slice(0, longest));
	return without
		.replace(/[0-9A-Za-z+/=_-]*\d[0-9A-Za-z+/=_-]*/g, "·")
		.replace(/[·/\s]+/g, " ")
		.trim();
}

function essence(value: unknown, own: readonly string[], level: number): unknown {
	if (level > 6) return "…";
	if (Array.isArray(value)) return value.slice(0, 20).map((one) => essence(one, own, level + 1));
	if (isRecord(value))
		return Object.fromEntries(
			Object.entries(value)
				.slice(0, 50)
				.filter(([name]) => !ofOneRequest.test(name))
				.map(([name, one]) => [name, essence(one, own, level + 1)]),
		);
	return typeof value === "string" ? evened(value, own) : String(value);
}

function namesIn(value: unknown, level: number): string {
	if (Array.isArray(value)) return `[${value.length > 0 && level < 6 ? namesIn(value[0], level + 1) : ""}]`;
	if (!isRecord(value) || level > 6) return "";
	return `{${Object.keys(value)
		.sort()
		.slice(0, 50)
		.map((name) => `${name}${namesIn(value[name], level + 1)}`)
		.join(",")}}`;
}
