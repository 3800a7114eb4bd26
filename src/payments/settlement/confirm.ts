/**
 * A person confirms what two looks did not show: by a look's number, for one doubt or for the rows of a batch. The look says what was seen, and
 * it is the newest at that attempt: what was looked at before something else was seen, or before another attempt, confirms nothing.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord, Look } from "../../ports/intent.js";
import type { Journal } from "../../ports/journal.js";
import { conclude } from "./group.js";
import { oneDoubt, openDoubts } from "./matching/doubts.js";
import type { Settled, Tools } from "./settle.js";
import { answerOf } from "./settled.js";

/** What a person confirms, and how it is known. */
export interface Confirmed {
	/** The number of the newer of the two looks that agree. */
	look: number;
	reason: string;
}

/**
 * Settles one doubt as not created by a person's word on a look.
 * @throws PurserError usage, where there is no such intent; guard, where it is not in doubt, or that look is not the newest that agrees
 */
export async function confirmOne(tools: Tools, intent: string, confirmed: Confirmed): Promise<Settled[]> {
	const record = await oneDoubt(tools.journal, intent);
	const looks = await agreement(tools.journal, record);
	if (looks?.at(-1)?.number !== confirmed.look) throw notThatLook(record, confirmed.look, looks);
	return [await settleBy(tools, record, looks, confirmed.reason)];
}

/**
 * Settles every row of a batch as not created of which that look is the newest, and agrees with an earlier one. The others stay in doubt.
 * @throws PurserError guard, where it is so of no row
 */
export async function confirmBatch(tools: Tools, batch: string, confirmed: Confirmed): Promise<Settled[]> {
	const settled: Settled[] = [];
	for (const record of await openDoubts(tools.journal, { batch })) {
		const looks = await agreement(tools.journal, record);
		if (looks?.at(-1)?.number === confirmed.look) settled.push(await settleBy(tools, record, looks, confirmed.reason));
		else settled.push(answerOf(record, { intent: record.intent, state: "in-doubt", why: why(confirmed.look, looks) }));
	}
	if (settled.some(({ state }) => state === "not-created")) return settled;
	throw new PurserError("guard", {
		code: "LOOKS_DISAGREE",
		message: `Look ${confirmed.look} shows of no row of batch ${batch} that it is not listed twice; nothing was changed`,
		fix: advice`Look again: ${purser`pay settle --batch ${batch}`}`,
	});
}

/** The two looks at the latest attempt on which a person may confirm that it was not created; undefined where the newest agrees with none. */
export async function agreement(journal: Journal, { intent }: Pick<IntentRecord, "intent">): Promise<[Look, Look] | undefined> {
	const looks = await journal.looks(intent);
	const newest = looks.at(-1);
	if (newest?.agrees === undefined) return undefined;
	const first = looks.find(({ number }) => number === newest.agrees);
	return first && [first, newest];
}

/** Records a person's Yes to what two looks did not show. */
export async function settleBy(tools: Tools, record: IntentRecord, looks: readonly Look[], reason: string): Promise<Settled> {
	const evidence: Evidence = { source: "person", reason, looks };
	return conclude(tools, record, { intent: record.intent, state: "not-created", evidence });
}

function why(look: number, looks: [Look, Look] | undefined): string {
	const newest = looks?.[1].number;
	return newest === undefined
		? `look ${look} does not show that it is not listed twice; look again`
		: `look ${look} is not the newest at this attempt that agrees with an earlier one; that is look ${newest}`;
}

function notThatLook({ intent }: IntentRecord, look: number, looks: [Look, Look] | undefined): PurserError {
	const newest = looks?.[1].number;
	return new PurserError("guard", {
		code: "LOOKS_DISAGREE",
		message: `Intent ${intent} cannot be confirmed as not created by look ${look}: ${why(look, looks)}; nothing was changed`,
		fix:
			newest === undefined
				? advice`Look again: ${purser`pay settle ${intent}`}`
				: advice`See what look ${newest} saw: ${purser`history show ${intent}`}. Then confirm it: ${purser`pay settle ${intent} --not-created --look ${newest} --reason TEXT`}`,
		intent,
	});
}
