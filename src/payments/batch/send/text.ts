/**
 * How a batch stands: for people, and as an exit code, which reflects the worst row.
 */

import { purser } from "../../../api/advice.js";
import { groupDigits, inCurrency } from "../../../api/amount.js";
import type { Kind, SuggestedCommand } from "../../../errors.js";
import type { BatchRecord, BatchRest } from "../../../ports/batches.js";
import type { Style } from "../../../ports/style.js";
import { allStates, stateWords } from "../../rules/intent-text.js";
import { counted, refusalsText } from "../../rules/refusal-text.js";
import { sourceOf, totalInRows } from "../plan/totals.js";

type Counts = Partial<BatchRecord["counts"]>;

export function rowsIn(counts: Counts, ...states: (keyof Counts)[]): number {
	return states.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

/**
 * By exit code: 7 any doubt; 8 rows being sent by another process, which are no doubts; 10 nothing sent; 9 some refused or not sent; 8 some
 * waiting for strong authentication; undefined (0) all accepted.
 */
export function outcomeOfBatch({ counts }: { counts: Counts }): Kind | undefined {
	if (rowsIn(counts, "in-doubt") > 0) return "unknown";
	if (rowsIn(counts, "sending") > 0) return "pending";
	if (rowsIn(counts, "accepted", "waiting", "refused") === 0) return "guard";
	if (rowsIn(counts, "refused", "not-sent", "planned", "not-created", "abandoned") > 0) return "partial";
	return rowsIn(counts, "waiting") > 0 ? "pending" : undefined;
}

/** The outcome of a look at a batch: one that nobody has begun stands as it should. */
export function outcomeOfStatus(record: Pick<BatchRecord, "counts" | "state" | "sending">): Kind | undefined {
	return record.state === "planned" && !record.sending ? undefined : outcomeOfBatch(record);
}

/**
 * The outcome of one run. Without a doubt it is `interrupted` if it was, and `pending` if the service asked to wait for too long; a dry run
 * succeeds.
 */
export function outcomeOfRun(run: { counts: Counts; stopped?: { code: string } }): Kind | undefined {
	if (run.stopped?.code === "DRY_RUN") return undefined;
	const kind = outcomeOfBatch(run);
	if (kind === "unknown" || run.stopped === undefined) return kind;
	if (run.stopped.code === "SERVICE_BUSY") return "pending";
	return run.stopped.code === "INTERRUPTED" ? "interrupted" : kind;
}

export interface BatchRun extends BatchRecord {
	run: { sent: number; accepted: number; waiting: number; refused: number; inDoubt: number; notSent: number; seconds: number };
	stopped?: { code: string; why: string; until?: string };
}

export const nothingSent: BatchRun["run"] = { sent: 0, accepted: 0, waiting: 0, refused: 0, inDoubt: 0, notSent: 0, seconds: 0 };

/** The answer for a batch of which nothing is left to send; undefined for every other one. */
export function completed(record: BatchRecord): BatchRun | undefined {
	const { state, sending, counts } = record;
	if (state !== "begun" || sending || rowsIn(counts, "planned", "not-sent", "not-created", "sending") > 0) return undefined;
	return { ...record, run: nothingSent, stopped: { code: "COMPLETE", why: "nothing is left to send" } };
}

export const mostNamed = 8;

type Words = Pick<
	Style,
	"bold" | "dim" | "good" | "bad" | "warn" | "accent" | "pairs" | "money" | "time" | "moment" | "localized" | "next"
>;

export function countRows({ counts }: { counts: Counts }): [string, string][] {
	return allStates.flatMap((state): [string, string][] => {
		const [rows, words] = [counts[state] ?? 0, stateWords(state)];
		return rows === 0 ? [] : [[`${words.charAt(0).toUpperCase()}${words.slice(1)}`, groupDigits(rows)]];
	});
}

/** `accepted 2, refused 1` */
export const rowsText = (batch: { counts: Counts }): string =>
	countRows(batch)
		.map(([words, rows]) => `${words.toLowerCase()} ${rows}`)
		.join(", ");

export function standing({ state, sending, counts }: BatchRecord): string {
	if (sending) return "being sent";
	if (state === "abandoned") return "cancelled";
	if (state !== "begun") return "planned";
	return rowsIn(counts, "planned", "not-sent", "not-created", "in-doubt") > 0 ? "not finished" : "finished";
}

/** Whether a batch will send nothing more, so that there is nothing more to watch. */
export function isOver(record: BatchRecord): boolean {
	return !record.sending && (record.state === "abandoned" || completed(record) !== undefined);
}

function headline(record: BatchRecord & Partial<Pick<BatchRun, "stopped">>, style: Words): string {
	const kind = outcomeOfBatch(record);
	const batch = `Batch ${record.batch}`;
	const doubts = rowsIn(record.counts, "in-doubt");
	const [are, them, they] = doubts === 1 ? ["is", "it", "it is"] : ["are", "them", "they are"];
	if (record.sending) return style.accent(`${batch} is being sent`);
	if (kind === "unknown")
		return style.bad(`${batch}: ${counted(doubts, "row")} ${are} in doubt; do not send ${them} again before ${they} settled`);
	if (record.stopped?.code === "COMPLETE") return style.good(`${batch} is complete: nothing left to send`);
	if (record.state === "planned") return style.bold(`${batch} is planned; nothing of it was sent`);
	if (record.state === "abandoned") return style.warn(`${batch} was cancelled; it sends nothing more`);
	if (kind === undefined) return style.good(`${batch}: every row was accepted`);
	if (kind === "guard") return style.warn(`${batch}: nothing was sent`);
	if (kind === "pending") return style.warn(`${batch}: accepted, and rows wait for strong authentication`);
	return style.warn(`${batch}: ${unsentText(record)}`);
}

function unsentText({ counts, plan }: BatchRecord): string {
	const [refused, left] = [rowsIn(counts, "refused"), rowsIn(counts, "planned", "not-sent", "not-created")];
	const of = (rows: number): string => `${groupDigits(rows)} of ${counted(plan.count, "row")}`;
	return [
		...(refused > 0 ? [`${of(refused)} ${refused === 1 ? "was" : "were"} refused`] : []),
		...(left > 0 ? [`${of(left)} ${left === 1 ? "is" : "are"} still to be sent`] : []),
	].join(", and ");
}

/** A batch, where its plan is written if it is known, whether a team's journal has it, and whether it is watched. */
type Shown = BatchRecord & {
	planPath?: string | undefined;
	inTeam?: true;
	ledgers?: readonly { id: string; name?: string }[];
	watched?: true;
};

export function batchText(record: Shown & Partial<Pick<BatchRun, "run" | "stopped">>, style: Words): string {
	const { plan, stopped, abandoned, refusals } = record;
	const isComplete = stopped?.code === "COMPLETE";
	const run = isComplete ? undefined : record.run;
	const refused = refusalsText(refusals);
	const rows: [string, string | undefined][] = [
		["File", sourceOf(plan)],
		["Total", totalInRows(plan)],
		["From", record.ledgers && ledgersText(record.ledgers)],
		...countRows(refused === undefined ? record : { counts: { ...record.counts, refused: 0 } }),
		["Approved by", record.approvals?.map(({ key, approver }) => approver ?? key).join(", ")],
		["Started", style.time(record.begun)],
		["Cancelled", style.time(abandoned?.at)],
		["Reason", abandoned?.reason],
		["This run", run && `${groupDigits(run.sent)} sent in ${run.seconds} s`],
		["Stopped", stopped && !isComplete ? style.localized(stopped.why) : undefined],
	];
	const steps = stopped?.code === "DRY_RUN" && record.state === "planned" ? [] : nextSteps(record, stopped?.until);
	return [headline(record, style), refused, style.pairs(rows), style.next(steps)].filter(Boolean).join("\n");
}

function ledgersText(ledgers: readonly { id: string; name?: string }[]): string {
	const named = ledgers.slice(0, mostNamed).map(({ id, name }) => name ?? id);
	return [...named, ...(ledgers.length > mostNamed ? [`and ${ledgers.length - mostNamed} more`] : [])].join(", ");
}

/** Commands to suggest next, the most urgent first. */
export function nextSteps({ batch, state, counts, sending, plan, planPath, watched, inTeam }: Shown, until?: string): SuggestedCommand[] {
	if (sending)
		return watched ? [] : [{ ...purser`pay batch status ${batch} --watch`, remark: "to stop it: Ctrl-C where it is being sent" }];
	if (state === "planned" && inTeam) return [purser`pay batch send ${batch}`];
	if (state === "planned" && planPath !== undefined) return [purser`pay batch send ${{ path: planPath }}`];
	if (state === "planned")
		return [
			{ ...purser`pay batch plan ${{ path: plan.source }}`, remark: "its plan is elsewhere or was replaced" },
			{ ...purser`pay batch abandon ${batch} --reason TEXT`, remark: "instead, where it is not to be sent" },
		];
	const steps: SuggestedCommand[] = [];
	if (rowsIn(counts, "in-doubt") > 0) steps.push(purser`pay settle --batch ${batch}`);
	if (state !== "abandoned" && rowsIn(counts, "planned", "not-sent", "not-created") > 0) {
		steps.push({ ...purser`pay batch resume ${batch}`, ...(until !== undefined && { remark: `from ${until}` }) });
		if (rowsIn(counts, "planned") > 0)
			steps.push({ ...purser`pay batch abandon ${batch} --reason TEXT`, remark: "instead, where a row is wrong: cancels the rest" });
	}
	const unpaid = rowsIn(counts, "refused", ...(state === "abandoned" ? (["abandoned", "not-sent", "not-created"] as const) : []));
	if (unpaid > 0)
		steps.push({
			...purser`pay batch report ${batch}`,
			remark: `${state === "abandoned" ? "unsent.csv and refused.csv" : "refused.csv"} can be planned again, corrected where needed`,
		});
	if (steps.length === 0) steps.push({ ...purser`pay reconcile`, remark: "to compare with what the service lists" });
	return steps;
}

export interface Abandoning extends BatchRecord {
	rest: BatchRest;
	stopped?: { code: "DRY_RUN" | "ABANDONED_BEFORE"; why: string };
}

/** `72 rows never sent, 300.00 EUR` */
export function restText({ rows, totals }: BatchRest): string {
	const sums = totals.map(({ currency, amount }) => inCurrency(amount, currency)).join(", ");
	return `${counted(rows, "row")} never sent${sums === "" ? "" : `, ${sums}`}`;
}

export function questionOf({ batch }: BatchRecord, rest: BatchRest): string {
	return `Cancel the rest of batch ${batch} (${restText(rest)})? These rows will never be sent`;
}

export function abandoningText({ rest, stopped, ...record }: Abandoning, style: Parameters<typeof batchText>[1]): string {
	const head = stopped
		? `${stopped.why}${stopped.code === "DRY_RUN" ? ` (${restText(rest)})` : ""}`
		: style.good(`Cancelled: ${restText(rest)}`);
	return [head, batchText(record, style)].join("\n");
}
