/**
 * What a binding needs before anything leaves through it: somebody's confirmation, and for money a first payment that was seen final.
 */
import { advice, purser } from "../../api/advice.js";
import type { AnyOperation } from "../../api/operation.js";
import { getTransaction } from "../../api/operations/transaction.js";
import { transferFromBody } from "../../api/operations/transfer.js";
import { type Confirmable, confirmable } from "../../binding/confirmation.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { BindingConfirmation, Profile } from "../../ports/profiles.js";
import { confirmedByPayment, noteConfirmation } from "./confirming.js";
import { checkFirstPayment, type Sends } from "./first-payment.js";
import type { Leaving } from "./leave.js";

/** @throws PurserError guard: nothing may be sent */
export async function requireConfirmed(
	context: Context,
	profile: Profile,
	{ operation, asked, leaving: { call, one } }: { operation: AnyOperation; asked: Confirmable; leaving: Leaving },
): Promise<void> {
	// A sandbox of purser's own, whose money is none.
	if ((await context.sandboxIdentity(profile)) !== undefined) return;
	const confirmed = asked.confirmed ?? (await confirmedSince(context, profile, operation));
	if (confirmed === undefined) throw unconfirmed(operation, profile, asked);
	await noteConfirmation(context, profile, operation, confirmed, "outside");
	if (operation.effect !== "money" || confirmed.uncapped !== undefined || confirmed.paid !== undefined) return;
	const sends: Sends = one === undefined ? "rows" : transferFromBody(operation, one.body, one.currency);
	const look = async (transactionId: string) => (await call(context, getTransaction, { params: { transactionId } })).data;
	await checkFirstPayment(context, profile, { operation, digest: asked.digest, sends, look });
}

/** A confirmation that was stored in this run, or follows from what was paid; of the binding that this run has. */
async function confirmedSince(context: Context, profile: Profile, operation: AnyOperation): Promise<BindingConfirmation | undefined> {
	const stored = await (await context.profiles()).get(profile.name);
	const { confirmations } = stored ?? {};
	return (
		confirmable(operation, { ...profile, confirmations })?.confirmed ??
		(confirmations?.[operation.id] === undefined ? confirmedByPayment(context, profile, operation) : undefined)
	);
}

function unconfirmed(operation: AnyOperation, profile: Profile, { digest, earlier }: Confirmable): PurserError {
	const { id, method, path, effect } = operation;
	const binding = profile.overrides[id];
	const address = `${binding?.method ?? method} ${binding?.path ?? path}`;
	const word = effect === "money" ? "moves money" : "replaces or removes a record";
	return new PurserError("guard", {
		code: "BINDING_UNCONFIRMED",
		message: `Nobody has confirmed the request that the profile ${profile.name} sends for ${id} (${address}, which ${word}); nothing was sent`,
		why:
			earlier === undefined
				? "A wrong address or field could pay the wrong party, the wrong amount, or overwrite what is there"
				: `${earlier.digest === digest ? "The profile's address" : "The binding"} has changed since ${earlier.by ?? "somebody"} confirmed it on ${earlier.at.slice(0, 10)}`,
		fix: advice`Look at the exact request and confirm it: ${purser`api confirm ${id}`}`,
	});
}
