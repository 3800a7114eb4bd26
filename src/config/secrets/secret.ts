/**
 * A credential as text, in both directions. Pure.
 */
import * as z from "zod/mini";
import type { Auth, Credential } from "../../ports/profiles.js";

const shape = z.union([
	z.object({ kind: z.literal("tokens"), token: z.string().check(z.minLength(1)), refreshToken: z.optional(z.string()) }),
	z.object({ kind: z.literal("header"), value: z.string().check(z.minLength(1)) }),
	z.object({ kind: z.literal("basic"), username: z.string(), password: z.string() }),
]);

/** A credential as stored, or undefined where the text is none. */
export function readCredential(text: string): Credential | undefined {
	const parsed = json(text);
	const checked = shape.safeParse(parsed);
	return checked.success ? checked.data : undefined;
}

/** What a helper program printed: the same, or without its kind: `{token}`, `{value}`, `{username, password}`. */
export function readHelper(text: string): Credential | undefined {
	const parsed = json(text);
	if (typeof parsed !== "object" || parsed === null) return undefined;
	const kind = "token" in parsed ? "tokens" : "value" in parsed ? "header" : "basic";
	return readCredential(JSON.stringify({ kind, ...parsed }));
}

/** A bare secret from a variable or a file, by the profile's kind of auth; undefined where it is not of that kind. */
export function bareCredential(auth: Auth, text: string): Credential | undefined {
	const secret = text.trim();
	if (secret === "") return undefined;
	if (auth.kind === "header") return { kind: "header", value: secret };
	if (auth.kind !== "basic") return { kind: "tokens", token: secret };
	const at = secret.indexOf(":");
	return at < 0 ? undefined : { kind: "basic", username: secret.slice(0, at), password: secret.slice(at + 1) };
}

function json(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
