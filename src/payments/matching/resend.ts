/**
 * Before a payment that was refused, not sent or settled as not created is sent again, both sides are read: an answer on a kept connection
 * may have been another request's, and what was not listed yesterday may be listed today.
 */
import { advice, purser } from "../../api/advice.js";
import { plainlyTyped, typed } from "../../api/answer.js";
import { serviceInUse } from "../../api/operations/asked-of.js";
import { plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Reading } from "../../ports/service.js";
import { groupBy } from "../rules/group-by.js";
import { journalHere } from "../rules/journal-here.js";
import { decide, groupsOf, mayHaveArrived } from "./decide.js";
import type { Line, Payment } from "./fits.js";
import { wrongServiceReason } from "./list/ledger-list.js";
import { transactionText, withoutId } from "./person.js";
import { findingsOf } from "./settle.js";
import { bothSides, isPayment, type Picture, periodStart, type SentRecord, type Tools } from "./sides.js";

/** Most intents and transactions that an error names. */
const mostNamed = 20;

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
		for (const [ledgerId, sought] of groupBy(records.filter(isPayment), ({ transfer }) => plainId(transfer.ledgerFromId))) {
			const elsewhere = wrongServiceReason(sought[0] as SentRecord, tools.place);
			const picture =
				elsewhere === undefined
					? await bothSides(tools, { ledgerId, from: periodStart(sought, tools.settleAfter), sought })
					: { unread: elsewhere, code: "LOOKED_ELSEWHERE", isMissing: true };
			const isMissing = "unread" in picture && picture.isMissing === true;
			if (!("unread" in picture)) refuseListed(picture, sought, resent, tools.settleAfter);
			const why = "unread" in picture ? picture.unread : picture.lacks;
			if (why === undefined) continue;
			// What never left this machine needs no list. Without any list, the answer or a person's word is all that there is.
			const isAnswered = sought.some(({ state }) => state !== "not-sent");
			if (resent.mustRead || (isAnswered && !isMissing)) throw notReadable(sought, why);
			context.reporter.warn(`The service's list could not be checked wholly (${why}); ${intentsText(sought)} sent again all the same`);
		}
	});
}

/** @throws PurserError guard, if one of the payments, or an earlier attempt of it, may be listed */
function refuseListed({ payments, lines, ...picture }: Picture, sought: readonly SentRecord[], resent: Resent, settleAfter: number): void {
	const intents = new Set(sought.map(({ intent }) => intent));
	const isSought = ({ intent }: Payment): boolean => intents.has(intent);
	const named = resent.notThis.map((id) => plainId(id));
	const declared = payments.map((one) => (isSought(one) ? { ...one, notThis: [...(one.notThis ?? []), ...named] } : one));
	const decisions =
		named.length === 0
			? picture.decisions
			: groupsOf(declared, lines, settleAfter).map((group) => decide(group, picture.lacks === undefined));
	const findings = findingsOf({ decisions });
	const held: { payment: Payment; line: Line }[] = [];
	for (const payment of (named.length === 0 ? payments : declared).filter(isSought)) {
		if (!mayHaveArrived(payment, decisions)) continue;
		const finding = findings.get(`${payment.intent} ${payment.attempt}`);
		const line = finding?.line ?? finding?.lines[0];
		if (line !== undefined && !(line.id === undefined && resent.notThis.includes(withoutId))) held.push({ payment, line });
	}
	if (held.length > 0) throw listedNow(held, resent.what);
}

/** `intent 17 is`, `intents 17, 18 are`. */
function intentsText(records: readonly IntentRecord[]): string {
	const numbers = records.slice(0, mostNamed).map(({ intent }) => intent);
	const more = records.length > numbers.length ? ` and ${records.length - numbers.length} more` : "";
	return records.length === 1 ? `intent ${numbers[0]} is` : `intents ${numbers.join(", ")}${more} are`;
}

function listedNow(held: readonly { payment: Payment; line: Line }[], what: Resent["what"]): PurserError {
	const [{ payment, line }] = held as [{ payment: Payment; line: Line }];
	const { intent, state } = payment;
	const was = { refused: "was refused", "not-sent": "was not sent" }[state as string] ?? "was settled as not created";
	const reopened = state === "refused" ? advice`${purser`pay settle ${intent} --reopen --reason TEXT`}, then ` : "";
	const other =
		what === "payment"
			? `If it is another payment, name the intent and say why: --despite ${intent} --reason TEXT`
			: `If it is another payment, say so: --not-this ${line.id === undefined ? withoutId : plainlyTyped(line.id, "TRANSACTION")}`;
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

function notReadable(records: readonly SentRecord[], why: string): PurserError {
	return new PurserError("guard", {
		code: "NOT_LOOKED_AT",
		message: `Before ${intentsText(records)} sent again, the service's list must be read wholly, and it cannot be now; nothing was sent`,
		why,
		fix: "Run it again when the list can be read.",
		intent: records[0]?.intent,
	});
}
