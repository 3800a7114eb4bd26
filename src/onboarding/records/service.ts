/**
 * What a case needs of the client, handed in by the commands: this folder does not know how a request is made.
 */
import type { Received } from "../../api/answer.js";
import type { AnyOperation, Input } from "../../api/operation.js";
import type { Context } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";

/** A whole, successful answer; `bytes` as received. */
export interface Answered {
	data: unknown;
	id?: string;
	contentType?: string;
	bytes: Uint8Array;
}

export interface Client {
	call<O extends AnyOperation>(context: Context, operation: O, input: Input<O>): Promise<Answered>;
	everyPage<O extends AnyOperation>(
		context: Context,
		operation: O,
		input: Input<O>,
		options: { limit: number },
	): Promise<{ records: Received[]; complete: boolean }>;
	/** The digest under which the journal keeps a request. */
	digestOf<O extends AnyOperation>(profile: Profile, operation: O, input: Input<O>, version: string): string;
}

/** How a case is looked up. */
export interface LookupOptions {
	/** Where the service cannot list: take what the journal does not know as not created yet. */
	isNew: boolean;
	/** Milliseconds within which a creation that was made appears in the service's list. */
	settleAfter: number;
}
