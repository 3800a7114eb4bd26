/**
 * The options that the operator gives with a payment: a token to make it recognisable, its currency, and the earlier duplicates that are
 * overridden with a reason. They are not part of the request's body.
 */

import * as z from "zod/mini";
import { codeOf } from "../../api/amount.js";
import { flag, plain } from "../../api/fields.js";
import type { AnyOperation } from "../../api/operation.js";
import { createBeneficiaryTransaction, createInterLedger } from "../../api/operations/transaction.js";
import { isPaid, type Transfer } from "../../api/operations/transfer.js";
import { extraFieldsOf } from "../../api/own-fields.js";
import { field } from "../../api/schema.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import type { IntentRecord, JournalIntent } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import type { MappedOperation } from "../../ports/mapping.js";
import type { Profile } from "../../ports/profiles.js";
import type { Reading } from "../../ports/service.js";
import { limitsMoney } from "../rules/caps.js";
import { isInDuplicateWindow } from "../rules/duplicate-window.js";
import { fingerprintOf } from "../rules/fingerprint.js";
import { journalHere } from "../rules/journal-here.js";
import { moneyRules } from "../rules/rules.js";
import { longestReferenceWithToken, makeToken, tokenIn, withToken } from "../rules/token.js";
import { checkDecimals } from "./facts.js";
import { refuseAmbiguousFields } from "./mistakable.js";
import { newJournalField } from "./new-journal.js";

/** Fields of every command that sends money. */
export const paymentOptionFields = () => ({
	token: flag(
		`Add a 10-character id to the reference that identifies this payment; the payee sees it (reference then at most ${longestReferenceWithToken} characters)`,
	),
	currency: z.optional(
		field(z.string().check(z.regex(/^[A-Za-z]{3}$/, "must be three letters of ISO 4217, like EUR")), {
			description: "Currency of the amount, for limits that name one; checked against the service's where it gives one, and not sent",
			placeholder: "code",
		}),
	),
	despite: z.optional(
		field(z.string().check(z.regex(/^[1-9]\d{0,15}(,[1-9]\d{0,15})*$/, "must be intent numbers, like 17 or 17,21")), {
			description: "Send although these earlier payments look the same (paid lately, or in doubt): their intents; needs --reason",
			placeholder: "intents",
			flagOnly: true,
		}),
	),
	reason: z.optional(plain("Why it is sent anyway, for the record; no personal data", { flagOnly: true })),
	newJournal: newJournalField(),
});

/** The values of these fields. */
export interface PaymentOptions {
	token?: boolean;
	despite?: string;
	reason?: string;
	reference?: string;
	/** The amount's currency, ISO 4217. */
	currency?: string;
}

/** Faults in the combination of the options, for the schema's refinement. */
export function paymentOptionFaults({
	token,
	despite,
	reason,
	reference,
}: PaymentOptions): { field: "reason" | "despite" | "reference"; message: string }[] {
	const faults: { field: "reason" | "despite" | "reference"; message: string }[] = [];
	if (despite !== undefined && !reason?.trim()) faults.push({ field: "reason", message: "is required with --despite, for the record" });
	if (despite === undefined && reason !== undefined) faults.push({ field: "despite", message: "is required with --reason" });
	if (token && [...(reference ?? "").trim()].length > longestReferenceWithToken)
		faults.push({
			field: "reference",
			message: `leaves no room for a token; at most ${longestReferenceWithToken} characters beside --token`,
		});
	return faults;
}

/**
 * The input with its currency in upper case and, if requested, a new token appended to its reference.
 * @throws PurserError validation, from {@link refuseAmbiguousFields}
 */
export async function preparePayment<I extends PaymentOptions>(context: Context, operation: AnyOperation, input: I): Promise<I> {
	refuseAmbiguousFields(
		Object.keys(extraFieldsOf(input)),
		Object.keys(paymentOptionFields()),
		operation,
		(await context.settings()).profile,
	);
	const options = { ...input, currency: codeOf(input.currency) };
	if (!options.token) return options;
	const token = makeToken(() => context.random.fraction());
	return { ...options, reference: withToken(options.reference, token) };
}

/** Intents of the journal for the same payment, newest first: open ones, and those paid within the profile's duplicate-days. */
async function findDuplicates(
	journal: Journal,
	transfer: Transfer,
	{ settings }: Profile,
	now: Date,
	service: Date,
): Promise<IntentRecord[]> {
	const within = service.getTime() - moneyRules(settings).duplicateWindowStart(service).getTime();
	const duplicates = await journal.list({ fingerprint: fingerprintOf(transfer), effect: "money" });
	return duplicates.filter(
		(one) =>
			one.state === "in-doubt" || one.state === "sending" || (isPaid(one.state) && isInDuplicateWindow(one, { now, service }, within)),
	);
}

/**
 * Those of the duplicates that were paid, to be shown before the question. Open doubts, caps and a missing approval are not warnings: they stop the payment
 * before anything is asked.
 * @throws PurserError guard
 */
function paidAmong(
	duplicates: readonly IntentRecord[],
	transfer: Transfer,
	options: PaymentOptions,
	profile: Profile,
	now: Date,
): IntentRecord[] {
	const intent = { effect: "money", operation: "", transfer, despite: overrideOf(options, []) } as unknown as JournalIntent;
	moneyRules(profile.settings).permit(intent, { duplicates: duplicates.filter(({ state }) => !isPaid(state)), spent: {}, now });
	return duplicates.filter(({ state }) => isPaid(state));
}

/** The overridden duplicates, for the journal: those named with a reason, and those that a person was shown and confirmed. */
function overrideOf({ despite, reason }: PaymentOptions, confirmed: readonly IntentRecord[]): JournalIntent["despite"] {
	const confirmedIntents = confirmed.filter(({ state }) => isPaid(state)).map(({ intent }) => intent);
	const named = despite?.split(",") ?? [];
	if (named.length + confirmedIntents.length === 0) return undefined;
	return { intents: [...new Set([...named, ...confirmedIntents])], reason: reason ?? "confirmed at the terminal" };
}

/** Whether the payment's currency must be known: a limit is set, or the mapping cannot write the amount without it. */
export function needsCurrency({ settings, mapping }: Pick<Profile, "settings" | "mapping">): boolean {
	return (
		limitsMoney(settings) || [createInterLedger, createBeneficiaryTransaction].some(({ id }) => isCurrencyMapped(mapping?.operations[id]))
	);
}

/**
 * Whether a mapping writes the currency, or an amount in minor units: only the currency tells how many there are. It is looked up where the
 * mapping names one too, because the payment may be in another.
 */
function isCurrencyMapped(entry: MappedOperation | "none" | undefined): boolean {
	const { amount = "none", currency = "none" } = (entry !== "none" && entry?.fields) || {};
	return currency !== "none" || (amount !== "none" && amount.form === "minor-units");
}

/**
 * The duplicates in the journal that the preview shows, newest first. A Yes confirms only those, not what another process may send in the
 * meantime.
 * @throws PurserError guard, from {@link paidAmong}
 */
export async function journalDuplicates(
	context: Context,
	service: Reading,
	unprepared: Transfer,
	options: PaymentOptions,
): Promise<readonly IntentRecord[]> {
	const { profile } = await context.settings();
	const transfer = { ...unprepared, token: tokenIn(options.reference) };
	const now = context.clock.now();
	const duplicates = await findDuplicates(
		await journalHere(context, profile),
		transfer,
		profile,
		now,
		context.serviceClock.now(serviceAddress(profile.baseUrl)),
	);
	const currency = needsCurrency(profile) ? await checkDecimals(service, transfer, true) : unprepared.currency;
	return paidAmong(duplicates, { ...transfer, currency }, options, profile, now);
}

/**
 * What the journal records about a payment besides the transfer.
 * @param shown duplicates that a person was shown at the terminal and confirmed
 */
export function journalOptions(
	options: PaymentOptions,
	shown: readonly IntentRecord[] = [],
): { despite: JournalIntent["despite"]; token?: string } {
	return { despite: overrideOf(options, shown), token: tokenIn(options.reference) };
}
