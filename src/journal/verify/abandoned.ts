/**
 * Whether the batches that were cancelled are those that their events say, with the rows, the sums and the end that stand there.
 */
import type { Rules } from "../../ports/journal.js";
import type { Abandonment } from "../intents/batch-events.js";
import type { Findings } from "../intents/steps.js";
import { rowPages, transferIn } from "../sqlite/batch-row.js";
import { type Storage, yieldToEventLoop } from "../sqlite/storage.js";
import { statement } from "../sqlite/transaction.js";

/** Rows of one page. */
const page = 1_000;

/** That rows cancelled are those of the events is seen where these are played; here the rest of what such an event says. */
export async function abandonedFaults(storage: Storage, rules: Pick<Rules, "add">, findings: Findings): Promise<void> {
	const events = storage.prepare("SELECT seq, batch FROM event WHERE kind = 'abandoned' AND batch IS NOT NULL ORDER BY seq").all();
	const said = new Set<number>();
	for (const { seq, batch } of events) {
		const number = Number(batch);
		if (said.has(number)) findings.add(`batch ${number} was cancelled twice`);
		said.add(number);
		const { state, first, last } = statement(storage, "SELECT state, first, last FROM batch WHERE number = ?").get(number) ?? {};
		if (state !== "abandoned") findings.add(`batch ${number} is kept as ${state ?? "nothing"}, but its events say that it was cancelled`);
		const after = statement(
			storage,
			// An end may still be told of what was on its way; nothing may begin.
			"SELECT count(*) AS more FROM event WHERE batch = ? AND seq > ? AND (kind = 'begun-batch' OR (kind = 'moved' AND content->>'$.begun[0]' IS NOT NULL))",
		).get(number, Number(seq))?.more;
		if (after !== 0) findings.add(`batch ${number} was sent after it was cancelled`);
		// One at a time: what is cancelled may stand there in half a million ranges.
		const { content } = statement(storage, "SELECT content FROM event WHERE seq = ?").get(Number(seq)) ?? {};
		const abandonment = JSON.parse(String(content)) as Abandonment;
		if (
			abandonment.batch !== number ||
			!(await isOf(storage, rules, { number, first: Number(first ?? 1), last: Number(last ?? 0) }, abandonment))
		)
			findings.add(`batch ${number} was cancelled with other rows or sums than its event says`);
	}
	for (const { number } of storage.prepare("SELECT number FROM batch WHERE state = 'abandoned'").all())
		if (!said.has(Number(number))) findings.add(`batch ${number} is kept as cancelled, but no event says so`);
}

/** Whether the rows that are kept as cancelled are so many, and come to these sums. */
async function isOf(
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
