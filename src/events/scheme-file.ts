/**
 * A scheme as a person writes it, for a sender that signs in a way of its own.
 */
import * as z from "zod/mini";
import type { EventScheme } from "../ports/event-schemes.js";
import { schemeFaults } from "./schemes.js";

const shape = z.strictObject({
	methods: z
		.array(
			z.strictObject({
				algorithm: z.enum(["hmac-sha256", "hmac-sha512", "ed25519"]),
				key: z.strictObject({ prefix: z.optional(z.string().check(z.maxLength(50))), encoding: z.enum(["base64", "hex", "text"]) }),
				label: z.string().check(z.maxLength(50)),
			}),
		)
		.check(z.maxLength(10)),
	headers: z
		.array(z.strictObject({ signature: z.string(), id: z.optional(z.string()), timestamp: z.optional(z.string()) }))
		.check(z.maxLength(10)),
	shape: z.discriminatedUnion("kind", [
		z.strictObject({ kind: z.literal("list") }),
		z.strictObject({ kind: z.literal("pairs"), time: z.string() }),
		z.strictObject({ kind: z.literal("one") }),
	]),
	encoding: z.enum(["base64", "hex"]),
	signed: z.array(z.enum(["id", "timestamp", "body"])),
	tolerance: z.optional(z.number()),
});

/** @returns the scheme, or what is wrong with it, each as a sentence about it */
export function schemeIn(value: unknown): { scheme: EventScheme } | { faults: string[] } {
	const read = shape.safeParse(value);
	if (!read.success) return { faults: read.error.issues.map(({ path, message }) => `${path.join(".") || "the file"}: ${message}`) };
	const scheme: EventScheme = read.data;
	const faults = schemeFaults(scheme);
	return faults.length > 0 ? { faults } : { scheme };
}

/** What a scheme is like, on one line. */
export function schemeWords({ methods, headers, signed, tolerance }: EventScheme): string {
	const how = [...new Set(methods.map(({ algorithm }) => algorithm))].join(", ");
	const where = headers.map(({ signature }) => signature).join(" or ");
	return `${how} over ${signed.join(".")}, in ${where}${tolerance === undefined ? "" : `, valid ${tolerance} s`}`;
}
