import type { Received } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import type { Entry } from "./entries.js";

/** A list as entries; `unlisted`: by what it is known that the service has none. */
export interface List {
	entries: readonly Entry[];
	/** Seen to its end. */
	whole: boolean;
	unlisted?: string;
}

export const nothing: List = { entries: [], whole: true };

/** How the records of a kind are listed and read. */
export interface Listing {
	operation: AnyOperation;
	input: Input;
	entries(records: readonly Received[]): Entry[];
}
