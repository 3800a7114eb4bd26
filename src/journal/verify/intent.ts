/**
 * Verifies an intent against its events in everything that the guards read: if its amount, time or fingerprint were altered, the intent
 * would not prevent a duplicate.
 */

import type { IntentState, JournalIntent, JournalStep } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { statement } from "../../sqlite/statement.js";
import type { SqlRow, SqlValue, Storage } from "../../sqlite/storage.js";
import { diedReason, resultAfterReopening, resultOf } from "../intents/record.js";
import { idAfter, stepOf } from "../intents/steps.js";
import { columnsOf, type IntentResult, type StoredIntent } from "../sqlite/tables.js";

/** An intent as its events say, and the numbers of the looks at its latest attempt. */
interface Replayed extends Omit<StoredIntent, "number" | "state"> {
	state?: IntentState;
	checks: readonly (number | undefined)[];
}

/** Replays an intent's events. @returns how its row differs from them, for people; undefined if it does not */
export function intentFault(storage: Storage, rules: Rules, row: SqlRow): string | undefined {
	let replayed: Replayed;
	try {
		replayed = replay(storage, rules, Number(row.number));
	} catch (error) {
		return `its events do not follow from each other (${error instanceof Error ? error.message : "unknown"})`;
	}
	const { state, intent, fingerprint } = replayed;
	if (state === undefined) return "has no events";
	const expected: Readonly<Record<string, SqlValue>> = { ...columnsOf({ ...replayed, state }), batch: null, row: null };
	const other = Object.keys(expected).filter((column) => row[column] !== expected[column]);
	if (other.length > 0) return `is kept with another ${other.join(", ")} than its events say`;
	return fingerprint === rules.fingerprint(intent) ? undefined : "is kept with a fingerprint that is not its own";
}

function replay(storage: Storage, rules: Rules, number: number): Replayed {
	const rows = statement(storage, "SELECT at, kind, content FROM event WHERE intent = ? ORDER BY seq").all(number);
	let replayed: Replayed = { attempt: 0, begun: "", changed: "", intent: {} as JournalIntent, result: {}, checks: [] };
	for (const row of rows) {
		const at = String(row.at);
		const content = JSON.parse(String(row.content)) as Record<string, unknown>;
		const step = stepOf(String(row.kind), content);
		const state = rules.next(replayed.state, step);
		requireRecordedChecks(step, replayed.checks);
		if (step.kind === "begun") {
			const { attempt: _, sender, fingerprint, ...intent } = content;
			const said = { sender: text(sender), fingerprint: text(fingerprint), intent: intent as unknown as JournalIntent };
			const { attempt, createdId } = replayed;
			replayed = { ...said, state, createdId, attempt: attempt + 1, begun: at, changed: at, result: {}, checks: [] };
		} else if (step.kind === "looked") replayed = { ...replayed, state, checks: [...replayed.checks, step.check.number] };
		else if (step.kind === "abandoned") replayed = { ...replayed, state };
		else {
			const createdId = idAfter(step, replayed.createdId);
			replayed = { ...replayed, state, createdId, changed: at, result: resultAfter(step, replayed.result) };
		}
	}
	return replayed;
}

function resultAfter(step: JournalStep, result: IntentResult): IntentResult {
	switch (step.kind) {
		case "ended":
			return resultOf(step.outcome);
		case "died":
			return { ...result, why: diedReason };
		case "settled":
			return { ...result, evidence: step.settlement.evidence };
		case "reopened":
			return resultAfterReopening(result, step);
		default:
			return result;
	}
}

/** @throws RangeError if a doubt was settled on a look that is not recorded */
function requireRecordedChecks(step: JournalStep, checks: Replayed["looks"]): void {
	if (step.kind !== "settled") return;
	const astray = step.settlement.evidence.checks?.find(({ number }) => number !== undefined && !checks.includes(number));
	if (astray) throw new RangeError(`it was settled on look ${astray.number}, which is not on record`);
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
