/**
 * Who may approve batches, and who plans them, as the settings `approvers` and `planners` have them: `anna=KEY,ben=KEY`, each key the
 * 43 characters (base64url) of an Ed25519 public key of 32 bytes.
 */

/** A key may be written in four ways, for the last of its 43 characters has two bits that say nothing; it is one person's all the same. */
export function isSameKey(one: string, other: string): boolean {
	return bytesOf(one) === bytesOf(other);
}

const bytesOf = (key: string): string => Buffer.from(key, "base64url").toString("hex");

/** The names by their public keys, as they are written there; of no value, none. */
export function approversOf(value = ""): ReadonlyMap<string, string> {
	const pairs = value.split(",").map((pair) => pair.trim());
	return new Map(pairs.filter(Boolean).map((pair) => [pair.slice(pair.indexOf("=") + 1), pair.slice(0, pair.indexOf("="))]));
}

/** The name of a key among names by key, in whatever way the key is written; undefined where it is not among them. */
export function nameOfKey(names: ReadonlyMap<string, string>, key: string): string | undefined {
	return [...names].find(([known]) => isSameKey(known, key))?.[1];
}

/** A value of the setting with one more key, for a command to type; PERSON stands for whose it is. */
export function withKey(value: string | undefined, key: string): string {
	const before = value?.trim() ?? "";
	return `${before === "" ? "" : `${before},`}PERSON=${key}`;
}
