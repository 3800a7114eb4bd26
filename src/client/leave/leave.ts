/**
 * Leave for a request: a payment, or a request that replaces a record, leaves through a binding of the profile's own only where somebody has
 * confirmed it. Every request needs it, so no command can forget to ask.
 */
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation, Input } from "../../api/operation.js";
import { getTransaction } from "../../api/operations/transaction.js";
import { transferFromBody } from "../../api/operations/transfer.js";
import { type Bound, confirmable } from "../../binding/confirmation.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { BindingConfirmation, Profile } from "../../ports/profiles.js";
import { confirmedByPayment, noteConfirmation } from "./confirming.js";
import { checkFirstPayment, type Sends } from "./first-payment.js";

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
export async function leaveFor(context: Context, profile: Profile, operation: AnyOperation, { call, one }: Leaving): Promise<Leave> {
	const asked = confirmable(operation, profile);
	if (asked === undefined) return undefined;
	const { digest } = asked;
	const leave = digest as Leave;
	// A sandbox of purser's own, whose money is none.
	if ((await context.sandboxIdentity(profile)) !== undefined) return leave;
	const confirmed = asked.confirmed ?? (await confirmedSince(context, profile, operation));
	if (confirmed === undefined) throw unconfirmed(operation, profile, asked.earlier);
	await noteConfirmation(context, profile, operation, confirmed, "outside");
	if (operation.effect === "money" && confirmed.uncapped === undefined && confirmed.paid === undefined) {
		const sends: Sends = one === undefined ? "rows" : transferFromBody(operation, one.body, one.currency);
		const look = async (transactionId: string) => (await call(context, getTransaction, { params: { transactionId } })).data;
		await checkFirstPayment(context, profile, { operation, digest, sends, look });
	}
	return leave;
}

/** Whether a request has the leave that it needs. Asked where it leaves, whatever was asked before. */
export const mayLeave = (operation: AnyOperation, profile: Bound, leave: Leave): boolean => {
	const asked = confirmable(operation, profile);
	return asked === undefined || asked.digest === leave;
};

/** A confirmation that was stored in this run, or follows from what was paid; of the binding that this run has. */
async function confirmedSince(context: Context, profile: Profile, operation: AnyOperation): Promise<BindingConfirmation | undefined> {
	const stored = await (await context.profiles()).get(profile.name);
	const { confirmations } = stored ?? {};
	return (
		confirmable(operation, { ...profile, confirmations })?.confirmed ??
		(confirmations?.[operation.id] === undefined ? confirmedByPayment(context, profile, operation) : undefined)
	);
}

function unconfirmed(operation: AnyOperation, profile: Profile, earlier: BindingConfirmation | undefined): PurserError {
	const { id, title, method, path, effect } = operation;
	const binding = profile.overrides[id];
	const address = `${binding?.method ?? method} ${binding?.path ?? path}`;
	const word = effect === "money" ? "and it moves money" : "which replaces or removes a record";
	return new PurserError("guard", {
		code: "BINDING_UNCONFIRMED",
		message: `${title}: the profile ${profile.name} sends it as ${address}, ${word}, and nobody has confirmed the exact request; nothing was sent`,
		why:
			earlier === undefined
				? "A wrong address or field could pay the wrong party, the wrong amount, or overwrite what is there"
				: `It was confirmed on ${earlier.at.slice(0, 10)}${earlier.by === undefined ? "" : ` by ${earlier.by}`}, and ${earlier.digest === confirmable(operation, profile)?.digest ? "the profile's address" : "the binding"} has changed since`,
		fix: advice`Look at the exact request and confirm it: ${purser`api confirm ${id}`}`,
	});
}
