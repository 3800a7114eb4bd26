/**
 * Checks a company against every gate before its KYB is requested, and what the KYB still needs after that.
 */
import { purser } from "../../api/advice.js";
import { at, type Received, textAt, typed } from "../../api/answer.js";
import { sha256 } from "../../api/digest.js";
import { formatJson } from "../../api/json.js";
import { createCorporate, requestKyb, updateCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { createRelated, viewRelated } from "../../api/operations/related.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import type { JournalIntent } from "../../ports/intent.js";
import type { Service } from "../../ports/service.js";
import { changedAfter, type RecordedChanges, recordedChanges } from "../checklist/journal.js";
import { kycPlan, type PlannedKyc } from "../kyc/plan.js";
import { type Holding, ownershipOf } from "../ownership/ownership.js";
import { readOwnership, uboThreshold } from "../records/read-ownership.js";
import { ifOffered, listRelatedOf } from "../records/reading.js";
import { statusWords } from "../records/status-words.js";
import { type ClosedGate, closedByOwnership, type GateWords, isReviewMissing, KybHeldBack, overriddenGates, stillClosed } from "./gates.js";
import { type Review, readReview } from "./review.js";

/** Statuses in which a KYB is requested, or requested again (specification 3); undefined: the service shows none. */
export const requestable: readonly (string | undefined)[] = [undefined, "NOT_STARTED", "COMPLETING", "NEED_ADDITIONAL_INFORMATION"];

/** The related entities of a company, and whether they are all. */
export interface KnownRelated {
	records: readonly Received[];
	complete: boolean;
	/** Holdings that the records do not show, of a case. */
	holdings?: readonly Holding[];
}

/** What was found about a company. */
export interface KybCheck {
	id: string;
	name: string;
	/** Every closed gate but that of the review. */
	closed: ClosedGate[];
	/** Of what is declared, hex; undefined where not everything is known. */
	declared?: string;
}

/**
 * Checks what is declared. What a deployment does not offer is told and not checked.
 * @param read reads the related entities; by default the service's list
 */
export async function checkDeclared(
	context: Context,
	service: Service,
	corporateId: string,
	corporate: Received,
	read: () => Promise<KnownRelated> = () => listRelatedOf(service, corporateId),
): Promise<KybCheck> {
	const { name = corporateId, kybStatus, kybReason } = viewCorporate(corporate);
	const check: KybCheck = { id: corporateId, name, closed: [] };
	const related = await ifOffered(context, "whether a director and every owner are declared was not checked", read);
	if (related !== undefined) {
		const { profile } = await context.settings.read();
		const { parties, holdings } = readOwnership({ id: corporateId, name }, related.records, related.holdings);
		const { warnings } = ownershipOf({ id: corporateId, name }, parties, holdings, uboThreshold(profile));
		check.closed = closedByOwnership(warnings, related.complete);
		if (related.complete) check.declared = declaredDigest(corporate, related.records);
		else
			context.report.warn("The service did not list all related entities; whether a director and every owner are declared was not checked");
	}
	if (kybStatus !== "NEED_ADDITIONAL_INFORMATION") return check;
	const earlier = await recordedChanges(context);
	const before = earlier.byId(requestKyb.id, corporateId);
	if (before === undefined) {
		context.report.warn("The KYB was not requested from here before; whether anything has changed since was not checked");
		return check;
	}
	const sameDigest = before.declared === undefined || check.declared === undefined || before.declared === check.declared;
	if (sameDigest && !changedSince(earlier, corporateId, related?.records ?? [], before.intent))
		check.closed.push({
			gate: "unchanged-after-request",
			message: `Compliance asked for more information${kybReason === undefined ? "" : `: ${kybReason}`}. Nothing has changed since the KYB was requested`,
		});
	return check;
}

/** Whether the journal has a change of the company, or of somebody related to it, after an earlier request. */
function changedSince(earlier: RecordedChanges, corporateId: string, related: readonly Received[], intent: string): boolean {
	const own = [updateCorporate.id, createRelated.id].flatMap((operation) => earlier.changes(operation, corporateId));
	if (own.some((change) => Number(change.intent) > Number(intent))) return true;
	return related.some((record) => changedAfter(earlier, viewRelated(record).id ?? "", intent));
}

const corporateFields = Object.keys(createCorporate.body.shape);
const relatedFields = [...Object.keys(createRelated.body.shape), "registeredName", "emailAddress", "shares"];

/** A digest of what is declared about a company, without what the service itself determines, such as statuses. */
function declaredDigest(corporate: Received, related: readonly Received[]): string {
	const pick = (record: Received, names: readonly string[]) => names.map((name) => at(record, name) ?? null);
	const entities = related.map((record) => [
		textAt(record, "id") ?? "",
		at(record, "email.address") ?? null,
		...pick(record, relatedFields),
	]);
	entities.sort(([one], [other]) => (String(one) < String(other) ? -1 : 1));
	return sha256(new TextEncoder().encode(formatJson([pick(corporate, [...corporateFields, "registeredName"]), entities])));
}

/** What is recorded with a request. */
export interface KybLeave {
	despite?: JournalIntent["despite"];
	reviewed?: string;
	declared?: string;
}

/**
 * Checks every gate and passes those that the operator names.
 * @param ask asks a person whether the review was read; undefined where nobody can be asked here
 * @param again whether the command that was run is the one to run again; else `kyb request`
 * @throws KybHeldBack, where a gate is closed
 */
export async function passGates(
	context: Context,
	service: Service,
	check: KybCheck,
	words: GateWords,
	{ ask, again = false }: { ask?: (review: Review) => Promise<boolean>; again?: boolean } = {},
): Promise<KybLeave> {
	const { id, name, declared } = check;
	const review = await readReview(context, service, id);
	const isSeen = review !== undefined && words.reviewed?.some((digest) => digest.toLowerCase() === review.sha256) === true;
	const unseen: ClosedGate[] = review === undefined || isSeen ? [] : [{ gate: "review-not-seen", message: unseenText(words) }];
	const closed = [...check.closed, ...unseen];
	const left = stillClosed(closed, words);
	const onlyReview = left.length > 0 && isReviewMissing(left) && review !== undefined;
	if (left.length > 0 && !(onlyReview && (await ask?.(review))))
		throw new KybHeldBack({ id, name }, left, review, onlyReview, again, words);
	const overridden = onlyReview ? closed.filter(({ gate }) => gate !== "review-not-seen") : closed;
	const seen = isSeen || onlyReview ? review?.sha256 : undefined;
	return { despite: overriddenGates(overridden, words), reviewed: seen, declared };
}

const unseenText = ({ reviewed = [] }: GateWords): string =>
	reviewed.length === 0
		? "The due-diligence review was not read"
		: "The due-diligence review is another one than the digest of --reviewed says; it may have changed";

/** What a KYB still needs to become VALIDATED, as far as the records show. */
export interface Precondition {
	/** What it concerns: the terms, a person's KYC, or the request itself. */
	what: "terms" | "kyc" | "information" | "request";
	/** The related entity, where it is about one. */
	relatedId?: string;
	message: string;
	/** The command that settles it. */
	command: Advice;
}

/**
 * The open preconditions of a company's KYB, in the order in which they are best settled.
 * Specification 3 (rule 2: terms before any financial service; rule 1: VALIDATED needs every requested KYC) and 4 (rule 5: KYC for all UBOs and directors).
 * @param related its related entities; undefined where the deployment does not list them
 * @param threshold percentage from which a person counts as a beneficial owner, see `uboThreshold`
 */
export function openPreconditions(
	corporateId: string,
	corporate: Received,
	related: readonly Received[] | undefined,
	threshold: string,
): Precondition[] {
	const { termsAccepted, kybStatus, kybReason, name } = viewCorporate(corporate);
	if (kybStatus === "DECLINED" || (kybStatus === "VALIDATED" && termsAccepted !== false)) return [];
	const id = typed(corporateId, "CORPORATE");
	const found: Precondition[] = [];
	if (termsAccepted === false)
		found.push({ what: "terms", message: "The latest terms are not accepted", command: purser`terms accept ${id}` });
	if (kybStatus === "VALIDATED") return found;
	if (kybStatus === "NEED_ADDITIONAL_INFORMATION")
		found.push({
			what: "information",
			message: kybReason ? `The compliance team asks for more: ${kybReason}` : "The compliance team asks for more",
			command: purser`corporate update ${id} --set FIELD=VALUE`,
		});
	const { people } = kycPlan({ id: corporateId, name: name ?? corporateId }, related ?? [], threshold);
	for (const person of people) if (person.need !== "none" && person.state !== "done") found.push(kycPrecondition(person));
	if (kybStatus === "NOT_STARTED" || kybStatus === "COMPLETING" || kybStatus === "NEED_ADDITIONAL_INFORMATION")
		found.push({
			what: "request",
			message: kybStatus === "NEED_ADDITIONAL_INFORMATION" ? "The KYB must be requested again" : "KYB not requested yet",
			// The review comes first (specification 1, step 5), and leads to the request.
			command: purser`corporate review ${id}`,
		});
	return found;
}

function kycPrecondition({ relatedId, name, kycStatus, kycReason, command }: PlannedKyc): Precondition {
	const asked = kycStatus !== undefined && kycStatus !== "NOT_STARTED";
	const why = kycReason ? ` (${kycReason})` : "";
	const id = typed(relatedId, "RELATED");
	return {
		what: "kyc",
		relatedId,
		message: `KYC of ${name} is ${asked ? statusWords(kycStatus) : "not started"}${why}`,
		command: command ?? purser`kyc status ${id} --wait`,
	};
}
