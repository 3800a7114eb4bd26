/**
 * The writes: each appends events and updates the derived tables, inside a transaction.
 */
import { plainId } from "../../api/text/ids.js";
import type { PurserError } from "../../errors.js";
import type { Check, IntentState, JournalIntent, JournalOutcome, JournalStep, Settlement } from "../../ports/intent.js";
import type { Begins, Rules, SettingChange } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import { dayOf, recordServiceTime, windowStartOf } from "../sqlite/service-time.js";
import type { IntentResult, StoredIntent, Tables } from "../sqlite/tables.js";
import { diedReason, numberOf, recordOf, resultOf, unlessIdIsHeld } from "./record.js";
import { anotherAttempt, changedSinceCheck, idHeldByOther, notDuplicate, notInDoubt, sameIdTwice, unknownIntent } from "./refusals.js";
import { recordSettingsChanges } from "./settings-record.js";

export interface Dependencies {
	rules: Rules;
	/** This process's name as a sender, locked. */
	own(): string;
	lives(sender: string): boolean;
}

/**
 * Begins an attempt of a new intent, or of one that was proven not created, if the rules let it pass.
 * @returns its number, and the settings that were changed without purser since money last moved
 */
export function beginIntent(
	tables: Tables,
	{ rules, own, lives }: Dependencies,
	intent: JournalIntent,
	expected?: Begins["expected"],
): { number: string; changed: readonly SettingChange[] } {
	const times = recordServiceTime(tables, intent.skew);
	const fingerprint = rules.fingerprint(intent);
	const duplicates =
		fingerprint === undefined
			? []
			: tables.duplicates(fingerprint, windowStartOf(rules, times), intent.sandbox).map((stored) => recordOf(stored, lives));
	const at = times.now.toISOString();
	refusing(() => rules.check(intent, { duplicates, spent: tables.spent(dayOf(at, intent.skew)), ...times }));
	if (intent.transfer !== undefined) for (const name of intent.despite?.intents ?? []) checkDuplicate(tables, name, fingerprint);
	const last = fingerprint === undefined ? undefined : tables.notCreated(fingerprint, intent.sandbox);
	// If the operator declared this to be a different payment, it must not become the next attempt of that intent.
	const repeated = last !== undefined && intent.despite?.intents.includes(String(last.number)) ? undefined : last;
	// The look at the service's list was about one attempt; another process may have settled or sent it since.
	if (expected !== undefined && (expected.intent !== (repeated && String(repeated.number)) || expected.attempt !== repeated?.attempt))
		throw new RefusedJob(changedSinceCheck(repeated && String(repeated.number)));
	const state = refusing(() => rules.next(repeated?.state, { kind: "begun" }));
	const sender = own();
	const changed = intent.effect === "money" ? recordSettingsChanges(tables, rules.guards, intent.operator) : [];
	const stored = { state, attempt: (repeated?.attempt ?? 0) + 1, begun: at, changed: at, sender, fingerprint, intent, result: {} };
	const number = repeated?.number ?? tables.add(stored);
	if (repeated) tables.change({ ...stored, number });
	tables.append("begun", number, { attempt: stored.attempt, sender, fingerprint, ...intent });
	if (rules.counts(state)) countPayment(tables, rules, intent, dayOf(at, intent.skew), 1);
	return { number: String(number), changed };
}

/** @throws RefusedJob, if the payment that is named as another one does not exist, or does not look the same: the name would say nothing */
function checkDuplicate(tables: Tables, name: string, fingerprint: string | undefined): void {
	const number = numberOf(name);
	const named = number === undefined ? undefined : tables.find(number);
	if (named === undefined || named.fingerprint !== fingerprint) throw new RefusedJob(notDuplicate(name, named !== undefined));
}

/**
 * Records an outcome. If another transfer holds the id, this one becomes a doubt.
 * @returns the error to throw after the commit, if any
 */
export function endIntent(tables: Tables, { rules }: Dependencies, name: string, given: JournalOutcome): PurserError | undefined {
	const stored = intentNamed(tables, name);
	recordServiceTime(tables, given.skew);
	const holder = given.state === "accepted" ? otherHolder(tables, stored, given.id) : undefined;
	const outcome = unlessIdIsHeld(given, holder);
	const failure = holder === undefined || outcome.state !== "in-doubt" ? undefined : sameIdTwice(name, holder, outcome.reason);
	const step: JournalStep = { kind: "ended", outcome };
	// Idempotent: a commit that was reported as failed but succeeded is retried with the same outcome.
	if (stored.state !== "sending" && stored.state === rules.next("sending", step) && sameResult(stored, outcome)) return failure;
	const state = refusing(() => rules.next(stored.state, step));
	tables.append("ended", stored.number, { attempt: stored.attempt, outcome });
	changeState(tables, rules, stored, state, resultOf(outcome), outcome.state === "accepted" ? outcome.id : undefined);
	return failure;
}

function sameResult({ createdId, result }: StoredIntent, outcome: JournalOutcome): boolean {
	const id = outcome.state === "accepted" && outcome.id !== undefined ? plainId(outcome.id) : undefined;
	return createdId === id && JSON.stringify(result) === JSON.stringify(resultOf(outcome));
}

/** Settles a doubt. If its process died, that is recorded first. */
export function settleIntent(
	tables: Tables,
	{ rules, lives }: Dependencies,
	name: string,
	{ settlement, attempt: seen }: { settlement: Settlement; attempt: number },
): void {
	const stored = intentNamed(tables, name);
	const record = recordOf(stored, lives);
	const settled: JournalStep = { kind: "settled", settlement };
	// A named transaction may correct a payment that was wrongly settled as not created.
	const corrects = record.state === "not-created" && settlement.state === "accepted" && settlement.evidence.source === "transaction";
	if (record.state !== "in-doubt" && !corrects) throw new RefusedJob(notInDoubt(record));
	if (record.attempt !== seen) throw new RefusedJob(anotherAttempt(record, seen));
	const id = settlement.state === "accepted" ? settlement.id : undefined;
	const holder = otherHolder(tables, stored, id);
	if (holder !== undefined) throw new RefusedJob(idHeldByOther(name, holder, id));
	const senderDied = stored.state === "sending";
	const steps: JournalStep[] = [...(senderDied ? [{ kind: "died" } as const] : []), settled];
	const state = refusing(() => steps.reduce<IntentState>(rules.next, stored.state));
	const { number, attempt } = stored;
	if (senderDied) tables.append("died", number, { attempt }, stored.batch);
	tables.append("settled", number, { attempt, settlement }, stored.batch);
	const result: IntentResult = { ...stored.result, ...(senderDied ? { why: diedReason } : {}), evidence: settlement.evidence };
	changeState(tables, rules, stored, state, result, id);
}

/** Records a look for each intent that is still in doubt. @returns the look's number */
export function recordCheck(tables: Tables, names: readonly string[], check: Check): number {
	const open = names.map((name) => intentNamed(tables, name)).filter(({ state }) => state === "in-doubt" || state === "sending");
	const number = check.number ?? tables.nextCheck();
	for (const stored of open)
		tables.append("checked", stored.number, { attempt: stored.attempt, check: { ...check, number } }, stored.batch);
	return number;
}

/** @throws RefusedJob, if there is no intent of this number */
export function intentNamed(tables: Tables, name: string): StoredIntent {
	const number = numberOf(name);
	const stored = number === undefined ? undefined : tables.find(number);
	if (stored) return stored;
	throw new RefusedJob(unknownIntent(name));
}

/** The other intent that holds this transaction id. Only for transfers, because other answers may name the same record twice. */
export function otherHolder(tables: Tables, { number, intent }: StoredIntent, id: string | undefined): string | undefined {
	if (id === undefined || intent.effect !== "money") return undefined;
	const holder = tables.holder(id, number);
	return holder === undefined ? undefined : String(holder);
}

/** @param before the state that is left */
export function changeState(
	tables: Tables,
	rules: Rules,
	stored: StoredIntent,
	state: IntentState,
	result: IntentResult,
	id: string | undefined,
	before = stored.state,
): void {
	const createdId = id === undefined ? stored.createdId : plainId(id);
	tables.change({ ...stored, state, changed: tables.now.toISOString(), createdId, result });
	const wasCounted = rules.counts(before);
	if (wasCounted !== rules.counts(state)) countPayment(tables, rules, stored.intent, dayCounted(stored), wasCounted ? -1 : 1);
}

/** The day that an attempt counts on, by the skew known when it began and not by one learned later, so that both bookings match. */
function dayCounted({ begun, batch, intent, result }: StoredIntent): string {
	return dayOf(begun, batch === undefined ? intent.skew : result.skew);
}

function countPayment(tables: Tables, rules: Rules, { transfer }: JournalIntent, day: string, sign: 1 | -1): void {
	if (transfer === undefined) return;
	addSpent(tables, rules, day, { [transfer.currency ?? ""]: transfer.amount }, sign);
}

/**
 * Adds sums to, or takes them from, what was spent on a day.
 * @param sums decimal, by currency
 */
export function addSpent(
	tables: Tables,
	rules: Pick<Rules, "add">,
	day: string,
	sums: Readonly<Record<string, string>>,
	sign: 1 | -1,
): void {
	const spent = tables.spent(day);
	for (const [currency, sum] of Object.entries(sums)) tables.setSpent(day, currency, rules.add(spent[currency] ?? "0", sum, sign));
}

/** Turns an error of the rules into a refusal of this job alone. */
export function refusing<T>(ask: () => T): T {
	try {
		return ask();
	} catch (reason) {
		throw new RefusedJob(reason);
	}
}
