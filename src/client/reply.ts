import type { Answer, AnyOperation, Method } from "../api/operation.js";
import type { Following } from "../binding/paging.js";

/** A complete, successful answer. */
export interface Reply<O extends AnyOperation = AnyOperation> {
	status: number;
	/** The parsed JSON answer with field names as described; `undefined` without content. For a document: undefined unless JSON. */
	data: Answer<O>;
	/** The new record's UUID, for an operation that creates. */
	id?: string;
	/** Media type in lower case without parameters. */
	contentType?: string;
	/** The answer's Date header, in milliseconds; undefined if it has none. */
	at?: number;
	/** Of a page of a list, where the profile says how lists are divided: what comes after it. */
	following?: Following;
	/** The body as received. */
	bytes: Uint8Array;
	/** True for a transfer's 202: accepted, waiting for the holder's strong authentication. */
	waiting: boolean;
	/** The journal's number, for a change. */
	intent?: string;
	/** Where the call was `held`: records that somebody has what the answer gives, or (with a reason) that nobody has it. */
	handed?(fault?: string): Promise<void>;
}

/** A request exactly as it would leave, secrets masked. */
export interface PlannedRequest {
	operation: string;
	method: Method;
	url: string;
	headers: Record<string, string>;
	/** Parsed form of the body, numbers as literals; undefined without a body. */
	body?: unknown;
}

/** Thrown in a dry run instead of sending a change; the frame shows what would have been sent. */
export class DryRun extends Error {
	override readonly name = "DryRun";
	constructor(readonly requests: readonly PlannedRequest[]) {
		super("dry run: nothing was sent");
	}
}
