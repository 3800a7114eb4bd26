/**
 * What is on record at a desk, read by this process: for what failed while the program ran, not for how it shows what is left.
 */
import { randomUUID } from "node:crypto";
import { openJournal } from "../../src/journal/open.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import type { IntentRecord } from "../../src/ports/intent.js";

export interface Journalled {
	/** Transfers, the newest first. */
	intents: IntentRecord[];
	faults: readonly string[];
}

/** What `pay doubts` lists: in doubt, or left as being sent by a process that is gone. */
export const isDoubt = ({ state }: IntentRecord): boolean => state === "in-doubt" || state === "sending";

/** @param state the state directory @throws what the journal throws where it cannot be opened */
export async function journalled(state: string): Promise<Journalled> {
	const random = { uuid: () => randomUUID(), fraction: () => 0.5 };
	const clock = { now: () => new Date(), monotonic: () => 0, sleep: async () => {} };
	const profile = { name: "desk", environment: "sandbox" as const };
	const journal = await openJournal({ directory: state, profile, clock, random, rules: moneyRules({}) });
	try {
		return { intents: await journal.list({ effect: "money" }), faults: (await journal.verify()).faults };
	} finally {
		await journal.close();
	}
}
