/**
 * A person confirms that a payment was not created, by naming the look that showed this, for one doubt or for the rows of a batch. It must
 * be the newest look at the current attempt: a look before something else was seen, or at an earlier attempt, confirms nothing.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord, Look } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import { conclude } from "./group.js";
import { oneDoubt, openDoubts } from "./matching/doubts.js";
import type { SettleResult, Tools } from "./settle.js";
import { settleResult } from "./settled.js";

/** A person's confirmation. */
export interface Confirmed {
	/** The number of the newer of the two looks that agree. */
	look: number;
	/** How the person knows. */
	reason: string;
}

/**
 * Settles one doubt as not created because a person confirmed a look.
 * @throws PurserError usage, if there is no such intent; guard, if it is not in doubt, or the look is not the newest that agrees
 */
export async function confirmOne(tools: Tools, intent: string, confirmed: Confirmed): Promise<SettleResult[]> {
	const record = await oneDoubt(tools.journal, intent);
	const looks = await agreeingLooks(tools.journal, record);
	if (looks?.at(-1)?.number !== confirmed.look) throw wrongLook(record, confirmed.look, looks);
	return [await settleByConfirmation(tools, record, looks, confirmed.reason)];
}

/**
 * Settles as not created every row of a batch whose newest look is this one and agrees with an earlier one. The others stay in doubt.
 * @throws PurserError guard, if no row qualifies
 */
export async function confirmBatch(tools: Tools, batch: string, confirmed: Confirmed): Promise<SettleResult[]> {
	const settled: SettleResult[] = [];
	for (const record of await openDoubts(tools.journal, { batch })) {
		const looks = await agreeingLooks(tools.journal, record);
		if (looks?.at(-1)?.number === confirmed.look) settled.push(await settleByConfirmation(tools, record, looks, confirmed.reason));
		else settled.push(settleResult(record, { intent: record.intent, state: "in-doubt", why: why(confirmed.look, looks) }));
	}
	if (settled.some(({ state }) => state === "not-created")) return settled;
	throw new PurserError("guard", {
		code: "LOOKS_DISAGREE",
		message: `Check ${confirmed.look} confirms for no row of batch ${batch} that it was missing in two checks; nothing was changed`,
		fix: advice`Check again: ${purser`pay settle --batch ${batch}`}`,
	});
}

/** The two agreeing looks at the latest attempt that a person may confirm; undefined if the newest agrees with none. */
export async function agreeingLooks(journal: Journal, { intent }: Pick<IntentRecord, "intent">): Promise<[Look, Look] | undefined> {
	const looks = await journal.looks(intent);
	const newest = looks.at(-1);
	if (newest?.agrees === undefined) return undefined;
	const first = looks.find(({ number }) => number === newest.agrees);
	return first && [first, newest];
}

/** Records a person's confirmation that a payment was not created. */
export async function settleByConfirmation(
	tools: Tools,
	record: IntentRecord,
	looks: readonly Look[],
	reason: string,
): Promise<SettleResult> {
	const evidence: Evidence = { source: "person", reason, looks };
	return conclude(tools, record, { intent: record.intent, state: "not-created", evidence });
}

function why(look: number, looks: [Look, Look] | undefined): string {
	const newest = looks?.[1].number;
	return newest === undefined
		? `check ${look} does not show that it was missing in two checks; check again`
		: `check ${look} is not the latest of this attempt that agrees with an earlier one; the latest is check ${newest}`;
}

function wrongLook({ intent }: IntentRecord, look: number, looks: [Look, Look] | undefined): PurserError {
	const newest = looks?.[1].number;
	return new PurserError("guard", {
		code: "LOOKS_DISAGREE",
		message: `Intent ${intent} cannot be confirmed as not created by check ${look}: ${why(look, looks)}; nothing was changed`,
		fix:
			newest === undefined
				? advice`Check again: ${purser`pay settle ${intent}`}`
				: advice`See what check ${newest} found: ${purser`history show ${intent}`}. Then confirm it: ${purser`pay settle ${intent} --not-created --look ${newest} --reason TEXT`}`,
		intent,
	});
}
