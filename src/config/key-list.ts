/**
 * What is wrong with a list of names with Ed25519 public keys, as the settings `approvers` and `planners` have it: `anna=KEY,ben=KEY`, each
 * key the 43 characters (base64url) of its 32 bytes. Undefined where nothing is.
 */
export function keyListFault(value: string): string | undefined {
	const pairs = value.split(",").map((pair) => /^\s*([^\s=,][^=,]{0,63})=([A-Za-z0-9_-]{43})\s*$/.exec(pair));
	if (pairs.includes(null)) return "must be names with public keys of 43 characters: anna=KEY,ben=KEY";
	// The last of the 43 characters has two bits that say nothing, so one key can be written in four ways.
	const keys = pairs.map((pair) => Buffer.from(pair?.[2] ?? "", "base64url").toString("hex"));
	return new Set(keys).size < keys.length ? "must give each key once: two names with one key are one person" : undefined;
}
