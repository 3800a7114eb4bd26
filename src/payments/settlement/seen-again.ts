/**
 * What follows where a transaction is seen again: whether it is that of the payment which holds its id, and whose it is where it is not.
 */

import { advice, purser } from "../../api/advice.js";
import type { Received } from "../../api/answer.js";
import { type TransactionView, viewTransaction } from "../../api/operations/transaction.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import type { Reading } from "../../ports/service.js";
import { type Correction, corrected, fitting } from "./correct.js";
import type { Open } from "./matching/doubts.js";
import { differenceWords } from "./matching/whose.js";
import { type Settled, settleByRecord, type Tools } from "./settle.js";

/** What settling needs, of a run. */
export async function toolsOf(context: Context, service: Reading): Promise<Tools> {
	const { profile, settleAfter, absence } = await context.settings();
	return {
		journal: await context.journal(profile),
		service,
		place: profile,
		now: () => context.clock.now(),
		settleAfter,
		absence,
		dry: context.flags.dryRun,
	};
}

/**
 * Holds a transaction that was looked at against the payment that holds its id, and tells what is not as it should be. A look is a look
 * whatever happens here: a journal that cannot be read or written is a warning.
 * @param id as it was asked for; `record`: what the service answered to that
 * @returns what was found wrong; undefined where nothing was
 */
export async function seenAgain(context: Context, service: Reading, id: string, record: Received): Promise<Correction | undefined> {
	const { profile } = await context.settings();
	// A look makes no journal where nothing was ever paid from here.
	if (!(await context.hasJournal(profile))) return undefined;
	try {
		const tools = await toolsOf(context, service);
		const seen = viewTransaction(record);
		const correction = await corrected(tools, id, seen);
		// It was answered to a payment of ours, so it is one of ours: of those in doubt the one that it fits.
		const settled = correction?.taken ? await settleByRecord(tools, await doubtsOf(tools, { ...seen, id }), { ...seen, id }) : [];
		for (const words of [...(correction ? [correctionWords(correction)] : []), ...settled.flatMap(settledWords)])
			context.reporter.warn(words);
		return correction;
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		context.reporter.warn(`Whether transaction ${id} is the payment's that holds its id could not be checked: ${error.message}`);
		return undefined;
	}
}

/** What is not as it should be, in words, with what to do. */
export function correctionWords({ holder: { intent }, id, difference, taken, reason }: Correction): Advice {
	if (taken)
		return advice`Intent ${intent} was answered with another payment's id (${reason}). It stays accepted and is never sent again, but its own id is not known. Look for it: ${purser`pay settle ${intent}`}`;
	return advice`Transaction ${id} is not as intent ${intent} was sent: ${differenceWords(difference)}. It may be another payment, or the service tells it in its own way; compare them: ${purser`history show ${intent}`}`;
}

function settledWords(one: Settled): string[] {
	return one.state === "accepted" ? [`Intent ${one.intent}, which was in doubt, was created as ${one.id}: ${one.evidence.reason}`] : [];
}

async function doubtsOf(tools: Tools, seen: TransactionView): Promise<Open[]> {
	return (await fitting(tools, undefined, seen)).filter(({ state }) => state === "in-doubt");
}
