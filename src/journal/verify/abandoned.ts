/**
 * Verifies cancelled batches against their events: rows, sums, and that nothing was sent afterwards.
 */
import type { Rules } from "../../ports/journal.js";
import { statement } from "../../sqlite/statement.js";
import { type Storage, yieldToEventLoop } from "../../sqlite/storage.js";
import type { Abandonment } from "../intents/batch-events.js";
import type { Findings } from "../intents/steps.js";
import { rowPages, transferIn } from "../sqlite/batch-row.js";

/** Rows of one page. */
const page = 1_000;

/** Checks the rest of a cancellation event; that its rows are the cancelled ones is checked by the replay in `batches.ts`. */
export async function abandonedFaults(storage: Storage, rules: Pick<Rules, "add">, findings: Findings): Promise<void> {
	const events = storage.prepare("SELECT seq, batch FROM event WHERE kind = 'abandoned' AND batch IS NOT NULL ORDER BY seq").all();
	const cancelled = new Set<number>();
	for (const { seq, batch } of events) {
		const number = Number(batch);
		if (cancelled.has(number)) findings.add(`batch ${number} was cancelled twice`);
		cancelled.add(number);
		const { state, first, last } = statement(storage, "SELECT state, first, last FROM batch WHERE number = ?").get(number) ?? {};
		if (state !== "abandoned") findings.add(`batch ${number} is kept as ${state ?? "nothing"}, but its events say that it was cancelled`);
		const after = statement(
			storage,
			// Rows that were being sent may still end; none may begin.
			"SELECT count(*) AS more FROM event WHERE batch = ? AND seq > ? AND (kind = 'begun-batch' OR (kind = 'moved' AND content->>'$.begun[0]' IS NOT NULL))",
		).get(number, Number(seq))?.more;
		if (after !== 0) findings.add(`batch ${number} was sent after it was cancelled`);
		// Read one event's content at a time: it may hold half a million ranges.
		const { content } = statement(storage, "SELECT content FROM event WHERE seq = ?").get(Number(seq)) ?? {};
		const abandonment = JSON.parse(String(content)) as Abandonment;
		if (
			abandonment.batch !== number ||
			!(await matchesEvent(storage, rules, { number, first: Number(first ?? 1), last: Number(last ?? 0) }, abandonment))
		)
			findings.add(`batch ${number} was cancelled with other rows or sums than its event says`);
	}
	for (const { number } of storage.prepare("SELECT number FROM batch WHERE state = 'abandoned'").all())
		if (!cancelled.has(Number(number))) findings.add(`batch ${number} is kept as cancelled, but no event says so`);
}

/** Whether number and sums of the cancelled rows are those of the event. */
async function matchesEvent(
	storage: Storage,
	{ add }: Pick<Rules, "add">,
	batch: { number: number; first: number; last: number },
	{ rows, totals }: Abandonment,
): Promise<boolean> {
	const left = new Map(totals.map(({ currency = "", rows, amount }) => [currency, { rows, amount }]));
	let count = 0;
	for (const found of rowPages(storage, batch, { where: "state = 'abandoned'", page })) {
		for (const row of found) {
			const { amount, currency = "" } = transferIn(row);
			const sum = left.get(currency);
			if (sum === undefined) return false;
			left.set(currency, { rows: sum.rows - 1, amount: add(sum.amount, amount, -1) });
		}
		count += found.length;
		await yieldToEventLoop();
	}
	return count === rows && [...left.values()].every((sum) => sum.rows === 0 && !/[1-9]/.test(sum.amount));
}
