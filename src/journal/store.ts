/**
 * Implements the port `Journal` over a store: the order of anchor and record, and what a failed write means.
 */

import { PurserError } from "../errors.js";
import type { Journal, Rules } from "../ports/journal.js";
import type { Anchoring } from "./anchor/anchoring.js";
import { recordChange, settingsChangesWarning } from "./intents/settings-record.js";
import { reopenIntent, resendIntent } from "./intents/steps.js";
import { beginIntent, type Dependencies, endIntent, recordCheck, settleIntent } from "./intents/write.js";
import type { Trouble } from "./tables/connection.js";
import type { Tables } from "./tables/tables.js";

/** What the store does alone; the port adds only what a failed storage means. */
const alone = [
	...(["list", "show", "holders", "checks", "ownEvents", "verify", "serviceTime", "installation"] as const),
	...(["guard", "standing", "adopt", "backup", "close"] as const),
] as const;
type Alone = Pick<Journal, (typeof alone)[number]>;

/** The storage of a journal. */
export interface Store extends Readonly<Alone>, Pick<Dependencies, "senders">, Pick<Journal, "file" | "events"> {
	/** Runs a job in a transaction, possibly with others; resolves once its writes are durable. A `RefusedJob` fails only this job. */
	write<T>(job: (tables: Tables) => Promise<T>): Promise<T>;
	trouble: Trouble;
	/** The comparison with its anchor, if it has one. */
	anchoring?(): Promise<Anchoring | undefined>;
}

/** The port over a store. */
export function journalOver(store: Store, rules: Rules): Journal {
	const dependencies: Dependencies = { rules, senders: store.senders };
	let writeFailure: unknown;
	const { guarded, isBusy } = store.trouble;
	/**
	 * Advances the anchor after the commit and before the first byte is sent. If that fails, the intent is recorded as not sent: no doubt
	 * remains.
	 */
	const advanceAnchor = async (anchoring: Anchoring | undefined, intent: string): Promise<void> => {
		try {
			await anchoring?.renew();
		} catch (error) {
			await store.write((tables) =>
				endIntent(tables, dependencies, intent, { state: "not-sent", reason: "the journal's anchor could not be written" }),
			);
			throw error;
		}
	};
	/** Records what is sent next. After a failed write it is unknown what the disk holds, so this process sends nothing more. */
	const beforeSending = <T>(record: () => Promise<T>): Promise<T> =>
		guarded(async () => {
			if (writeFailure !== undefined) throw writeFailure;
			try {
				return await record();
			} catch (error) {
				if (!(error instanceof PurserError) && !isBusy(error)) writeFailure = error;
				throw error;
			}
		});
	const guardedAlone = alone.map((name) => {
		const act = store[name] as (...given: unknown[]) => Promise<unknown>;
		return [name, (...given: unknown[]) => guarded(() => act(...given))];
	});
	return {
		...(Object.fromEntries(guardedAlone) as Alone),
		file: store.file,
		begin: (intent, { expected, warn } = {}) =>
			beforeSending(async () => {
				if (intent.effect === "money") await store.guard(false);
				const anchoring = intent.effect === "money" ? await store.anchoring?.() : undefined;
				const { number, changed } = await store.write((tables) => beginIntent(tables, dependencies, intent, expected));
				await advanceAnchor(anchoring, number);
				const warning = settingsChangesWarning(changed);
				if (warning !== undefined) warn?.(warning);
				return number;
			}),
		end: (intent, outcome) =>
			guarded(async () => {
				const record = () => store.write((tables) => endIntent(tables, dependencies, intent, outcome));
				// Retry once, alone: an outcome must not be lost because another job of the same group failed.
				const failure = await record().catch((error) => (error instanceof PurserError ? Promise.reject(error) : record()));
				if (failure) throw failure;
			}),
		recordCheck: (intents, check) => guarded(() => store.write((tables) => recordCheck(tables, intents, check))),
		settle: (intent, settlement, attempt) =>
			guarded(() => store.write((tables) => settleIntent(tables, dependencies, intent, { settlement, attempt }))),
		reopen: (intent, reason, attempt) =>
			guarded(() => store.write((tables) => reopenIntent(tables, dependencies, intent, { reason, attempt }))),
		resend: (intent, attempt) =>
			beforeSending(async () => {
				await store.guard(false);
				const anchoring = await store.anchoring?.();
				await store.write((tables) => resendIntent(tables, dependencies, intent, attempt));
				await anchoring?.renew();
			}),
		events: (after) => store.events(after),
		changeSettings: (asked) => guarded(() => store.write((tables) => recordChange(tables, asked))),
	};
}
