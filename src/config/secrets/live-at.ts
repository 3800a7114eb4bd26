/**
 * Where live money was paid, by the anchors of its journals. This is separate from the code that writes anchors, because each payment of a
 * sandbox reads this and need not load cryptography.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Anchor } from "../../ports/anchor.js";
import { readBoundedSync } from "../../system/disk/bounded.js";

/** Bytes of an anchor's file. */
export const largestAnchor = 1024 * 1024;

/** How the name of an anchor's file ends. */
export const ending = ".json";

/** The live journal by which money was paid at a service, as far as this machine knows. The signature is not checked, because an anchor only forbids payments. */
export function liveAt(directory: string, service: string): { profile: string; file: string } | undefined {
	const folder = join(directory, "anchors");
	for (const file of namesIn(folder).map((name) => join(folder, name))) {
		const { environment, profile, services } = writtenIn(file);
		if (environment === "live" && profile !== undefined && services?.includes(service)) return { profile, file };
	}
	return undefined;
}

function writtenIn(file: string): Partial<Anchor> {
	try {
		return JSON.parse((JSON.parse(readBoundedSync(file, largestAnchor).toString("utf8")) as { anchor: string }).anchor) as Anchor;
	} catch {
		return {};
	}
}

/** The anchors in their folder; none where there is no folder. */
export function namesIn(folder: string): string[] {
	try {
		return readdirSync(folder).filter((name) => name.endsWith(ending));
	} catch {
		return [];
	}
}
