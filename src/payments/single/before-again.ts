/**
 * What holds back a payment that was settled as not created, before it is sent again.
 */
import { advice } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { IntentRecord } from "../../ports/intent.js";
import type { Reading } from "../../ports/service.js";
import {
	byLedger,
	type LookTools,
	type Sight,
	type Suspect,
	settledBy,
	sightOf,
	transactionWords,
	withoutId,
} from "../settlement/look-again.js";
import type { Open } from "../settlement/matching/doubts.js";

/** Intents and transactions that an error names at most. */
const mostNamed = 20;

/** What a look through the client needs. */
export async function lookTools(context: Context, service: Reading, progress?: (label: string) => void): Promise<LookTools> {
	const { profile, settleAfter } = await context.settings();
	return { journal: await context.journal(profile), service, place: profile, now: () => context.clock.now(), settleAfter, progress };
}

/** What is sent again: one payment, or rows of a batch. */
type Road = "one" | "rows";

/**
 * One look at each ledger of payments that were not created and are to be sent again.
 * @param records what was settled as not created; `named`: transactions that a person says to be others, in lower case; `road`: what is
 *   sent, by which the way out is told
 * @throws PurserError guard, where one may be listed by now, or was proven by a list and cannot be looked at; interrupted
 */
export async function lookAgain(
	context: Context,
	service: Reading,
	records: readonly IntentRecord[],
	{ named, road }: { named: ReadonlySet<string>; road: Road },
): Promise<void> {
	const { profile } = await context.settings();
	await context.reporter.during("Looking whether it is listed by now", async (progress) => {
		const tools = await lookTools(context, service, progress);
		for (const those of byLedger(records, profile)) {
			const why = held(await sightOf(tools, those, named), those, road);
			if (why === undefined) continue;
			context.reporter.warn(
				`The service's list could not be looked at once more (${why}); ${intents(those)} sent again on the word of whoever settled ${those.length === 1 ? "it" : "them"}`,
			);
		}
	});
}

/**
 * @returns why the list proves nothing, where a person's word lets them be sent all the same
 * @throws PurserError guard
 */
function held(sight: Sight, records: readonly Open[], road: Road): string | undefined {
	// Whoever said that it was not created has seen these, and said that they are others.
	const suspects = sight.suspects.filter((one) => !isKnownOther(one, records));
	if (suspects.length > 0) throw listedNow(suspects, road);
	const why = whyUnseen(sight);
	const byList = records.filter(({ evidence }) => evidence?.source !== "person");
	if (why !== undefined && byList.length > 0) throw notLookedAt(byList, why, road);
	return why;
}

function isKnownOther({ intent, transaction: { id } }: Suspect, records: readonly Open[]): boolean {
	const others = records.find((one) => one.intent === intent)?.evidence?.before?.notThis ?? [];
	return others.some((other) => other.toLowerCase() === (id?.toLowerCase() ?? withoutId));
}

/** Why the list proves nothing, in words. */
function whyUnseen({ unread, look, lacks }: Sight): string | undefined {
	if (unread !== undefined) return unread.why;
	return look?.complete === true ? undefined : (lacks ?? "the list is not complete");
}

/** `intent 17 is`, `intents 17, 18 are`. */
function intents(records: readonly Open[]): string {
	const numbers = records.slice(0, mostNamed).map(({ intent }) => intent);
	const more = records.length > numbers.length ? ` and ${records.length - numbers.length} more` : "";
	return records.length === 1 ? `intent ${numbers[0]} is` : `intents ${numbers.join(", ")}${more} are`;
}

function listedNow(suspects: readonly Suspect[], road: Road): PurserError {
	const [first] = suspects as [Suspect];
	const { intent, transaction } = first;
	const shown = transaction.id === undefined ? withoutId : typed(transaction.id, "TRANSACTION");
	const other =
		road === "one"
			? `If it is another payment, name the intent and say why: --despite ${intent} --reason TEXT`
			: `If it is another payment, say so: --not-this ${shown}`;
	return new PurserError("guard", {
		code: "LISTED_NOW",
		message: `Intent ${intent} was settled as not created, but the service lists ${transactionWords(transaction)}, which is not known to be another payment and may be it; nothing was sent`,
		why: "It would be paid twice",
		fix: advice`If it is that payment, it was created: ${transaction.id === undefined ? "do not send it again" : settledBy(intent, first)}\n${other}`,
		details: suspects
			.slice(0, mostNamed)
			.map((one) => ({ field: "intent", message: `${one.intent} may be ${transactionWords(one.transaction)}` })),
		intent,
	});
}

function notLookedAt(records: readonly Open[], why: string, road: Road): PurserError {
	const [{ intent }] = records as [Open];
	const word = `\nIf you know that it was not created, name the intent and say how you know: --despite ${intent} --reason TEXT`;
	return new PurserError("guard", {
		code: "NOT_LOOKED_AT",
		message: `A list showed that ${intents(records)} not created, and the list cannot be looked at once more; nothing was sent`,
		why,
		fix: `Run it again when the list can be read.${road === "one" ? word : ""}`,
		intent,
	});
}
