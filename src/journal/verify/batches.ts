/**
 * Verifies the rows of batches by replaying each batch's events, in the order of writing, into a temporary SQLite table, so that memory
 * does
 * not grow with the batch.
 */

import type { IntentState, JournalStep } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { statement } from "../../sqlite/statement.js";
import { type SqlRow, type Storage, yieldToEventLoop } from "../../sqlite/storage.js";
import { type StoredBatch, storedBatch } from "../batches/table.js";
import { type Range, type RowsStep, stepsIn } from "../intents/batch-events.js";
import { type Findings, idAfter, stepOf } from "../intents/steps.js";
import { type Cells, rowIntent, rowPages } from "../sqlite/batch-row.js";
import { fingerprintKey } from "../sqlite/tables.js";
import { abandonedFaults } from "./abandoned.js";

/** Rows of one page. */
const page = 250;
/** Events of one page; each may concern a few hundred rows. */
const eventPage = 25;

/** @returns the number of rows checked */
export async function batchFaults(storage: Storage, rules: Rules, findings: Findings): Promise<number> {
	// Read the numbers first and one batch at a time, because plans are long.
	const known = storage.prepare("SELECT number FROM batch WHERE state <> 'loading' ORDER BY number").all();
	let rows = 0;
	for (const { number } of known) {
		const batch = statement(storage, "SELECT * FROM batch WHERE number = ?").get(number as number);
		if (batch) rows += await verifyBatch(storage, rules, storedBatch(batch), findings);
	}
	await hiddenFaults(storage, rules, findings);
	return rows;
}

/** Finds rows and batches that the other checks would miss because their batch number or state was altered. */
async function hiddenFaults(storage: Storage, rules: Rules, findings: Findings): Promise<void> {
	const astray = storage
		.prepare(
			`SELECT count(*) AS astray FROM intent LEFT JOIN batch ON batch.number = intent.batch WHERE intent.batch IS NOT NULL
			AND (batch.number IS NULL OR intent.number NOT BETWEEN coalesce(batch.first, 1) AND coalesce(batch.last, 0))`,
		)
		.get()?.astray;
	if (astray !== 0) findings.add(`${astray} intents are said to be rows of a batch that they are not of`);
	const gone = storage
		.prepare(
			`SELECT DISTINCT begun.batch AS number FROM event AS begun LEFT JOIN batch ON batch.number = begun.batch
			WHERE begun.batch IS NOT NULL AND begun.kind = 'begun-batch' AND coalesce(batch.state, '') NOT IN ('begun', 'abandoned') LIMIT 5`,
		)
		.all();
	for (const { number } of gone) findings.add(`batch ${number} is not kept as begun, but its events say so`);
	await abandonedFaults(storage, rules, findings);
}

async function verifyBatch(storage: Storage, rules: Rules, batch: StoredBatch, findings: Findings): Promise<number> {
	storage.exec(
		"DROP TABLE IF EXISTS temp.played; CREATE TEMP TABLE played (number INTEGER PRIMARY KEY, state TEXT, attempt INTEGER, id TEXT, skew INTEGER)",
	);
	try {
		await replay(storage, rules, batch);
	} catch (error) {
		findings.add(`batch ${batch.number}: its events do not follow from each other (${error instanceof Error ? error.message : "unknown"})`);
		return 0;
	}
	const different = storage
		.prepare(
			`SELECT intent.number AS number, intent.row AS row FROM intent LEFT JOIN temp.played AS played ON played.number = intent.number
			WHERE intent.number BETWEEN ? AND ? AND intent.batch = ? AND (intent.state IS NOT coalesce(played.state, 'planned')
			OR intent.attempt IS NOT coalesce(played.attempt, 0) OR intent.created_id IS NOT played.id
			OR intent.result->>'$.skew' IS NOT played.skew) LIMIT 5`,
		)
		.all(batch.first, batch.last, batch.number);
	for (const { number, row } of different)
		findings.add(`intent ${number} (row ${row} of batch ${batch.number}) is not kept as its events say`);
	const { rows } = storage
		.prepare("SELECT count(*) AS rows FROM intent WHERE number BETWEEN ? AND ? AND batch = ?")
		.get(batch.first, batch.last, batch.number) as { rows: number };
	if (Number(rows) !== batch.plan?.count) findings.add(`batch ${batch.number} has ${rows} rows, but was planned with ${batch.plan?.count}`);
	storage.exec("DROP TABLE temp.played");
	await contentFaults(storage, rules, batch, findings);
	return Number(rows);
}

/** Checks that the plan is the recorded one, and each row's fingerprint that of its content, because duplicates are found by it. */
async function contentFaults(storage: Storage, rules: Rules, batch: StoredBatch, findings: Findings): Promise<void> {
	const planned = statement(storage, "SELECT content FROM event WHERE batch = ? AND kind = 'planned'").get(batch.number);
	const recorded = planned && (JSON.parse(String(planned.content)) as { first: number; last: number; plan: unknown });
	if (recorded?.first !== batch.first || recorded.last !== batch.last || JSON.stringify(recorded.plan) !== JSON.stringify(batch.plan))
		findings.add(`batch ${batch.number} is not kept as it was planned`);
	for (const rows of rowPages(storage, batch, { columns: "number, row, effect, fingerprint, alike, content", page })) {
		for (const row of rows) {
			const own = rules.fingerprint(rowIntent(batch.shared, JSON.parse(String(row.content)) as Cells)) as string;
			if (row.fingerprint !== own || row.alike !== fingerprintKey(own) || row.effect !== "money")
				findings.add(
					`intent ${row.number} (row ${row.row} of batch ${batch.number}) is kept with another fingerprint than its content has`,
				);
		}
		await yieldToEventLoop();
	}
}

/** Replays the batch's own events and those of its rows, in order. */
async function replay(storage: Storage, rules: Rules, batch: StoredBatch): Promise<void> {
	const events = storage.prepare(
		`SELECT seq, kind, intent, content FROM event WHERE seq > ?1 AND ((batch = ?2 AND kind IN ('moved', 'abandoned')) OR (intent BETWEEN ?3 AND ?4))
		ORDER BY seq LIMIT ${eventPage}`,
	);
	let moved = 0;
	for (let after = 0; ; ) {
		const found = events.all(after, batch.number, batch.first, batch.last);
		for (const event of found) {
			const { happened, skew } = stepsOf(event);
			for (const { part, step } of partsOf(happened)) {
				moved += move(storage, rules, batch, part, { step, skew });
				if (moved < page) continue;
				moved = 0;
				await yieldToEventLoop();
			}
		}
		if (found.length < eventPage) return;
		after = Number(found.at(-1)?.seq);
	}
}

/** The steps of one event, and the skew of rows that began with it. */
function stepsOf({ kind, intent, content: contentFaults }: SqlRow): { happened: readonly RowsStep[]; skew: number | null } {
	const parsed = JSON.parse(String(contentFaults)) as Record<string, unknown>;
	const ofMany = intent === null ? stepsIn(String(kind), parsed) : undefined;
	if (ofMany) return { happened: ofMany, skew: typeof parsed.skew === "number" ? parsed.skew : null };
	return { happened: [{ ranges: [[Number(intent), Number(intent)]], step: stepOf(String(kind), parsed) }], skew: null };
}

/** Splits ranges into pages, since a cancelled range may have a million rows. */
function* partsOf(happened: readonly RowsStep[]): Generator<{ part: Range; step: JournalStep }> {
	for (const { ranges, step } of happened)
		for (const [from, to] of ranges)
			for (let first = from; first <= to; first += page) yield { part: [first, Math.min(to, first + page - 1)], step };
}

/** @returns how many rows were moved */
function move(
	storage: Storage,
	rules: Rules,
	batch: StoredBatch,
	[from, to]: Range,
	{ step, skew }: { step: JournalStep; skew: number | null },
): number {
	const rows = replayedRows(storage, batch, [from, to]);
	const put = statement(storage, "INSERT OR REPLACE INTO temp.played (number, state, attempt, id, skew) VALUES (?, ?, ?, ?, ?)");
	for (const row of rows) {
		const state = rules.next((row.state ?? "planned") as IntentState, step);
		put.run(
			row.number as number,
			state,
			Number(row.attempt ?? 0) + (step.kind === "begun" ? 1 : 0),
			idAfter(step, typeof row.id === "string" ? row.id : undefined) ?? null,
			step.kind === "begun" ? skew : (row.skew as number | null),
		);
	}
	return rows.length;
}

function replayedRows(storage: Storage, { number }: StoredBatch, [from, to]: Range): SqlRow[] {
	const select = `SELECT intent.number AS number, played.state AS state, played.attempt AS attempt, played.id AS id, played.skew AS skew FROM intent
		LEFT JOIN temp.played AS played ON played.number = intent.number WHERE intent.batch = ? AND intent.number`;
	if (from < to) return statement(storage, `${select} BETWEEN ? AND ?`).all(number, from, to);
	// Most steps concern one row, and libsql retains the results of `all` longer than those of `get`. Use separate statements for the two.
	const row = statement(storage, `${select} = ?`).get(number, from);
	return row === undefined ? [] : [row];
}
