/**
 * Before a payment that was refused, not sent or settled as not created is sent again, both sides are read: an answer on a kept connection
 * may have been another request's, and what was not listed yesterday may be listed today.
 */
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { serviceInUse } from "../../api/service-address.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Reading } from "../../ports/service.js";
import { intentsText } from "../rules/intent-text.js";
import { journalHere } from "../rules/journal-here.js";
import { mayHaveArrived } from "./decide.js";
import { declaring, mostNamed, notThisFlag, transactionText, unreadable, withoutId } from "./person.js";
import { byLedger, lookFor } from "./settle.js";
import { isPayment, type Picture, type SentRecord, type Tools } from "./sides.js";

export async function toolsOf(context: Context, service: Reading, progress?: (label: string) => void): Promise<Tools> {
	const { profile, settleAfter } = await context.settings.read();
	return {
		journal: await journalHere(context, profile),
		service,
		place: await serviceInUse(context, profile),
		mapping: service.mappingOf(profile),
		now: () => context.clock.now(),
		settleAfter,
		dry: context.settings.flags.dryRun,
		progress,
	};
}

export interface Resent {
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
export async function checkBeforeResending(context: Context, service: Reading, records: readonly IntentRecord[], resent: Resent) {
	await context.report.during("Checking whether it is listed by now", async (progress) => {
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
			context.report.warn(`The service's list could not be checked wholly (${why}); ${are} sent again anyway`);
		}
	});
}

function refuseListed(picture: Picture, sought: readonly SentRecord[], { notThis, what }: Resent, settleAfter: number): void {
	const intents = new Set(sought.map(({ intent }) => intent));
	const decisions = declaring(picture, intents, notThis, settleAfter);
	const held = decisions.flatMap(({ findings }) =>
		findings.flatMap(({ payment, ...finding }) => {
			const may = finding.line === undefined ? finding.lines : [finding.line];
			const line = may.find(({ id }) => id !== undefined || !notThis.includes(withoutId));
			return line && intents.has(payment.intent) && mayHaveArrived(payment, decisions) ? [{ payment, line }] : [];
		}),
	);
	const [first] = held;
	if (first === undefined) return;
	const { payment, line } = first;
	const { intent, state } = payment;
	const was = { refused: "was refused", "not-sent": "was not sent" }[state as string] ?? "was settled as not created";
	const reopened = state === "refused" ? advice`${purser`pay settle ${intent} --reopen --reason TEXT`}, then ` : "";
	const settled = purser`pay settle ${intent} --transaction ${typed(line.id, "TRANSACTION")}`;
	const isIt = advice`If it is that payment, it was created: ${reopened}${line.id === undefined ? "do not send it again" : settled}`;
	const other =
		what === "payment"
			? `If it is another payment, name the intent and say why: --despite ${intent} --reason TEXT`
			: `If it is another payment, say so: ${notThisFlag(line)}`;
	throw new PurserError("guard", {
		code: "LISTED_NOW",
		message: `Intent ${intent} ${was}, but the service lists ${transactionText(line)}, which may be it; nothing was sent`,
		why: "It would be paid twice",
		fix: advice`${isIt}\n${other}`,
		details: held
			.slice(0, mostNamed)
			.map((one) => ({ field: "intent", message: `${one.payment.intent} may be ${transactionText(one.line)}` })),
		intent,
	});
}
