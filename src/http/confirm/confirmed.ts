/**
 * A payment, or a request that replaces a record, leaves through a mapping only where somebody has confirmed it. Every request is checked, so
 * no command can forget to ask.
 */
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation } from "../../api/operation.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { type Confirmable, confirmable, type Mapped } from "../../mapping/request/confirmation.js";
import type { Profile } from "../../ports/profiles.js";

declare const isConfirmed: unique symbol;
/** The digest of what a request may leave through; undefined where nothing has to be confirmed. */
export type Confirmed = (string & { readonly [isConfirmed]: true }) | undefined;

/** @throws PurserError guard, where nobody has confirmed the request as the mapping makes it now: nothing may be sent */
export async function requireConfirmed(context: Context, profile: Profile, operation: AnyOperation): Promise<Confirmed> {
	const asked = confirmable(operation, profile);
	if (asked === undefined) return undefined;
	// A sandbox of purser's own, whose money is none.
	if (asked.confirmed === undefined && (await context.journal.sandboxIdentity(profile)) === undefined)
		throw unconfirmed(operation, profile, asked);
	return asked.digest as Confirmed;
}

/** Whether a request may leave. Asked where it leaves, whatever was asked before. */
export const maySend = (operation: AnyOperation, profile: Mapped, confirmed: Confirmed): boolean => {
	const asked = confirmable(operation, profile);
	return asked === undefined || asked.digest === confirmed;
};

function unconfirmed(operation: AnyOperation, profile: Profile, { digest, earlier }: Confirmable): PurserError {
	const { id, method, path, effect } = operation;
	const entry = profile.mapping?.operations[id];
	const sent = entry === undefined || entry === "none" ? { method, path } : entry;
	const what =
		effect === "money" ? "moves money" : effect === "read" ? "is no GET, and could change something" : "replaces or removes a record";
	return new PurserError("guard", {
		code: "MAPPING_UNCONFIRMED",
		message: `Nobody has confirmed the request that the profile ${profile.name} sends for ${id} (${sent.method} ${sent.path}, which ${what}); nothing was sent`,
		why:
			earlier === undefined
				? "A wrong address or field could pay the wrong party, the wrong amount, or overwrite what is there"
				: `${earlier.digest === digest ? "The profile's address" : "The mapping"} has changed since ${earlier.by ?? "somebody"} confirmed it on ${earlier.at.slice(0, 10)}`,
		fix: advice`Look at the exact request and confirm it: ${purser`api confirm ${id}`}`,
	});
}
