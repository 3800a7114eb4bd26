/**
 * Whether the rows of the batches are what their events say: each batch's events are played again, in the order in which they
 * were written, into a table of its own that SQLite keeps, so that memory does not grow with the batch.
 */
import type { IntentState, JournalStep, Rules } from "../context.js";
import { type Moved, type Range, stepsOf } from "./batch-events.js";
import { batchOf, type KeptBatch } from "./batch-table.js";
import { type Findings, idOf, stepOf } from "./steps.js";
import type { Storage } from "./storage.js";
import { statement } from "./transaction.js";

/** Rows of one page. */
const page = 1_000;

/** @returns how many rows were looked at */
export function batches(storage: Storage, rules: Rules, findings: Findings): number {
	const known = storage.prepare("SELECT * FROM batch WHERE state <> 'loading' ORDER BY number").all().map(batchOf);
	let rows = 0;
	for (const batch of known) rows += verifyBatch(storage, rules, batch, findings);
	return rows;
}

function verifyBatch(storage: Storage, rules: Rules, batch: KeptBatch, findings: Findings): number {
	storage.exec(
		"DROP TABLE IF EXISTS temp.played; CREATE TEMP TABLE played (number INTEGER PRIMARY KEY, state TEXT, attempt INTEGER, id TEXT)",
	);
	try {
		play(storage, rules, batch);
	} catch (error) {
		findings.add(`batch ${batch.number}: its events do not follow from each other (${error instanceof Error ? error.message : "unknown"})`);
		return 0;
	}
	const different = storage
		.prepare(
			`SELECT intent.number AS number, intent.row AS row FROM intent LEFT JOIN temp.played AS played ON played.number = intent.number
			WHERE intent.number BETWEEN ? AND ? AND intent.batch = ? AND (intent.state IS NOT coalesce(played.state, 'planned')
			OR intent.attempt IS NOT coalesce(played.attempt, 0) OR intent.created_id IS NOT played.id) LIMIT 5`,
		)
		.all(batch.first, batch.last, batch.number);
	for (const { number, row } of different)
		findings.add(`intent ${number} (row ${row} of batch ${batch.number}) is not kept as its events say`);
	const { rows } = storage
		.prepare("SELECT count(*) AS rows FROM intent WHERE number BETWEEN ? AND ? AND batch = ?")
		.get(batch.first, batch.last, batch.number) as { rows: number };
	if (Number(rows) !== batch.plan?.count) findings.add(`batch ${batch.number} has ${rows} rows, but was planned with ${batch.plan?.count}`);
	storage.exec("DROP TABLE temp.played");
	return Number(rows);
}

/** Plays the batch's own events and those of its rows, by time. */
function play(storage: Storage, rules: Rules, batch: KeptBatch): void {
	const events = storage.prepare(
		`SELECT seq, kind, intent, content FROM event WHERE seq > ?1 AND ((batch = ?2 AND kind = 'moved') OR (intent BETWEEN ?3 AND ?4))
		ORDER BY seq LIMIT ${page}`,
	);
	for (let after = 0; ; ) {
		const found = events.all(after, batch.number, batch.first, batch.last);
		for (const { kind, intent, content } of found) {
			const parsed = JSON.parse(String(content)) as Record<string, unknown>;
			if (kind === "moved")
				for (const { ranges, step } of stepsOf(parsed as unknown as Moved))
					for (const range of ranges) move(storage, rules, batch, range, step);
			else move(storage, rules, batch, [Number(intent), Number(intent)], stepOf(String(kind), parsed));
		}
		if (found.length < page) return;
		after = Number(found.at(-1)?.seq);
	}
}

function move(storage: Storage, rules: Rules, batch: KeptBatch, [from, to]: Range, step: JournalStep): void {
	const rows = statement(
		storage,
		`SELECT intent.number AS number, played.state AS state, played.attempt AS attempt, played.id AS id FROM intent
		LEFT JOIN temp.played AS played ON played.number = intent.number WHERE intent.number BETWEEN ? AND ? AND intent.batch = ?`,
	).all(from, to, batch.number);
	const put = statement(storage, "INSERT OR REPLACE INTO temp.played (number, state, attempt, id) VALUES (?, ?, ?, ?)");
	for (const row of rows) {
		const state = rules.next((row.state ?? "planned") as IntentState, step);
		put.run(
			row.number as number,
			state,
			Number(row.attempt ?? 0) + (step.kind === "begun" ? 1 : 0),
			idOf(step) ?? (row.id as string | null),
		);
	}
}
