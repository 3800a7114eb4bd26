import { inCurrency } from "../api/amount.js";
import { type Received, textAt } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import { isRecord } from "../api/schema.js";
import { endOf } from "../api/text/duration.js";
import type { Context } from "../context.js";
import { following } from "../mapping/request/paging.js";
import type { ExpectedAttempt, JournalIntent } from "../ports/intent.js";
import type { SeenName } from "../ports/resolver.js";
import type { WireLimits, WireOutcome } from "../ports/wire.js";
import { type Ask, type Authorization, authorise, headerFor, renew } from "./auth.js";
import { classify, refusingStatuses } from "./classify.js";
import { maySend, requireConfirmed } from "./confirm/confirmed.js";
import { type Content, contentOf, isData, type Reply, replyOf } from "./content.js";
import { DryRun, plannedRequest } from "./dry-run.js";
import { changeFailure, type FailedCall, interruptedCall, readFailure, unread } from "./failure.js";
import type { Call, Exchanged } from "./job.js";
import { type Begun, beginPaymentRecord, beginRecord, endRecord, intentOf } from "./record.js";
import { hiding, outcomeLine, requestLine } from "./redact.js";
import { acceptedVersion, draftRequest, withKey } from "./request/request.js";
import { decideRetry } from "./retry.js";
import { noteServiceTime, skewOf, timeAt } from "./service-clock.js";
import { momentOf, tooOld } from "./shelf-life.js";

export type { Reply } from "./content.js";

/** Overridden duplicates or gates, and digests beside a KYB request, are for the journal. */
interface CallOptions extends Pick<JournalIntent, "despite" | "reviewed"> {
	/** No credential is sent: the anonymous form of an operation whose auth is optional. */
	anonymous?: boolean;
	/** A transfer's currency, if known; for the journal. */
	currency?: string;
	/** Of a page: where the one before it said that it begins. */
	after?: string;
	/** The attempt, settled as not created, that was looked for before this one. */
	expected?: ExpectedAttempt;
}

/** Milliseconds within which a connection must be established. */
const connectLimit = 10_000;
/** Most milliseconds for requesting the service's time. */
const longestAsk = 10_000;
/** Most times that a payment is recorded anew because it was recorded too long before. */
const mostRecords = 3;
/** Largest answer in bytes. */
const largestAnswer = 10 * 1024 * 1024;

/**
 * Calls an operation of the service: the only place where a request starts.
 * @throws PurserError by the table of kinds; DryRun for a change in a dry run
 */
export async function call<O extends AnyOperation>(
	context: Context,
	operation: O,
	input: Input<O>,
	options: CallOptions = {},
): Promise<Reply<O>> {
	const { profile, dryRun, timeout, debug } = await context.settings.read();
	const request = draftRequest(profile, operation, input as Input, context.system.version, options);
	const asked = { context, profile, operation, input: input as Input, request, timeout, debug };
	if (dryRun && operation.effect !== "read") throw new DryRun([await plannedRequest(asked, options.anonymous ?? false)]);
	const job: Call = { ...asked, confirmed: await requireConfirmed(context, profile, operation) };
	const session = await authorise(context, profile, operation, options.anonymous ?? false, renewalRequest(job));
	const answered = await (operation.effect === "read" ? read(job, session) : change(job, session, options));
	context.names.seen.note(profile, namesIn(operation, answered.data, input));
	return answered as Reply<O>;
}

async function read(job: Call, session: Authorization): Promise<Reply> {
	let sent = await exchange(job, session);
	const renewed = await afterRefusal(job, session, sent);
	if (renewed !== undefined) sent = await exchange(job, renewed);
	const { outcome, content } = sent;
	if (isSuccess(outcome) && content !== undefined && usable(job.operation, content, job.input))
		return { ...replyOf(job.operation, outcome, content), following: followingPage(job, outcome, content) };
	if (sent.interrupted !== undefined) throw sent.interrupted;
	if (job.context.signal.aborted && outcome.kind !== "answer") throw interruptedCall();
	throw readFailure(trouble(job, sent, session));
}

const isSuccess = (outcome: WireOutcome): outcome is WireOutcome & { kind: "answer" } =>
	outcome.kind === "answer" && outcome.status >= 200 && outcome.status < 300;

/** What follows the page that an answer has, where the profile says how lists are divided. */
function followingPage({ profile, operation, request }: Call, outcome: WireOutcome & { kind: "answer" }, content: Content) {
	const paging = "pageSize" in operation.query.shape ? profile.mapping?.paging : undefined;
	return paging && following(paging, content.received ?? content.data, outcome.headers, request.address, content.data);
}

/** Whether an answer is usable for a read: any content but JSON for a document, else a JSON record or, for pages, a list. */
function usable(operation: AnyOperation, content: Content, input: Input): boolean {
	if (operation.document && !isData(content)) return content.kind !== "empty";
	if (content.kind !== "json") return false;
	if (Array.isArray(content.data)) return "pageSize" in operation.query.shape;
	if (!isRecord(content.data) || (operation.auth !== "none" && Object.keys(content.data).length === 0)) return false;
	return "pageSize" in operation.query.shape || unread(operation, input, content.data) === undefined;
}

async function change(job: Call, given: Authorization, options: CallOptions): Promise<Reply> {
	let session = given;
	const learning = async (): Promise<void> => {
		session = await learnServiceTime(job, session);
	};
	const { context, profile, operation, input, request } = job;
	if (operation.effect === "money") context.ask.requirePayment();
	const confirmedBy = operation.effect === "write" ? await context.ask.require(acceptedVersion(input, request)) : undefined;
	const asked = intentOf(profile, operation, input, request, { ...options, confirmedBy });
	// A key is of one attempt, so the journal has to begin that one and no later one. All that may fail is read before it begins.
	const isKeyed = operation.effect === "money" && profile.mapping?.idempotency !== undefined;
	const installation = isKeyed ? await (await context.journal.of(profile)).installation() : undefined;
	const expected = options.expected ?? (isKeyed ? {} : undefined);
	const attempt = (expected?.attempt ?? 0) + 1;
	const stopping = (): void => context.report.warn("Stopping: waiting up to three seconds for the answer");
	const recordAndSend = async (): Promise<{ begun: Begun; sent: Exchanged }> => {
		const begun: Begun = await (operation.effect === "money"
			? beginPaymentRecord(context, profile, asked, { learning, expected })
			: { intent: await beginRecord(context, profile, asked) });
		const { intent, recorded } = begun;
		const of = asked.transfer && installation && { installation, intent, attempt, transfer: asked.transfer };
		const keyed = of ? withKey(request, profile, of) : request;
		context.signal.addEventListener("abort", stopping, { once: true });
		const sent = await exchange({ ...job, request: keyed, recorded }, session);
		context.signal.removeEventListener("abort", stopping);
		return { begun, sent };
	};
	let { begun, sent } = await recordAndSend();
	for (let tried = 1; isTooOld(sent) && tried < mostRecords && !context.signal.aborted; tried++) {
		await endRecord(context, profile, operation, begun, verdictOf(job, sent));
		({ begun, sent } = await recordAndSend());
	}
	const { intent } = begun;
	const again = operation.effect === "write" ? await afterRefusal(job, session, sent) : undefined;
	if (again !== undefined) sent = await exchange(job, again);
	const verdict = verdictOf(job, sent);
	// Of a link or a code: how long it is valid. A link that did not come is over at once.
	const data = sent.content?.data;
	const isMissing = operation.link !== undefined && textAt(data, ...operation.link) === undefined;
	const validUntil = operation.effect === "write" ? endOf(isMissing ? "PT0S" : textAt(data, "ttl"), context.clock.now()) : undefined;
	await endRecord(context, profile, operation, begun, verdict.state === "accepted" ? { ...verdict, validUntil } : verdict);
	if (verdict.state === "accepted" && sent.outcome.kind === "answer" && sent.content !== undefined) {
		const { id, waiting = false } = verdict;
		return { ...replyOf(operation, sent.outcome, sent.content), id, waiting, intent };
	}
	if (verdict.state === "accepted") throw new Error("accepted without an answer");
	if (verdict.state === "not-sent" && sent.interrupted !== undefined) throw sent.interrupted;
	if (verdict.state === "not-sent" && context.signal.aborted) throw interruptedCall();
	// A transfer is never sent twice, whatever refused it: after a 401 the token is renewed only for the next run.
	const renewed = again === undefined && (await afterRefusal(job, session, sent)) !== undefined;
	throw changeFailure({ ...trouble(job, sent, session), intent, renewed }, verdict);
}

/** Whether it did not leave, because it was recorded too long before. */
const isTooOld = ({ outcome }: Pick<Exchanged, "outcome">): boolean => outcome.kind === "not-sent" && outcome.tooOld === true;

/** Another session after a 401, if there is one. Never throws, because a begun change must still be recorded. */
export async function afterRefusal(job: Call, session: Authorization, sent: Exchanged): Promise<Authorization | undefined> {
	if (sent.outcome.kind !== "answer" || sent.outcome.status !== 401 || session.credential === undefined) return undefined;
	const held = await renew(job.context, job.profile, session.credential, renewalRequest(job));
	try {
		return held && { headers: headerFor(job.profile.auth, held.credential, held.from), ...held };
	} catch {
		return undefined;
	}
}

/** Makes the function that renews the token by a request without credential; it changes no data, so it is not recorded in the journal. */
export function renewalRequest(job: Call): Ask {
	return async (operation, input) => {
		const request = draftRequest(job.profile, operation, input, job.context.system.version);
		const { outcome, content } = await exchange({ ...job, operation, input, request }, { headers: {} });
		return isSuccess(outcome) ? content?.data : undefined;
	};
}

/**
 * Learns the service's time, if this run does not know it, from the date of any answer about the debited ledger.
 * @returns the session to continue with: a new one if the token was refused and could be renewed
 * @throws PurserError interrupted: nothing was sent
 */
export async function learnServiceTime(job: Call, session: Authorization): Promise<Authorization> {
	const { context, profile } = job;
	const ledgerId = textAt(job.input.body, "ledgerFromId");
	let renewed: Authorization | undefined;
	if (ledgerId !== undefined && skewOf(context, profile) === undefined) {
		const { getLedger } = await import("../api/operations/ledger.js");
		const input = { params: { ledgerId } };
		const request = draftRequest(profile, getLedger, input, context.system.version);
		const probe = { ...job, operation: getLedger, input, request, timeout: Math.min(job.timeout, longestAsk) };
		const sent = await once(probe, session);
		renewed = await afterRefusal(job, session, { ...sent, tried: 1 });
	}
	if (context.signal.aborted) throw interruptedCall();
	return renewed ?? session;
}

/**
 * Sends a request and retries it as {@link decideRetry} allows. Used by calls and for the rows of a batch; the caller must have recorded a
 * change.
 */
export async function exchange(job: Call, session: Authorization): Promise<Exchanged> {
	const { context, operation } = job;
	for (let tried = 1; ; tried++) {
		const { outcome, content, hide } = await once(job, session);
		const next = decideRetry(operation.effect, outcome, tried, context.random.fraction(), () => timeAt(job));
		if (!next.retry) return { outcome, content, hide, tried, wait: next.wait };
		if (context.signal.aborted) return { outcome, content, hide, tried };
		try {
			await context.clock.sleep(next.after);
		} catch (interrupted) {
			return { outcome, content, hide, tried, interrupted };
		}
	}
}

/** What an exchange says about a change. @param refusing the statuses that refuse, which a batch reads once and not for each row */
export function verdictOf(
	{ profile, operation, input, request }: Call,
	{ outcome, content }: Pick<Exchanged, "outcome" | "content">,
	refusing = refusingStatuses(profile.settings["refusing-statuses"]),
) {
	return classify({ operation, input, applied: request.applied }, outcome, content, refusing);
}

/** Sends a request once. The caller must have recorded a change. */
async function once(job: Call, session: Authorization): Promise<Omit<Exchanged, "tried">> {
	const { context, timeout, request } = job;
	const { method, url, body } = request;
	const headers = { ...request.headers, ...session.headers };
	const hide = hiding(job.profile.auth, headers, job.input.body);
	if (!maySend(job.operation, job.profile, job.confirmed))
		return { outcome: { kind: "not-sent", reason: "nobody has confirmed its request" }, hide };
	if (job.debug) context.report.debug(requestLine({ ...request, headers }, request.content));
	const { recorded } = job;
	if (job.operation.effect === "money" && recorded === undefined)
		return { outcome: { kind: "not-sent", reason: "it is not recorded" }, hide };
	const started = context.clock.monotonic();
	const limits: WireLimits = { connect: Math.min(connectLimit, timeout), total: timeout, bytes: largestAnswer, signal: context.signal };
	if (recorded) limits.tooOld = () => tooOld(recorded, momentOf(context.clock));
	// If the transport cannot be loaded, nothing was sent; if it throws, which it never should, the outcome is unknown.
	let outcome: WireOutcome = { kind: "not-sent", reason: "the transport could not be started" };
	try {
		const transport = await context.system.transport();
		outcome = { kind: "sent", reason: "the transport failed" };
		outcome = await transport.send({ method, url, headers, body }, limits);
	} catch (cause) {
		outcome = { ...outcome, cause } as WireOutcome;
	}
	const content =
		outcome.kind === "answer" ? contentOf(outcome.status, outcome.headers, outcome.body, { applied: request.applied, hide }) : undefined;
	noteServiceTime(job, started, outcome, content);
	if (job.debug) context.report.debug(outcomeLine(outcome, content?.data, context.clock.monotonic() - started, hide));
	return { outcome, content, hide };
}

function trouble(job: Call, sent: Exchanged, { from }: Authorization): FailedCall {
	const { operation, input, profile, request } = job;
	const { outcome, content, hide, tried, wait } = sent;
	return { operation, input, profile, from, origin: request.address.origin, outcome, content, hide, tried, wait };
}

/**
 * The names that an answer shows, with whose they are. Pure. Those of companies are kept on disk, so of payees only those count as such whose
 * type shows that they are no natural person: the specification does not list the types.
 */
export function namesIn(operation: AnyOperation, data: unknown, { params }: Pick<Input, "params"> = {}): SeenName[] {
	const [kind, verb] = operation.id.split(".");
	const read = named[kind as SeenName["kind"]];
	if (read === undefined || (verb !== "get" && verb !== "list")) return [];
	const records = Array.isArray(data) ? data : isRecord(data) ? (Array.isArray(data.content) ? data.content : [data]) : [];
	return records.filter(isRecord).flatMap((record): SeenName[] => {
		const { id, name, of, personal } = read(record, textAt(params, "corporateId"));
		if (id === undefined || name === undefined) return [];
		return [{ kind: kind as SeenName["kind"], id, name, ...(of !== undefined && { of }), ...(personal && { personal }) }];
	});
}

/** @param company the one whose related entities were listed */
const named: Readonly<Record<SeenName["kind"], (record: Received, company?: string) => Partial<Omit<SeenName, "kind">>>> = {
	ledger: (record) => ({
		id: textAt(record, "id", "ledgerId"),
		name: textAt(record, "friendlyName", "name"),
		of: textAt(record, "endUserId"),
	}),
	beneficiary: (record) => ({
		id: textAt(record, "id", "beneficiaryId"),
		name: textAt(record, "name"),
		of: textAt(record, "endUserId"),
		...(!/COMPANY|CORPORATE|BUSINESS|LEGAL/i.test(textAt(record, "type") ?? "") && { personal: true }),
	}),
	corporate: (record) => ({ id: textAt(record, "id", "corporateId"), name: textAt(record, "corporateName", "registeredName") }),
	related: (record, of) => {
		const person = [textAt(record, "firstName"), textAt(record, "lastName")].filter(Boolean).join(" ");
		const id = textAt(record, "id", "corporateRelatedId");
		if (person !== "") return { id, name: person, of, personal: true };
		return { id, name: textAt(record, "corporateName", "registeredName"), of };
	},
	transaction: (record) => {
		const [amount, to, from] = ["amount", "receiver.name", "sender.name"].map((path) => textAt(record, path));
		const parties = `${to === undefined ? "" : ` to ${to}`}${from === undefined || from === to ? "" : ` from ${from}`}`;
		const name = amount && `${inCurrency(amount, textAt(record, "currency"))}${parties}`;
		return { id: textAt(record, "id", "transactionId"), name, personal: true };
	},
};
