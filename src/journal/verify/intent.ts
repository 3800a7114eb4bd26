/**
 * Verifies an intent against its events in everything that the guards read: if its amount, time or fingerprint were altered, the intent
 * would not prevent a duplicate.
 */

import type { IntentState, JournalIntent, JournalStep } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { statement } from "../../sqlite/statement.js";
import type { SqlRow, Storage } from "../../sqlite/storage.js";
import { diedReason, resultAfterReopening, resultOf } from "../intents/record.js";
import { idAfter, stepOf } from "../intents/steps.js";
import { fingerprintKey, type IntentResult, idKey } from "../sqlite/tables.js";

/** An intent as replayed from its events. */
interface Replayed {
	state?: IntentState;
	attempt: number;
	id?: string;
	/** Of the latest attempt. */
	begun: string;
	changed: string;
	sender?: string;
	fingerprint?: string;
	intent: Partial<JournalIntent>;
	result: IntentResult;
	/** Numbers of the looks at the latest attempt. */
	looks: readonly (number | undefined)[];
}

/** Replays an intent's events. @returns how its row differs from them, for people; undefined if it does not */
export function intentFault(storage: Storage, rules: Rules, row: SqlRow): string | undefined {
	let replayed: Replayed;
	try {
		replayed = replay(storage, rules, Number(row.number));
	} catch (error) {
		return `its events do not follow from each other (${error instanceof Error ? error.message : "unknown"})`;
	}
	const { state, attempt, id, fingerprint, intent } = replayed;
	if (state !== row.state) return `is kept as ${row.state}, but its events say ${state ?? "nothing"}`;
	if (attempt !== Number(row.attempt)) return `is kept at attempt ${row.attempt}, but its events say ${attempt}`;
	if ((id ?? null) !== row.created_id) return `is kept with the id ${row.created_id}, but its events say ${id ?? "none"}`;
	const expected: Readonly<Record<string, string | number | null>> = {
		effect: intent.effect ?? null,
		begun: replayed.begun,
		changed: replayed.changed,
		sender: replayed.sender ?? null,
		fingerprint: fingerprint ?? null,
		alike: fingerprint === undefined ? null : fingerprintKey(fingerprint),
		created: id === undefined || intent.effect !== "money" ? null : idKey(id),
		content: JSON.stringify(intent),
		result: JSON.stringify(replayed.result),
		row: null,
	};
	const other = Object.keys(expected).filter((column) => row[column] !== expected[column]);
	if (other.length > 0) return `is kept with another ${other.join(", ")} than its events say`;
	if (fingerprint !== rules.fingerprint(intent as JournalIntent)) return "is kept with a fingerprint that is not its own";
	return undefined;
}

function replay(storage: Storage, rules: Rules, number: number): Replayed {
	const rows = statement(storage, "SELECT at, kind, content FROM event WHERE intent = ? ORDER BY seq").all(number);
	let replayed: Replayed = { attempt: 0, begun: "", changed: "", intent: {}, result: {}, looks: [] };
	for (const { at, kind, content } of rows) {
		const parsed = JSON.parse(String(content)) as Record<string, unknown>;
		const step = stepOf(String(kind), parsed);
		const state = rules.next(replayed.state, step);
		const id = idAfter(step, replayed.id);
		checkLooksRecorded(step, replayed.looks);
		if (step.kind === "begun") {
			const { attempt: _, sender, fingerprint, ...intent } = parsed;
			const said = { sender: text(sender), fingerprint: text(fingerprint), intent: intent as Partial<JournalIntent> };
			replayed = { ...said, state, id, attempt: replayed.attempt + 1, begun: String(at), changed: String(at), result: {}, looks: [] };
		} else if (step.kind === "resent") replayed = { ...replayed, state, changed: String(at) };
		else if (step.kind === "looked") replayed = { ...replayed, state, looks: [...replayed.looks, step.look.number] };
		else if (step.kind === "abandoned") replayed = { ...replayed, state };
		else if (step.kind === "reopened")
			replayed = { ...replayed, state, id, changed: String(at), result: resultAfterReopening(replayed.result, step) };
		else {
			const { result } = replayed;
			const next =
				step.kind === "ended"
					? resultOf(step.outcome)
					: step.kind === "died"
						? { ...result, why: diedReason }
						: { ...result, evidence: step.settlement.evidence };
			replayed = { ...replayed, state, id, changed: String(at), result: next };
		}
	}
	return replayed;
}

/** @throws RangeError if a doubt was settled on a look that is not recorded */
function checkLooksRecorded(step: JournalStep, looks: Replayed["looks"]): void {
	if (step.kind !== "settled") return;
	const astray = step.settlement.evidence.looks?.find(({ number }) => number !== undefined && !looks.includes(number));
	if (astray) throw new RangeError(`it was settled on look ${astray.number}, which is not on record`);
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
