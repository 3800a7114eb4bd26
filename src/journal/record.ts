/**
 * Between a row of the table `intent` and an intent as it is told.
 */
import type { Evidence, IntentRecord, IntentState, JournalEvent, JournalIntent, JournalOutcome, Settlement } from "../context.js";
import type { Row } from "./storage.js";

/** Why an attempt is in doubt whose process is gone. */
export const died = "purser ended after it had written this down and before an answer was recorded (killed, crashed, or the power failed)";

/** What the latest outcome or settlement told, as kept beside the state. */
export interface Result {
	status?: number;
	apiCode?: string;
	why?: string;
	evidence?: Evidence;
}

/** What is kept of an outcome. */
export function resultOf(outcome: JournalOutcome): Result {
	switch (outcome.state) {
		case "accepted":
			return { status: outcome.status };
		case "refused":
			return { status: outcome.status, apiCode: outcome.apiCode };
		case "in-doubt":
			return { status: outcome.status, why: outcome.reason };
		case "not-sent":
			return { why: outcome.reason };
	}
}

/** What is kept of a settlement, and what stays known of the attempt before it. */
export function settledResult(before: Result, { evidence }: Settlement): Result {
	return { ...before, evidence };
}

/** @param alive whether a sender of this name lives */
export function recordOf(row: Row, alive: (sender: string) => boolean): IntentRecord {
	const intent = JSON.parse(String(row.content)) as JournalIntent;
	const result = JSON.parse(String(row.result)) as Result;
	const lost = row.state === "sending" && !(typeof row.sender === "string" && alive(row.sender));
	return {
		...intent,
		intent: String(row.number),
		state: lost ? "in-doubt" : (row.state as IntentState),
		attempt: Number(row.attempt),
		begun: String(row.begun),
		changed: String(row.changed),
		fingerprint: text(row.fingerprint),
		id: text(row.created_id),
		...result,
		...(lost ? { why: died } : {}),
	};
}

export function eventOf(row: Row): JournalEvent {
	return {
		seq: Number(row.seq),
		at: String(row.at),
		intent: row.intent === null || row.intent === undefined ? undefined : String(row.intent),
		kind: String(row.kind),
		content: JSON.parse(String(row.content)) as Record<string, unknown>,
		hash: String(row.hash),
	};
}

function text(value: unknown): string | undefined {
	return typeof value === "string" ? value : undefined;
}

/** The row number behind an intent's name, or undefined where it is none. */
export function numberOf(intent: string): number | undefined {
	return /^[1-9]\d{0,14}$/.test(intent) ? Number(intent) : undefined;
}
