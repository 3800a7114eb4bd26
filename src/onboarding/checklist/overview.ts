/**
 * Every open company with what blocks it: what compliance asked for first, then what waits for us, each the oldest first.
 */
import type { Received } from "../../api/answer.js";
import { listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { decidedKybStatuses } from "../../api/values.js";
import type { Context } from "../../context.js";
import { type Advice, PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { masked, numbered } from "../evidence/mask.js";
import { uboThreshold } from "../records/read-ownership.js";
import { listRelatedOf } from "../records/reading.js";
import { blockers, type CaseFacts, type Checklist, checklistOf, type OpenState, type Step } from "./checklist.js";
import { readSince } from "./journal.js";

/** KYB statuses of a company that is open. */
export const openStatuses = ["NOT_STARTED", "COMPLETING", "PENDING_VERIFICATION", "NEED_ADDITIONAL_INFORMATION"] as const;

/** One company of the overview. */
export interface OverviewRow {
	corporateId?: string;
	externalId?: string;
	name?: string;
	kybStatus?: string;
	/** The most urgent item, what compliance asked for before any other; undefined where nothing is open. */
	blocker?: { step: Step; state: OpenState; label: string; who?: string; why?: string; command?: Advice };
	/** Since when nothing has moved, RFC 3339 UTC: the blocker's time, else the company's last update. */
	since?: string;
	/** How many items are open. */
	open: number;
	/** Why less than usual is known. */
	trouble?: string;
}

export interface Overview {
	/** When it was taken, RFC 3339 UTC. */
	at: string;
	rows: OverviewRow[];
	/** Companies by the state of their blocker; every state is present, for programs. */
	counts: Readonly<Record<OpenState | "complete", number>>;
}

/** An overview with how much of what is open was read. */
export interface ReachedOverview extends Overview {
	/** Whether every open company was listed and read. */
	complete: boolean;
	/** Number of companies that were listed, but whose related entities were no longer read. */
	notChecked: number;
	/** The bound that ended it, in words. */
	stoppedAfter?: string;
}

/** What the overview reads of one company. */
export interface OverviewFacts {
	corporate: Received;
	related: readonly Received[] | undefined;
	partial?: boolean;
	trouble?: string;
}

/**
 * Makes the row of one company.
 * @param threshold, `since` and `until` as in {@link checklistOf}
 */
export function overviewRow(
	{ corporate, related, partial, trouble }: OverviewFacts,
	asked: Pick<CaseFacts, "threshold" | "since" | "until" | "now">,
): OverviewRow {
	const { id, externalId, updatedAt, createdAt } = viewCorporate(corporate);
	const checklist = checklistOf({ corporateId: id ?? "", corporate, related, partial, ...asked });
	return { ...rowOf(checklist, id, updatedAt ?? createdAt, trouble), externalId };
}

/** The same facts without personal data, by the masking of bundles; persons are told apart by numbers. */
export function maskedFacts({ corporate, related, ...facts }: OverviewFacts): OverviewFacts {
	const hidden = masked(related) as Received[] | undefined;
	return { ...facts, corporate: masked(corporate) as Received, related: hidden && numbered(hidden) };
}

/** Makes the overview of all rows, which it sorts. */
export function overviewOf(rows: OverviewRow[], now: Date): Overview {
	const age = (row: OverviewRow): number => (row.since === undefined ? Number.NaN : Date.parse(row.since));
	rows.sort((one, other) => urgency(one) - urgency(other) || order(age(one), age(other)));
	const counts = { "to do": 0, declined: 0, waiting: 0, blocked: 0, unknown: 0, complete: 0 };
	for (const { blocker } of rows) counts[blocker?.state ?? "complete"] += 1;
	return { at: now.toISOString(), rows, counts };
}

/** What compliance asked for holds up a company that is nearly there; what waits for somebody else cannot be hurried by who reads this. */
function urgency({ kybStatus, blocker }: OverviewRow): number {
	if (kybStatus === "NEED_ADDITIONAL_INFORMATION") return 0;
	return blocker?.state === "to do" || blocker?.state === "declined" ? 1 : 2;
}

/** Rows without a readable time come last. */
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
	const { name, kybStatus } = checklist;
	const asked = kybStatus === "NEED_ADDITIONAL_INFORMATION" ? open.find(({ step }) => step === "kyb") : undefined;
	const first = asked ?? open[0];
	const row: OverviewRow = { corporateId, name, kybStatus, since: first?.since ?? changed, open: open.length, trouble };
	if (first === undefined) return row;
	const { step, state, label, who, why, command } = first;
	return { ...row, blocker: { step, state, label, who, why, command } };
}

/**
 * Maps a list with bounded concurrency, in its order.
 * @param work must not throw for one item alone: the first error ends everything
 * @param progress receives after each how many are done
 */
export async function mapConcurrently<T, R>(
	items: readonly T[],
	concurrency: number,
	work: (item: T) => Promise<R>,
	progress: (done: number) => void,
): Promise<R[]> {
	const results: R[] = new Array(items.length);
	const open = [...items.entries()].reverse();
	let done = 0;
	const worker = async (): Promise<void> => {
		for (let next = open.pop(); next !== undefined; next = open.pop()) {
			results[next[0]] = await work(next[1]);
			done += 1;
			progress(done);
		}
	};
	const ended = Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
	await ended.finally(() => {
		open.length = 0;
	});
	return results;
}

/** Companies listed: one page. */
const maxListed = 100;
/** Companies of which the persons are read, one request each: those in which nothing happened for longest. */
const maxRead = 12;
/** Related entities read of one company: one page. */
const maxRelated = 100;

export interface WaitingCases {
	/** Companies with something for the operator to do, the oldest first. */
	yours: OverviewRow[];
	/** Number of companies that wait for somebody else. */
	others: number;
	/** Companies that were looked at, and those listed. */
	checked: number;
	open: number;
	/** There are more open companies than were listed. */
	more: boolean;
	/** Companies of which less than usual is known, because their persons could not be read. */
	incomplete: number;
}

/**
 * Reads the cases.
 * @throws PurserError of the list; a failure with one company is counted in `incomplete`
 */
export async function readWaitingCases(context: Context, service: Service): Promise<WaitingCases> {
	const { profile } = await context.settings.read();
	const listed = await service.list(listCorporates, { query: { kybStatus: [...openStatuses] } }, maxListed);
	const open = listed.records.filter(
		(record) => !(decidedKybStatuses as readonly string[]).includes(viewCorporate(record).kybStatus ?? ""),
	);
	const oldest = [...open].sort((one, other) => changed(one).localeCompare(changed(other))).slice(0, maxRead);
	const facts = await Promise.all(oldest.map((corporate) => factsOf(service, corporate)));
	const recorded = await readSince(context, service);
	const now = context.clock.now();
	const threshold = uboThreshold(profile);
	const { rows } = overviewOf(
		facts.map((one) => overviewRow(one, { threshold, ...recorded, now })),
		now,
	);
	const yours = rows.filter(({ blocker }) => blocker?.state === "to do" || blocker?.state === "declined");
	return {
		yours,
		others: rows.length - yours.length,
		checked: rows.length,
		open: open.length,
		more: !listed.complete,
		incomplete: facts.filter(({ trouble }) => trouble !== undefined).length,
	};
}

/** When a company last changed; a company without that comes first. */
function changed(corporate: Received): string {
	const { updatedAt, createdAt } = viewCorporate(corporate);
	return updatedAt ?? createdAt ?? "";
}

async function factsOf(service: Service, corporate: Received): Promise<OverviewFacts> {
	const { id } = viewCorporate(corporate);
	if (id === undefined) return { corporate, related: undefined, trouble: "the service gave no id" };
	try {
		const { records, complete } = await listRelatedOf(service, id, maxRelated);
		return { corporate, related: records, partial: !complete };
	} catch (error) {
		if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
		return { corporate, related: undefined, trouble: error.message };
	}
}
