/**
 * The rules that decide whether a batch may be sent now. The journal applies them inside the transaction that makes this process its
 * sender.
 */
import { advice, purser } from "../../../api/advice.js";
import { type Failure, PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, BatchRuleFacts } from "../../../ports/batches.js";
import { dayNeedsApproval } from "../../rules/approval-needed.js";
import { type Caps, capsOf, checkDayCap, checkTransferCap } from "../../rules/caps.js";
import { checkApproval } from "../approval/approval.js";
import { sumsByCurrency } from "../plan/check.js";

type Settings = Readonly<Record<string, string>>;

/** The share of a batch's rows in an earlier batch from which on that batch must be named to override it. */
export const nearlyAll = 0.5;

/** @throws PurserError guard */
export function permitBatch(plan: BatchPlan, known: BatchRuleFacts, caps: Caps, settings: Settings): void {
	permitUnchanged(plan, known);
	// The expiry is only checked at the beginning: a row proven not created would otherwise always be too old to send again.
	if (known.first && plan.expires <= known.now.toISOString()) throw expired(plan);
	if (known.first) checkApproval(plan, known.allowed.approvals ?? [], settings, known.now, known.spent);
	else permitUnapproved(known.asked, known.spent, settings, { batch: plan.batch, approved: known.approved });
	permitRepeated(plan, known);
	permitUnderWay(plan, known);
	permitDoubts(plan, known);
	permitDuplicates(plan, known);
	permitAmounts(plan, known, caps);
}

/**
 * Checks for obstacles that a Yes cannot override, before a person is asked.
 * @throws PurserError guard
 */
export function permitBeforeAsking(plan: BatchPlan, duplicates: BatchDuplicates): void {
	permitSame(plan, duplicates);
	permitUnderWay(plan, { duplicates });
	permitDoubts(plan, { duplicates });
	permitAlone(plan);
}

/** Checks the caps as if nothing else had been spent today. @throws PurserError guard */
function permitAlone(plan: BatchPlan): void {
	const asked = Object.fromEntries([...sumsByCurrency(plan)].map(([currency, amount]) => [currency === "?" ? "" : currency, amount]));
	permitAmounts(plan, { asked, spent: {} }, capsOf(plan.settings));
}

/** Why the profile's caps can never permit this plan, for people; undefined if they can. */
export function overCap(plan: BatchPlan): string | undefined {
	try {
		permitAlone(plan);
		return undefined;
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		return error.message.replace(/(;|, so) nothing was sent$/, "");
	}
}

/** Checks that the batch is still as it was shown or confirmed; another process may have sent rows since. */
function permitUnchanged({ batch }: BatchPlan, { first, allowed, rows }: BatchRuleFacts): void {
	if (!(allowed.unbegun && !first) && (allowed.rows === undefined || allowed.rows === rows)) return;
	throw guard({
		code: allowed.unbegun && !first ? "BATCH_BEGUN" : "BATCH_MOVED",
		message: `Batch ${batch} has changed since it was checked: another purser sent or settled rows of it; this one sent nothing`,
		fix: advice`Check its status: ${purser`pay batch status ${batch}`}\nResume it: ${purser`pay batch resume ${batch}`}`,
	});
}

function permitSame(plan: BatchPlan, { batches }: BatchDuplicates): void {
	const same = batches.find((one) => one.same);
	if (same)
		throw guard({
			code: "BATCH_REPEATED",
			message: `These rows are those of batch ${same.batch}, which was sent recently or is under way; nothing was sent`,
			why: `${same.rows} of ${plan.count} rows are the same; order, quoting and the file's name do not count`,
			fix: advice`Check its status: ${purser`pay batch status ${same.batch}`}\n${
				same.abandoned
					? advice`It was cancelled; plan the rows that were never sent: ${purser`pay batch report ${same.batch}`} writes unsent.csv`
					: advice`Resume it: ${purser`pay batch resume ${same.batch}`}`
			}`,
		});
}

function permitRepeated(plan: BatchPlan, { duplicates, allowed }: BatchRuleFacts): void {
	permitSame(plan, duplicates);
	const near = duplicates.batches.find(({ batch, rows }) => rows >= plan.count * nearlyAll && !allowed.batches.includes(batch));
	if (near)
		throw guard({
			code: "BATCH_ALIKE",
			message: `${near.rows} of ${plan.count} rows are also in batch ${near.batch}, which was sent recently or is under way; nothing was sent`,
			fix: advice`Compare them: ${purser`pay batch report ${near.batch}`}\nIf this is really another batch, plan it again and name that one: --despite-batches ${near.batch} --despite-duplicates ${duplicates.inside + duplicates.earlier} --reason TEXT`,
		});
}

/** Refuses duplicates of payments being sent by another process; they need no settling, only waiting. */
function permitUnderWay(plan: BatchPlan, { duplicates: { sending } }: Pick<BatchRuleFacts, "duplicates">): void {
	if (sending === undefined) return;
	const [first] = sending.intents;
	throw guard({
		code: "ALREADY_SENDING",
		message: `${sending.rows} of ${plan.count} rows ${sending.rows === 1 ? "is" : "are"} the same as a payment that is being sent right now by another purser (intent ${sending.intents.join(", ")}); nothing was sent`,
		why: "Sending the row would pay it twice",
		fix: advice`Wait for it, then check: ${purser`history show ${first}`}`,
		intent: first,
	});
}

function permitDoubts(plan: BatchPlan, { duplicates: { doubts } }: Pick<BatchRuleFacts, "duplicates">): void {
	if (doubts.rows === 0) return;
	const [first] = doubts.intents;
	throw guard({
		code: "OPEN_DOUBT",
		message: `${doubts.rows} of ${plan.count} rows look the same as a payment in doubt (intent ${doubts.intents.join(", ")}); nothing was sent`,
		why: "The earlier payment may have been made: sending the row could pay it twice",
		fix: advice`Settle it first: ${purser`pay settle ${first}`}`,
		intent: first,
	});
}

function permitDuplicates(plan: BatchPlan, { duplicates: { inside, earlier }, allowed }: BatchRuleFacts): void {
	const found = inside + earlier;
	if (found <= allowed.duplicates) return;
	throw guard({
		code: "DUPLICATE",
		message: `Of ${plan.count} ${plan.count === 1 ? "row" : "rows"}, ${inside} ${inside === 1 ? "is" : "are"} the same as another row of the file and ${earlier} like a payment made recently or under way${
			allowed.duplicates > 0 ? `, in total more than the ${allowed.duplicates} that were allowed` : ""
		}; nothing was sent`,
		fix: `Give them different references, or plan the file again and confirm that they are intended: --despite-duplicates ${found} --reason TEXT`,
	});
}

function permitAmounts(plan: BatchPlan, { asked, spent }: Pick<BatchRuleFacts, "asked" | "spent">, caps: Caps): void {
	for (const largest of plan.largest) checkTransferCap(largest, caps, "batch");
	checkDayCap(asked, caps, spent, "batch");
}

/** @throws PurserError guard, if sums by currency exceed the cap per day, or need an approval per day that the batch does not have */
export function permitDay(
	asked: BatchRuleFacts["asked"],
	spent: BatchRuleFacts["spent"],
	caps: Caps,
	settings: Settings,
	of: { batch: string; approved: boolean },
): void {
	checkDayCap(asked, caps, spent, "batch");
	permitUnapproved(asked, spent, settings, of);
}

/** A batch begun without an approval may only be resumed within the limit per day: the day or today's other payments may have changed. */
function permitUnapproved(
	asked: BatchRuleFacts["asked"],
	spent: BatchRuleFacts["spent"],
	settings: Settings,
	{ batch, approved }: { batch: string; approved: boolean },
): void {
	if (approved || !dayNeedsApproval(asked, settings, spent)) return;
	throw guard({
		code: "APPROVAL_NEEDED",
		message: `With the rest of batch ${batch}, today's payments (UTC) need the approval of a second person (setting approval: ${settings.approval}), and batch ${batch} was started without one; these rows were not sent`,
		fix: advice`Resume it on a day with fewer payments: ${purser`pay batch resume ${batch}`}\nOr cancel what was never sent (${purser`pay batch abandon ${batch} --reason TEXT`}), write it to unsent.csv (${purser`pay batch report ${batch}`}), plan that file and have it approved: ${purser`pay batch plan FILE`}`,
	});
}

function expired({ batch, expires }: BatchPlan): PurserError {
	return guard({
		code: "PLAN_EXPIRED",
		message: `The plan of batch ${batch} expired at ${expires}; nothing was sent`,
		why: "Balances, doubts and limits may have changed since it was planned",
		fix: advice`Plan the file again: ${purser`pay batch plan FILE`}`,
	});
}

function guard(failure: Failure): PurserError {
	return new PurserError("guard", failure);
}
