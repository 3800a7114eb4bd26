/**
 * The steps of a single payment: what is known of it before, the preview, the sending, and the wait for its final status.
 */

import { advice, purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { createBeneficiaryTransaction, createInterLedger, getTransaction, viewTransaction } from "../../api/operations/transaction.js";
import { isPaid, type Transfer } from "../../api/operations/transfer.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { ExpectedAttempt, IntentRecord, JournalIntent } from "../../ports/intent.js";
import type { Profile } from "../../ports/profiles.js";
import type { Reading } from "../../ports/service.js";
import { limitsMoney } from "../rules/caps.js";
import { alreadyPaid, earlierPayment, fingerprintOf, isInDuplicateWindow } from "../rules/duplicates.js";
import { journalHere } from "../rules/journal-here.js";
import { duplicateDays, moneyRules } from "../rules/rules.js";
import { isFinal, ownTransaction, type Paid } from "./after.js";
import { checkDecimals } from "./facts.js";
import type { PaymentOptions } from "./options.js";
import { joined, previewTransfer, type TransferPreview } from "./preview.js";

/**
 * Whether the payment's currency must be known: a limit is set, or the mapping writes it, or an amount in minor units: only the currency tells
 * how many there are. It is looked up where the mapping names one too, because the payment may be in another.
 */
function needsCurrency(profile: Pick<Profile, "settings" | "mapping" | "team">): boolean {
	const written = [createInterLedger, createBeneficiaryTransaction].map(({ id }) => profile.mapping?.operations[id]);
	const isMapped = written.some((entry) => {
		const { amount = "none", currency = "none" } = (entry !== "none" && entry?.fields) || {};
		return currency !== "none" || (amount !== "none" && amount.form === "minor-units");
	});
	return limitsMoney(profile) || isMapped;
}

/**
 * The payments of the journal that were paid within the profile's duplicate-days and look the same, newest first: the preview shows them, and
 * a Yes confirms only those, not what another process may send in the meantime. Open doubts, caps and a missing approval are no warnings:
 * they stop the payment before anything is asked.
 */
async function paidBefore(context: Context, transfer: Transfer, options: PaymentOptions): Promise<readonly IntentRecord[]> {
	const { profile } = await context.settings.read();
	const rules = moneyRules(profile.settings);
	const times = { now: context.clock.now(), service: context.clock.service.now(serviceAddress(profile.baseUrl)) };
	const within = times.service.getTime() - rules.duplicateWindowStart(times.service).getTime();
	const known = await (await journalHere(context, profile)).list({ fingerprint: fingerprintOf(transfer), effect: "money" });
	const open = known.filter(({ state }) => state === "in-doubt" || state === "sending");
	const currency = needsCurrency(profile) ? await checkDecimals(context.service, transfer, true) : transfer.currency;
	const intent = { effect: "money", operation: "", transfer: { ...transfer, currency }, despite: overrideOf(options, []) };
	rules.check(intent as unknown as JournalIntent, { duplicates: open, spent: {}, now: times.now });
	return known.filter((one) => isPaid(one.state) && isInDuplicateWindow(one, times, within));
}

/** The overridden duplicates, for the journal: those named with a reason, and those that a person was shown and confirmed. */
function overrideOf({ despite, reason }: PaymentOptions, confirmed: readonly IntentRecord[]): JournalIntent["despite"] {
	const intents = new Set([...(despite?.split(",") ?? []), ...confirmed.map(({ intent }) => intent)]);
	return intents.size === 0 ? undefined : { intents: [...intents], reason: reason ?? "confirmed at the terminal" };
}

export async function previewPayment(
	context: Context,
	transfer: Transfer,
	options: PaymentOptions,
	label: string,
): Promise<TransferPreview & { already: ReturnType<typeof alreadyPaid>; confirms: readonly IntentRecord[] }> {
	const { profile } = await context.settings.read();
	const address = serviceAddress(profile.baseUrl);
	const isClockKnown = context.clock.service.skew(address) !== undefined;
	let paid = await paidBefore(context, transfer, options);
	const facts = {
		days: duplicateDays(profile.settings["duplicate-days"]),
		now: context.clock.service.now(address),
		names: context.names.of,
	};
	const preview = await context.report.during(label, () => previewTransfer(context.service, transfer, facts));
	// These look-ups may have been the first answers to tell the service's time, on which it depends what counts as a recent duplicate.
	if (!isClockKnown && context.clock.service.skew(address) !== undefined) paid = await paidBefore(context, transfer, options);
	return { ...preview, already: alreadyPaid(joined(paid.map(earlierPayment), preview.listed)), confirms: paid };
}

interface PaymentRequest extends PaymentOptions {
	/** Longest time to follow it, in milliseconds; undefined: do not follow it. */
	follow?: number;
	confirmed?: readonly IntentRecord[];
}

export async function sendPayment(context: Context, transfer: Transfer, request: PaymentRequest): Promise<Paid> {
	const { service } = context;
	const { profile } = await context.settings.read();
	const currency = await checkDecimals(service, transfer, needsCurrency(profile));
	const despite = overrideOf(request, request.confirmed ?? []);
	const expected = await recheckNotCreated(context, service, transfer, request.despite?.split(",") ?? []);
	const { data, id, intent, waiting } = await service.send({ ...transfer, currency }, { despite, expected });
	const paid: Paid = { ...(data as Received), id, intent, waiting };
	if (request.follow === undefined || id === undefined) return paid;
	const transaction = await follow(context, id, request.follow);
	if (transaction === undefined) return paid;
	if (!viewTransaction(transaction).status)
		context.report.warn(`The payment was accepted as transaction ${id}, but the service's answer has no status`);
	const { warnOfDifference } = await import("../matching/person.js");
	// If the id is another payment's, that transaction's status is not this payment's.
	return (await warnOfDifference(context, id, transaction)) ? { ...paid, id: undefined } : { ...paid, transaction };
}

/**
 * Before a payment that was refused, not sent or settled as not created is sent again, both sides are read, in scripts too. Every payment
 * loads this module, so the code that reads the list is imported only if there is such a payment.
 * @returns the attempt that the new one follows, if any; undefined in a dry run
 */
export async function recheckNotCreated(
	context: Context,
	service: Reading,
	transfer: Transfer,
	despite: readonly string[],
): Promise<ExpectedAttempt | undefined> {
	const { profile, dryRun } = await context.settings.read();
	if (dryRun) return undefined;
	const journal = await journalHere(context, profile);
	const fingerprint = fingerprintOf(transfer);
	const notMade = await journal.list({ states: ["not-created", "refused", "not-sent"], effect: "money", fingerprint });
	const repeated = notMade.filter(({ intent }) => !despite.includes(intent));
	if (repeated.length > 0) {
		const { checkBeforeResending } = await import("../matching/resend.js");
		await checkBeforeResending(context, service, repeated, { notThis: [], what: "payment" });
	}
	// A row of a batch is resent only by its batch.
	const last = notMade.find(({ batch, state }) => batch === undefined && state === "not-created");
	return last === undefined || despite.includes(last.intent) ? {} : { intent: last.intent, attempt: last.attempt };
}

/** Follows an accepted payment until its status is final. It stays accepted whatever happens here, so a failed read is only a warning. */
async function follow(context: Context, id: string, timeout: number): Promise<Received | undefined> {
	const { service } = context;
	const limits = { timeout, label: "Waiting for the payment to be final" };
	const poll = async () => {
		const data = ownTransaction(id, (await service.get(getTransaction, { params: { transactionId: id } })) as Received);
		return { done: isFinal(viewTransaction(data).status), data };
	};
	try {
		return (await service.until(limits, poll)).data;
	} catch (cause) {
		if (!(cause instanceof PurserError)) throw cause;
		if (cause.kind === "interrupted")
			throw new PurserError("interrupted", {
				code: "WAIT_INTERRUPTED",
				message: `Stopped waiting; the payment was accepted as transaction ${id}`,
				fix: advice`Follow it with \`${purser`pay show ${typed(id, "TRANSACTION")} --wait`}\`; do not send it again.`,
				cause,
			});
		context.report.warn(`The payment was accepted as transaction ${id}, but its status could not be read: ${cause.message}`);
		return undefined;
	}
}
