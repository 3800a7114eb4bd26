/**
 * Implements the port `Journal` over a store: the order of anchor and record, and what a failed write means.
 */

import { PurserError } from "../errors.js";
import type { Check, IntentRecord } from "../ports/intent.js";
import type { Backup, Journal, JournalEvent, JournalFilter, Rules, Verification } from "../ports/journal.js";
import { storageTrouble } from "../sqlite/storage.js";
import type { Anchoring } from "./anchor/anchoring.js";
import { reopenIntent } from "./intents/reopen.js";
import { resendIntent } from "./intents/resend.js";
import { recordAct, recordChange, settingsChangesWarning } from "./intents/settings-record.js";
import { beginIntent, type Dependencies, endIntent, recordCheck, settleIntent } from "./intents/write.js";
import type { Tables } from "./sqlite/tables.js";
import { guardedFor } from "./sqlite/trouble.js";

/** The storage of a journal. */
export interface Store extends Omit<Dependencies, "rules"> {
	readonly file: string;
	/** Runs a job in a transaction, possibly with others; resolves once its writes are durable. A `RefusedJob` fails only this job. */
	run<T>(job: (tables: Tables) => T): Promise<T>;
	/** The comparison with its anchor, if it has one. */
	anchoring?(): Promise<Anchoring | undefined>;
	list(filter: JournalFilter): IntentRecord[];
	show(intent: string): { record: IntentRecord; events: JournalEvent[] } | undefined;
	holders(ids: readonly string[]): ReadonlyMap<string, string>;
	holderRecords(ids: readonly string[]): ReadonlyMap<string, IntentRecord>;
	checks(intent: string): Check[];
	events(after: number): AsyncIterable<JournalEvent>;
	ownEvents(kind: string, limit: number): JournalEvent[];
	verify(head?: Parameters<Journal["verify"]>[0]): Promise<Verification>;
	serviceTime: Journal["serviceTime"];
	installation(): string;
	/** See `Journal.guard`. */
	allow(fresh: boolean): Promise<"held" | "new" | "unguarded">;
	standing: Journal["standing"];
	adopt: Journal["adopt"];
	backup(file: string): Promise<Backup>;
	close(): void;
}

/** The port over a store. */
export function journalOver(store: Store, rules: Rules): Journal {
	const dependencies: Dependencies = { rules, own: () => store.own(), lives: (sender) => store.lives(sender) };
	let writeFailure: unknown;
	const guarded = guardedFor(store.file);
	/**
	 * Advances the anchor after the commit and before the first byte is sent. If that fails, the intent is recorded as not sent: no doubt
	 * remains.
	 */
	const advanceAnchor = async (anchoring: Anchoring | undefined, intent: string): Promise<void> => {
		try {
			anchoring?.renew();
		} catch (error) {
			await store.run((tables) =>
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
				if (!(error instanceof PurserError) && storageTrouble(error) !== "busy") writeFailure = error;
				throw error;
			}
		});
	return {
		file: store.file,
		begin: (intent, { expected, warn } = {}) =>
			beforeSending(async () => {
				if (intent.effect === "money") await store.allow(false);
				const anchoring = intent.effect === "money" ? await store.anchoring?.() : undefined;
				const { number, changed } = await store.run((tables) => beginIntent(tables, dependencies, intent, expected));
				await advanceAnchor(anchoring, number);
				const warning = settingsChangesWarning(changed);
				if (warning !== undefined) warn?.(warning);
				return number;
			}),
		end: (intent, outcome) =>
			guarded(async () => {
				const record = () => store.run((tables) => endIntent(tables, dependencies, intent, outcome));
				// Retry once, alone: an outcome must not be lost because another job of the same group failed.
				const failure = await record().catch((error) => (error instanceof PurserError ? Promise.reject(error) : record()));
				if (failure) throw failure;
			}),
		list: (filter) => guarded(() => store.list(filter)),
		show: (intent) => guarded(() => store.show(intent)),
		holders: (ids) => guarded(() => store.holders(ids)),
		holderRecords: (ids) => guarded(() => store.holderRecords(ids)),
		checks: (intent) => guarded(() => store.checks(intent)),
		recordCheck: (intents, check) => guarded(() => store.run((tables) => recordCheck(tables, intents, check))),
		settle: (intent, settlement, attempt) =>
			guarded(() => store.run((tables) => settleIntent(tables, dependencies, intent, { settlement, attempt }))),
		reopen: (intent, reason, attempt) =>
			guarded(() => store.run((tables) => reopenIntent(tables, dependencies, intent, { reason, attempt }))),
		resend: (intent, attempt) =>
			beforeSending(async () => {
				await store.allow(false);
				const anchoring = await store.anchoring?.();
				await store.run((tables) => resendIntent(tables, dependencies, intent, attempt));
				anchoring?.renew();
			}),
		installation: () => guarded(async () => store.installation()),
		events: (after) => store.events(after),
		ownEvents: (kind, limit) => guarded(() => store.ownEvents(kind, limit)),
		changeSettings: (asked) => guarded(() => store.run((tables) => recordChange(tables, asked))),
		recordAct: (act) => guarded(() => store.run((tables) => recordAct(tables, act, rules.guards))),
		verify: (head) => guarded(() => store.verify(head)),
		guard: (fresh) => guarded(() => store.allow(fresh)),
		standing: () => guarded(() => store.standing()),
		adopt: (reason, since) => guarded(() => store.adopt(reason, since)),
		backup: (file) => guarded(() => store.backup(file)),
		serviceTime: () => guarded(() => store.serviceTime()),
		close: () => guarded(() => store.close()),
	};
}
