/**
 * Removes old events. Only the beginning of the record can be removed, so that the remaining chain stays intact; a `purged` event holds the
 * hash that it continues from.
 */
import { advice, purser } from "../../api/advice.js";
import { PurserError } from "../../errors.js";
import type { PurgeResult } from "../../ports/journal.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import { statement } from "../../sqlite/statement.js";
import type { SqlRow, Storage } from "../../sqlite/storage.js";
import type { Anchoring } from "../anchor/anchoring.js";
import { refuseRestored } from "../anchor/restored.js";
import type { CommitQueue } from "../intents/queue.js";
import { recordOf } from "../intents/record.js";
import { carryOver } from "../intents/settings-record.js";
import { begunAtService, countedOn } from "../sqlite/service-time.js";
import { storedIntent, tablesIn } from "../sqlite/tables.js";
import { metaOf, WriteTransaction } from "../sqlite/transaction.js";

/** Most intents named in a refusal. */
const mostNamed = 10;

/**
 * @param anchoring if the journal has an anchor. It is advanced first: the journal could not be compared with a removed event, and a kill
 *   in
 *   between would leave a journal that nobody may pay from
 * @throws PurserError guard, if an intent begun before `before` is not settled, or the journal does not match its anchor
 */
export async function purgeJournal(
	storage: Storage,
	queue: CommitQueue,
	before: Date,
	lives: (sender: string) => boolean,
	anchoring?: Anchoring,
): Promise<PurgeResult> {
	refuseRestored(storage);
	const anchored = anchoring !== undefined && (await anchoring.allow(true)) === "held" ? anchoring : undefined;
	const purged = await queue.run((transaction) => remove(transaction, before, lives, () => anchored?.renewLocked()));
	anchored?.renew();
	// secure_delete overwrites removed data in the file; truncate the write-ahead log too.
	storage.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
	return purged;
}

/**
 * What {@link purgeJournal} would remove, by kind of event. Writes nothing.
 * @throws PurserError as {@link purgeJournal}
 */
export function purgeable(storage: Storage, before: Date, lives: (sender: string) => boolean): PurgeResult {
	refuseRestored(storage);
	storage.exec("BEGIN");
	try {
		const { through, events, intents, kept } = removable(new WriteTransaction(storage, before), before.toISOString(), lives);
		const all = statement(
			storage,
			"SELECT kind, count(*) AS events, min(at) AS oldest, max(at) AS newest FROM event WHERE seq <= ? GROUP BY kind",
		).all(through);
		const moments = all.flatMap(({ oldest, newest }) => [String(oldest), String(newest)]).sort();
		const kinds = Object.fromEntries(all.map(({ kind, events }) => [String(kind), Number(events)]));
		return { events, intents, kept, kinds, oldest: moments[0], newest: moments.at(-1) };
	} catch (error) {
		throw error instanceof RefusedJob ? error.reason : error;
	} finally {
		storage.exec("ROLLBACK");
	}
}

/** The beginning of the record that can be removed; `through`: its last event, with its hash. */
interface Removable extends PurgeResult {
	through: number;
	hash: string;
	/** Batches that have events in it. */
	batches: readonly SqlRow[];
}

/** @throws RefusedJob, if something in it is not settled or is being sent */
function removable(transaction: WriteTransaction, until: string, lives: (sender: string) => boolean): Removable {
	const open = transaction
		.sql("SELECT * FROM intent WHERE state IN ('sending', 'in-doubt') AND begun < ? ORDER BY number")
		.all(until)
		.map((row) => recordOf(storedIntent(transaction.storage, row), lives));
	if (open.length > 0) throw new RefusedJob(unsettled(open.map(({ intent }) => intent)));
	const { through, hash, straddling } = lastRemovable(transaction, until);
	const from = Number(metaOf(transaction.storage, "purged"));
	const kept = straddling === undefined ? undefined : `${straddling} began before then and went on after; what follows its beginning stays`;
	if (through <= from) return { through: 0, hash, batches: [], events: 0, intents: 0, kept };
	const batches = transaction
		.sql("SELECT number, sender FROM batch WHERE number IN (SELECT batch FROM event WHERE seq <= ? AND batch IS NOT NULL)")
		.all(through);
	const sent = batches.find(({ sender }) => typeof sender === "string" && lives(sender));
	if (sent) throw new RefusedJob(batchBusy(String(sent.number)));
	const intents = Number(
		transaction.sql("SELECT count(DISTINCT intent) AS intents FROM event WHERE seq <= ? AND intent IS NOT NULL").get(through)?.intents,
	);
	const events = Number(transaction.sql("SELECT count(*) AS events FROM event WHERE seq <= ?").get(through)?.events);
	return { through, hash, batches, events, intents, kept };
}

/** @param advanceAnchor called once it is certain that something will be removed, before the first write */
function remove(transaction: WriteTransaction, before: Date, lives: (sender: string) => boolean, advanceAnchor: () => void): PurgeResult {
	const until = before.toISOString();
	const { through, hash, batches, events, intents, kept } = removable(transaction, until, lives);
	if (through === 0) return { events, intents, kept };
	// Before the first write, because only committed events may be anchored.
	advanceAnchor();
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
	// Batches are removed completely, with rows that were never sent; so are batches planned but never begun by then.
	for (const { number: batch } of batches) {
		transaction
			.sql(
				"DELETE FROM intent WHERE batch = ?1 AND number BETWEEN (SELECT first FROM batch WHERE number = ?1) AND (SELECT last FROM batch WHERE number = ?1)",
			)
			.run(batch as number);
		transaction.sql("DELETE FROM batch WHERE number = ?").run(batch as number);
	}
	transaction.sql("DELETE FROM event WHERE seq <= ?").run(through);
	// If this machine's clock is ahead, `until` may be after today at the service, whose sum is still needed for the cap.
	const seen = tablesIn(transaction).highestTime();
	transaction.sql("DELETE FROM spent WHERE day < ?").run([until, seen ?? until].sort()[0]?.slice(0, 10) as string);
	return { events, intents, kept };
}

/**
 * The first day whose sum still matches the recorded payments, if that is not the day of the purge. If this machine's clock was behind the
 * service's, removed payments may count on a day that stays; and an earlier purge with a clock that was ahead may have reached further.
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

/** The contents of recorded purges, newest first. */
export function purges(storage: Storage): { before: string; whole?: string }[] {
	return statement(storage, "SELECT content FROM event WHERE kind = 'purged' ORDER BY seq DESC")
		.all()
		.map(({ content }) => JSON.parse(String(content)));
}

/**
 * The first day whose sum is complete after a purge; after one in the middle of a day, anything later than that day (`~` sorts after it).
 */
export function wholeFrom({ before, whole }: { before: string; whole?: string }): string {
	return whole ?? (before.endsWith("T00:00:00.000Z") ? before.slice(0, 10) : `${before.slice(0, 10)}~`);
}

/**
 * The last removable event: all up to it are older than `until`, by this machine's clock and by the service's where an attempt's time is known
 * by it, and no intent or batch has events on both sides of it.
 */
function lastRemovable(transaction: WriteTransaction, until: string): { through: number; hash: string; straddling?: string } {
	const first = transaction
		.sql(
			`SELECT min(seq) AS seq FROM (SELECT min(seq) AS seq FROM event WHERE at >= ?1
			UNION ALL SELECT min(event.seq) FROM intent JOIN event ON event.intent = intent.number WHERE ${begunAtService("intent")} >= ?1
			UNION ALL SELECT min(event.seq) FROM intent JOIN event ON event.batch = intent.batch
			WHERE intent.batch IS NOT NULL AND intent.attempt > 0 AND ${begunAtService("intent")} >= ?1)`,
		)
		.get(until)?.seq;
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

/** A batch being sent has moments without open rows, but its rows must not be removed while it goes on. */
function batchBusy(batch: string): PurserError {
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
