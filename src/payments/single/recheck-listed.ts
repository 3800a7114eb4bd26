/**
 * Holds back a payment that was settled as not created but may be listed by now, before it is sent again.
 */
import { advice } from "../../api/advice.js";
import { plainlyTyped } from "../../api/answer.js";
import { serviceInUse } from "../../api/operations/asked-of.js";
import { plainId } from "../../api/text/ids.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Reading } from "../../ports/service.js";
import { journalHere } from "../rules/journal-here.js";
import {
	groupByLedger,
	type LookResult,
	type LookTools,
	lookAtLedger,
	type Suspect,
	settleCommand,
	transactionText,
	withoutId,
} from "../settlement/look-again.js";
import type { Open } from "../settlement/matching/doubts.js";

/** Most intents and transactions that an error names. */
const maxNamed = 20;

/** The dependencies of a look, taken from the run's context. */
export async function lookTools(context: Context, service: Reading, progress?: (label: string) => void): Promise<LookTools> {
	const { profile, settleAfter } = await context.settings();
	const [journal, place] = [await journalHere(context, profile), await serviceInUse(context, profile)];
	return { journal, service, place, now: () => context.clock.now(), settleAfter, progress };
}

/** What is sent again: a single payment, or rows of a batch. */
type Road = "one" | "rows";

/**
 * Reads the list of each ledger whose payments were settled as not created and are about to be sent again.
 * @param records the payments; `named`: plain ids of transactions that a person declares to be different payments; `road`: what
 *   is
 *   sent, which decides the fix that an error suggests
 * @throws PurserError guard, if one may be listed now, or if a list was the proof and the list cannot be read now; interrupted
 */
export async function checkStillNotListed(
	context: Context,
	service: Reading,
	records: readonly IntentRecord[],
	{ named, road }: { named: ReadonlySet<string>; road: Road },
): Promise<void> {
	await context.reporter.during("Checking whether it is listed by now", async (progress) => {
		const tools = await lookTools(context, service, progress);
		for (const sameLedger of await groupByLedger(records, tools)) {
			const why = reasonUnproven(await lookAtLedger(tools, sameLedger, named), sameLedger, road);
			if (why === undefined) continue;
			context.reporter.warn(
				`The service's list could not be checked again (${why}); ${intentsText(sameLedger)} sent again on the word of the person who settled ${sameLedger.length === 1 ? "it" : "them"}`,
			);
		}
	});
}

/**
 * @returns why the list proves nothing, if the payments may be sent anyway because a person confirmed that they were not created
 * @throws PurserError guard
 */
function reasonUnproven(sight: LookResult, records: readonly Open[], road: Road): string | undefined {
	// Leave out transactions that the person who confirmed "not created" was shown and declared to be different payments.
	const suspects = sight.suspects.filter((one) => !isKnownOther(one, records));
	if (suspects.length > 0) throw listedNow(suspects, road);
	const why = whyUnproven(sight);
	const byList = records.filter(({ evidence }) => evidence?.source !== "person");
	if (why !== undefined && byList.length > 0) throw notReadable(byList, why, road);
	return why;
}

function isKnownOther({ intent, transaction: { id } }: Suspect, records: readonly Open[]): boolean {
	const others = records.find((one) => one.intent === intent)?.evidence?.before?.notThis ?? [];
	return others.some((alternative) => plainId(alternative) === plainId(id ?? withoutId));
}

/** Why the list proves nothing, for people; undefined if it does. */
function whyUnproven({ unread, look, lacks }: LookResult): string | undefined {
	if (unread !== undefined) return unread.why;
	return look?.complete === true ? undefined : (lacks ?? "the list is not complete");
}

/** `intent 17 is`, `intents 17, 18 are`. */
function intentsText(records: readonly Open[]): string {
	const numbers = records.slice(0, maxNamed).map(({ intent }) => intent);
	const more = records.length > numbers.length ? ` and ${records.length - numbers.length} more` : "";
	return records.length === 1 ? `intent ${numbers[0]} is` : `intents ${numbers.join(", ")}${more} are`;
}

function listedNow(suspects: readonly Suspect[], road: Road): PurserError {
	const [first] = suspects as [Suspect];
	const { intent, transaction } = first;
	const transactionName = transaction.id === undefined ? withoutId : plainlyTyped(transaction.id, "TRANSACTION");
	const alternative =
		road === "one"
			? `If it is another payment, name the intent and say why: --despite ${intent} --reason TEXT`
			: `If it is another payment, say so: --not-this ${transactionName}`;
	return new PurserError("guard", {
		code: "LISTED_NOW",
		message: `Intent ${intent} was settled as not created, but the service lists ${transactionText(transaction)}, which is not known to be another payment and may be it; nothing was sent`,
		why: "It would be paid twice",
		fix: advice`If it is that payment, it was created: ${transaction.id === undefined ? "do not send it again" : settleCommand(intent, first)}\n${alternative}`,
		details: suspects
			.slice(0, maxNamed)
			.map((one) => ({ field: "intent", message: `${one.intent} may be ${transactionText(one.transaction)}` })),
		intent,
	});
}

function notReadable(records: readonly Open[], why: string, road: Road): PurserError {
	const [{ intent }] = records as [Open];
	const word = `\nIf you know that it was not created, name the intent and say how you know: --despite ${intent} --reason TEXT`;
	return new PurserError("guard", {
		code: "NOT_LOOKED_AT",
		message: `A list showed that ${intentsText(records)} not created, but the list cannot be checked again; nothing was sent`,
		why,
		fix: `Run it again when the list can be read.${road === "one" ? word : ""}`,
		intent,
	});
}
