/**
 * Verifies the stored sums of days against the payments, because caps per day are compared with these sums.
 */
import type { Rules } from "../../ports/journal.js";
import { statement } from "../../sqlite/statement.js";
import { type Storage, yieldToEventLoop } from "../../sqlite/storage.js";
import type { Findings } from "../intents/steps.js";
import { countedOn } from "../sqlite/service-time.js";

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
		`SELECT intent.number, intent.state, CASE WHEN intent.batch IS NULL THEN intent.content->>'$.transfer.amount' ELSE intent.content->>3 END AS amount,
		CASE WHEN intent.batch IS NULL THEN intent.content->>'$.transfer.currency' ELSE intent.content->>4 END AS currency,
		CASE WHEN intent.state = 'planned' THEN batch.day ELSE ${countedOn("intent")} END AS day FROM intent LEFT JOIN batch ON batch.number = intent.batch
		WHERE intent.number > ? AND intent.effect = 'money' AND (intent.state <> 'planned' OR batch.state = 'begun') ORDER BY intent.number LIMIT ${page}`,
	);
	for (let after = 0; ; ) {
		const rows = intents.all(after);
		for (const { state, amount, currency, day } of rows)
			if (typeof amount === "string" && (state === "planned" || rules.counts(state as never)))
				add(String(day), String(currency ?? ""), amount, 1);
		if (rows.length < page) break;
		after = Number(rows.at(-1)?.number);
		await yieldToEventLoop();
	}
	for (const { day, currency, total } of statement(storage, "SELECT day, currency, total FROM spent").all())
		add(String(day), String(currency), String(total), -1);
	for (const [key, difference] of sums)
		if (/[1-9]/.test(difference)) findings.add(`the sum of the day ${key.trim()} is not that of what went out on it`);
}
