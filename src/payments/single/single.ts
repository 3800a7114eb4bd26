/**
 * One payment, as each command does it that sends one: what is shown before the Yes, the sending, the wait for its final status.
 */

import type { Received } from "../../api/answer.js";
import { getTransaction, viewTransaction } from "../../api/operations/transaction.js";
import type { Transfer } from "../../api/operations/transfer.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Service } from "../../ports/service.js";
import { duplicateDays } from "../rules/rules.js";
import { transactionLook } from "./after.js";
import { lookedAgain } from "./again.js";
import { checkDecimals, previewTransfer } from "./facts.js";
import { follow } from "./follow.js";
import type { Paid } from "./paid.js";
import type { TransferPreview } from "./preview.js";
import { needsCurrency, type Said, saidOf, warningsBefore } from "./sending.js";

/** What is said while it is waited for. */
const waitingLabel = "Waiting for the payment to be final";

/**
 * What a person is shown before being asked.
 * @throws PurserError guard, validation, auth (401) or interrupted: nothing was sent
 */
export async function previewOne(
	context: Context,
	service: Service,
	{ transfer, said, label }: { transfer: Transfer; said: Said; label: string },
): Promise<TransferPreview & { confirms: readonly IntentRecord[] }> {
	const { profile } = await context.settings();
	const address = serviceAddress(profile.baseUrl);
	const told = context.serviceClock.skew(address) !== undefined;
	let before = await warningsBefore(context, service, transfer, said);
	const now = context.serviceClock.now(address);
	const options = { duplicateDays: duplicateDays(profile.settings["duplicate-days"]), now };
	const preview = await context.reporter.during(label, () => previewTransfer(service, transfer, options));
	// The look-ups may have been the first to tell what time it is, and with it what was paid lately.
	if (!told && context.serviceClock.skew(address) !== undefined) before = await warningsBefore(context, service, transfer, said);
	return { ...preview, warnings: [...before.warnings, ...preview.warnings], confirms: before.shown };
}

/** What the operator asks for beside the payment itself. */
interface Asked extends Said {
	/** Fields that are added to the body of the request. */
	added: Readonly<Record<string, unknown>>;
	/** Milliseconds that it is followed for, where it is. */
	follow?: number;
	/** Payments alike that somebody was shown at the terminal, and said Yes to. */
	confirmed?: readonly IntentRecord[];
}

/**
 * Sends one payment, and follows it where that is asked for.
 * @throws PurserError validation, where the amount does not fit its currency; guard, as {@link lookedAgain}; whatever the sending throws; interrupted while it is waited for
 */
export async function payOne(context: Context, service: Service, transfer: Transfer, asked: Asked): Promise<Paid> {
	const { profile } = await context.settings();
	const currency = await checkDecimals(service, transfer, needsCurrency(profile));
	const { despite, token } = saidOf(asked, asked.confirmed);
	const expected = await lookedAgain(context, service, transfer, asked.despite?.split(",") ?? []);
	const sent = await service.send({ ...transfer, currency, token }, { added: asked.added, despite, expected });
	const { data, id, intent, waiting } = sent;
	const paid: Paid = { ...(data as Received), id, intent, waiting, ...(token !== undefined && { reference: transfer.reference }) };
	const timeout = asked.follow;
	if (timeout === undefined || id === undefined) return paid;
	const look = async () => transactionLook(id, (await service.get(getTransaction, { params: { transactionId: id } })) as Received);
	const limits = { timeout, label: waitingLabel };
	const transaction = await follow(id, async () => (await service.until(limits, look)).data, context.reporter.warn);
	if (transaction === undefined) return paid;
	if (!viewTransaction(transaction).status)
		context.reporter.warn(`The payment was accepted as transaction ${id}, but the service's answer has no status of it`);
	const { seenAgain } = await import("../settlement/seen-again.js");
	const correction = await seenAgain(context, service, id, transaction);
	// What became of another payment says nothing of this one, whose own id nobody knows.
	return correction?.taken && correction.holder.intent === intent ? { ...paid, id: undefined } : { ...paid, transaction };
}
