/**
 * The writes, each inside a transaction: what is appended, and what follows from it in the derived tables.
 */
import type { PurserError } from "../../errors.js";
import type { SettingChange } from "../../ports/guards.js";
import type { ExpectedAttempt, IntentState, JournalIntent, JournalOutcome, JournalStep, Look, Settlement } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { dayOf, noteTime, sinceOf } from "../sqlite/service-time.js";
import type { IntentResult, StoredIntent, Tables } from "../sqlite/tables.js";
import { RefusedJob } from "./queue.js";
import { died, numberOf, recordOf, resultOf } from "./record.js";
import { anotherAttempt, idIsAnothers, idIsHeld, movedSince, notInDoubt, unknownIntent } from "./refusals.js";
import { recordOutsideChanges } from "./settings-record.js";

export interface Dependencies {
	rules: Rules;
	/** This process's name as a sender, locked. */
	own(): string;
	lives(sender: string): boolean;
}

/**
 * Begins an attempt: of a new intent, or of one that was proven not created. Refuses where the rules do.
 * @returns its number, and the settings that were changed outside since money last moved
 */
export function beginIntent(
	tables: Tables,
	{ rules, own, lives }: Dependencies,
	intent: JournalIntent,
	expected?: ExpectedAttempt,
): { number: string; changed: readonly SettingChange[] } {
	const times = noteTime(tables, intent.skew);
	const fingerprint = rules.fingerprint(intent);
	const duplicates =
		fingerprint === undefined ? [] : tables.duplicates(fingerprint, sinceOf(rules, times)).map((stored) => recordOf(stored, lives));
	const at = times.now.toISOString();
	asRefusal(() => rules.permit(intent, { duplicates, spent: tables.spent(dayOf(at, intent.skew)), ...times }));
	const last = fingerprint === undefined ? undefined : tables.notCreated(fingerprint);
	// A payment that is said to be another one than that must not pass for its next attempt: what names that one would name this too.
	const repeated = last !== undefined && intent.despite?.intents.includes(String(last.number)) ? undefined : last;
	// What a look showed is of one attempt: another process may have settled or sent since.
	if (expected !== undefined && (expected.intent !== (repeated && String(repeated.number)) || expected.attempt !== repeated?.attempt))
		throw new RefusedJob(movedSince(repeated && String(repeated.number)));
	const state = asRefusal(() => rules.next(repeated?.state, { kind: "begun" }));
	const sender = own();
	const changed = intent.effect === "money" ? recordOutsideChanges(tables, rules.guards, intent.operator) : [];
	const stored = { state, attempt: (repeated?.attempt ?? 0) + 1, begun: at, changed: at, sender, fingerprint, intent, result: {} };
	const number = repeated?.number ?? tables.add(stored);
	if (repeated) tables.change({ ...stored, number });
	tables.append("begun", number, { attempt: stored.attempt, sender, fingerprint, ...intent });
	if (rules.counts(state)) countPayment(tables, rules, intent, dayOf(at, intent.skew), 1);
	return { number: String(number), changed };
}

/**
 * Records an outcome. An id that another transfer holds makes a doubt of this one.
 * @returns the error to be told after the commit, where there is one
 */
export function endIntent(tables: Tables, { rules }: Dependencies, name: string, given: JournalOutcome): PurserError | undefined {
	const stored = intentNamed(tables, name);
	noteTime(tables, given.skew);
	const holder = given.state === "accepted" ? otherHolder(tables, stored, given.id) : undefined;
	const outcome: JournalOutcome =
		holder === undefined || given.state !== "accepted"
			? given
			: {
					state: "in-doubt",
					status: given.status,
					reason: `the service gave the id ${given.id}, which transfer ${holder} holds`,
					skew: given.skew,
				};
	const failure = holder === undefined || outcome.state !== "in-doubt" ? undefined : idIsAnothers(name, holder, outcome.reason);
	const step: JournalStep = { kind: "ended", outcome };
	// A commit that succeeded although it was reported as failed is tried again with the same words.
	if (stored.state !== "sending" && stored.state === rules.next("sending", step) && sameResult(stored, outcome)) return failure;
	const state = asRefusal(() => rules.next(stored.state, step));
	tables.append("ended", stored.number, { attempt: stored.attempt, outcome });
	move(tables, rules, stored, state, resultOf(outcome), outcome.state === "accepted" ? outcome.id : undefined);
	return failure;
}

function sameResult({ createdId, result }: StoredIntent, outcome: JournalOutcome): boolean {
	const id = outcome.state === "accepted" ? outcome.id?.toLowerCase() : undefined;
	return createdId === id && JSON.stringify(result) === JSON.stringify(resultOf(outcome));
}

/** Ends a doubt. One whose process died gets that written first. */
export function settleIntent(
	tables: Tables,
	{ rules, lives }: Dependencies,
	name: string,
	{ settlement, attempt: seen }: { settlement: Settlement; attempt: number },
): void {
	const stored = intentNamed(tables, name);
	const record = recordOf(stored, lives);
	const settled: JournalStep = { kind: "settled", settlement };
	// What was settled as not created and turns out to be there is put right by what shows it.
	const disproved = record.state === "not-created" && settlement.state === "accepted" && settlement.evidence.source === "transaction";
	if (record.state !== "in-doubt" && !disproved) throw new RefusedJob(notInDoubt(record));
	if (record.attempt !== seen) throw new RefusedJob(anotherAttempt(record, seen));
	const id = settlement.state === "accepted" ? settlement.id : undefined;
	const holder = otherHolder(tables, stored, id);
	if (holder !== undefined) throw new RefusedJob(idIsHeld(name, holder, id));
	const lost = stored.state === "sending";
	const steps: JournalStep[] = [...(lost ? [{ kind: "died" } as const] : []), settled];
	const state = asRefusal(() => steps.reduce<IntentState>(rules.next, stored.state));
	const { number, attempt } = stored;
	if (lost) tables.append("died", number, { attempt }, stored.batch);
	tables.append("settled", number, { attempt, settlement }, stored.batch);
	const result: IntentResult = { ...stored.result, ...(lost ? { why: died } : {}), evidence: settlement.evidence };
	move(tables, rules, stored, state, result, id);
}

/** Records a look at doubts. Whoever is not in doubt any more is left out. @returns the look's number */
export function recordLook(tables: Tables, names: readonly string[], look: Look): number {
	const open = names.map((name) => intentNamed(tables, name)).filter(({ state }) => state === "in-doubt" || state === "sending");
	const number = look.number ?? tables.nextLook();
	for (const stored of open) tables.append("looked", stored.number, { attempt: stored.attempt, look: { ...look, number } }, stored.batch);
	return number;
}

/** @throws Refusal, where there is none of this number */
export function intentNamed(tables: Tables, name: string): StoredIntent {
	const number = numberOf(name);
	const stored = number === undefined ? undefined : tables.find(number);
	if (stored) return stored;
	throw new RefusedJob(unknownIntent(name));
}

/** Who else holds the id of a transaction: of transfers only, for other answers may name one record twice. */
export function otherHolder(tables: Tables, { number, intent }: StoredIntent, id: string | undefined): string | undefined {
	if (id === undefined || intent.effect !== "money") return undefined;
	const holder = tables.holder(id, number);
	return holder === undefined ? undefined : String(holder);
}

function move(tables: Tables, rules: Rules, stored: StoredIntent, state: IntentState, result: IntentResult, id: string | undefined): void {
	tables.change({ ...stored, state, changed: tables.now.toISOString(), createdId: id?.toLowerCase() ?? stored.createdId, result });
	const counted = rules.counts(stored.state);
	if (counted !== rules.counts(state)) countPayment(tables, rules, stored.intent, dayCounted(stored), counted ? -1 : 1);
}

/** The day that an attempt counts on: by the skew that was known when it began, never by one that was learned after. */
function dayCounted({ begun, batch, intent, result }: StoredIntent): string {
	return dayOf(begun, batch === undefined ? intent.skew : result.skew);
}

function countPayment(tables: Tables, rules: Rules, { transfer }: JournalIntent, day: string, sign: 1 | -1): void {
	if (transfer === undefined) return;
	addSpent(tables, rules, day, { [transfer.currency ?? ""]: transfer.amount }, sign);
}

/**
 * Adds to, or takes from, what went out on a day.
 * @param sums decimal, by currency; from a day whose sums a purge removed nothing can be taken, although rows of it stay on record
 */
export function addSpent(
	tables: Tables,
	rules: Pick<Rules, "add">,
	day: string,
	sums: Readonly<Record<string, string>>,
	sign: 1 | -1,
): void {
	const spent = tables.spent(day);
	for (const [currency, sum] of Object.entries(sums)) {
		const before = spent[currency];
		if (before !== undefined || sign === 1) tables.setSpent(day, currency, rules.add(before ?? "0", sum, sign));
	}
}

/** What the rules refuse concerns this job alone. */
export function asRefusal<T>(ask: () => T): T {
	try {
		return ask();
	} catch (reason) {
		throw new RefusedJob(reason);
	}
}
