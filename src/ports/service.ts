/**
 * Reading from the service, as payments and their settling are handed it. Types only.
 */
import type { Received } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";

/** Reading from the service; a command hands in the client's. */
export interface Service {
	get<O extends AnyOperation>(operation: O, input: Input<O>): Promise<unknown>;
	list(operation: AnyOperation, query: Record<string, unknown>, limit: number): Promise<Listed>;
	/** One page, from 0, of as many records as a page may have. @throws PurserError bug, where the answer is no list */
	page(operation: AnyOperation, query: Record<string, unknown>, page: number): Promise<ListPage>;
}

/** One page of a list as the service gave it. */
export interface ListPage {
	found: Received[];
	/** Nothing but records stood in it. */
	whole: boolean;
	/** How many records the service announces in all, where it does. */
	total?: number;
	/** When the service says it gave it, in milliseconds, where it says so. */
	at?: number;
}

/** A list as far as it was read; `at`: when the service says it gave it, in milliseconds, where it says so. */
interface Listed {
	records: Received[];
	complete: boolean;
	at?: number;
}
