/** SHA-256. @param data bytes, or a text as UTF-8; @returns hex */
export function sha256(data: string | Uint8Array): string {
	// Loaded with the first digest: a list or a dry run makes none, and node:crypto is a tenth of their start.
	return process.getBuiltinModule("node:crypto").hash("sha256", data, "hex");
}

/** SHA-256 of several texts as one, hex. Their lengths are hashed too, so that moving a character from one to the next changes it. */
export function sha256OfParts(parts: readonly string[]): string {
	return sha256(parts.map((part) => `${Buffer.byteLength(part)}:${part}`).join("\n"));
}
