/**
 * Whether an intent is kept as its events say, in all that the guards read of it: a payment whose amount, time or fingerprint was
 * changed beside its events would not hold back a second one.
 */

import type { IntentState, JournalIntent, JournalStep } from "../../ports/intent.js";
import type { Rules } from "../../ports/journal.js";
import { died, resultAfter, resultOf } from "../intents/record.js";
import { idAfter, stepOf } from "../intents/steps.js";
import type { SqlRow, Storage } from "../sqlite/storage.js";
import { fingerprintKey, type IntentResult, idKey } from "../sqlite/tables.js";
import { statement } from "../sqlite/transaction.js";

/** What follows from the events of one intent. */
interface Played {
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

/** Plays an intent's events again. @returns what differs from them in its row, in words; undefined where nothing does */
export function intentFault(storage: Storage, rules: Rules, row: SqlRow): string | undefined {
	let played: Played;
	try {
		played = play(storage, rules, Number(row.number));
	} catch (error) {
		return `its events do not follow from each other (${error instanceof Error ? error.message : "unknown"})`;
	}
	const { state, attempt, id, fingerprint, intent } = played;
	if (state !== row.state) return `is kept as ${row.state}, but its events say ${state ?? "nothing"}`;
	if (attempt !== Number(row.attempt)) return `is kept at attempt ${row.attempt}, but its events say ${attempt}`;
	if ((id ?? null) !== row.created_id) return `is kept with the id ${row.created_id}, but its events say ${id ?? "none"}`;
	const expected: Readonly<Record<string, string | number | null>> = {
		effect: intent.effect ?? null,
		begun: played.begun,
		changed: played.changed,
		sender: played.sender ?? null,
		fingerprint: fingerprint ?? null,
		alike: fingerprint === undefined ? null : fingerprintKey(fingerprint),
		created: id === undefined || intent.effect !== "money" ? null : idKey(id),
		content: JSON.stringify(intent),
		result: JSON.stringify(played.result),
		row: null,
	};
	const other = Object.keys(expected).filter((column) => row[column] !== expected[column]);
	if (other.length > 0) return `is kept with another ${other.join(", ")} than its events say`;
	if (fingerprint !== rules.fingerprint(intent as JournalIntent)) return "is kept with a fingerprint that is not its own";
	return undefined;
}

function play(storage: Storage, rules: Rules, number: number): Played {
	const rows = statement(storage, "SELECT at, kind, content FROM event WHERE intent = ? ORDER BY seq").all(number);
	let played: Played = { attempt: 0, begun: "", changed: "", intent: {}, result: {}, looks: [] };
	for (const { at, kind, content } of rows) {
		const parsed = JSON.parse(String(content)) as Record<string, unknown>;
		const step = stepOf(String(kind), parsed);
		const state = rules.next(played.state, step);
		const id = idAfter(step, played.id);
		onRecord(step, played.looks);
		if (step.kind === "begun") {
			const { attempt: _, sender, fingerprint, ...intent } = parsed;
			const said = { sender: text(sender), fingerprint: text(fingerprint), intent: intent as Partial<JournalIntent> };
			played = { ...said, state, id, attempt: played.attempt + 1, begun: String(at), changed: String(at), result: {}, looks: [] };
		} else if (step.kind === "looked") played = { ...played, state, looks: [...played.looks, step.look.number] };
		else if (step.kind === "abandoned") played = { ...played, state };
		else if (step.kind === "unnamed" || step.kind === "named") played = { ...played, state, id, result: resultAfter(played.result, step) };
		else {
			const { result } = played;
			const next =
				step.kind === "ended"
					? resultOf(step.outcome)
					: step.kind === "died"
						? { ...result, why: died }
						: { ...result, evidence: step.settlement.evidence };
			played = { ...played, state, id, changed: String(at), result: next };
		}
	}
	return played;
}

/**
 * What a doubt was settled on must be on record as it was looked at. Looks of builds before 2026-11-22 have no number, and the last one stood
 * in the evidence alone.
 * @throws RangeError where a look is not there
 */
function onRecord(step: JournalStep, looks: Played["looks"]): void {
	if (step.kind !== "settled") return;
	const astray = step.settlement.evidence.looks?.find(({ number }) => number !== undefined && !looks.includes(number));
	if (astray) throw new RangeError(`it was settled on look ${astray.number}, which is not on record`);
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
