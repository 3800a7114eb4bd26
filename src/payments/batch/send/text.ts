/**
 * Describes the state of a batch for people.
 */

import { purser } from "../../../api/advice.js";
import { groupDigits } from "../../../api/amount.js";
import { PurserError, type SuggestedCommand } from "../../../errors.js";
import type { BatchPause, BatchRecord } from "../../../ports/batches.js";
import type { IntentState } from "../../../ports/intent.js";
import type { Style } from "../../../ports/style.js";
import { mostNamed } from "../plan/debited.js";
import { totalsText } from "../plan/totals.js";
import { outcomeOfBatch, rowsIn } from "./outcome.js";
import { type Watched, watchedLine } from "./progress.js";
import type { BatchRun } from "./run.js";
import { withoutNothingSent } from "./stop.js";

type Words = Pick<
	Style,
	"bold" | "dim" | "good" | "bad" | "warn" | "accent" | "pairs" | "money" | "time" | "moment" | "localized" | "next" | "bar" | "columns"
>;

const wordsOf: readonly (readonly [keyof BatchRecord["counts"], string])[] = [
	["accepted", "Accepted"],
	["waiting", "Waiting for strong authentication"],
	["refused", "Refused"],
	["in-doubt", "In doubt"],
	["not-created", "Proven not created"],
	["not-sent", "Not sent"],
	["sending", "On their way"],
	["planned", "Still to be sent"],
	["abandoned", "Cancelled, never sent"],
];

/** Rows by state, without states that have none. */
export function countRows({ counts }: Pick<BatchRecord, "counts">): [string, string][] {
	return wordsOf.flatMap(([state, word]): [string, string][] => {
		const rows = counts[state] ?? 0;
		return rows === 0 ? [] : [[word, groupDigits(rows)]];
	});
}

/** The batch's state in a word or two. */
export function standing({ state, sending, counts }: BatchRecord): string {
	if (sending) return "being sent";
	if (state === "abandoned") return "cancelled";
	if (state !== "begun") return "planned";
	return rowsIn(counts, "planned", "not-sent", "not-created", "in-doubt") > 0 ? "not finished" : "finished";
}

function headline(record: BatchRecord, style: Words): string {
	const kind = outcomeOfBatch(record);
	if (record.sending) return style.accent(`Batch ${record.batch} is being sent`);
	if (record.state === "planned") return style.bold(`Batch ${record.batch} is planned; nothing of it was sent`);
	if (kind === undefined) return style.good(`Batch ${record.batch}: every row was accepted`);
	if (kind === "unknown") return style.bad(`Batch ${record.batch}: ${doubtText(rowsIn(record.counts, "in-doubt"))}`);
	if (record.state === "abandoned") return style.warn(`Batch ${record.batch} was cancelled${cancelledText(record)}`);
	if (kind === "guard") return style.warn(`Batch ${record.batch}: nothing was sent`);
	if (kind === "pending") return style.warn(`Batch ${record.batch}: accepted, and rows wait for strong authentication`);
	return style.warn(`Batch ${record.batch}: ${unsentText(record)}`);
}

function doubtText(rows: number): string {
	return rows === 1
		? "1 row is in doubt; do not send it again before it is settled"
		: `${groupDigits(rows)} rows are in doubt; do not send them again before they are settled`;
}

/** Describes the rows that were not accepted, for a batch without doubts. */
function unsentText({ counts, plan }: BatchRecord): string {
	const [refused, left] = [rowsIn(counts, "refused"), rowsIn(counts, "planned", "not-sent", "not-created")];
	const of = (rows: number): string => `${groupDigits(rows)} of ${groupDigits(plan.count)} ${plan.count === 1 ? "row" : "rows"}`;
	const rest = left === 0 ? "" : `${refused > 0 ? groupDigits(left) : of(left)} ${left === 1 ? "is" : "are"} still to be sent`;
	return [...(refused > 0 ? [`${of(refused)} ${refused === 1 ? "was" : "were"} refused`] : []), ...(rest ? [rest] : [])].join(", and ");
}

function cancelledText({ counts, plan }: BatchRecord): string {
	const rows = rowsIn(counts, "abandoned");
	if (rows === 0) return "; it sends nothing more";
	return `; ${groupDigits(rows)} of ${groupDigits(plan.count)} ${plan.count === 1 ? "row" : "rows"} ${rows === 1 ? "was" : "were"} never sent, and it sends nothing more`;
}

/** A batch, where its plan is written, whether it is of a sandbox that was started anew or reset since, and how it goes while it is watched. */
type Shown = BatchRecord & {
	planPath?: string;
	earlierSandbox?: true;
	ledgers?: readonly { id: string; name?: string }[];
	progress?: Watched;
};

/** `Paused for 2 min, until 2026-03-01T10:02:00.000Z: the service answered 429 (too many requests)`. @param length milliseconds */
export function pausedText({ until, why }: BatchPause, length: number): string {
	const seconds = Math.ceil(length / 1_000);
	return `Paused for ${seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} min`}, until ${until}: ${why}`;
}

/** What was done of a batch and what was not, in words. */
export interface DoneOfBatch {
	/** `40 rows accepted` */
	done: readonly string[];
	/** `80 rows` */
	notDone: readonly string[];
}

/**
 * What was done of a batch before; undefined where nothing of it was sent yet.
 * @param takes the states whose rows are asked for
 */
export function doneOf({ counts }: Pick<BatchRecord, "counts">, takes: readonly IntentState[]): DoneOfBatch | undefined {
	if (rowsIn(counts, "accepted", "waiting", "in-doubt", "refused") === 0) return undefined;
	const rows = (count: number): string => `${groupDigits(count)} ${count === 1 ? "row" : "rows"}`;
	const words = [
		["accepted", "accepted"],
		["waiting", "waiting for strong authentication"],
		["in-doubt", "in doubt"],
		["refused", "refused"],
	] as const;
	const done = words.flatMap(([state, word]) => (counts[state] > 0 && !takes.includes(state) ? [`${rows(counts[state])} ${word}`] : []));
	return { done, notDone: [rows(rowsIn(counts, ...takes))] };
}

/** The error of a run that sent nothing of a batch of which something was sent before: with what was done and what was not. */
export function withDone(error: unknown, record: BatchRecord, takes: readonly IntentState[]): unknown {
	const done = doneOf(record, takes);
	if (!(error instanceof PurserError) || error.kind === "unknown" || done === undefined) return error;
	const message = `${withoutNothingSent(error.message)}. Done: ${done.done.join(", ") || "nothing"}. Not done: ${done.notDone.join(", ")}`;
	return new PurserError(error.kind, { ...error.failure, ...done, message, cause: error });
}

/** The batch, and what this run did, if there was one. */
export function batchText(record: Shown & Partial<Pick<BatchRun, "run" | "stopped">>, style: Words): string {
	const { plan, run, stopped, abandoned, paused, progress } = record;
	const rows: [string, string | undefined][] = [
		["File", plan.source === "-" ? "standard input" : plan.source],
		["Rows", groupDigits(plan.count)],
		["Total", totalsText(plan, style)],
		["From", record.ledgers && ledgersText(record.ledgers)],
		...countRows(record),
		["Sheet (SHA-256)", plan.sheet?.sha256],
		["Approved by", record.approvals?.map(({ key, approver }) => approver ?? key).join(", ")],
		["Started", style.time(record.begun)],
		["Cancelled", style.time(abandoned?.at)],
		["Reason", abandoned?.reason],
		["This run", run && `${groupDigits(run.sent)} sent in ${run.seconds} s`],
		["Paused", paused && `until ${style.time(paused.until)}: ${paused.why}`],
		["Stopped", stopped && style.localized(stopped.why)],
		["Service", record.earlierSandbox && "an earlier sandbox at this address; nothing more of it is sent"],
	];
	const steps = stopped?.code === "DRY_RUN" && record.state === "planned" ? [] : nextSteps(record, stopped?.until);
	const line = progress && watchedLine({ ...record, progress }, style);
	return [headline(record, style), line, style.pairs(rows), style.next(steps)].filter(Boolean).join("\n");
}

/** The debited ledgers, by their names where those are known. */
function ledgersText(ledgers: readonly { id: string; name?: string }[]): string {
	const named = ledgers.slice(0, mostNamed).map(({ id, name }) => name ?? id);
	return [...named, ...(ledgers.length > mostNamed ? [`and ${ledgers.length - mostNamed} more`] : [])].join(", ");
}

/**
 * Commands to suggest next, the most urgent first. The journal does not know where the plan was written.
 * @param until when the service is to be asked again, where it said so
 */
export function nextSteps(
	{ batch, state, counts, sending, planPath, earlierSandbox, progress }: Shown,
	until?: string,
): SuggestedCommand[] {
	if (earlierSandbox) return afterSandbox(batch, state, counts);
	if (sending) return progress ? [] : [purser`pay batch status ${batch} --watch`];
	if (state === "planned") return [planPath === undefined ? purser`pay batch send PLAN` : purser`pay batch send ${{ path: planPath }}`];
	const steps: SuggestedCommand[] = [];
	if (rowsIn(counts, "in-doubt") > 0) steps.push(purser`pay settle --batch ${batch}`);
	if (state === "abandoned") return [...steps, ...afterAbandon(batch, counts)];
	const later = until === undefined ? {} : { remark: `from ${until}; with --wait-out 2h it waits by itself` };
	if (rowsIn(counts, "planned", "not-sent", "not-created") > 0) steps.push({ ...purser`pay batch resume ${batch}`, ...later });
	if (rowsIn(counts, "refused") > 0)
		steps.push(
			{ ...purser`pay batch report ${batch}`, remark: "refused.csv can be corrected and planned again" },
			{
				...purser`pay batch retry-refused ${batch}`,
				remark: "if the reason was temporary and you paid none of them in another batch",
			},
		);
	if (steps.length === 0) steps.push(followed(batch));
	return steps;
}

/** The journal ends with what the service accepted, so whoever has followed the batch already is told that it is no more than a look. */
function followed(batch: string): SuggestedCommand {
	return { ...purser`pay batch wait ${batch}`, remark: "to see how each payment ended; it changes nothing" };
}

/** Commands to suggest for a batch of an earlier sandbox, which can be closed and settled by a person's word alone. */
function afterSandbox(batch: string, state: BatchRecord["state"], counts: BatchRecord["counts"]): SuggestedCommand[] {
	if (state !== "abandoned" && rowsIn(counts, "planned", "not-sent", "not-created") > 0)
		return [purser`pay batch abandon ${batch} --reason TEXT`];
	return rowsIn(counts, "in-doubt") > 0 ? [purser`history list --state in-doubt`] : [];
}

/** Commands to suggest for a cancelled batch. */
function afterAbandon(batch: string, counts: BatchRecord["counts"]): SuggestedCommand[] {
	const again = rowsIn(counts, "abandoned", "refused", "not-sent", "not-created") > 0;
	return [
		...(again
			? [
					{
						...purser`pay batch report ${batch}`,
						remark: "to pay rows after all, correct and plan unsent.csv and refused.csv",
					},
				]
			: []),
		...(rowsIn(counts, "accepted", "waiting") > 0 ? [followed(batch)] : []),
	];
}
