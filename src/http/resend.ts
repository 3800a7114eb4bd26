/**
 * Sends the request of a payment in doubt once more, with the idempotency key of its attempt: at a service that keeps keys it is answered
 * as before, and paid once. The one exception to at most once for each attempt; a person asks for it, on record.
 */
import { advice, purser } from "../api/advice.js";
import { sha256 } from "../api/digest.js";
import { transferOperations } from "../api/operations/transaction.js";
import { transferBody } from "../api/operations/transfer.js";
import { serviceAddress, serviceInUse, wasSentTo } from "../api/service-address.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { mappingDigest } from "../mapping/request/confirmation.js";
import type { IntentRecord, JournalOutcome } from "../ports/intent.js";
import { authorise } from "./auth.js";
import { exchange, learnServiceTime, renewalRequest, verdictOf } from "./call.js";
import { requireConfirmed } from "./confirm/confirmed.js";
import type { Call } from "./job.js";
import { draftRequest, withKey } from "./request/request.js";
import { momentOf } from "./shelf-life.js";

/** Milliseconds of the time for which keys are kept that are not used: the service's clock and its count of that time may differ from ours. */
const margin = 10 * 60_000;

/**
 * @returns what the answer proves; the journal keeps it, and decides nothing by it yet
 * @throws PurserError guard, where it may not be sent: nothing was sent then
 */
export async function resendPayment(context: Context, record: IntentRecord): Promise<JournalOutcome> {
	const { profile, timeout, debug } = await context.settings.read();
	const { intent, attempt, transfer, digest } = record;
	const hours = profile.mapping?.idempotency?.hours;
	const refuse = (why: string): PurserError =>
		new PurserError("guard", {
			code: "NOT_RESENDABLE",
			message: `Payment ${intent} cannot be sent again with its key: ${why}; nothing was sent`,
			fix: advice`Settle it in another way: ${purser`pay settle ${intent}`}`,
			intent,
		});
	if (transfer === undefined) throw refuse("it is no payment");
	// The key is made of the number and the journal that it was sent by.
	if (record.carried !== undefined) throw refuse("it was carried over from another journal, so its key would be another");
	if (hours === undefined) throw refuse("the mapping does not say for how long the service keeps idempotency keys");
	if (record.mapping !== mappingDigest(profile)) throw refuse("the mapping changed since it was sent");
	const address = serviceAddress(profile.baseUrl);
	if (!wasSentTo(record, await serviceInUse(context, profile))) throw refuse("it was sent to another service");
	const operation = transferOperations[transfer.kind];
	const input = { body: transferBody(transfer) };
	const draft = draftRequest(profile, operation, input, context.system.version, { currency: transfer.currency });
	// The body of a single payment is on record as a digest; switches are not, and would make another request.
	if (digest !== undefined && sha256(draft.body ?? new Uint8Array()) !== digest)
		throw refuse("it was sent with switches that are not on record, so it would be another request");
	const journal = await context.journal.of(profile);
	const keyed = withKey(draft, profile, { installation: await journal.installation(), intent, attempt, transfer });
	const confirmed = await requireConfirmed(context, profile, operation);
	const job: Call = { context, profile, operation, input, request: keyed, confirmed, timeout, debug };
	const session = await learnServiceTime(job, await authorise(context, profile, operation, false, renewalRequest(job)));
	const begun = Date.parse(record.begun);
	if (record.skew === undefined || context.clock.service.skew(address) === undefined)
		throw refuse("the service's time is not known, so neither is whether it still keeps the key");
	// By either clock: one that was set makes no key younger.
	const passed = Math.max(context.clock.service.now(address).getTime() - record.skew, context.clock.now().getTime()) - begun;
	if (passed > hours * 3_600_000 - margin) throw refuse(`the service keeps keys for ${hours} hours only, and that time is over`);
	context.ask.requirePayment();
	const recorded = momentOf(context.clock);
	await journal.resend(intent, attempt);
	const outcome = verdictOf(job, await exchange({ ...job, recorded }, session));
	await journal.answered(intent, outcome);
	return outcome;
}
