/**
 * The writes: each appends events and updates the derived tables, inside a transaction.
 */
import type { PurserError } from "../../errors.js";
import type { Check, IntentRecord, IntentState, JournalIntent, JournalOutcome, JournalStep, Settlement } from "../../ports/intent.js";
import type { Begins, Rules, SettingChange } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { Senders } from "../tables/connection.js";
import { dayOf, recordServiceTime, timesOf, windowStartOf } from "../tables/service-time.js";
import type { StoredIntent, Tables } from "../tables/tables.js";
import { intentAfter, livingOf, numberOf, recordOf, recordsOf, unlessIdIsHeld } from "./record.js";
import {
	anotherAttempt,
	changedSinceCheck,
	changedSinceRead,
	idHeldByOther,
	notDuplicate,
	notInDoubt,
	sameIdTwice,
	unknownIntent,
} from "./refusals.js";
import { recordSettingsChanges } from "./settings-record.js";

export interface Dependencies {
	rules: Rules;
	senders: Pick<Senders, "own" | "living" | "machine" | "several">;
}

/** One stored intent as the port has it. */
export async function recordIn(stored: StoredIntent, senders: Pick<Senders, "living">): Promise<IntentRecord> {
	return recordOf(stored, await livingOf([stored], senders));
}

/** See `Journal.begin`. @returns `changed`: the settings that were changed without purser since money last moved */
export async function beginIntent(
	tables: Tables,
	{ rules, senders }: Dependencies,
	asked: JournalIntent,
	expected?: Begins["expected"],
): Promise<{ number: string; attempt: number; changed: readonly SettingChange[] }> {
	const { machine } = senders;
	const intent: JournalIntent = machine === undefined ? asked : { ...asked, machine };
	const times = await timesOf(tables, intent.skew);
	const fingerprint = rules.fingerprint(intent);
	const found = fingerprint === undefined ? [] : await tables.duplicates(fingerprint, windowStartOf(rules, times), intent.sandbox);
	const duplicates = await recordsOf(found, senders);
	const at = times.now.toISOString();
	const spent = await tables.spent(dayOf(at, intent.skew));
	refusing(() => rules.check(intent, { duplicates, spent, ...times }));
	if (intent.transfer !== undefined) for (const name of intent.despite?.intents ?? []) await checkDuplicate(tables, name, fingerprint);
	const last = fingerprint === undefined ? undefined : await tables.notCreated(fingerprint, intent.sandbox);
	// If the operator declared this to be a different payment, it must not become the next attempt of that intent.
	const repeated = last !== undefined && intent.despite?.intents.includes(String(last.number)) ? undefined : last;
	// The look at the service's list was about one attempt; another process may have settled or sent it since.
	if (expected !== undefined && (expected.intent !== (repeated && String(repeated.number)) || expected.attempt !== repeated?.attempt))
		throw new RefusedJob(changedSinceCheck(repeated && String(repeated.number)));
	const state = refusing(() => rules.next(repeated?.state, { kind: "begun" }));
	const sender = await senders.own();
	await recordServiceTime(tables, intent.skew);
	const changed = intent.effect === "money" ? await recordSettingsChanges(tables, rules.guards, intent) : [];
	const attempt = (repeated?.attempt ?? 0) + 1;
	const stored = { state, attempt, begun: at, changed: at, sender, fingerprint, intent, result: {} };
	const number = repeated?.number ?? (await tables.add(stored));
	if (repeated) await tables.change({ ...stored, number });
	await tables.append("begun", number, { attempt, sender, fingerprint, ...intent });
	if (rules.counts(state)) await countPayment(tables, rules, intent, dayOf(at, intent.skew), 1);
	return { number: String(number), attempt, changed };
}

/** @throws RefusedJob, if the payment that is named as another one does not exist, or does not look the same: the name would say nothing */
async function checkDuplicate(tables: Tables, name: string, fingerprint: string | undefined): Promise<void> {
	const number = numberOf(name);
	const named = number === undefined ? undefined : await tables.find(number);
	if (named === undefined || named.fingerprint !== fingerprint) throw new RefusedJob(notDuplicate(name, named !== undefined));
}

/**
 * Records an outcome. If another transfer holds the id, this one becomes a doubt.
 * @returns the error to throw after the commit, if any
 */
export async function endIntent(
	tables: Tables,
	{ rules }: Pick<Dependencies, "rules">,
	name: string,
	given: JournalOutcome,
): Promise<PurserError | undefined> {
	const stored = await intentNamed(tables, name);
	const holder = given.state === "accepted" ? await otherHolder(tables, stored, given.id) : undefined;
	const outcome = unlessIdIsHeld(given, holder);
	const failure = holder === undefined || outcome.state !== "in-doubt" ? undefined : sameIdTwice(name, holder, outcome.reason);
	const step: JournalStep = { kind: "ended", outcome };
	// Idempotent: a commit that was reported as failed but succeeded is retried with the same outcome.
	const ended = intentAfter(rules, { ...stored, state: "sending" }, step, stored.changed);
	if (stored.state !== "sending" && JSON.stringify(ended) === JSON.stringify(stored)) return failure;
	refusing(() => rules.next(stored.state, step));
	await recordServiceTime(tables, given.skew);
	await takeSteps(tables, rules, stored, step);
	return failure;
}

/** The first step of what is decided of an attempt whose process died. */
export const deathOf = ({ state }: StoredIntent): JournalStep[] => (state === "sending" ? [{ kind: "died" }] : []);

/**
 * Appends the event of each step, and stores what the intent is after them.
 * @throws RefusedJob, before anything is written, where one does not follow
 */
export async function takeSteps(tables: Tables, rules: Rules, stored: StoredIntent, ...steps: readonly JournalStep[]): Promise<void> {
	const { number, attempt, batch, state } = stored;
	const at = tables.now.toISOString();
	const after = refusing(() => steps.reduce((before, step) => intentAfter(rules, before, step, at), stored));
	for (const { kind, ...content } of steps) await tables.append(kind, number, { attempt, ...content }, batch);
	await changeFrom(tables, rules, state, after);
}

/** Settles a doubt. If its process died, that is recorded first. */
export async function settleIntent(
	tables: Tables,
	{ rules, senders }: Dependencies,
	name: string,
	{ settlement, attempt: seen, changed }: { settlement: Settlement; attempt: number; changed?: string },
): Promise<void> {
	const stored = await intentNamed(tables, name);
	const record = await recordIn(stored, senders);
	// A named transaction may correct a payment that was wrongly settled as not created.
	const corrects = record.state === "not-created" && settlement.state === "accepted" && settlement.evidence.source === "transaction";
	if (record.state !== "in-doubt" && !corrects) throw new RefusedJob(notInDoubt(record));
	if (record.attempt !== seen) throw new RefusedJob(anotherAttempt(record, seen));
	// A list that was read before the request left once more proves nothing of that.
	if (settlement.state === "not-created" && changed !== undefined && record.changed !== changed)
		throw new RefusedJob(changedSinceRead(record));
	const id = settlement.state === "accepted" ? settlement.id : undefined;
	const holder = await otherHolder(tables, stored, id);
	if (holder !== undefined) throw new RefusedJob(idHeldByOther(name, holder, id));
	await takeSteps(tables, rules, stored, ...deathOf(stored), { kind: "settled", settlement });
}

/** Records a look for each intent that is still in doubt. @returns the look's number */
export async function recordCheck(tables: Tables, names: readonly string[], check: Check): Promise<number> {
	const found: StoredIntent[] = [];
	for (const name of names) found.push(await intentNamed(tables, name));
	const number = check.number ?? (await tables.nextCheck());
	const open = found.filter(({ state }) => state === "in-doubt" || state === "sending");
	for (const { attempt, batch, ...stored } of open)
		await tables.append("checked", stored.number, { attempt, check: { ...check, number } }, batch);
	// Its number is used all the same.
	if (open.length === 0) await tables.append("checked", undefined, { check: { ...check, number } });
	return number;
}

/** @throws RefusedJob, if there is no intent of this number */
export async function intentNamed(tables: Tables, name: string): Promise<StoredIntent> {
	const number = numberOf(name);
	const stored = number === undefined ? undefined : await tables.find(number);
	if (stored) return stored;
	throw new RefusedJob(unknownIntent(name));
}

/** The other intent that holds this transaction id. Only for transfers, because other answers may name the same record twice. */
async function otherHolder(tables: Tables, { number, intent }: StoredIntent, id: string | undefined): Promise<string | undefined> {
	if (id === undefined || intent.effect !== "money") return undefined;
	const holder = await tables.holder(id, number);
	return holder === undefined ? undefined : String(holder);
}

/** Stores what an intent is now, and counts it where that changed. @param before the state that it leaves */
export async function changeFrom(tables: Tables, rules: Rules, before: IntentState, after: StoredIntent): Promise<void> {
	await tables.change(after);
	const wasCounted = rules.counts(before);
	if (wasCounted !== rules.counts(after.state)) await countPayment(tables, rules, after.intent, dayCounted(after), wasCounted ? -1 : 1);
}

/** The day that an attempt counts on, by the skew known when it began and not by one learned later, so that both bookings match. */
function dayCounted({ begun, batch, intent, result }: StoredIntent): string {
	return dayOf(begun, batch === undefined ? intent.skew : result.skew);
}

/** Enters a change that was made elsewhere: by another journal, or as this machine's log has it. @returns its number */
export async function addCarried(tables: Tables, rules: Rules, stored: Omit<StoredIntent, "number">): Promise<number> {
	const number = await tables.add(stored);
	await tables.append("carried", number, stored);
	if (rules.counts(stored.state)) await countPayment(tables, rules, stored.intent, dayOf(stored.begun, stored.intent.skew), 1);
	return number;
}

async function countPayment(tables: Tables, rules: Rules, { transfer }: JournalIntent, day: string, sign: 1 | -1): Promise<void> {
	if (transfer !== undefined) await addSpent(tables, rules, day, { [transfer.currency ?? ""]: transfer.amount }, sign);
}

/**
 * Adds sums to, or takes them from, what was spent on a day.
 * @param sums decimal, by currency
 */
export async function addSpent(
	tables: Tables,
	rules: Pick<Rules, "add">,
	day: string,
	sums: Readonly<Record<string, string>>,
	sign: 1 | -1,
): Promise<void> {
	const spent = await tables.spent(day);
	for (const [currency, sum] of Object.entries(sums)) await tables.setSpent(day, currency, rules.add(spent[currency] ?? "0", sum, sign));
}

/** Turns an error of the rules into a refusal of this job alone. */
export function refusing<T>(ask: () => T): T {
	try {
		return ask();
	} catch (reason) {
		throw new RefusedJob(reason);
	}
}
