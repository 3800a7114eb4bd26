/**
 * Converts events back into the steps they record, for replay.
 */
import { plainId } from "../../api/text/ids.js";
import type { IntentState, JournalOutcome, JournalStep, Settlement } from "../../ports/intent.js";
import { RefusedJob } from "../../sqlite/group-commit.js";
import type { Tables } from "../tables/tables.js";
import { diedReason, resultAfterReopening } from "./record.js";
import { anotherAttempt, notDecided, notInDoubt } from "./refusals.js";
import { changeState, type Dependencies, intentNamed, recordIn, refusing } from "./write.js";

/** The faults that a check found, up to a readable number. */
export interface Findings {
	faults: string[];
	add(fault: string): void;
}

/** The id assigned by a step, as it was given. */
export function idGivenBy(step: JournalStep): string | undefined {
	const result = step.kind === "ended" ? step.outcome : step.kind === "settled" ? step.settlement : undefined;
	return result?.state === "accepted" ? result.id : undefined;
}

/**
 * The id that an intent holds after a step.
 * @param before the id that it held before
 * @throws RangeError if the step takes an id that the intent did not hold
 */
export function idAfter(step: JournalStep, before: string | undefined): string | undefined {
	if (step.kind === "reopened") {
		if (before === step.id) return undefined;
		throw new RangeError(`the id ${step.id ?? "none"} taken from one that holds ${before ?? "none"}`);
	}
	const given = idGivenBy(step);
	return given === undefined ? before : plainId(given);
}

/** The step that an event records. */
export function stepOf(kind: string, content: Record<string, unknown>): JournalStep {
	switch (kind) {
		case "ended":
			return { kind, outcome: content.outcome as JournalOutcome };
		case "settled":
			return { kind, settlement: content.settlement as Settlement };
		case "checked":
			return { kind, check: content.check as never };
		case "reopened":
			return { kind, reason: String(content.reason), id: content.id === undefined ? undefined : String(content.id) };
		case "carried":
			return { kind, state: content.state as IntentState };
		case "begun":
		case "died":
		case "abandoned":
		case "resent":
			return { kind };
		default:
			throw new RangeError(`an event of the kind ${JSON.stringify(kind)}`);
	}
}

/**
 * @param seen the attempt that the person was shown
 * @throws RefusedJob, if the intent changed since, or nothing about it is decided
 */
export async function reopenIntent(
	tables: Tables,
	{ rules, senders }: Dependencies,
	name: string,
	{ reason, attempt: seen }: { reason: string; attempt: number },
): Promise<void> {
	const stored = await intentNamed(tables, name);
	const { number, attempt, batch, createdId, intent } = stored;
	const decided = ["accepted", "waiting", "refused", "not-created"].includes(stored.state);
	if (intent.effect !== "money" || !decided || attempt !== seen) throw new RefusedJob(notDecided(await recordIn(stored, senders)));
	const step = { kind: "reopened", reason, id: createdId } as const;
	const state = refusing(() => rules.next(stored.state, step));
	await tables.append("reopened", number, { attempt, reason, id: createdId }, batch);
	await changeState(
		tables,
		rules,
		{ ...stored, createdId: undefined },
		state,
		resultAfterReopening(stored.result, step),
		undefined,
		stored.state,
	);
}

/**
 * @param seen the attempt that the person was shown
 * @throws RefusedJob, if that attempt is not in doubt, or it is no payment
 */
export async function resendIntent(tables: Tables, { rules, senders }: Dependencies, name: string, seen: number): Promise<void> {
	const stored = await intentNamed(tables, name);
	const record = await recordIn(stored, senders);
	if (record.state !== "in-doubt" || record.effect !== "money") throw new RefusedJob(notInDoubt(record));
	if (record.attempt !== seen) throw new RefusedJob(anotherAttempt(record, seen));
	const { number, attempt, batch } = stored;
	const senderDied = stored.state === "sending";
	if (senderDied) await tables.append("died", number, { attempt }, batch);
	const state = refusing(() => rules.next("in-doubt", { kind: "resent" }));
	await tables.append("resent", number, { attempt }, batch);
	await changeState(tables, rules, stored, state, { ...stored.result, ...(senderDied ? { why: diedReason } : {}) }, undefined);
}
