/**
 * Records a change in the journal: the intent before anything is sent, and the outcome afterwards.
 */

import { advice, purser } from "../api/advice.js";
import { textAt, typed } from "../api/answer.js";
import { sha256 } from "../api/digest.js";
import type { AnyOperation, Effect, Input } from "../api/operation.js";
import { type Transfer, transferFromBody } from "../api/operations/transfer.js";
import { serviceAddress } from "../api/service-address.js";
import { troubleWords } from "../api/text/trouble.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { mappingDigest } from "../mapping/request/confirmation.js";
import type { JournalIntent, JournalOutcome } from "../ports/intent.js";
import type { Begins } from "../ports/journal.js";
import type { Moment } from "../ports/machine.js";
import type { Profile } from "../ports/profiles.js";
import { type DraftRequest, draftRequest } from "./request/request.js";
import { needsTime, skewOf } from "./service-clock.js";
import { momentOf } from "./shelf-life.js";

/** Details that are not in the body; the currency is a transfer's, where it is known. */
type IntentDetails = Pick<JournalIntent, "despite" | "reviewed" | "confirmedBy"> & { currency?: string };

/** The intent, without personal data: ids, a digest of the exact bytes, amounts, references. */
export function intentOf(
	profile: Profile,
	operation: AnyOperation,
	input: Input,
	request: DraftRequest,
	{ currency, despite, reviewed, confirmedBy }: IntentDetails = {},
): JournalIntent {
	// The switches do not identify a payment.
	const transferOf = ({ allowFastPayment: _, allowInterLedger: __, ...transfer }: Transfer): Transfer => transfer;
	return {
		operation: operation.id,
		effect: operation.effect as Exclude<Effect, "read">,
		profile: profile.name,
		origin: request.address.origin,
		service: serviceAddress(profile.baseUrl),
		method: request.method,
		path: request.address.pathname,
		digest: sha256(request.body ?? new Uint8Array()),
		transfer: operation.effect === "money" ? transferOf(transferFromBody(operation, input.body, currency)) : undefined,
		about: operation.effect === "write" ? aboutOf(input) : undefined,
		creates: operation.effect === "write" && operation.created !== undefined ? true : undefined,
		externalId: operation.created === undefined ? undefined : textAt(input.body, "externalId"),
		despite,
		reviewed,
		confirmedBy,
		mapping: mappingDigest(profile),
	};
}

function aboutOf({ params, body }: Input): JournalIntent["about"] {
	const person = textAt(body, "relatedPhysicalPersonId") ?? textAt(params, "corporateRelatedId");
	if (person !== undefined) return { kind: "related", id: person };
	const company = textAt(params, "corporateId");
	return company === undefined ? undefined : { kind: "corporate", id: company };
}

export interface Begun {
	intent: string;
	/** For a payment: when it was about to be recorded. */
	recorded?: Moment;
	/** Its skew was not known then. */
	untimed?: true;
}

/** The digest that the journal records for a request with this input, to find it there without personal data. */
export function digestOf<O extends AnyOperation>(profile: Profile, operation: O, input: Input<O>, version: string): string {
	return intentOf(profile, operation, input as Input, draftRequest(profile, operation, input as Input, version)).digest as string;
}

/**
 * Records the intent of a payment, with the skew of this machine's clock if known.
 * @param given `learning` learns the service's time, if a rule needs it; the rest as the journal takes it
 */
export async function beginPaymentRecord(
	context: Context,
	profile: Profile,
	intent: JournalIntent,
	{ learning, ...options }: { learning: () => Promise<void> } & Omit<Begins, "warn">,
): Promise<Begun> {
	if (needsTime(profile)) await learning();
	const timed = async (): Promise<Begun> => {
		const recorded = momentOf(context.clock);
		const skew = skewOf(context, profile, recorded);
		if (skew === undefined) return { intent: await beginRecord(context, profile, intent, options), recorded, untimed: true };
		return { intent: await beginRecord(context, profile, { ...intent, skew }, options), recorded };
	};
	try {
		return await timed();
	} catch (error) {
		// The journal refused it only because the service's time is not known.
		if (!(error instanceof PurserError) || error.failure.code !== "CLOCK_UNCHECKED") throw error;
		await learning();
		if (skewOf(context, profile) === undefined) throw error;
		return timed();
	}
}

/**
 * Records the intent; durable when it resolves.
 * @throws PurserError from the journal; usage, if it fails in any other way: nothing was sent
 */
export async function beginRecord(
	context: Context,
	profile: Profile,
	intent: JournalIntent,
	asked: Omit<Begins, "warn"> = {},
): Promise<string> {
	try {
		const [operator, sandbox] = [await context.config.operator(), await context.journal.sandboxIdentity(profile)];
		const recorded = { ...intent, ...(sandbox === undefined ? {} : { sandbox }), operator };
		const journal = await context.journal.of(profile);
		return await journal.begin(recorded, { ...asked, warn: context.report.warn });
	} catch (error) {
		if (error instanceof PurserError) throw error;
		throw new PurserError("usage", {
			code: "JOURNAL_UNWRITABLE",
			message: "The journal could not be written, so nothing was sent",
			why: troubleWords(error),
			fix: "Free disk space or allow writing in the state directory (PURSER_STATE_DIR), then run this again",
			cause: error,
		});
	}
}

/**
 * Records the outcome of the attempt. A failure comes after the sending and cannot undo it, so it is a warning; for an accepted transfer it
 * is an error, because the journal then says "in doubt".
 * @throws PurserError unknown, if another attempt holds the id, or an accepted transfer could not be recorded
 */
export async function endRecord(
	context: Context,
	profile: Profile,
	operation: AnyOperation,
	{ intent, recorded, untimed }: Begun,
	outcome: JournalOutcome,
): Promise<void> {
	// If the payment's own answer is the first of the run with a date, it tells when the payment began by the service's clock.
	const skew = untimed && skewOf(context, profile, recorded);
	try {
		await (await context.journal.of(profile)).end(intent, skew === undefined ? outcome : { ...outcome, skew });
	} catch (error) {
		if (error instanceof PurserError && error.kind === "unknown") throw error;
		const why = troubleWords(error) ?? "unknown";
		const isKept = error instanceof PurserError && error.failure.code === "OUTCOME_KEPT";
		if (operation.effect === "money" && outcome.state === "accepted")
			throw new PurserError("unknown", {
				code: "ACCEPTED_BUT_NOT_RECORDED",
				message: `${operation.title}: the service accepted it${outcome.id ? ` as ${outcome.id}` : ""}, but the journal could not record that`,
				why,
				fix: isKept
					? error.failure.fix
					: advice`Do not send it again; make room in the state directory, then settle it: ${purser`pay doubts`}${outcome.id ? advice`, ${purser`pay show ${typed(outcome.id, "TRANSACTION")}`}` : ""}`,
				status: outcome.status,
				intent,
				moneyMayHaveMoved: true,
				cause: error,
			});
		context.report.warn(
			isKept
				? `the journal could not record the outcome of ${intent} (${outcome.state}): ${why}`
				: advice`the journal could not record the outcome of ${intent} (${outcome.state}): ${why}; ${purser`pay doubts`} will list it as in doubt`,
		);
	}
}
