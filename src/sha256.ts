/**
 * SHA-256. `node:crypto` takes 5 of a payment's 60 ms to load, so who hashes little does without it; who hashes much gets it.
 * Both give the same (FIPS 180-4); `test/client/sha256` holds one to the other.
 */
import { sha256 as digestOf } from "js-sha256/build/sha256.cjs";

type Hash = (data: string | Uint8Array) => string;

/** Texts and bytes that are hashed without Node's own. */
const few = 16;

let hashed = 0;
let native: Hash | undefined;

/** Of bytes alone: half a character of a text is not the same to the library as to Node. */
const own: Hash = (data) => digestOf(typeof data === "string" ? Buffer.from(data) : data);

/** @param data bytes, or a text as UTF-8; @returns hex */
export function sha256(data: string | Uint8Array): string {
	if (native !== undefined) return native(data);
	hashed += 1;
	if (hashed === few) void load();
	return own(data);
}

/** Of several texts as one; their lengths keep them apart. */
export function sha256OfParts(parts: readonly string[]): string {
	return sha256(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join("\n"));
}

async function load(): Promise<void> {
	const { hash } = await import("node:crypto");
	native = (data) => hash("sha256", data, "hex");
}
