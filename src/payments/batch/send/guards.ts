/**
 * The guards that decide whether a batch may be sent now: one list, asked before the question and applied once more by the journal, inside the
 * transaction that makes this process its sender. A module that a single payment does not load.
 */
import { advice, purser, withoutClaim } from "../../../api/advice.js";
import { serviceAddress } from "../../../api/service-address.js";
import type { Context } from "../../../context.js";
import { type Advice, guard, PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchDuplicates, BatchOverrides, BatchRuleFacts, BatchRules } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import { dayNeedsApproval } from "../../rules/approval-needed.js";
import { type Caps, capsOf, checkDayCap, checkTransferCap } from "../../rules/caps.js";
import { counted } from "../../rules/refusal-text.js";
import { moneyRules } from "../../rules/rules.js";
import { checkApproval, requireUnexpired } from "../approval/approval.js";
import { sumsByCurrency } from "../plan/check.js";

type Settings = Readonly<Record<string, string>>;

interface Facts extends BatchRuleFacts {
	settings: Settings;
	caps: Caps;
}

interface Guard {
	name: string;
	/** `always`: it does not wait for the journal's transaction, so that nobody is asked in vain. A Yes overrides none. */
	when: "always" | "transaction";
	check(plan: BatchPlan, known: Facts): void;
}

const guards: readonly Guard[] = [
	{ name: "changed since it was shown", when: "transaction", check: checkUnchanged },
	// At the beginning only: a row proven not created would otherwise always be too old to send again.
	{ name: "expired", when: "transaction", check: (plan, { first, now }) => first && requireUnexpired(plan, now) },
	{ name: "approval", when: "transaction", check: checkApproved },
	{ name: "the same batch", when: "always", check: checkNotSame },
	{ name: "open doubt", when: "always", check: checkNoDoubts },
	{ name: "duplicates", when: "always", check: checkDuplicates },
	{ name: "cap per transfer", when: "always", check: checkLargest },
	{ name: "cap per day", when: "always", check: (_, { asked, caps, spent }) => checkDayCap(asked, caps, spent, "batch") },
];

/** The rules with a profile's settings: `cap-per-transfer`, `cap-per-day`, `duplicate-days`, `approval`, `approvers`. */
export function batchRules(settings: Settings, confirmations?: Parameters<typeof moneyRules>[1]): BatchRules {
	const caps = capsOf(settings);
	return {
		...moneyRules(settings, confirmations),
		checkBatch: (plan, known) => {
			for (const { check } of guards) check(plan, { ...known, settings, caps });
		},
		checkDay: (asked, spent, of) => {
			checkDayCap(asked, caps, spent, "batch");
			checkDayApproved(asked, spent, settings, of);
		},
	};
}

/** What is known of a plan before anything is asked of the journal's transaction: as if nothing else had been spent today. */
function factsBefore(plan: BatchPlan, duplicates: BatchDuplicates, first: boolean): Facts {
	const asked = Object.fromEntries([...sumsByCurrency(plan)].map(([currency, amount]) => [currency === "?" ? "" : currency, amount]));
	const { settings } = plan;
	const allowed = overridesOf(plan, first);
	return { first, approved: false, duplicates, allowed, asked, spent: {}, now: new Date(0), settings, caps: capsOf(settings) };
}

/** Why this plan cannot be sent as it is, whoever confirms it; undefined if it can. @param first the batch begins */
export function refusalOf(plan: BatchPlan, duplicates: BatchDuplicates, first = true): PurserError | undefined {
	try {
		const known = factsBefore(plan, duplicates, first);
		for (const { when, check } of guards) if (when === "always") check(plan, known);
		return undefined;
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		return error;
	}
}

/** Why the profile's caps can never let this plan pass, for people; undefined if they can. */
export function overCap(plan: BatchPlan): string | undefined {
	const refusal = refusalOf(plan, { inside: 0, earlier: 0, doubts: { rows: 0, intents: [] }, batches: [] });
	return refusal && withoutClaim(refusal.message);
}

/** Finds the duplicates that a person is shown. @throws PurserError guard, where the batch cannot be sent */
export async function findShownDuplicates(
	context: Context,
	plan: BatchPlan,
	takes: readonly IntentState[],
	first: boolean,
): Promise<BatchDuplicates> {
	const { profile } = await context.settings.read();
	const skew = context.clock.service.skew(serviceAddress(profile.baseUrl));
	const found = await (await context.journal.batches(profile)).duplicates(plan.batch, plan.digest, takes, skew);
	const refusal = refusalOf(plan, found, first);
	if (refusal !== undefined) throw refusal;
	return found;
}

/**
 * The guards that the plan's word lifts. A Yes at the terminal lifts none: which rows were paid before is easily read past, and its reason is not on record.
 * @param isFirst the batch begins; where it goes on, the plan's word is of what was there when it was planned, and counts for no payment since
 * @param rows how many a person was shown: a Yes confirms only these, not what another process has done since
 */
export function overridesOf({ despite }: BatchPlan, isFirst: boolean, rows?: number): BatchOverrides {
	return { ...(isFirst && { unbegun: true }), duplicates: isFirst ? (despite?.duplicates ?? 0) : 0, rows };
}

/** Checks that the batch is still as it was shown or confirmed; another process may have sent rows since. */
function checkUnchanged({ batch }: BatchPlan, { first, allowed, rows }: Facts): void {
	if (!(allowed.unbegun && !first) && (allowed.rows === undefined || allowed.rows === rows)) return;
	throw guard({
		code: allowed.unbegun && !first ? "BATCH_BEGUN" : "BATCH_MOVED",
		message: `Batch ${batch} has changed since it was checked: another purser sent or settled rows of it; this one sent nothing`,
		fix: advice`Check its status: ${purser`pay batch status ${batch}`}\nResume it: ${purser`pay batch resume ${batch}`}`,
	});
}

function checkApproved(plan: BatchPlan, { first, approved, allowed, asked, spent, settings, now }: Facts): void {
	if (first) checkApproval(plan, allowed.approvals ?? [], settings, now, spent);
	else checkDayApproved(asked, spent, settings, { batch: plan.batch, approved });
}

/** A batch begun without an approval may only be resumed within the limit per day: the day or today's other payments may have changed. */
function checkDayApproved(
	asked: BatchRuleFacts["asked"],
	spent: BatchRuleFacts["spent"],
	settings: Settings,
	{ batch, approved }: { batch: string; approved: boolean },
): void {
	if (approved || !dayNeedsApproval(asked, settings, spent)) return;
	throw guard({
		code: "APPROVAL_NEEDED",
		message: `With the rest of batch ${batch}, today's payments (UTC) need the approval of a second person (setting approval: ${settings.approval}), and batch ${batch} was started without one; these rows were not sent`,
		fix: advice`Resume it on a day with fewer payments: ${purser`pay batch resume ${batch}`}\nOr ${planTheRest({ batch })} and have it approved`,
	});
}

/** A batch that was begun cannot be planned again. */
const planTheRest = ({ batch }: Pick<BatchPlan, "batch">): Advice =>
	advice`cancel what was never sent (${purser`pay batch abandon ${batch} --reason TEXT`}), write it to unsent.csv (${purser`pay batch report ${batch}`}), plan that file (${purser`pay batch plan FILE`})`;

function checkNotSame(plan: BatchPlan, { duplicates: { batches } }: Facts): void {
	const same = batches.find((one) => one.same);
	if (same)
		throw guard({
			code: "BATCH_REPEATED",
			message: `These rows are those of batch ${same.batch}, which was sent recently or is under way; nothing was sent`,
			why: `${same.rows} of ${plan.count} rows are the same; order, quoting and the file's name do not count`,
			fix: same.abandoned
				? advice`It was cancelled; plan the rows that were never sent: ${purser`pay batch report ${same.batch}`} writes unsent.csv`
				: advice`Check its status: ${purser`pay batch status ${same.batch}`}`,
		});
}

function checkNoDoubts(plan: BatchPlan, { duplicates: { doubts } }: Facts): void {
	if (doubts.rows === 0) return;
	const [first] = doubts.intents;
	throw guard({
		code: "OPEN_DOUBT",
		message: `${doubts.rows} of ${plan.count} rows look the same as a payment that is in doubt or being sent (intent ${doubts.intents.join(", ")}); nothing was sent`,
		why: "The earlier payment may have been made: sending the row could pay it twice",
		fix: advice`Settle it first: ${purser`pay settle ${first}`}`,
		intent: first,
	});
}

function checkDuplicates(plan: BatchPlan, { first, duplicates: { inside, earlier, batches }, allowed }: Facts): void {
	const found = inside + earlier;
	if (found <= allowed.duplicates) return;
	throw guard({
		code: "DUPLICATE",
		message: `Of ${counted(plan.count, "row")}, ${inside} ${inside === 1 ? "is" : "are"} the same as another row of the file and ${earlier} like a payment made recently or under way${
			allowed.duplicates > 0 ? `, in total more than the ${allowed.duplicates} that were allowed` : ""
		}; nothing was sent`,
		why: batches.length === 0 ? undefined : `Rows of batch ${batches.map(({ batch }) => batch).join(", ")} are the same`,
		fix: first
			? advice`Give them different references, or plan the file again and confirm that they are intended: ${purser`pay batch plan FILE --despite-duplicates ${found} --reason TEXT`}`
			: advice`Send the rest as another batch: ${planTheRest(plan)}, without these rows or with --despite-duplicates ${found} --reason TEXT`,
	});
}

function checkLargest({ largest }: BatchPlan, { caps }: Facts): void {
	for (const one of largest) checkTransferCap(one, caps, "batch");
}
