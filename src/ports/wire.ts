import type { Method } from "../api/operation.js";

export interface WireRequest {
	method: Method;
	/** Absolute; scheme, host and port are the profile's. */
	url: string;
	headers: Readonly<Record<string, string>>;
	body?: Uint8Array;
}

export interface WireLimits {
	/** Milliseconds until the connection (TLS included) must stand. */
	connect: number;
	/** Milliseconds for the whole exchange. */
	total: number;
	/** Most bytes of an answer. */
	bytes: number;
	signal?: AbortSignal;
	/** Asked immediately before the first byte: why the request may not leave any more, if so. */
	tooOld?(): string | undefined;
}

/**
 * What became of one request, decided by the transport's events. `not-sent`: the request provably never began to leave
 * (name not resolved, refused, TLS not completed, aborted before). `sent`: it began to leave and no whole answer came.
 */
export type WireOutcome =
	| {
			kind: "answer";
			status: number;
			headers: Readonly<Record<string, string>>;
			body: Uint8Array;
			/** It came on a connection that is used for several requests, so it may be meant for another one, or for none. */
			reused?: boolean;
			/** It came before the request was written whole. */
			early?: boolean;
	  }
	| { kind: "not-sent"; reason: string; cause?: unknown /** It may not leave any more; see {@link WireLimits.tooOld}. */; tooOld?: true }
	| { kind: "sent"; reason: string /** Status, if the head of an answer came. */; status?: number; cause?: unknown };

/** One call = at most one request on the wire: HTTP/1.1, no redirect, no retry, no decoding surprises. */
export interface Transport {
	send(request: WireRequest, limits: WireLimits): Promise<WireOutcome>;
	close(): Promise<void>;
}
