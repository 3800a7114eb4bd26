/**
 * Removing what is over. Only a beginning of the record can go, so that the chain of what stays is whole; a `purged` event
 * keeps the hash it builds on.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { PurgeResult } from "../../ports/journal.js";
import type { Anchoring } from "../anchor/anchoring.js";
import { type CommitQueue, RefusedJob } from "../intents/queue.js";
import { recordOf } from "../intents/record.js";
import { carryOver } from "../intents/settings-record.js";
import { countedOn } from "../sqlite/service-time.js";
import type { Storage } from "../sqlite/storage.js";
import { storedIntent, tablesIn } from "../sqlite/tables.js";
import { metaOf, statement, type WriteTransaction } from "../sqlite/transaction.js";

/** Most intents named in a refusal. */
const mostNamed = 10;

/**
 * @param anchoring of a journal that has an anchor, which is moved on first: to an event that is removed it could not be compared, and a
 *   run that is killed between would leave a journal that nobody may pay by
 * @throws PurserError guard, where something that began before `before` is not settled, or the journal is not the one that its anchor is of
 */
export async function purgeJournal(
	storage: Storage,
	queue: CommitQueue,
	before: Date,
	lives: (sender: string) => boolean,
	anchoring?: Anchoring,
): Promise<PurgeResult> {
	const kept = anchoring !== undefined && (await anchoring.allow(true)) === "held" ? anchoring : undefined;
	const purged = await queue.run((transaction) => remove(transaction, before, lives, () => kept?.renewLocked()));
	kept?.renew();
	// What was removed is overwritten in the file (secure_delete); the log beside it must go too.
	storage.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
	return purged;
}

/** @param moveOn called when it is certain that something goes, before anything does */
function remove(transaction: WriteTransaction, before: Date, lives: (sender: string) => boolean, moveOn: () => void): PurgeResult {
	const until = before.toISOString();
	const open = transaction
		.sql("SELECT * FROM intent WHERE state IN ('sending', 'in-doubt') AND begun < ? ORDER BY number")
		.all(until)
		.map((row) => recordOf(storedIntent(transaction.storage, row), lives));
	if (open.length > 0) throw new RefusedJob(unsettled(open.map(({ intent }) => intent)));
	const { through, hash, straddling } = reach(transaction, until);
	const from = Number(metaOf(transaction.storage, "purged"));
	const kept = straddling === undefined ? undefined : `${straddling} began before then and went on after; what follows its beginning stays`;
	if (through <= from) return { events: 0, intents: 0, kept };
	const batches = transaction
		.sql("SELECT number, sender FROM batch WHERE number IN (SELECT batch FROM event WHERE seq <= ? AND batch IS NOT NULL)")
		.all(through);
	const sent = batches.find(({ sender }) => typeof sender === "string" && lives(sender));
	if (sent) throw new RefusedJob(underWay(String(sent.number)));
	const intents = Number(
		transaction.sql("SELECT count(DISTINCT intent) AS intents FROM event WHERE seq <= ? AND intent IS NOT NULL").get(through)?.intents,
	);
	const events = Number(transaction.sql("SELECT count(*) AS events FROM event WHERE seq <= ?").get(through)?.events);
	// Before anything is written here: the anchor is of what was committed.
	moveOn();
	carryOver(tablesIn(transaction), through);
	transaction.append("purged", undefined, {
		through,
		hash,
		events,
		intents,
		before: until,
		whole: wholeAfter(transaction, through, until),
	});
	transaction.sql("UPDATE meta SET value = ? WHERE key = 'purged'").run(String(through));
	transaction.sql("DELETE FROM intent WHERE number IN (SELECT intent FROM event WHERE seq <= ? AND intent IS NOT NULL)").run(through);
	// Batches go whole, with what of them was never sent; what was only planned and never begun by then goes too.
	for (const { number: batch } of batches) {
		transaction
			.sql(
				"DELETE FROM intent WHERE batch = ?1 AND number BETWEEN (SELECT first FROM batch WHERE number = ?1) AND (SELECT last FROM batch WHERE number = ?1)",
			)
			.run(batch as number);
		transaction.sql("DELETE FROM batch WHERE number = ?").run(batch as number);
	}
	transaction.sql("DELETE FROM event WHERE seq <= ?").run(through);
	// By a clock that is ahead, today at the service may be long ago: its sum is still to be held against.
	const seen = tablesIn(transaction).highestTime();
	transaction.sql("DELETE FROM spent WHERE day < ?").run([until, seen ?? until].sort()[0]?.slice(0, 10) as string);
	return { events, intents, kept };
}

/**
 * The first day whose sum is still that of what stands on record, where that is not the day of the purge: by a clock that was behind the
 * service's, what goes may count on a day that stays; and an earlier purge, by a clock that was ahead, may have reached further.
 */
function wholeAfter(transaction: WriteTransaction, through: number, before: string): string | undefined {
	const last = transaction
		.sql(
			`SELECT max(CASE WHEN intent.state = 'planned' THEN batch.day ELSE ${countedOn("intent")} END) AS day
			FROM intent LEFT JOIN batch ON batch.number = intent.batch WHERE intent.number IN (SELECT intent FROM event WHERE seq <= ?1 AND intent IS NOT NULL)
			OR intent.batch IN (SELECT batch FROM event WHERE seq <= ?1 AND batch IS NOT NULL)`,
		)
		.get(through)?.day;
	const own = wholeFrom({ before });
	const counted = typeof last === "string" ? `${last}~` : "";
	const whole = [own, counted, ...purges(transaction.storage).map(wholeFrom)].reduce((one, other) => (one > other ? one : other));
	return whole === own ? undefined : whole;
}

/** What each purge that is on record wrote down; the newest first. */
export function purges(storage: Storage): { before: string; whole?: string }[] {
	return statement(storage, "SELECT content FROM event WHERE kind = 'purged' ORDER BY seq DESC")
		.all()
		.map(({ content }) => JSON.parse(String(content)));
}

/** The first day whose sum is whole after a purge; where it was made in the middle of a day, the one after that. */
export function wholeFrom({ before, whole }: { before: string; whole?: string }): string {
	return whole ?? (before.endsWith("T00:00:00.000Z") ? before.slice(0, 10) : `${before.slice(0, 10)}~`);
}

/** The last event that can go: everything up to it is older, and nobody who has an event up to it has one after it. */
function reach(transaction: WriteTransaction, until: string): { through: number; hash: string; straddling?: string } {
	const first = transaction.sql("SELECT min(seq) AS seq FROM event WHERE at >= ?").get(until)?.seq;
	let stop = typeof first === "number" ? first : Number(transaction.sql("SELECT max(seq) + 1 AS seq FROM event").get()?.seq);
	let straddling: string | undefined;
	for (;;) {
		const straddler = transaction
			.sql(
				`SELECT early.seq, early.intent, early.batch FROM event AS early WHERE early.seq < ?1
				AND ((early.intent IS NOT NULL AND EXISTS (SELECT 1 FROM event AS late WHERE late.intent = early.intent AND late.seq >= ?1))
				OR (early.batch IS NOT NULL AND EXISTS (SELECT 1 FROM event AS late WHERE late.batch = early.batch AND late.seq >= ?1)))
				ORDER BY early.seq LIMIT 1`,
			)
			.get(stop);
		if (straddler === undefined) break;
		stop = Number(straddler.seq);
		straddling ??= straddler.batch === null ? `intent ${straddler.intent}` : `batch ${straddler.batch}`;
	}
	const last = transaction.sql("SELECT seq, hash FROM event WHERE seq < ? ORDER BY seq DESC LIMIT 1").get(stop);
	return { through: Number(last?.seq ?? 0), hash: String(last?.hash ?? ""), straddling };
}

/** Between two of its rows nothing of a batch is open, and yet it goes on: what it is told from here on must find its rows. */
function underWay(batch: string): PurserError {
	return new PurserError("guard", {
		code: "BATCH_BUSY",
		message: `Nothing was removed: batch ${batch} is being sent right now by another purser`,
		fix: advice`Run it again when that has ended: ${purser`pay batch status ${batch}`}`,
	});
}

function unsettled(intents: readonly string[]): PurserError {
	const named = intents.slice(0, mostNamed).join(", ") + (intents.length > mostNamed ? ` and ${intents.length - mostNamed} more` : "");
	return new PurserError("guard", {
		code: "UNSETTLED",
		message: `Nothing was removed: ${intents.length === 1 ? "intent" : "intents"} ${named} ${intents.length === 1 ? "is" : "are"} not settled`,
		why: "What may have moved money stays on record until it is known",
		fix: advice`Settle first: ${purser`pay doubts`}, ${purser`pay settle INTENT`}`,
	});
}
