/**
 * Checks a company against every gate before its KYB is requested.
 */
import { at, type Received, textAt } from "../../api/answer.js";
import { sha256 } from "../../api/digest.js";
import { formatJson } from "../../api/json.js";
import { createCorporate, requestKyb, updateCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { createRelated, viewRelated } from "../../api/operations/related.js";
import type { Context } from "../../context.js";
import type { JournalIntent } from "../../ports/intent.js";
import type { Listed } from "../../ports/service.js";
import { changedAfter, type RecordedChanges, recordedChanges } from "../checklist/journal.js";
import { ownershipOf } from "../ownership/ownership.js";
import { readOwnership, uboThreshold } from "../records/read-ownership.js";
import { ifOffered, listRelatedOf } from "../records/reading.js";
import { type ClosedGate, closedByOwnership, type GateWords, isReviewMissing, KybHeldBack, overriddenGates, stillClosed } from "./gates.js";
import { type Review, readReview } from "./review.js";

/** Statuses in which a KYB is requested, or requested again (specification 3); undefined: the service shows none. */
export const requestable: readonly (string | undefined)[] = [undefined, "NOT_STARTED", "COMPLETING", "NEED_ADDITIONAL_INFORMATION"];

const declaredUnchecked = "whether a director and every owner are declared was not checked";

/** The related entities to check; undefined, with a warning, where the deployment lists none. */
export const listDeclared = (context: Context, corporateId: string): Promise<Listed | undefined> =>
	ifOffered(context, declaredUnchecked, () => listRelatedOf(context.service, corporateId));

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
 * @param related the service's list of the related entities; undefined where it has none
 */
export async function checkDeclared(
	context: Context,
	corporateId: string,
	corporate: Received,
	related: Listed | undefined,
): Promise<KybCheck> {
	const { name = corporateId, kybStatus, kybReason } = viewCorporate(corporate);
	const check: KybCheck = { id: corporateId, name, closed: [] };
	if (related !== undefined) {
		const { profile } = await context.settings.read();
		const { parties, holdings } = readOwnership({ id: corporateId }, related.records);
		const { warnings } = ownershipOf({ id: corporateId, name }, parties, holdings, uboThreshold(profile));
		check.closed = closedByOwnership(warnings, related.complete);
		if (related.complete) check.declared = declaredDigest(corporate, related.records);
		else context.report.warn(`The service did not list all related entities; ${declaredUnchecked}`);
	}
	if (kybStatus !== "NEED_ADDITIONAL_INFORMATION") return check;
	const earlier = await recordedChanges(context);
	const [before] = earlier.changes(requestKyb.id, corporateId);
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
export interface PassedGates {
	despite?: JournalIntent["despite"];
	reviewed?: string;
	declared?: string;
}

/**
 * Checks every gate and passes those that the operator names.
 * @param ask asks a person whether the review was read; undefined where nobody can be asked here
 * @throws KybHeldBack, where a gate is closed
 */
export async function passGates(
	context: Context,
	check: KybCheck,
	words: GateWords,
	ask: ((review: Review) => Promise<boolean>) | undefined,
): Promise<PassedGates> {
	const { id, name, declared } = check;
	const review = await readReview(context, id);
	const isSeen = review !== undefined && words.reviewed?.some((digest) => digest.toLowerCase() === review.sha256) === true;
	const unseen: ClosedGate[] = review === undefined || isSeen ? [] : [{ gate: "review-not-seen", message: unseenText(words) }];
	const closed = [...check.closed, ...unseen];
	const left = stillClosed(closed, words);
	const onlyReview = left.length > 0 && isReviewMissing(left) && review !== undefined;
	const way = { words, asks: ask !== undefined };
	if (left.length > 0 && !onlyReview) throw new KybHeldBack({ id, name }, left, review, way);
	if (onlyReview && !(await ask?.(review))) {
		const why = ask === undefined ? left : [{ gate: "review-not-seen" as const, message: "You answered No" }];
		throw new KybHeldBack({ id, name }, why, review, way);
	}
	const overridden = onlyReview ? closed.filter(({ gate }) => gate !== "review-not-seen") : closed;
	const seen = isSeen || onlyReview ? review?.sha256 : undefined;
	return { despite: overriddenGates(overridden, words), reviewed: seen, declared };
}

const unseenText = ({ reviewed = [] }: GateWords): string =>
	reviewed.length === 0
		? "The due-diligence review was not read"
		: "The due-diligence review is another one than the digest of --reviewed says; it may have changed";
