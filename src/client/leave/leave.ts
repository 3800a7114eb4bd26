/**
 * Leave for a request: a payment, or a request that replaces a record, leaves through a binding of the profile's own only where somebody has
 * confirmed it. Every request needs it, so no command can forget to ask.
 */
import type { AnyOperation, Input } from "../../api/operation.js";
import { type Bound, confirmable } from "../../binding/confirmation.js";
import type { Context } from "../../context.js";
import type { Profile } from "../../ports/profiles.js";

declare const isLeave: unique symbol;
/** The digest of the binding that a request may leave through; undefined where it needs no leave. */
export type Leave = (string & { readonly [isLeave]: true }) | undefined;

/** What is about to leave, and how a transaction is read where it must be known whether an earlier payment is final. */
export interface Leaving {
	call: (context: Context, operation: AnyOperation, input: Input) => Promise<{ data?: unknown }>;
	/** One payment; many, without it. */
	one?: { body?: unknown; currency?: string };
}

/**
 * @throws PurserError guard, where nobody has confirmed the binding as it is now, or its first payment would be too much: nothing may be sent
 */
export async function leaveFor(context: Context, profile: Profile, operation: AnyOperation, leaving: Leaving): Promise<Leave> {
	const asked = confirmable(operation, profile);
	if (asked === undefined) return undefined;
	// Loaded only then: most profiles bind nothing that has to be confirmed.
	const { requireConfirmed } = await import("./required.js");
	await requireConfirmed(context, profile, { operation, asked, leaving });
	return asked.digest as Leave;
}

/** Whether a request has the leave that it needs. Asked where it leaves, whatever was asked before. */
export const mayLeave = (operation: AnyOperation, profile: Bound, leave: Leave): boolean => {
	const asked = confirmable(operation, profile);
	return asked === undefined || asked.digest === leave;
};
