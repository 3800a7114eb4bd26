import { join } from "node:path";

/**
 * The path of a profile's file of some kind. Profile names are lower case by rule; anything else is encoded, so that different names never
 * share a file on any file system.
 */
export function profileFile(folder: string, { name, environment }: { name: string; environment: string }, ending: string): string {
	const encoded = name.replace(/[^a-z0-9._-]/g, (odd) => `%${Buffer.from(odd).toString("hex")}`);
	return join(folder, `${encoded}.${environment}${ending}`);
}
