/**
 * Carries outcomes over from this machine's log into the team's database: the process that wrote them down could not record them.
 */
import { plainId } from "../api/text/ids.js";
import type { JournalOutcome, Settlement } from "../ports/intent.js";
import { endRows } from "./batches/advance.js";
import type { RowsMoved } from "./intents/batch-events.js";
import { diedReason } from "./intents/record.js";
import { reopenIntent } from "./intents/steps.js";
import { changeFrom, type Dependencies, endIntent, recordCheck, settleIntent } from "./intents/write.js";
import { eventsThere, type MachineLog, type Outcome } from "./postgres/log.js";
import type { Connection, Senders } from "./tables/connection.js";
import { sql, within } from "./tables/sql.js";
import { type StoredIntent, tablesIn } from "./tables/tables.js";
import { eventPages, type WriteTransaction } from "./tables/transaction.js";

/** What became of a payment when its outcome was carried over; `later`: somebody is sending it now, so that has to wait. */
export type Carried = "recorded" | "known" | "contested" | "later";

/**
 * Records what the log has and the database lacks. An outcome whose payment this database does not know, or whose process is alive, stays where it is.
 * @throws the engine's errors
 */
export async function carryOutcomes(
	{
		connection,
		senders,
		log,
		rights,
	}: { connection: Connection; senders: Senders; log: MachineLog; rights(): Promise<{ records: boolean }> },
	rules: Dependencies["rules"],
): Promise<void> {
	const kept = log.opened();
	if (kept.length === 0 || !(await rights()).records) return;
	const pending = await connection.read(async (reading) => {
		const [isThere, living] = [await eventsThere(reading, kept), await senders.living(kept.map(({ by }) => by))];
		return kept.filter((one) => isThere(one) && !living.has(one.by));
	});
	await Promise.all(
		pending.map(async (one) => {
			const head = await connection.write(async (transaction) =>
				(await carryOutcome(transaction, { rules, senders }, one)) === "later" ? undefined : transaction.head,
			);
			// Otherwise the next run finds out that it is recorded: who only reads needs no room on this disk.
			if (head) await log.append([{ is: "recorded", by: one.by, ...head, outcomes: [[one.hash, one.intent]] }], true).catch(() => {});
		}),
	);
}

/**
 * Records one outcome, by the usual rules where its attempt is still being sent. Who decided otherwise meanwhile is told, and so is what contradicts.
 * @param filled the payment, where a person has filled it in before the outcome was written
 */
export async function carryOutcome(
	transaction: WriteTransaction,
	dependencies: Dependencies,
	one: Outcome,
	filled?: StoredIntent,
): Promise<Carried> {
	const { outcome } = one;
	const stored = filled ?? ((await tablesIn(transaction).find(one.intent)) as StoredIntent);
	const [attempt, seq] = filled === undefined ? [one.attempt, one.seq] : [filled.attempt, 0];
	const text = wordsOf(dependencies, one.attempt, outcome);
	if (await isRecorded(transaction, stored, { attempt, seq, text, isFilled: filled !== undefined })) return "known";
	const isSame = stored.attempt === attempt;
	if (isSame && stored.state === "sending") {
		await end(transaction, dependencies, stored, outcome);
		return "recorded";
	}
	// Sent once more with its key: what the first answer refused may have been made.
	const wasResent = outcome.state !== "accepted" && (await isResent(transaction, stored.number, seq));
	if (isSame && stored.state === "in-doubt")
		return wasResent ? tell(transaction, stored.number, text) : settle(transaction, dependencies, stored, outcome, text);
	return wasResent || agrees(stored, attempt, outcome) ? "known" : contest(transaction, dependencies, stored, text);
}

/** What the log says, for people. It is looked for, so that nothing is said twice. */
export function wordsOf({ senders }: Dependencies, attempt: number, outcome: JournalOutcome | undefined): string {
	const happened = {
		accepted: () => `was accepted${outcome?.state === "accepted" && outcome.id !== undefined ? ` as ${outcome.id}` : ""}`,
		refused: () => `was refused${outcome?.state === "refused" ? ` (HTTP ${outcome.status})` : ""}`,
		"not-sent": () => "was not sent",
		"in-doubt": () => "was sent, and no answer says whether it was made",
	}[outcome?.state ?? "in-doubt"];
	return `the log of ${senders.machine ?? "this machine"} says that attempt ${attempt} ${happened()}`;
}

/** Events of one page. */
const page = 100;

/** Whether an attempt ended on record, or what the log says of it was told before. */
async function isRecorded(
	transaction: WriteTransaction,
	{ number, batch }: StoredIntent,
	{ attempt, seq, text, isFilled }: { attempt: number; seq: number; text: string; isFilled: boolean },
): Promise<boolean> {
	const told = JSON.stringify(text).slice(1, -1);
	// What ends after the next attempt began is of that one; where it was filled in, as a doubt.
	let isLater = isFilled;
	const where = batch === undefined ? sql`intent = ${number}` : sql`batch = ${batch}`;
	for await (const events of eventPages(within(transaction), { where, after: seq, page }))
		for (const { intent, kind, content } of events) {
			if (intent !== null && Number(intent) !== number) continue;
			if (intent !== null && String(content).includes(told)) return true;
			if (intent !== null && kind === "ended" && JSON.parse(String(content)).attempt === attempt) return true;
			if (intent !== null && kind === "begun") isLater = true;
			if (kind !== "moved" || isLater) continue;
			const { ended, begun } = JSON.parse(String(content)) as RowsMoved;
			if (ended.some(([ending]) => ending === number)) return true;
			isLater = begun.some(([from, to]) => from <= number && number <= to);
		}
	return false;
}

const isResent = async (transaction: WriteTransaction, number: number, since: number): Promise<boolean> =>
	(await transaction.get(sql`SELECT seq FROM event WHERE intent = ${number} AND kind = 'resent' AND seq > ${since} LIMIT 1`)) !== undefined;

async function end(transaction: WriteTransaction, { rules }: Dependencies, stored: StoredIntent, outcome: JournalOutcome): Promise<void> {
	const tables = tablesIn(transaction);
	const { number, batch, sender = "" } = stored;
	if (batch === undefined) {
		await endIntent(tables, { rules }, String(number), outcome);
		return;
	}
	const ended = await endRows(transaction, { rules }, tables, { number: batch }, { sender, ended: [{ number, outcome }] });
	const moved: RowsMoved = { batch, sender, begun: [], ended, died: [] };
	await transaction.append("moved", undefined, moved, batch);
}

/** A doubt that nobody has decided: the answer that the log has settles it, unless another payment holds its id. */
async function settle(
	transaction: WriteTransaction,
	dependencies: Dependencies,
	{ number, attempt }: Pick<StoredIntent, "number" | "attempt">,
	outcome: JournalOutcome,
	text: string,
): Promise<Carried> {
	const tables = tablesIn(transaction);
	if (outcome.state === "in-doubt") return "known";
	const evidence = { source: "log", reason: text } as const;
	const id = outcome.state === "accepted" ? outcome.id : undefined;
	if (id !== undefined && (await tables.holder(id, number)) !== undefined) return tell(transaction, number, text);
	const settlement: Settlement = outcome.state === "accepted" ? { state: "accepted", id, evidence } : { state: "not-created", evidence };
	await settleIntent(tables, dependencies, String(number), { settlement, attempt });
	return "recorded";
}

/** Whether what was decided meanwhile is what the log says, or may follow from it. */
function agrees({ state, attempt: last, createdId }: StoredIntent, attempt: number, outcome: JournalOutcome): boolean {
	if (outcome.state === "in-doubt") return true;
	const isMade = last === attempt && (state === "accepted" || state === "waiting");
	if (outcome.state !== "accepted") return !isMade;
	return isMade && (outcome.id === undefined || plainId(outcome.id) === createdId);
}

/**
 * Puts a payment in doubt, on record, because the log contradicts what was decided of it: what could be sent again is not, and no outcome is
 * dropped.
 */
export async function contest(
	transaction: WriteTransaction,
	dependencies: Dependencies,
	stored: StoredIntent,
	text: string,
): Promise<Carried> {
	const { rules, senders } = dependencies;
	const { number, batch, state } = stored;
	const tables = tablesIn(transaction);
	const attempt = stored.attempt + 1;
	switch (state) {
		case "sending":
			return "later";
		case "accepted":
		case "waiting":
		case "refused":
		case "not-created":
			await reopenIntent(tables, dependencies, String(number), { reason: text, attempt: stored.attempt });
			return "contested";
		case "in-doubt":
			break;
		default: {
			// Proven not sent by this database's own knowledge: an attempt of which it knows nothing else.
			const [sender, begun] = [await senders.own(), tables.now.toISOString()];
			const { fingerprint, intent } = stored;
			await tables.append("begun", number, { attempt, sender, ...(batch === undefined ? { fingerprint, ...intent } : {}) }, batch);
			await tables.append("died", number, { attempt }, batch);
			await changeFrom(tables, rules, state, {
				...{ ...stored, state: "in-doubt", attempt, begun, changed: begun, sender },
				result: { why: diedReason },
			});
		}
	}
	return tell(transaction, number, text);
}

/** Puts what the log says on record with a payment that is in doubt. */
async function tell(transaction: WriteTransaction, number: number, text: string): Promise<Carried> {
	const check = { at: transaction.now.toISOString(), source: "log", complete: false, fitting: 1, lacks: text } as const;
	await recordCheck(tablesIn(transaction), [String(number)], check);
	return "contested";
}
