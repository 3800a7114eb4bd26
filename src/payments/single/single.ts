/**
 * The steps of a single payment: the preview, the sending, and the wait for its final status.
 */

import type { Received } from "../../api/answer.js";
import { getTransaction, viewTransaction } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Service } from "../../ports/service.js";
import { duplicateLine } from "../rules/likely-duplicate.js";
import { duplicateDays } from "../rules/rules.js";
import { transactionPoll } from "./after.js";
import { joined } from "./earlier.js";
import { checkDecimals, previewTransfer } from "./facts.js";
import { follow } from "./follow.js";
import type { Paid } from "./paid.js";
import type { TransferPreview } from "./preview.js";
import { recheckNotCreated } from "./recheck.js";
import { journalDuplicates, journalOptions, needsCurrency, type PaymentOptions } from "./sending.js";

const waitingLabel = "Waiting for the payment to be final";

/**
 * Makes the preview that a person is shown before being asked.
 * @throws PurserError guard, validation, auth (401) or interrupted: nothing was sent
 */
export async function previewPayment(
	context: Context,
	service: Service,
	{ transfer, said, label }: { transfer: Transfer; said: PaymentOptions; label: string },
): Promise<TransferPreview & { confirms: readonly IntentRecord[] }> {
	const { profile } = await context.settings();
	const address = serviceAddress(profile.baseUrl);
	const isClockKnown = context.serviceClock.skew(address) !== undefined;
	let paid = await journalDuplicates(context, service, transfer, said);
	const now = context.serviceClock.now(address);
	const options = { duplicateDays: duplicateDays(profile.settings["duplicate-days"]), now };
	const preview = await context.reporter.during(label, () => previewTransfer(service, transfer, options));
	// These look-ups may have been the first answers to tell the service's time, on which it depends what counts as a recent duplicate.
	if (!isClockKnown && context.serviceClock.skew(address) !== undefined) paid = await journalDuplicates(context, service, transfer, said);
	const known = paid.map(({ intent, id, begun }) => ({ intent, id, at: begun }));
	return { ...preview, alert: duplicateLine(preview.what, joined(known, preview.listed)), confirms: paid };
}

/** What the operator asks for besides the payment itself. */
interface PaymentRequest extends PaymentOptions {
	/** Fields of `--set`, for the request's body. */
	added: Readonly<Record<string, unknown>>;
	/** Longest time to follow it, in milliseconds; undefined: do not follow it. */
	follow?: number;
	/** Duplicates that a person was shown at the terminal and confirmed. */
	confirmed?: readonly IntentRecord[];
}

/**
 * Sends one payment and follows it if requested.
 * @throws PurserError validation, if the amount does not fit its currency; guard, from {@link recheckNotCreated}; whatever the sending throws;
 *   interrupted while waiting
 */
export async function sendPayment(context: Context, service: Service, transfer: Transfer, request: PaymentRequest): Promise<Paid> {
	const { profile } = await context.settings();
	const currency = await checkDecimals(service, transfer, needsCurrency(profile));
	const { despite, token } = journalOptions(request, request.confirmed);
	const expected = await recheckNotCreated(context, service, transfer, request.despite?.split(",") ?? []);
	const sent = await service.send({ ...transfer, currency, token }, { added: request.added, despite, expected });
	const { data, id, intent, waiting } = sent;
	const paid: Paid = { ...(data as Received), id, intent, waiting, ...(token !== undefined && { reference: transfer.reference }) };
	const timeout = request.follow;
	if (timeout === undefined || id === undefined) return paid;
	const look = async () => transactionPoll(id, (await service.get(getTransaction, { params: { transactionId: id } })) as Received);
	const limits = { timeout, label: waitingLabel, awaited: [id] };
	const transaction = await follow(id, async () => (await service.until(limits, look)).data, context.reporter.warn);
	if (transaction === undefined) return paid;
	if (!viewTransaction(transaction).status)
		context.reporter.warn(`The payment was accepted as transaction ${id}, but the service's answer has no status`);
	const { warnOfDifference } = await import("../matching/difference.js");
	// If the id is another payment's, that transaction's status is not this payment's.
	return (await warnOfDifference(context, id, transaction)) ? { ...paid, id: undefined } : { ...paid, transaction };
}
