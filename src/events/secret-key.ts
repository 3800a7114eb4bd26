/**
 * A secret as the sender's site shows it, made a key.
 */
import { createPublicKey, type KeyObject } from "node:crypto";
import type { EventScheme, SignatureMethod } from "../ports/event-schemes.js";

/** A secret that is one of a method, ready to check signatures with. */
export type CheckingKey = { kind: "hmac"; bytes: Buffer } | { kind: "public"; key: KeyObject };

/** Fewest bytes of a shared secret; fewer could be tried one by one. */
const fewestBytes = 16;

/** @returns undefined where the secret is none of this method: another prefix, another encoding, too short */
export function checkingKey(secret: string, { algorithm, key: { prefix = "", encoding } }: SignatureMethod): CheckingKey | undefined {
	// Shared secrets are also shown without their prefix; a public key without one could be taken for a shared secret.
	if (!secret.startsWith(prefix) && algorithm === "ed25519") return undefined;
	const bare = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
	const bytes = encoding === "text" ? Buffer.from(secret, "utf8") : decoded(bare, encoding);
	if (bytes === undefined) return undefined;
	if (algorithm !== "ed25519") return bytes.length < fewestBytes ? undefined : { kind: "hmac", bytes };
	if (bytes.length !== 32) return undefined;
	return { kind: "public", key: createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: bytes.toString("base64url") }, format: "jwk" }) };
}

/** Whether signatures of this scheme can be checked with it. */
export const isSecretOf = (secret: string, { methods }: EventScheme): boolean =>
	methods.some((method) => checkingKey(secret, method) !== undefined);

const encodings = { base64: "base64", hex: "hexadecimal digits", text: "text" } as const;

/** What a secret of this scheme looks like, in words. */
export const secretForms = ({ methods }: EventScheme): string =>
	methods
		.map(({ algorithm, key: { prefix = "", encoding } }) => {
			const before = prefix === "" ? "" : `${prefix} and `;
			return algorithm === "ed25519"
				? `${before}a public key of 32 bytes (${encodings[encoding]})`
				: `${before}at least ${fewestBytes} bytes (${encodings[encoding]})`;
		})
		.join(", or ");

/**
 * The bytes of a text, where it is written as this encoding writes them and in no other way: Node's own decoding passes over what it does not
 * know, so that many texts would stand for one signature.
 */
export function decoded(text: string, encoding: "base64" | "hex"): Buffer | undefined {
	const bytes = Buffer.from(text, encoding);
	const written = bytes.toString(encoding);
	return text !== "" && (encoding === "hex" ? text.toLowerCase() : text) === written ? bytes : undefined;
}
