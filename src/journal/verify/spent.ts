/**
 * Verifies the stored sums of days against the payments, because caps per day are compared with these sums.
 */
import type { IntentState, JournalIntent } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { statement } from "../../sqlite/statement.js";
import { type SqlRow, type Storage, yieldToEventLoop } from "../../sqlite/storage.js";
import type { Findings } from "../intents/steps.js";
import { type Cells, transferOf } from "../sqlite/batch-row.js";
import { dayOf } from "../sqlite/service-time.js";

/** Rows of one page. */
const page = 250;

/** Adds up everything that counts as spent, and the unsent rows of begun batches. */
export async function spentFaults(storage: Storage, rules: Rules, findings: Findings): Promise<void> {
	const sums = new Map<string, string>();
	const add = (day: string, currency: string, amount: string, sign: 1 | -1): void => {
		const key = `${day} ${currency}`;
		sums.set(key, rules.add(sums.get(key) ?? "0", amount, sign));
	};
	const intents = statement(
		storage,
		`SELECT intent.*, batch.day AS day FROM intent LEFT JOIN batch ON batch.number = intent.batch WHERE intent.number > ?
		AND intent.effect = 'money' AND (intent.state <> 'planned' OR batch.state = 'begun') ORDER BY intent.number LIMIT ${page}`,
	);
	for (let after = 0; ; ) {
		const rows = intents.all(after);
		for (const row of rows) {
			if (row.state !== "planned" && !rules.counts(row.state as IntentState)) continue;
			const { amount, currency = "", skew } = ofRow(row);
			add(row.state === "planned" ? String(row.day) : dayOf(String(row.begun), skew), currency, amount, 1);
		}
		if (rows.length < page) break;
		after = Number(rows.at(-1)?.number);
		await yieldToEventLoop();
	}
	for (const { day, currency, total } of statement(storage, "SELECT day, currency, total FROM spent").all())
		add(String(day), String(currency), String(total), -1);
	for (const [key, difference] of sums)
		if (/[1-9]/.test(difference)) findings.add(`the sum of the day ${key.trim()} is not that of what went out on it`);
}

/** Of a payment and of a batch's row, told apart by their content: what it moves, and the skew known when it began. */
function ofRow(row: SqlRow): { amount: string; currency?: string; skew?: number } {
	const content = JSON.parse(String(row.content)) as JournalIntent | Cells;
	if ("effect" in content) return { ...(content.transfer ?? { amount: "0" }), skew: content.skew };
	return { ...transferOf(content), skew: typeof row.skew === "number" ? row.skew : undefined };
}
