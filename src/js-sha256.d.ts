/** The part of js-sha256 that is the algorithm alone: what it gives under its own name loads `node:crypto`. */
declare module "js-sha256/build/sha256.cjs" {
	/** @returns hex */
	export function sha256(data: Uint8Array): string;
}
