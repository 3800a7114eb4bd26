/**
 * Implements the port `Journal` over a store: the order of anchor and record, and what a failed write means.
 */

import { PurserError } from "../errors.js";
import type { Head, Journal, Rules } from "../ports/journal.js";
import type { Anchoring } from "./anchor/anchoring.js";
import { outcomeKept } from "./intents/refusals.js";
import { recordChange, settingsChangesWarning } from "./intents/settings-record.js";
import { reopenIntent, resendIntent } from "./intents/steps.js";
import { beginIntent, type Dependencies, endIntent, recordCheck, settleIntent } from "./intents/write.js";
import type { LoggedAttempts } from "./postgres/logged.js";
import type { Deed, Trouble } from "./tables/connection.js";
import type { Tables } from "./tables/tables.js";

/** What the store does alone; the port adds only what a failed storage means. */
const alone = [
	...(["list", "show", "holders", "checks", "verify", "installation"] as const),
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
	/** Of a team's journal: what this machine keeps of it. */
	logged?: LoggedAttempts;
}

/** The port over a store. */
export function journalOver(store: Store, rules: Rules): Journal {
	const dependencies: Dependencies = { rules, senders: store.senders };
	let writeFailure: unknown;
	const { guarded, isBusy } = store.trouble;
	const { logged } = store;
	const written = <T>(job: (tables: Tables) => Promise<T>, deed?: Deed): Promise<T> => guarded(() => store.write(job), deed);
	/** Records what is sent next. After a failed write it is unknown what the disk holds, so this process sends nothing more. */
	const beforeSending = <T>(record: () => Promise<T>, deed?: Deed): Promise<T> =>
		guarded(async () => {
			if (writeFailure !== undefined) throw writeFailure;
			try {
				return await record();
			} catch (error) {
				if (!(error instanceof PurserError) && !isBusy(error)) writeFailure = error;
				throw error;
			}
		}, deed);
	const guardedAlone = alone.map((name) => {
		const act = store[name] as (...given: unknown[]) => Promise<unknown>;
		return [name, (...given: unknown[]) => guarded(() => act(...given))];
	});
	return {
		...(Object.fromEntries(guardedAlone) as Alone),
		file: store.file,
		begin: (intent, { expected, warn } = {}) =>
			beforeSending(
				async () => {
					if (intent.effect === "money") await store.guard(false);
					const anchoring = intent.effect === "money" ? await store.anchoring?.() : undefined;
					const { number, attempt, changed, head, at } = await store.write(async (tables) => {
						const begun = await beginIntent(tables, dependencies, intent, expected);
						return { ...begun, head: tables.head(), at: tables.now.toISOString() };
					});
					// After the commit and before the first byte is sent: the mark in this machine's log, and the anchor.
					try {
						const own = { number: Number(number), attempt };
						if (intent.effect === "money") await logged?.began(head, own, at, intent);
						await anchoring?.renew();
					} catch (error) {
						// So no doubt remains.
						const outcome = { state: "not-sent", reason: "this machine's log, or the journal's anchor, could not be written" } as const;
						await store.write((tables) => endIntent(tables, dependencies, number, outcome));
						throw error;
					}
					const warning = settingsChangesWarning(changed);
					if (warning !== undefined) warn?.(warning);
					return number;
				},
				intent.effect === "money" ? "send" : "record",
			),
		end: async (intent, outcome) => {
			const ended = [{ number: Number(intent), outcome }];
			// The log first: what the service answered must not depend on the way to a database.
			const isKept = await logged?.keep(ended);
			let failure: PurserError | undefined;
			let head: Head | undefined;
			try {
				await guarded(async () => {
					const record = () =>
						store.write(async (tables) => {
							failure = await endIntent(tables, dependencies, intent, outcome);
							head = tables.head();
						});
					// Retry once, alone: an outcome must not be lost because another job of the same group failed.
					await record().catch((error) => (error instanceof PurserError ? Promise.reject(error) : record()));
				});
			} catch (error) {
				throw isKept ? outcomeKept(error) : error;
			}
			await logged?.recorded(head as Head, ended);
			if (failure) throw failure;
		},
		recordCheck: (intents, check) => written((tables) => recordCheck(tables, intents, check)),
		settle: async (intent, settlement, attempt, changed) => {
			const head = await written(async (tables) => {
				await settleIntent(tables, dependencies, intent, { settlement, attempt, changed });
				return tables.head();
			}, "send");
			await logged?.recorded(head, [{ number: Number(intent) }]);
		},
		reopen: (intent, reason, attempt) => written((tables) => reopenIntent(tables, dependencies, intent, { reason, attempt }), "send"),
		resend: (intent, attempt) =>
			beforeSending(async () => {
				await store.guard(false);
				const anchoring = await store.anchoring?.();
				const { asked, begun, head, batch, row } = await store.write(async (tables) => {
					const resent = await resendIntent(tables, dependencies, intent, attempt);
					return { ...resent, head: tables.head() };
				});
				// As of the first time: a database that went back further may know nothing of it. If one of these fails, the doubt stays.
				await logged?.began(head, { number: Number(intent), attempt }, begun, asked, { batch, row });
				await anchoring?.renew();
			}, "send"),
		answered: async (intent, outcome) => {
			// Any other answer says nothing of the first time, so it must settle nothing later.
			if (outcome.state === "accepted") await logged?.keep([{ number: Number(intent), outcome }]);
		},
		events: (after) => store.events(after),
		changeSettings: (asked) => written((tables) => recordChange(tables, asked, store.senders.machine)),
	};
}
