/**
 * Checks a company against every gate before its KYB is requested.
 */
import type { Received } from "../../api/answer.js";
import { requestKyb, viewCorporate } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { JournalIntent } from "../../ports/intent.js";
import type { Listed } from "../../ports/service.js";
import { recordedChanges } from "../checklist/journal.js";
import { ownershipOf } from "../ownership/ownership.js";
import { readOwnership, uboThreshold } from "../records/read-ownership.js";
import { ifOffered, listRelatedOf } from "../records/reading.js";
import { type ClosedGate, closedByOwnership, type GateWords, KybHeldBack, overriddenGates, stillClosed } from "./gates.js";
import { type Review, readReview } from "./review.js";

/** Statuses in which a KYB is requested, or requested again (specification 3); undefined: the service shows none. */
export const requestable: readonly (string | undefined)[] = [undefined, "NOT_STARTED", "COMPLETING", "NEED_ADDITIONAL_INFORMATION"];

/** Whether a KYB is requested already, by its status; then so were requests without an answer. One of an unknown status may not be. */
export async function isRequested(context: Context, corporateId: string, kybStatus: string | undefined): Promise<boolean> {
	if (kybStatus !== "PENDING_VERIFICATION" && kybStatus !== "VALIDATED") return false;
	const { profile } = await context.settings.read();
	const open = (await recordedChanges(context))(requestKyb.id, corporateId).filter(({ state }) => state === "in-doubt");
	const evidence = { source: "service", reason: `the KYB is ${kybStatus}` } as const;
	// Where another run settled it meanwhile, that stays.
	const unlessSettled = (error: unknown): void => {
		if (!(error instanceof PurserError) || error.kind !== "guard") throw error;
	};
	for (const { intent, attempt } of open)
		await (await context.journal.of(profile)).settle(intent, { state: "accepted", evidence }, attempt).catch(unlessSettled);
	return true;
}

const declaredUnchecked = "whether a director and every owner are declared was not checked";

/** The related entities to check; undefined, with a warning, where the deployment lists none. */
export const listDeclared = (context: Context, corporateId: string): Promise<Listed | undefined> =>
	ifOffered(context, declaredUnchecked, () => listRelatedOf(context.service, corporateId));

/** What was found about a company. */
interface KybCheck {
	id: string;
	name: string;
	/** Every closed gate but that of the review. */
	closed: ClosedGate[];
}

/** Checks what is declared. @param related the related entities; undefined where the deployment lists none */
export async function checkDeclared(context: Context, id: string, corporate: Received, related: Listed | undefined): Promise<KybCheck> {
	const { name = id } = viewCorporate(corporate);
	if (related === undefined) return { id, name, closed: [] };
	const { profile } = await context.settings.read();
	const { parties, holdings } = readOwnership({ id }, related.records);
	const { warnings } = ownershipOf({ id, name }, parties, holdings, uboThreshold(profile));
	if (!related.complete) context.report.warn(`The service did not list all related entities; ${declaredUnchecked}`);
	return { id, name, closed: closedByOwnership(warnings, related.complete) };
}

/** What is recorded with a request. */
export type PassedGates = Pick<JournalIntent, "despite" | "reviewed">;

/**
 * Checks every gate and passes those that the operator names.
 * @param ask asks a person whether the review was read; undefined where nobody can be asked here
 * @throws KybHeldBack, where a gate is closed
 */
export async function passGates(
	context: Context,
	{ id, name, closed: declared }: KybCheck,
	words: GateWords,
	ask: ((review: Review) => Promise<boolean>) | undefined,
): Promise<PassedGates> {
	const review = await readReview(context, id);
	const isSeen = review !== undefined && words.reviewed?.some((digest) => digest.toLowerCase() === review.sha256) === true;
	const message = words.reviewed?.length
		? "The due-diligence review is another one than the digest of --reviewed says; it may have changed"
		: "The due-diligence review was not read";
	const unseen: ClosedGate[] = review === undefined || isSeen ? [] : [{ gate: "review-not-seen", message }];
	const closed = [...declared, ...unseen];
	const left = stillClosed(closed, words);
	const isAsked = ask !== undefined && left.length === 1 && left[0]?.gate === "review-not-seen";
	if (left.length > 0 && !isAsked) throw new KybHeldBack({ id, name }, left, review, words, ask !== undefined);
	if (isAsked && !(await ask(review as Review)))
		throw new KybHeldBack({ id, name }, [{ gate: "review-not-seen", message: "You answered No" }], review, words, true, true);
	const overridden = isAsked ? declared : closed;
	return { despite: overriddenGates(overridden, words), reviewed: isSeen || isAsked ? review?.sha256 : undefined };
}
