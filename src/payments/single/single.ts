/**
 * One payment, as each command does it that sends one: what is shown before the Yes, the sending, the wait for its final status.
 */

import type { Received } from "../../api/answer.js";
import { getTransaction, viewTransaction } from "../../api/operations/transaction.js";
import { serviceAddress } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import type { ExpectedAttempt, Transfer } from "../../ports/journal.js";
import type { Service } from "../../ports/service.js";
import { duplicateDays } from "../rules/rules.js";
import { looked } from "./after.js";
import { lookedAgain } from "./again.js";
import { checkDecimals, previewTransfer } from "./facts.js";
import { follow } from "./follow.js";
import type { Paid } from "./paid.js";
import type { TransferPreview } from "./preview.js";
import type { Switches } from "./rail.js";
import { needsCurrency, type Said, saidOf, warningsBefore } from "./sending.js";

/** What is said while it is waited for. */
export const waitingLabel = "Waiting for the payment to be final";

/** What sending needs of the client; a command hands it in. */
interface Client {
	service: Service;
	/** Sends it, once. */
	send(beside: {
		currency?: string;
		said: ReturnType<typeof saidOf>;
		seen?: ExpectedAttempt;
	}): Promise<{ data?: unknown; id?: string; intent?: string; waiting: boolean }>;
	/** Looks again until it is done; absent where nobody waits. */
	wait?(look: () => Promise<{ done: boolean; data: Received }>): Promise<{ data: Received }>;
}

/**
 * What a person is shown before being asked.
 * @param switches of the rail, where there are any
 * @throws PurserError guard, validation, auth (401) or interrupted: nothing was sent
 */
export async function previewOne(
	context: Context,
	service: Service,
	{ transfer, said, switches, label }: { transfer: Transfer; said: Said; switches?: Switches; label: string },
): Promise<TransferPreview> {
	const { profile } = await context.settings();
	const address = serviceAddress(profile.baseUrl);
	const told = context.serviceClock.skew(address) !== undefined;
	let warnings = await warningsBefore(context, service, transfer, said);
	const now = context.serviceClock.now(address);
	const options = { switches, duplicateDays: duplicateDays(profile.settings["duplicate-days"]), now };
	const preview = await context.reporter.during(label, () => previewTransfer(service, transfer, options));
	// The look-ups may have been the first to tell what time it is, and with it what was paid lately.
	if (!told && context.serviceClock.skew(address) !== undefined) warnings = await warningsBefore(context, service, transfer, said);
	return { ...preview, warnings: [...warnings, ...preview.warnings] };
}

/**
 * Sends one payment, and follows it where that is asked for.
 * @throws PurserError validation, where the amount does not fit its currency; guard, as {@link lookedAgain}; whatever the sending throws; interrupted while it is waited for
 */
export async function payOne(context: Context, transfer: Transfer, given: Said, { service, send, wait }: Client): Promise<Paid> {
	const { profile } = await context.settings();
	const currency = await checkDecimals(service, transfer, needsCurrency(profile));
	const said = saidOf(context, given);
	const seen = await lookedAgain(context, service, transfer, given.despite?.split(",") ?? []);
	const { data, id, intent, waiting } = await send({ currency, said, seen });
	const paid: Paid = { ...(data as Received), id, intent, waiting, ...(said.token !== undefined && { reference: given.reference }) };
	if (wait === undefined || id === undefined) return paid;
	const look = async () => looked(id, (await service.get(getTransaction, { params: { transactionId: id } })) as Received);
	const transaction = await follow(id, async () => (await wait(look)).data, context.reporter.warn);
	if (transaction === undefined) return paid;
	if (!viewTransaction(transaction).status)
		context.reporter.warn(`The payment was accepted as transaction ${id}, but the service's answer has no status of it`);
	const { seenAgain } = await import("../settlement/seen-again.js");
	const correction = await seenAgain(context, service, id, transaction);
	// What became of another payment says nothing of this one, whose own id nobody knows.
	return correction?.taken && correction.holder.intent === intent ? { ...paid, id: undefined } : { ...paid, transaction };
}
