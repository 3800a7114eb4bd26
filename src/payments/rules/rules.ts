/**
 * The rules that decide whether money may be sent. The journal applies them inside the transaction that records the attempt, so two
 * processes that send the same payment at the same time cannot both pass.
 */
import { advice, purser } from "../../api/advice.js";
import { amountFault } from "../../api/amount.js";
import { quantityOf } from "../../api/quantity.js";
import { guard, PurserError } from "../../errors.js";
import type { IntentState, JournalIntent } from "../../ports/intent.js";
import type { RuleFacts, Rules } from "../../ports/journal.js";
import type { Profile } from "../../ports/profiles.js";
import { isDaily, refuseWithoutApproval } from "./approval-needed.js";
import { clockTolerance, counts, next } from "./attempt.js";
import { capsOf, checkDayCap, checkTransferCap } from "./caps.js";
import { sum } from "./decimal.js";
import { alreadyPaid, earlierPayment, fingerprintOfIntent, isInDuplicateWindow } from "./duplicates.js";
import { guardsOf } from "./guards.js";

const dayLength = 86_400_000;
/** Days in which a duplicate payment is refused, unless the profile says otherwise. */
const defaultDuplicateDays = 7;
/** Milliseconds in which a duplicate creation is refused: somebody who checked just before could not have seen the first one. */
const creationWindow = 60_000;

/** The rules with a profile's settings: `cap-per-transfer`, `cap-per-day`, `duplicate-days`, `approval`. */
export function moneyRules(settings: Profile["settings"], confirmations?: Profile["confirmations"]): Rules {
	const caps = capsOf(settings);
	const days = duplicateDays(settings["duplicate-days"]);
	return {
		guards: guardsOf(settings, confirmations),
		fingerprint: fingerprintOfIntent,
		next,
		counts,
		duplicateWindowStart: (now) => new Date(now.getTime() - Math.max(days * dayLength, creationWindow)),
		check: (intent, known) => {
			if (intent.transfer) checkAmount(intent.transfer.amount);
			checkDuplicates(intent, known, intent.transfer ? days * dayLength : creationWindow);
			if (intent.transfer === undefined) return;
			checkClocks(settings, known, intent.sandbox);
			checkTransferCap(intent.transfer, caps);
			checkDayCap({ [intent.transfer.currency ?? ""]: intent.transfer.amount }, caps, known.spent);
			refuseWithoutApproval(intent.transfer, settings, intent.despite, known.spent);
		},
		checkClocks: (times, sandbox) => checkClocks(settings, times, sandbox),
		add: (one, other, sign) => sum(one, sign === 1 ? other : `-${other}`),
	};
}

/** A limit per day is of the service's day. Where this machine's clock says another one, one of both is wrong, and a day could be spent twice. */
function checkClocks(
	settings: Profile["settings"],
	{ now, service }: Pick<RuleFacts, "now" | "service">,
	sandbox: string | undefined,
): void {
	if (service === undefined || sandbox !== undefined || (capsOf(settings).day === undefined && !isDaily(settings))) return;
	const [own, theirs] = [now, service].map((one) => one.toISOString().slice(0, 10));
	if (own === theirs || Math.abs(service.getTime() - now.getTime()) <= clockTolerance) return;
	throw guard({
		code: "CLOCKS_DIFFER",
		message: `By this machine's clock it is ${own} (UTC) and by the service's ${theirs}, so it is not known which day's limit counts; nothing was sent`,
		fix: "Correct this machine's clock (network time), then run this again. If the service's is wrong, wait until it is right.",
	});
}

/** Days in which a duplicate payment is refused: the setting `duplicate-days`. */
export function duplicateDays(setting: string | undefined): number {
	return setting !== undefined && /^(0|[1-9]\d{0,2})(\.\d{1,3})?$/.test(setting) ? quantityOf(setting) : defaultDuplicateDays;
}

function checkAmount(amount: string): void {
	const fault = amountFault(amount);
	if (fault === undefined) return;
	throw new PurserError("validation", {
		code: "INVALID_INPUT",
		message: "The amount cannot be sent as it is; nothing was sent",
		fix: "Correct the amount and run the command again.",
		details: [{ field: "amount", message: fault }],
	});
}

/** States of a batch's rows that are still to be sent, for the first time or again. */
const unsentStates: ReadonlySet<IntentState> = new Set(["planned", "refused", "not-sent", "not-created"]);

/**
 * Refuses a duplicate of an intent that is being sent, is in doubt or was made recently, unless each of those is named with a reason.
 * @param within milliseconds in which a completed one counts as recent; older creations can be seen at the service
 */
function checkDuplicates(intent: JournalIntent, { duplicates, now, ...clocks }: RuleFacts, within: number): void {
	const overridden = new Set(intent.despite?.reason.trim() ? intent.despite.intents : []);
	const sending = duplicates.find(({ state }) => state === "sending");
	if (sending) throw alreadySending(sending.intent, intent);
	const unsent = duplicates.find(({ state, intent: number }) => unsentStates.has(state) && !overridden.has(number));
	if (unsent) throw plannedInBatch(unsent);
	const doubts = duplicates.filter(({ state, intent: number }) => state === "in-doubt" && !overridden.has(number));
	if (doubts.length > 0) throw openDoubt(doubts, intent);
	// The service's time is recorded for payments only.
	const times: Omit<RuleFacts, "duplicates" | "spent"> = intent.transfer ? { now, ...clocks } : { now };
	const recent = duplicates.filter(
		(one) => one.state !== "in-doubt" && !overridden.has(one.intent) && isInDuplicateWindow(one, times, within),
	);
	const [latest] = recent;
	if (latest === undefined) return;
	if (intent.transfer === undefined) throw justCreated(latest);
	throw paidBefore(recent, times.service === undefined && !recent.some((one) => isInDuplicateWindow(one, { now }, within)));
}

function alreadySending(number: string, { transfer }: JournalIntent): PurserError {
	return guard({
		code: "ALREADY_SENDING",
		message: `The same ${transfer ? "payment" : "creation"} is being sent right now by another purser (intent ${number}); nothing was sent`,
		fix: advice`Wait for it, then check: ${purser`history show ${number}`}`,
		intent: number,
	});
}

function plannedInBatch({ intent: number, batch }: RuleFacts["duplicates"][number]): PurserError {
	return guard({
		code: "PLANNED_IN_BATCH",
		message: `The same payment is in batch ${batch}, which is under way, and is still to be sent (intent ${number}); nothing was sent`,
		fix: advice`Let the batch send it: ${purser`pay batch resume ${batch}`}
If this is really another payment, name the earlier one and say why: --despite ${number} --reason TEXT`,
		intent: number,
	});
}

function openDoubt(doubts: RuleFacts["duplicates"], { transfer, operation }: JournalIntent): PurserError {
	const numbers = doubts.map(({ intent }) => intent);
	const [first = ""] = numbers;
	if (!transfer)
		return guard({
			code: "OPEN_DOUBT",
			message: `An earlier ${operation} with the same content is in doubt (intent ${numbers.join(", ")}), so this one was not sent`,
			why: "Sending it again could create a second one",
			fix: advice`Check whether the first was created (${purser`corporate list`}, ${purser`related list CORPORATE`}), then record it: ${purser`pay settle ${first} --created --id ID --reason TEXT`}, or --not-created --reason TEXT`,
			intent: first,
		});
	return guard({
		code: "OPEN_DOUBT",
		message: `The same payment (ledger, payee, amount and reference) is in doubt (intent ${numbers.join(", ")}); nothing was sent`,
		why: "The earlier payment may have been made: this could pay it twice",
		fix: advice`Settle it first: ${purser`pay settle ${first}`}\nIf this is really another payment, name the earlier one and say why: --despite ${numbers.join(",")} --reason TEXT`,
		intent: first,
	});
}

/** @param isUnchecked by this machine's clock they are long enough ago, but it is not known whether that clock is right */
function paidBefore(paid: RuleFacts["duplicates"], isUnchecked: boolean): PurserError {
	const { at, as } = alreadyPaid(paid.map(earlierPayment)) as { at: string; as: string };
	const numbers = paid.map(({ intent }) => intent).join(",");
	return guard({
		code: isUnchecked ? "CLOCK_UNCHECKED" : "DUPLICATE",
		message: `Already paid on ${at} as ${as}${isUnchecked ? ", and the service did not give its current time" : ""}; nothing was sent`,
		why: isUnchecked
			? "By this machine's clock that is long enough ago; if the clock is wrong, this would pay it a second time"
			: undefined,
		fix: `${isUnchecked ? "Run it again when the service answers. " : ""}If this is another payment, give it another reference, or name the earlier one and say why: --despite ${numbers} --reason TEXT`,
		intent: paid[0]?.intent,
	});
}

function justCreated({ intent, id }: RuleFacts["duplicates"][number]): PurserError {
	return guard({
		code: "CREATED_JUST_NOW",
		message: `The same creation was accepted less than a minute ago (intent ${intent}${id ? `, ${id}` : ""}); nothing was sent`,
		why: "Two runs at the same time must not create the same record twice",
		fix: advice`Check it: ${purser`history show ${intent}`}. If this is really another one, run it again in a minute.`,
		intent,
	});
}
