/**
 * One call while it runs, and what an exchange of it gave.
 */
import type { AnyOperation, Input } from "../api/operation.js";
import type { Context } from "../context.js";
import type { Moment } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import type { WireOutcome } from "../ports/wire.js";
import type { Confirmed } from "./confirm/confirmed.js";
import type { Content } from "./content.js";
import type { Hide } from "./redact.js";
import type { DraftRequest } from "./request/request.js";

export interface Call {
	context: Context;
	profile: Profile;
	operation: AnyOperation;
	input: Input;
	request: DraftRequest;
	confirmed: Confirmed;
	timeout: number;
	debug: boolean;
	/** For a payment: when it was recorded. It leaves within a minute after it, see `shelf-life.ts`. */
	recorded?: Moment;
}

export interface Exchanged {
	outcome: WireOutcome;
	content?: Content;
	/** Hides the secrets of the request in what came. */
	hide: Hide;
	tried: number;
	wait?: number;
	/** Interrupted during a pause between two tries. */
	interrupted?: unknown;
}
