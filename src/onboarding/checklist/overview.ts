/**
 * Every open corporate with what stands in its way, the oldest first.
 */

import type { Received } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import type { Advice } from "../../errors.js";
import { blockers, type Checklist, checklistOf, type OpenState, type Step } from "./checklist.js";

/** One corporate of the overview. */
export interface OverviewRow {
	corporateId?: string;
	name?: string;
	kybStatus?: string;
	/** The first thing to be settled; undefined where nothing is. */
	blocker?: { step: Step; state: OpenState; label: string; who?: string; why?: string; command?: Advice };
	/** Since when it stands still, RFC 3339 UTC: the blocker's own time, else the corporate's last change. */
	since?: string;
	/** How many points are open. */
	open: number;
	/** Why less than usual is known of it. */
	trouble?: string;
}

export interface Overview {
	/** When it was taken, RFC 3339 UTC. */
	at: string;
	rows: OverviewRow[];
	/** By the state of the first blocker: whose turn it is. All states stand there, so that a program finds each. */
	counts: Readonly<Record<OpenState | "complete", number>>;
}

/** What is asked of one corporate. */
export interface OverviewFacts {
	corporate: Received;
	related: readonly Received[] | undefined;
	partial?: boolean;
	trouble?: string;
}

/**
 * Makes the overview.
 * @param threshold and `since` as in {@link checklistOf}
 */
export function overviewOf(
	facts: readonly OverviewFacts[],
	{ threshold, since, now }: Pick<Parameters<typeof checklistOf>[0], "threshold" | "since"> & { now: Date },
): Overview {
	const rows = facts.map(({ corporate, related, partial, trouble }) => {
		const { id, updatedAt, createdAt } = viewCorporate(corporate);
		return rowOf(
			checklistOf({ corporateId: id ?? "", corporate, related, partial, threshold, since, now }),
			id,
			updatedAt ?? createdAt,
			trouble,
		);
	});
	const age = (row: OverviewRow): number => (row.since === undefined ? Number.NaN : Date.parse(row.since));
	rows.sort((one, other) => order(age(one), age(other)));
	const counts = { "to do": 0, declined: 0, waiting: 0, blocked: 0, unknown: 0, complete: 0 };
	for (const { blocker } of rows) counts[blocker?.state ?? "complete"] += 1;
	return { at: now.toISOString(), rows, counts };
}

/** What has no readable time comes last. */
function order(one: number, other: number): number {
	if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
	return one - other;
}

function rowOf(
	checklist: Checklist,
	corporateId: string | undefined,
	changed: string | undefined,
	trouble: string | undefined,
): OverviewRow {
	const open = blockers(checklist);
	const [first] = open;
	const { name, kybStatus } = checklist;
	const row: OverviewRow = { corporateId, name, kybStatus, since: first?.since ?? changed, open: open.length, trouble };
	if (first === undefined) return row;
	const { step, state, label, who, why, command } = first;
	return { ...row, blocker: { step, state, label, who, why, command } };
}

/**
 * Works through a list, a few at once, in its order.
 * @param work must not throw for what concerns one item only: the first error ends everything
 * @param progress is told after each how many are done
 */
export async function mapConcurrently<T, R>(
	items: readonly T[],
	atOnce: number,
	work: (item: T) => Promise<R>,
	progress: (done: number) => void,
): Promise<R[]> {
	const results: R[] = new Array(items.length);
	let next = 0;
	let done = 0;
	let failed = false;
	const worker = async (): Promise<void> => {
		while (next < items.length && !failed) {
			const at = next++;
			try {
				results[at] = await work(items[at] as T);
			} catch (error) {
				failed = true;
				throw error;
			}
			done += 1;
			progress(done);
		}
	};
	await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
	return results;
}
