import type { Entry } from "./entries.js";

/** A list as entries; `unlisted`: the status with which the service says that it has none. */
export interface List {
	entries: readonly Entry[];
	/** Seen to its end. */
	whole: boolean;
	unlisted?: number;
}

export const nothing: List = { entries: [], whole: true };
