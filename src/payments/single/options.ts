/**
 * The options that the operator gives with a payment: its currency, and the earlier duplicates that are overridden with a reason. They are
 * not part of the request's body.
 */

import * as z from "zod/mini";
import { flag, plain } from "../../api/fields.js";
import { field } from "../../api/schema.js";

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
