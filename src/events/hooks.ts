/**
 * Where events are handed on to: an address, or a program. Pure.
 */
import { createHash } from "node:crypto";

export type Hook = { kind: "forward"; url: string } | { kind: "exec"; words: readonly [string, ...string[]] };

/** Milliseconds until it is tried again, after the first, second … try failed. After the last it has failed. */
const pauses: readonly number[] = [1_000, 10_000, 60_000, 600_000];

/** What a hook is known by in the inbox. Its words are not stored: an address or an argument may hold a secret. */
export function hookId(hook: Hook): string {
	const words = hook.kind === "forward" ? [new URL(hook.url).href] : hook.words;
	return createHash("sha256")
		.update(JSON.stringify([hook.kind, ...words]))
		.digest("hex")
		.slice(0, 32);
}

/** A hook for people, without what may be a secret: an address without its query, a program without its arguments. */
export function hookName(hook: Hook): string {
	if (hook.kind === "exec") return hook.words[0];
	const { origin, pathname } = new URL(hook.url);
	return `${origin}${pathname}`;
}

/**
 * Milliseconds until a hook is tried again.
 * @param failed how many tries have failed, at least one
 * @returns undefined after the last
 */
export const pauseAfter = (failed: number): number | undefined => pauses[failed - 1];

/** Headers of one connection (RFC 9110, 7.6.1), and those that the request to the next one has of its own. */
const ownHeaders = new Set([
	"connection",
	"content-length",
	"expect",
	"host",
	"keep-alive",
	"proxy-authenticate",
	"proxy-authorization",
	"proxy-connection",
	"te",
	"trailer",
	"transfer-encoding",
	"upgrade",
]);

/**
 * The headers of a delivery as they are handed on: every one that is about the delivery. One that came more than once has its values in one
 * line, which means the same (RFC 9110, 5.3).
 * @param headers names in lower case
 */
export function forwardedHeaders(headers: Readonly<Record<string, string | readonly string[] | undefined>>): Record<string, string> {
	const lines = Object.entries(headers).flatMap(([name, value]) =>
		value === undefined ? [] : [[name, typeof value === "string" ? value : value.join(", ")] as const],
	);
	const named = (lines.find(([name]) => name === "connection")?.[1] ?? "").split(",").map((one) => one.trim().toLowerCase());
	return Object.fromEntries(lines.filter(([name]) => !ownHeaders.has(name) && !named.includes(name)));
}
