/**
 * Reads the settings `approvers` and `planners` (who may approve and who may plan batches): `anna=KEY,ben=KEY`. Each key is an Ed25519
 * public key of 32 bytes, written as 43 characters of base64url.
 */

/** Compares decoded bytes: the last of the 43 characters has two unused bits, so each key can be written in four ways. */
export function isSameKey(one: string, other: string): boolean {
	return bytesOf(one) === bytesOf(other);
}

const bytesOf = (key: string): string => Buffer.from(key, "base64url").toString("hex");

/** Names by public key, with the keys spelled as in the setting; empty without a value. */
export function approversOf(value = ""): ReadonlyMap<string, string> {
	const pairs = value.split(",").map((pair) => pair.trim());
	return new Map(pairs.filter(Boolean).map((pair) => [pair.slice(pair.indexOf("=") + 1), pair.slice(0, pair.indexOf("="))]));
}

/** The name that belongs to a key, however the key is spelled; undefined if the key is unknown. */
export function nameOfKey(names: ReadonlyMap<string, string>, key: string): string | undefined {
	return [...names].find(([known]) => isSameKey(known, key))?.[1];
}

/** The setting's value with one more key, for a suggested command; PERSON is a placeholder for the owner's name. */
export function withKey(value: string | undefined, key: string): string {
	const before = value?.trim() ?? "";
	return `${before === "" ? "" : `${before},`}PERSON=${key}`;
}
