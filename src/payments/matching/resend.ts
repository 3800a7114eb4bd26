/**
 * Before a payment that was refused, not sent or settled as not created is sent again, both sides are read: an answer on a kept connection
 * may have been another request's, and what was not listed yesterday may be listed today.
 */
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { serviceInUse } from "../../api/operations/asked-of.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Reading } from "../../ports/service.js";
import { journalHere } from "../rules/journal-here.js";
import { type Finding, mayHaveArrived } from "./decide.js";
import type { Line } from "./fits.js";
import { declaring, mostNamed, notThisFlag, transactionText, unreadable, withoutId } from "./person.js";
import { byLedger, findingsOf, intentsText, lookFor } from "./settle.js";
import { isPayment, type Picture, type SentRecord, type Tools } from "./sides.js";

/** The dependencies of matching, taken from the run's context. */
export async function toolsOf(context: Context, service: Reading, progress?: (label: string) => void): Promise<Tools> {
	const { profile, settleAfter } = await context.settings();
	return {
		journal: await journalHere(context, profile),
		service,
		place: await serviceInUse(context, profile),
		now: () => context.clock.now(),
		settleAfter,
		dry: context.flags.dryRun,
		progress,
	};
}

/** What is sent again. */
export interface Resent {
	/** Transactions that a person declares to be other payments. */
	notThis: readonly string[];
	/** A single payment, or rows of a batch: decides what an error suggests. */
	what: "payment" | "rows";
	/** Nobody was asked: they are sent again only where the list could be read wholly. */
	mustRead?: boolean;
}

/**
 * Reads the list of each ledger whose payments are about to be sent again.
 * @throws PurserError guard, if one of them may be listed, or the list cannot be read now; auth (401) or interrupted
 */
export async function checkBeforeResending(
	context: Context,
	service: Reading,
	records: readonly IntentRecord[],
	resent: Resent,
): Promise<void> {
	await context.reporter.during("Checking whether it is listed by now", async (progress) => {
		const tools = await toolsOf(context, service, progress);
		for (const [ledgerId, sought] of byLedger(records.filter(isPayment))) {
			const picture = await lookFor(tools, ledgerId, sought);
			if (!("unread" in picture)) refuseListed(picture, sought, resent, tools.settleAfter);
			const [why, isMissing] = "unread" in picture ? [picture.unread, picture.isMissing] : [picture.lacks];
			if (why === undefined) continue;
			const intents = sought.map(({ intent }) => intent);
			const are = `${intentsText(intents, mostNamed)} ${sought.length === 1 ? "is" : "are"}`;
			// What never left this machine needs no list. Without any list, the answer or a person's word is all that there is.
			const isAnswered = sought.some(({ state }) => state !== "not-sent");
			if (resent.mustRead || (isAnswered && !isMissing)) {
				const message = `Before ${are} sent again, the service's list must be read wholly, and it cannot be now; nothing was sent`;
				throw unreadable(sought, message, why);
			}
			context.reporter.warn(`The service's list could not be checked wholly (${why}); ${are} sent again all the same`);
		}
	});
}

/** @throws PurserError guard, if one of the payments, or an earlier attempt of it, may be listed */
function refuseListed(picture: Picture, sought: readonly SentRecord[], { notThis, what }: Resent, settleAfter: number): void {
	const intents = new Set(sought.map(({ intent }) => intent));
	const decisions = declaring(picture, intents, notThis, settleAfter, picture.lacks === undefined);
	const findings = findingsOf({ decisions });
	const held = picture.payments.flatMap(({ intent, attempt }): Held[] => {
		const finding = intents.has(intent) ? findings.get(`${intent} ${attempt}`) : undefined;
		const line = finding?.line ?? finding?.lines[0];
		if (finding === undefined || line === undefined || !mayHaveArrived(finding.payment, decisions)) return [];
		return line.id === undefined && notThis.includes(withoutId) ? [] : [{ payment: finding.payment, line }];
	});
	if (held.length > 0) throw listedNow(held, what);
}

/** A payment that is not sent again, with the line that may be it. */
type Held = Extract<Finding, { line: Line }>;

function listedNow(held: readonly Held[], what: Resent["what"]): PurserError {
	const [{ payment, line }] = held as [Held];
	const { intent, state } = payment;
	const was = { refused: "was refused", "not-sent": "was not sent" }[state as string] ?? "was settled as not created";
	const reopened = state === "refused" ? advice`${purser`pay settle ${intent} --reopen --reason TEXT`}, then ` : "";
	const other =
		what === "payment"
			? `If it is another payment, name the intent and say why: --despite ${intent} --reason TEXT`
			: `If it is another payment, say so: ${notThisFlag(line)}`;
	return new PurserError("guard", {
		code: "LISTED_NOW",
		message: `Intent ${intent} ${was}, but the service lists ${transactionText(line)}, which no other payment explains and may be it; nothing was sent`,
		why: "It would be paid twice",
		fix: advice`If it is that payment, it was created: ${reopened}${line.id === undefined ? "do not send it again" : purser`pay settle ${intent} --transaction ${typed(line.id, "TRANSACTION")}`}\n${other}`,
		details: held
			.slice(0, mostNamed)
			.map((one) => ({ field: "intent", message: `${one.payment.intent} may be ${transactionText(one.line)}` })),
		intent,
	});
}
