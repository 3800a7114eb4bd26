/**
 * The writes, each inside a transaction: what is appended, and what follows from it in the derived tables.
 */
import type { IntentRecord, IntentState, JournalIntent, JournalOutcome, JournalStep, Look, Rules, Settlement } from "../context.js";
import { PurserError } from "../errors.js";
import { Refusal } from "./queue.js";
import { died, numberOf, type Result, recordOf, resultOf, settledResult } from "./record.js";
import type { Row } from "./storage.js";
import type { Transaction } from "./transaction.js";

export interface Hands {
	rules: Rules;
	/** This process's name as a sender, locked. */
	own(): string;
	lives(sender: string): boolean;
}

/** Most intents alike that are told to the rules, the newest. */
const mostAlike = 1_000;

/** Begins an attempt: of a new intent, or of one that was proven not created. Refuses where the rules do. */
export function begin(transaction: Transaction, hands: Hands, intent: JournalIntent): string {
	const { rules } = hands;
	const { now } = transaction;
	const fingerprint = rules.fingerprint(intent);
	const rows = fingerprint === undefined ? [] : alikeRows(transaction, fingerprint, rules.lately(now));
	const alike = rows.map((row) => recordOf(row, hands.lives));
	refusing(() => rules.permit(intent, { alike, spent: spentOn(transaction, dayOf(now)), now }));
	const again = provenNotCreated(transaction, fingerprint);
	const before = again === undefined ? undefined : (again.state as IntentState);
	const state = refusing(() => rules.next(before, { kind: "begun" }));
	const sender = hands.own();
	const at = now.toISOString();
	const content = JSON.stringify(intent);
	let number: number;
	let attempt = 1;
	if (again === undefined) {
		transaction
			.sql(
				"INSERT INTO intent (effect, state, attempt, begun, changed, sender, fingerprint, content, result) VALUES (?, ?, 1, ?, ?, ?, ?, ?, '{}')",
			)
			.run(intent.effect, state, at, at, sender, fingerprint ?? null, content);
		number = Number(transaction.sql("SELECT last_insert_rowid() AS number").get()?.number);
	} else {
		number = Number(again.number);
		attempt = Number(again.attempt) + 1;
		transaction
			.sql("UPDATE intent SET state = ?, attempt = ?, begun = ?, changed = ?, sender = ?, content = ?, result = '{}' WHERE number = ?")
			.run(state, attempt, at, at, sender, content, number);
	}
	transaction.append("begun", number, { attempt, sender, fingerprint, ...intent });
	if (rules.counts(state)) spend(transaction, rules, intent, at, 1);
	return String(number);
}

/** Those alike that may matter: still open, or gone out lately, or proven not created. */
function alikeRows(transaction: Transaction, fingerprint: string, since: Date): Row[] {
	return transaction
		.sql(
			`SELECT * FROM intent WHERE fingerprint = ? AND (state IN ('sending', 'in-doubt', 'planned') OR (state IN ('accepted', 'waiting') AND begun >= ?))
			ORDER BY number DESC LIMIT ${mostAlike}`,
		)
		.all(fingerprint, since.toISOString());
}

/** The latest alike that was proven not created: sending it again is its next attempt. */
function provenNotCreated(transaction: Transaction, fingerprint: string | undefined): Row | undefined {
	if (fingerprint === undefined) return undefined;
	return transaction
		.sql("SELECT * FROM intent WHERE fingerprint = ? AND state = 'not-created' ORDER BY number DESC LIMIT 1")
		.get(fingerprint);
}

/**
 * Records an outcome. An id that another transfer holds makes a doubt of this one.
 * @returns the error to be told after the commit, where there is one
 */
export function end(transaction: Transaction, hands: Hands, name: string, given: JournalOutcome): PurserError | undefined {
	const row = rowOf(transaction, name);
	const holder = given.state === "accepted" ? holderOf(transaction, row, given.id) : undefined;
	const outcome: JournalOutcome =
		holder === undefined || given.state !== "accepted"
			? given
			: { state: "in-doubt", status: given.status, reason: `the service gave the id ${given.id}, which transfer ${holder} holds` };
	const state = refusing(() => hands.rules.next(row.state as IntentState, { kind: "ended", outcome }));
	transaction.append("ended", Number(row.number), { attempt: row.attempt, outcome });
	change(transaction, hands.rules, row, state, resultOf(outcome), outcome.state === "accepted" ? outcome.id : undefined);
	return holder === undefined ? undefined : sameId(name, holder, outcome);
}

function sameId(intent: string, holder: string, outcome: JournalOutcome): PurserError {
	return new PurserError("unknown", {
		code: "SAME_ID_TWICE",
		message: `Money may have moved: ${outcome.state === "in-doubt" ? outcome.reason : "the id is held"}`,
		why: "Two transfers cannot be one transaction, so nothing says whether this one was made",
		fix: `Do not send it again; look at both: purser history show ${holder}, purser pay settle ${intent}`,
		intent,
		moneyMayHaveMoved: true,
	});
}

/** Ends a doubt. One whose process died gets that written first. */
export function settle(transaction: Transaction, hands: Hands, name: string, settlement: Settlement): void {
	const row = rowOf(transaction, name);
	const record = recordOf(row, hands.lives);
	if (record.state !== "in-doubt") throw new Refusal(notInDoubt(record));
	const holder = settlement.state === "accepted" ? holderOf(transaction, row, settlement.id) : undefined;
	if (holder !== undefined && settlement.state === "accepted") throw new Refusal(held(name, holder, settlement.id));
	const steps: JournalStep[] = [...(row.state === "in-doubt" ? [] : [{ kind: "died" } as const]), { kind: "settled", settlement }];
	const state = refusing(() => steps.reduce<IntentState>(hands.rules.next, row.state as IntentState));
	const number = Number(row.number);
	for (const step of steps)
		transaction.append(step.kind, number, { attempt: row.attempt, ...(step.kind === "settled" ? { settlement } : {}) });
	const before: Result = { ...(JSON.parse(String(row.result)) as Result), ...(row.state === "in-doubt" ? {} : { why: died }) };
	change(
		transaction,
		hands.rules,
		row,
		state,
		settledResult(before, settlement),
		settlement.state === "accepted" ? settlement.id : undefined,
	);
}

function notInDoubt({ intent, state }: IntentRecord): PurserError {
	return new PurserError("guard", {
		code: "NOT_IN_DOUBT",
		message: `Intent ${intent} is ${state}, not in doubt; nothing was changed`,
		fix:
			state === "sending" ? "Wait until the purser that sends it has finished." : `See what is known of it: purser history show ${intent}`,
		intent,
	});
}

function held(intent: string, holder: string, id: string | undefined): PurserError {
	return new PurserError("guard", {
		code: "TRANSACTION_HELD",
		message: `Transaction ${id} is already that of intent ${holder}, so it cannot settle ${intent}; nothing was changed`,
		fix: `Compare both: purser history show ${holder}, purser history show ${intent}`,
		intent,
	});
}

/** Records a look at doubts. Whoever is not in doubt any more is left out. */
export function looked(transaction: Transaction, names: readonly string[], look: Look): void {
	const open = names.map((name) => rowOf(transaction, name)).filter(({ state }) => state === "in-doubt" || state === "sending");
	for (const { number, attempt } of open) transaction.append("looked", Number(number), { attempt, look });
}

function rowOf(transaction: Transaction, name: string): Row {
	const number = numberOf(name);
	const row = number === undefined ? undefined : transaction.sql("SELECT * FROM intent WHERE number = ?").get(number);
	if (row) return row;
	throw new Refusal(
		new PurserError("usage", {
			code: "INTENT_UNKNOWN",
			message: `There is no intent ${JSON.stringify(name)} in this profile's journal`,
			fix: "See which there are: purser history list",
		}),
	);
}

/** Who else holds the id of a transaction: of transfers only, for other answers may name one record twice. */
function holderOf(transaction: Transaction, row: Row, id: string | undefined): string | undefined {
	if (id === undefined || row.effect !== "money") return undefined;
	const holder = transaction
		.sql("SELECT number FROM intent WHERE created_id = ? AND effect = 'money' AND number <> ?")
		.get(id.toLowerCase(), Number(row.number));
	return holder === undefined ? undefined : String(holder.number);
}

function change(transaction: Transaction, rules: Rules, row: Row, state: IntentState, result: Result, id: string | undefined): void {
	transaction
		.sql("UPDATE intent SET state = ?, changed = ?, created_id = coalesce(?, created_id), result = ? WHERE number = ?")
		.run(state, transaction.now.toISOString(), id?.toLowerCase() ?? null, JSON.stringify(result), Number(row.number));
	const intent = JSON.parse(String(row.content)) as JournalIntent;
	const counted = rules.counts(row.state as IntentState);
	if (counted !== rules.counts(state)) spend(transaction, rules, intent, String(row.begun), counted ? -1 : 1);
}

/** The UTC day of a time. */
export function dayOf(time: Date | string): string {
	return (typeof time === "string" ? time : time.toISOString()).slice(0, 10);
}

function spend(transaction: Transaction, rules: Rules, { transfer }: JournalIntent, at: string, sign: 1 | -1): void {
	if (transfer === undefined) return;
	const [day, currency] = [dayOf(at), transfer.currency ?? ""];
	const before = transaction.sql("SELECT total FROM spent WHERE day = ? AND currency = ?").get(day, currency)?.total;
	transaction
		.sql("INSERT INTO spent (day, currency, total) VALUES (?, ?, ?) ON CONFLICT (day, currency) DO UPDATE SET total = excluded.total")
		.run(day, currency, rules.add(String(before ?? "0"), transfer.amount, sign));
}

function spentOn(transaction: Transaction, day: string): Record<string, string> {
	const rows = transaction.sql("SELECT currency, total FROM spent WHERE day = ?").all(day);
	return Object.fromEntries(rows.map((row) => [String(row.currency), String(row.total)]));
}

/** What the rules refuse concerns this job alone. */
function refusing<T>(ask: () => T): T {
	try {
		return ask();
	} catch (reason) {
		throw new Refusal(reason);
	}
}
