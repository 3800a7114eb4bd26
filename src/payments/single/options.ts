/**
 * The options that the operator gives with a payment: its currency, and the earlier duplicates that are overridden with a reason. They are
 * not part of the request's body.
 */

import * as z from "zod/mini";
import { codeOf } from "../../api/amount.js";
import { flag, plain } from "../../api/fields.js";
import type { AnyOperation } from "../../api/operation.js";
import { extraFieldsOf } from "../../api/operation.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../api/operations/transaction.js";
import { type Transfer, transferFromBody } from "../../api/operations/transfer.js";
import { field } from "../../api/schema.js";
import type { Context } from "../../context.js";
import { type Fault, PurserError } from "../../errors.js";
import type { Profile } from "../../ports/profiles.js";

/**
 * The flag of every command that sends money, single or batch. The frame evaluates it before anything is sent (`cli/ask/payment.ts`).
 */
export const newJournalField = () =>
	flag("Start a new journal; in a script on a live profile this confirms that no payment was made from another one before", {
		flagOnly: true,
	});

export const paymentOptionFields = () => ({
	currency: z.optional(
		field(z.string().check(z.regex(/^[A-Za-z]{3}$/, "must be three letters of ISO 4217, like EUR")), {
			description: "Currency of the amount, for limits that name one; checked against the service's where it gives one, and not sent",
			placeholder: "code",
		}),
	),
	despite: z.optional(
		field(z.string().check(z.regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/, "must be intent numbers, like 17 or 17,21")), {
			description: "Send although these earlier payments look the same (paid recently, or in doubt): their intents; needs --reason",
			placeholder: "intents",
			flagOnly: true,
		}),
	),
	reason: z.optional(plain("Why it is sent anyway, for the record; no personal data", { flagOnly: true })),
	newJournal: newJournalField(),
});

export interface PaymentOptions {
	despite?: string;
	reason?: string;
	/** The amount's currency, ISO 4217. */
	currency?: string;
}

export function paymentOptionFaults({ despite, reason }: PaymentOptions): Fault[] {
	if (despite !== undefined && !reason?.trim()) return [{ field: "reason", message: "is required with --despite, for the record" }];
	if (despite === undefined && reason !== undefined) return [{ field: "despite", message: "is required with --reason" }];
	return [];
}

/**
 * The payment that a body and its options ask for: the one conversion on the way in.
 * @throws PurserError validation, where `--set` adds a field that could be mistaken for one of the payment's own
 */
export async function transferOf(context: Context, operation: AnyOperation, input: PaymentOptions): Promise<Transfer> {
	const { profile } = await context.settings.read();
	refuseAmbiguousFields(Object.keys(extraFieldsOf(input)), operation, profile);
	return transferFromBody(operation, input, codeOf(input.currency));
}

const paymentFields = [createInterLedger, createBeneficiaryTransaction].flatMap(({ body }) => Object.keys(body.shape));

/**
 * Refuses an added field whose name differs from a payment's own only in case or punctuation (`Amount`, `ledger-to-id`), that belongs to the
 * other kind of payment, or that the mapping uses on the wire for such a field. A deployment might use it for the payment, and neither the
 * preview nor the guards nor the journal would show it.
 */
function refuseAmbiguousFields(added: readonly string[], operation: AnyOperation, { mapping }: Profile): void {
	// Fast path: most payments have no added fields.
	if (added.length === 0) return;
	const known = [...Object.keys(operation.body.shape), ...Object.keys(paymentOptionFields())];
	const fieldByFoldedName = new Map([...paymentFields, ...known].map((name) => [folded(name), name]));
	const entry = mapping?.operations[operation.id];
	for (const [field, placed] of Object.entries((entry !== "none" && entry?.fields) || {}))
		if (placed !== "none" && placed.place === "body") fieldByFoldedName.set(folded(placed.at), field);
	const details = added.flatMap((name) => {
		const field = fieldByFoldedName.get(folded(name));
		return field === undefined ? [] : [{ field: name, message: faultMessage(name, field, known) }];
	});
	if (details.length === 0) return;
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: "A field added with --set could be mistaken for one of the payment's own; nothing was sent",
		fix: "Give the field by its own name, or leave it out, and run the command again.",
		details,
	});
}

function faultMessage(name: string, field: string, known: readonly string[]): string {
	if (!known.includes(field)) return `cannot be added: ${field} belongs to the other kind of payment`;
	return `cannot be added: it would be next to ${field}${name === field ? "" : ", and could be mistaken for it"}`;
}

/** Ignores case, punctuation and compatibility forms, because servers differ in which names they treat as equal. */
function folded(name: string): string {
	return name
		.normalize("NFKC")
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, "");
}
