/**
 * Verifies the rows of batches by replaying each batch's events, in the order of writing. What is replayed takes 21 bytes for each row, so that
 * a million rows fit.
 */
import { plainId } from "../../api/text/ids.js";
import type { JournalStep } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { type SqlRow, yieldToEventLoop } from "../../sqlite/storage.js";
import { states } from "../batches/batches.js";
import { type StoredBatch, storedBatch } from "../batches/table.js";
import { type Abandonment, type RowsMoved, stepsIn } from "../intents/batch-events.js";
import { type Findings, idGivenBy, stepOf } from "../intents/steps.js";
import { type Cells, partyOf, rowIntent, rowPages, transferOf, within } from "../tables/batch-row.js";
import { atService } from "../tables/service-time.js";
import { type Reading, sql } from "../tables/sql.js";
import { fingerprintKey, idKey } from "../tables/tables.js";

/** Rows of one page. */
const page = 250;
/** Events of one page; each may concern a few hundred rows. */
const eventPage = 25;

/** @returns the number of rows checked */
export async function batchFaults(reading: Reading, rules: Rules, findings: Findings): Promise<number> {
	// Read the numbers first and one batch at a time, because plans are long.
	const known = await reading.all(sql`SELECT number FROM batch WHERE state <> 'loading' ORDER BY number`);
	let rows = 0;
	for (const { number } of known) {
		const batch = await reading.get(sql`SELECT * FROM batch WHERE number = ${number as number}`);
		if (batch) rows += await verifyBatch(reading, rules, storedBatch(batch), findings);
	}
	await hiddenFaults(reading, findings);
	return rows;
}

/** Finds rows and batches that the other checks would miss because their batch number or state was altered. */
async function hiddenFaults(reading: Reading, findings: Findings): Promise<void> {
	const found = await reading.get(
		sql`SELECT count(*) AS astray FROM intent LEFT JOIN batch ON batch.number = intent.batch WHERE intent.batch IS NOT NULL
		AND (batch.number IS NULL OR intent.number NOT BETWEEN coalesce(batch.first, 1) AND coalesce(batch.last, 0))`,
	);
	const astray = Number(found?.astray);
	if (astray !== 0) findings.add(`${astray} intents are said to be rows of a batch that they are not of`);
	const gone = await reading.all(
		sql`SELECT DISTINCT event.batch AS number, event.kind AS kind FROM event LEFT JOIN batch ON batch.number = event.batch WHERE event.batch IS NOT NULL
		AND ((event.kind = 'begun-batch' AND coalesce(batch.state, '') NOT IN ('begun', 'abandoned'))
		OR (event.kind = 'abandoned' AND batch.state IS DISTINCT FROM 'abandoned')) LIMIT 5`,
	);
	for (const { number, kind } of gone)
		findings.add(`batch ${number} is not kept as ${kind === "abandoned" ? "cancelled" : "begun"}, but its events say so`);
}

async function verifyBatch(reading: Reading, rules: Rules, batch: StoredBatch, findings: Findings): Promise<number> {
	let replayed: ReplayedRows;
	try {
		replayed = await replay(reading, rules, batch, findings);
	} catch (error) {
		findings.add(`batch ${batch.number}: its events do not follow from each other (${error instanceof Error ? error.message : "unknown"})`);
		return 0;
	}
	let count = 0;
	const cancelled = { rows: 0, sums: new Map<string, { rows: number; amount: string }>() };
	for await (const rows of rowPages(within(reading), batch, { columns: sql`*`, page })) {
		for (const row of rows) {
			const cells = JSON.parse(String(row.content)) as Cells;
			const fault = replayed.faultOf(row) ?? rowFault(rules, batch, row, cells);
			if (fault !== undefined) findings.add(`intent ${row.number} (row ${row.row} of batch ${batch.number}) ${fault}`);
			if (row.state !== "abandoned") continue;
			const { amount, currency = "" } = transferOf(cells);
			const sum = cancelled.sums.get(currency) ?? { rows: 0, amount: "0" };
			cancelled.rows += 1;
			cancelled.sums.set(currency, { rows: sum.rows + 1, amount: rules.add(sum.amount, amount, 1) });
		}
		count += rows.length;
		await yieldToEventLoop();
	}
	if (count !== batch.plan?.count) findings.add(`batch ${batch.number} has ${count} rows, but was planned with ${batch.plan?.count}`);
	await planFaults(reading, batch, findings);
	const abandonment = replayed.abandonment;
	if (batch.state === "abandoned" && abandonment === undefined)
		findings.add(`batch ${batch.number} is kept as cancelled, but no event says so`);
	if (abandonment === undefined) return count;
	const isSame =
		abandonment.batch === batch.number &&
		abandonment.rows === cancelled.rows &&
		abandonment.totals.length === cancelled.sums.size &&
		abandonment.totals.every(({ currency = "", rows, amount }) => {
			const sum = cancelled.sums.get(currency);
			return sum?.rows === rows && !/[1-9]/.test(rules.add(sum.amount, amount, -1));
		});
	if (!isSame) findings.add(`batch ${batch.number} was cancelled with other rows or sums than its event says`);
	return count;
}

/** The plan must be the recorded one. */
async function planFaults(reading: Reading, batch: StoredBatch, findings: Findings): Promise<void> {
	const planned = await reading.get(sql`SELECT content FROM event WHERE batch = ${batch.number} AND kind = 'planned' AND kind <> 'moved'`);
	const recorded = planned && (JSON.parse(String(planned.content)) as { first: number; last: number; plan: unknown });
	if (recorded?.first !== batch.first || recorded.last !== batch.last || JSON.stringify(recorded.plan) !== JSON.stringify(batch.plan))
		findings.add(`batch ${batch.number} is not kept as it was planned`);
}

/** What is derived from a row's content must be that: duplicates are found by it. */
function rowFault(rules: Rules, { shared }: StoredBatch, row: SqlRow, cells: Cells): string | undefined {
	const fingerprint = rules.fingerprint(rowIntent(shared, cells)) as string;
	if (row.fingerprint !== fingerprint || row.alike !== fingerprintKey(fingerprint) || row.effect !== "money")
		return "is kept with another fingerprint than its content has";
	const skew = typeof row.skew === "number" ? row.skew : undefined;
	if (row.party !== partyOf(transferOf(cells)) || row.sandbox !== (shared.sandbox ?? null)) return "is kept with another payee or sandbox";
	return row.begun_service === atService(String(row.begun), skew) ? undefined : "is kept with another time of the service";
}

/** The rows of a batch as its events say. Ids are held as the keys of their index, times by the skew; NaN stands for none. */
class ReplayedRows {
	abandonment?: Abandonment;
	readonly #first: number;
	readonly #states: Uint8Array;
	readonly #attempts: Uint32Array;
	readonly #ids: Float64Array;
	readonly #skews: Float64Array;

	constructor(
		{ first, last }: StoredBatch,
		private readonly rules: Rules,
	) {
		const length = Math.max(0, last - first + 1);
		this.#first = first;
		this.#states = new Uint8Array(length);
		this.#attempts = new Uint32Array(length);
		this.#ids = new Float64Array(length).fill(Number.NaN);
		this.#skews = new Float64Array(length).fill(Number.NaN);
	}

	/** @throws RangeError or the rules' error, where the step does not follow */
	move(number: number, step: JournalStep, skew: number | null): void {
		const at = number - this.#first;
		if (at < 0 || at >= this.#states.length) throw new RangeError(`an event of intent ${number}, which is none of its rows`);
		this.#states[at] = states.indexOf(this.rules.next(states[this.#states[at] as number], step));
		if (step.kind === "begun") {
			this.#attempts[at] = (this.#attempts[at] as number) + 1;
			this.#skews[at] = skew ?? Number.NaN;
		}
		const given = idGivenBy(step);
		if (given !== undefined) this.#ids[at] = idKey(plainId(given));
		if (step.kind !== "reopened") return;
		if (!Object.is(this.#ids[at], step.id === undefined ? Number.NaN : idKey(step.id)))
			throw new RangeError(`the id ${step.id ?? "none"} taken from one that holds another`);
		this.#ids[at] = Number.NaN;
	}

	faultOf(row: SqlRow): string | undefined {
		const at = Number(row.number) - this.#first;
		const id = row.created_id === null ? Number.NaN : idKey(String(row.created_id));
		const isSame =
			row.state === states[this.#states[at] as number] &&
			row.attempt === this.#attempts[at] &&
			Object.is(id, this.#ids[at]) &&
			Object.is(row.created ?? Number.NaN, id) &&
			Object.is(row.skew ?? Number.NaN, this.#skews[at]);
		return isSame ? undefined : "is not kept as its events say";
	}
}

/** Replays the batch's own events and those of its rows, in order. */
async function replay(reading: Reading, rules: Rules, batch: StoredBatch, findings: Findings): Promise<ReplayedRows> {
	const rows = new ReplayedRows(batch, rules);
	let moved = 0;
	for (let after = 0; ; ) {
		const found = await reading.all(
			sql`SELECT seq, kind, intent, content FROM event WHERE batch = ${batch.number} AND seq > ${after} ORDER BY seq LIMIT ${eventPage}`,
		);
		for (const { kind, intent, content } of found) {
			const parsed = JSON.parse(String(content)) as Record<string, unknown>;
			cancellationFaults(rows, batch, String(kind), parsed, findings);
			const skew = typeof parsed.skew === "number" ? parsed.skew : null;
			for (const { number, step } of movesOf(String(kind), intent ?? null, parsed)) {
				rows.move(number, step, skew);
				moved += 1;
				if (moved % page === 0) await yieldToEventLoop();
			}
		}
		if (found.length < eventPage) return rows;
		after = Number(found.at(-1)?.seq);
	}
}

/** Rows that were being sent may still end after the batch was cancelled; none may begin. */
function cancellationFaults(
	rows: ReplayedRows,
	{ number }: StoredBatch,
	kind: string,
	content: Record<string, unknown>,
	findings: Findings,
): void {
	const begins = kind === "begun-batch" || (kind === "moved" && (content as unknown as RowsMoved).begun.length > 0);
	if (begins && rows.abandonment !== undefined) findings.add(`batch ${number} was sent after it was cancelled`);
	if (kind !== "abandoned") return;
	if (rows.abandonment !== undefined) findings.add(`batch ${number} was cancelled twice`);
	rows.abandonment = content as unknown as Abandonment;
}

/** What an event does to each row that it concerns. */
function* movesOf(kind: string, intent: unknown, content: Record<string, unknown>): Generator<{ number: number; step: JournalStep }> {
	if (intent !== null) yield { number: Number(intent), step: stepOf(kind, content) };
	else
		for (const { ranges, step } of stepsIn(kind, content) ?? [])
			for (const [from, to] of ranges) for (let number = from; number <= to; number++) yield { number, step };
}
