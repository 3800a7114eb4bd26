/**
 * Fills a team's database that went back, from this machine's log, and adopts it. Nothing that this machine has sent, or was about to, can be
 * sent by it again; what other machines sent is in their logs, and each has to fill in its own.
 */
import { plainId } from "../api/text/ids.js";
import type { IntentState } from "../ports/intent.js";
import type { Head, Rules } from "../ports/journal.js";
import type { Recovered } from "../ports/team.js";
import type { SqlRow } from "../sqlite/storage.js";
import { adopt, cancelUnbegun, recordAttempts, type SentRow, sendable } from "./adopt.js";
import { carryOutcome, contest, wordsOf } from "./carry.js";
import type { Engine } from "./engine.js";
import { diedReason, resultOf, unlessIdIsHeld } from "./intents/record.js";
import { addCarried, type Dependencies } from "./intents/write.js";
import type { MachineLog, Marked, Outcome } from "./postgres/log.js";
import { transferIn } from "./tables/batch-row.js";
import type { Senders } from "./tables/connection.js";
import { sql } from "./tables/sql.js";
import { type StoredIntent, storedIntents, tablesIn } from "./tables/tables.js";
import type { WriteTransaction } from "./tables/transaction.js";

/** See `recoverTeam`. */
export async function recover(engine: Engine & { log: MachineLog }, rules: Rules, reason: string): Promise<Recovered> {
	const { connection, senders, log } = engine;
	const anchoring = await engine.anchoring();
	let filled: Filled | undefined;
	const fill = async (transaction: WriteTransaction): Promise<void> => {
		filled = await fillIn(transaction, { rules, senders }, log);
	};
	if (anchoring === undefined || (await anchoring.standing()).kind === "held") await connection.write(fill);
	else await adopt(engine, rules, reason, undefined, fill);
	const { recovered, head, outcomes, marks } = filled as unknown as Filled;
	const recorded = outcomes.map(({ hash, intent }) => [hash, intent] as const);
	if (recorded.length + marks.length > 0) await log.append([{ is: "recorded", by: "", ...head, outcomes: recorded, marks }]);
	return recovered;
}

interface Filled {
	recovered: Recovered;
	/** The newest event of the database then. */
	head: Head;
	/** What the database has now. */
	outcomes: readonly Outcome[];
	marks: readonly string[];
}

async function fillIn(transaction: WriteTransaction, dependencies: Dependencies, log: MachineLog): Promise<Filled> {
	const lacking = await log.lacking(transaction);
	const recovered: Recovered = { carried: 0, restored: 0, contested: [], doubts: [], unreadable: lacking.unreadable };
	const left = new Map(lacking.outcomes.map((one) => [`${one.hash} ${one.intent}`, one]));
	const done: Outcome[] = [];
	const batches = new Set<number>();
	for (const mark of lacking.marks) {
		const key = `${mark.hash} ${mark.intent}`;
		const outcome = left.get(key);
		left.delete(key);
		if (outcome) done.push(outcome);
		const batch = await fillMark(transaction, dependencies, mark, outcome, recovered);
		if (batch !== undefined) batches.add(batch);
	}
	for (const batch of batches)
		await cancelUnbegun(transaction, dependencies, batch, "the database went back: rows of this batch had been sent");
	const living = await dependencies.senders.living([...left.values(), ...lacking.late].map(({ by }) => by));
	const enter = async (outcome: Outcome, stored?: StoredIntent): Promise<void> => {
		const how = await carryOutcome(transaction, dependencies, outcome, stored);
		if (how === "later") return;
		done.push(outcome);
		if (how === "recorded") recovered.carried += 1;
		if (how === "contested") recovered.contested.push(String(stored?.number ?? outcome.intent));
	};
	for (const outcome of left.values()) if (!living.has(outcome.by)) await enter(outcome);
	for (const late of lacking.late) {
		const stored = await filledFor(transaction, dependencies, late);
		if (stored !== undefined && !living.has(late.by)) await enter(late, stored);
	}
	const marks = [...new Set(lacking.marks.map(({ hash }) => hash))];
	return { recovered, head: transaction.head, outcomes: done, marks };
}

/** @returns the batch, if it is a row of one that the database has */
async function fillMark(
	transaction: WriteTransaction,
	dependencies: Dependencies,
	mark: Marked,
	known: Outcome | undefined,
	recovered: Recovered,
): Promise<number | undefined> {
	const outcome = known?.outcome;
	let row = await rowFor(transaction, mark);
	// An attempt of another machine was not made, because this one followed. Its number counts: an idempotency key is made of it.
	while (row !== undefined && sendable.includes(row.state as IntentState) && Number(row.attempt) + 1 < mark.attempt) {
		const outcome = { state: "not-sent", reason: "an attempt of another machine, which was followed by one of this" } as const;
		await recordAttempts(transaction, dependencies, Number(row.batch), [{ row, at: mark.at, outcome }], diedReason);
		row = await rowFor(transaction, mark);
	}
	if (row === undefined) {
		const added = await addPayment(transaction, dependencies, mark, known);
		if (added === undefined) return undefined;
		recovered.restored += 1;
		if (added.state === "in-doubt") recovered.doubts.push(String(added.number));
		return undefined;
	}
	const batch = Number(row.batch);
	if (sendable.includes(row.state as IntentState) && Number(row.attempt) < mark.attempt) {
		const sent: SentRow = { row, at: mark.at, outcome };
		await recordAttempts(transaction, dependencies, batch, [sent], diedReason);
		recovered.restored += 1;
		if (outcome === undefined || outcome.state === "in-doubt") recovered.doubts.push(mark.intent.toString());
	} else if (outcome === undefined || outcome.state === "accepted" || outcome.state === "in-doubt") {
		// Somebody sent it once more from the database that knew nothing of it.
		const [stored] = (await storedIntents(transaction, [row])) as [StoredIntent];
		await contest(transaction, dependencies, stored, wordsOf(dependencies, mark.attempt, outcome));
		recovered.contested.push(mark.intent.toString());
	}
	return batch;
}

/** The row of a batch that was marked, if the database has it, and it was not cancelled. */
async function rowFor(transaction: WriteTransaction, { batch, intent, row, asked }: Marked): Promise<SqlRow | undefined> {
	if (batch === undefined) return undefined;
	const found = await transaction.get(
		sql`SELECT * FROM intent WHERE number = ${intent} AND batch = ${batch} AND row = ${row as number} AND state <> 'abandoned'`,
	);
	return found !== undefined && JSON.stringify(transferIn(found)) === JSON.stringify(asked.transfer) ? found : undefined;
}

/** What a payment was filled in as: one of its own, or the row that it was. */
async function filledFor(
	transaction: WriteTransaction,
	{ senders }: Dependencies,
	{ intent, hash, attempt }: Outcome,
): Promise<StoredIntent | undefined> {
	const name = carriedName(senders, intent, hash);
	const row = await transaction.get(
		sql`SELECT * FROM intent WHERE carried = ${name} OR (number = ${intent} AND batch IS NOT NULL AND attempt >= ${attempt}) ORDER BY carried LIMIT 1`,
	);
	return row && (await storedIntents(transaction, [row]))[0];
}

/** What the machine and the log call a payment: numbers are given again by a database that went back. */
const carriedName = ({ machine = "machine" }: Pick<Senders, "machine">, number: number, hash: string): string =>
	`${machine}:${number}@${hash.slice(0, 12)}`;

/** A payment that the database does not know becomes an intent of its own, with the number that it had. @returns undefined if it is there */
async function addPayment(
	transaction: WriteTransaction,
	{ rules, senders }: Dependencies,
	{ intent: number, hash, at, asked }: Marked,
	known: Outcome | undefined,
): Promise<{ number: number; state: StoredIntent["state"] } | undefined> {
	const tables = tablesIn(transaction);
	const carried = carriedName(senders, number, hash);
	if ((await transaction.get(sql`SELECT number FROM intent WHERE carried = ${carried}`)) !== undefined) return undefined;
	const outcome = known?.outcome ?? { state: "in-doubt" as const, reason: diedReason };
	const id = outcome.state === "accepted" ? outcome.id : undefined;
	const holder = id === undefined ? undefined : await tables.holder(id, 0);
	const ended = unlessIdIsHeld(outcome, holder);
	const stored: Omit<StoredIntent, "number"> = {
		state: ended.state === "accepted" && ended.waiting ? "waiting" : ended.state,
		attempt: 1,
		begun: at,
		changed: tables.now.toISOString(),
		fingerprint: rules.fingerprint(asked),
		...(ended.state === "accepted" && ended.id !== undefined && { createdId: plainId(ended.id) }),
		intent: { ...asked, machine: senders.machine },
		result: resultOf(ended),
		carried,
	};
	return { number: await addCarried(tables, rules, stored), state: stored.state };
}
