/**
 * The outcome of a batch: the exit code reflects the worst row.
 */
import type { Kind } from "../../../errors.js";
import type { BatchRecord } from "../../../ports/batches.js";

type Counts = Partial<BatchRecord["counts"]>;

/** Number of rows in these states. */
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
export function outcomeOfLook(record: Pick<BatchRecord, "counts" | "state" | "sending">): Kind | undefined {
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
