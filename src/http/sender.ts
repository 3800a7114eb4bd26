/**
 * Sends many transfers of one kind: profile and credential are prepared once, and each transfer is then one exchange as in a single call. Every
 * transfer passed to it must be recorded as being sent, once; the outcome is returned, never thrown.
 */
import type { AnyOperation } from "../api/operation.js";
import { transferOperations } from "../api/operations/transaction.js";
import { type Transfer, transferBody } from "../api/operations/transfer.js";
import type { Context } from "../context.js";
import type { Arrived, Sender, WithPayment } from "../ports/service.js";
import { type Authorization, authorise } from "./auth.js";
import { afterRefusal, call, exchange, learnServiceTime, type Reply, renewalRequest, verdictOf } from "./call.js";
import { refusingStatuses } from "./classify.js";
import { requireConfirmed } from "./confirm/confirmed.js";
import type { Call, Exchanged } from "./job.js";
import { draftRequest, encodeBody, withKey } from "./request/request.js";

/** Sends one payment, at most once, by {@link call}. */
export function sendTransfer(context: Context, transfer: Transfer, { despite, expected }: WithPayment): Promise<Reply> {
	const { kind, currency } = transfer;
	const operation: AnyOperation = transferOperations[kind];
	return call(context, operation, { body: transferBody(transfer) }, { currency, despite, expected });
}

/** Milliseconds between checks whether the token is about to expire. */
const readAgain = 5_000;

/**
 * Prepares the sending of one kind of transfer. `first`: one of them, to begin with.
 * @throws PurserError usage or auth, as a single call does before it begins
 */
export async function openSender(context: Context, first: Transfer): Promise<Sender> {
	context.ask.requirePayment();
	const operation = transferOperations[first.kind];
	const input = { body: transferBody(first) };
	const { profile, timeout, debug } = await context.settings.read();
	const model = draftRequest(profile, operation, input, context.system.version, first);
	const refusing = refusingStatuses(profile.settings["refusing-statuses"]);
	const installation = profile.mapping?.idempotency && (await (await context.journal.of(profile)).installation());
	const confirmed = await requireConfirmed(context, profile, operation);
	const job: Call = { context, profile, operation, input, request: model, confirmed, timeout, debug };
	const isMapped = profile.mapping !== undefined;
	const sessionFor = (): Promise<Authorization> => authorise(context, profile, operation, false, renewalRequest(job));
	// The plan's expiry and the day on which rows count depend on the service's time.
	let session = await learnServiceTime(job, await sessionFor());
	let readAt = context.clock.monotonic();
	/** A renewed token that nothing was answered to yet but 401: renewing again would not help. */
	let isUnproven = false;
	const renewFor = async (used: Authorization, sent: Exchanged): Promise<boolean> => {
		// Rows that were on their way together are refused together; the token is renewed once for all of them.
		if (used.credential !== session.credential) return true;
		if (isUnproven) return false;
		const renewed = await afterRefusal(job, used, sent);
		if (renewed === undefined) return false;
		if (used.credential === session.credential) [session, isUnproven] = [renewed, true];
		return true;
	};

	const arrivedBy = async (row: Call, sent: Exchanged, used: Authorization, took: number): Promise<Arrived> => {
		const outcome = verdictOf(row, sent, refusing);
		if (sent.outcome.kind === "not-sent" && sent.outcome.tooOld) return { outcome, tooOld: true, took };
		if (sent.outcome.kind !== "answer") return { outcome, took };
		const { status } = sent.outcome;
		if (status !== 401 && used.credential === session.credential) isUnproven = false;
		// No transfer is sent twice here, whatever refused it; the token is renewed for the following ones.
		const renewed = status === 401 && (await renewFor(used, sent));
		return { outcome, status, wait: sent.wait, renewed, took };
	};

	return async (transfer, { recorded, ...of }) => {
		const body = transferBody(transfer);
		const started = context.clock.monotonic();
		const since = () => context.clock.monotonic() - started;
		let request: Call["request"];
		try {
			if (started - readAt > readAgain) {
				readAt = started;
				session = await sessionFor();
			}
			// As described, address and headers are the same for every row. A mapping may say there who pays, whom, and how much.
			request = isMapped
				? draftRequest(profile, operation, { body }, context.system.version, transfer)
				: { ...model, ...encodeBody(model.applied, operation, { body }, transfer) };
			if (installation !== undefined) request = withKey(request, profile, { installation, ...of, transfer });
		} catch (error) {
			return { outcome: { state: "not-sent", reason: error instanceof Error ? error.message : "unknown" }, took: since() };
		}
		try {
			const used = session;
			const row: Call = { context, profile, operation, confirmed, timeout, debug, input: { body }, request, recorded };
			const sent = await exchange(row, used);
			return await arrivedBy(row, sent, used, since());
		} catch (error) {
			// Nothing above should throw; if it does, it is unknown whether the transfer was sent.
			return { outcome: { state: "in-doubt", reason: error instanceof Error ? error.message : "unknown" }, took: since() };
		}
	};
}
