/**
 * Every company that needs something: what stops payments first, then what compliance asked for, then what waits for us, each the oldest first.
 */
import type { Received } from "../../api/answer.js";
import { listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import { type Advice, isNotOffered, PurserError } from "../../errors.js";
import type { Listed, Service } from "../../ports/service.js";
import { masked, maskedRelated } from "../evidence/mask.js";
import { uboThreshold } from "../records/read-ownership.js";
import { listRelatedOf, namePersons, nameRecords } from "../records/reading.js";
import { blockers, type CaseFacts, type Checklist, checklistOf, type Item, type OpenState, type Step } from "./checklist.js";
import { readSince } from "./journal.js";

/** KYB statuses of a company that is open. */
const openStatuses = ["NOT_STARTED", "COMPLETING", "PENDING_VERIFICATION", "NEED_ADDITIONAL_INFORMATION"] as const;
/** Those of a company that may need something. */
export const overviewStatuses = [...openStatuses, "VALIDATED"] as const;

/** `optional`: not required, of a company in which all the rest is done. */
export type RowState = OpenState | "optional";

/** One company of the overview. */
export interface OverviewRow {
	corporateId?: string;
	externalId?: string;
	name?: string;
	kybStatus?: string;
	/** The most urgent item, what compliance asked for before any other; undefined where nothing is open. */
	blocker?: { step: Step; state: RowState; label: string; who?: string; why?: string; command?: Advice };
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
	counts: Readonly<Record<RowState | "complete", number>>;
}

/** An overview with how much was read. */
export interface ReachedOverview extends Overview {
	/** Whether every company was listed and read. */
	complete: boolean;
	/** Number of companies that were listed, but whose related entities were no longer read. */
	notChecked: number;
	/** The bound that ended it, in words. */
	stoppedAfter?: string;
}

/** What the overview reads of one company. */
interface OverviewFacts {
	corporate: Received;
	related: readonly Received[] | undefined;
	partial?: boolean;
	trouble?: string;
}

/** How the row of a company is made; as in {@link checklistOf}. */
type RowOptions = Pick<CaseFacts, "threshold" | "since" | "until" | "now">;

function overviewRow({ corporate, related, partial, trouble }: OverviewFacts, options: RowOptions): OverviewRow {
	const { id, externalId, updatedAt, createdAt } = viewCorporate(corporate);
	const checklist = checklistOf({ corporateId: id ?? "", corporate, related, partial, ...options });
	return { ...rowOf(checklist, id, updatedAt ?? createdAt, trouble), externalId };
}

/** The same facts without personal data. */
function maskedFacts({ corporate, related, ...facts }: OverviewFacts): OverviewFacts {
	return { ...facts, corporate: masked(corporate) as Received, related: related && maskedRelated(related) };
}

/**
 * Reads the related entities of one company at a time. A failure becomes part of that company's row. Where the deployment does not offer
 * the list at all, it is requested only once.
 * @throws PurserError where no company can be read: a credential that was refused, or interrupted
 */
function factsFrom(service: Pick<Service, "list">, limit?: number): (corporate: Received) => Promise<OverviewFacts> {
	let answered = false;
	let notOffered: string | undefined;
	return async (corporate) => {
		const { id } = viewCorporate(corporate);
		const without = (trouble: string): OverviewFacts => ({ corporate, related: undefined, trouble });
		if (id === undefined) return without("the service gave no id");
		if (notOffered !== undefined) return without(notOffered);
		try {
			const { records, complete } = await listRelatedOf(service, id, limit);
			answered = true;
			return { corporate, related: records, partial: !complete, trouble: complete ? undefined : "the service did not list all of them" };
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			const offersNone: boolean = isNotOffered(error);
			if (!offersNone && error.kind !== "unavailable") throw error;
			if (offersNone && !answered) notOffered = error.message;
			return without(error.message);
		}
	};
}

/** Makes the overview of all rows, which it sorts. */
export function overviewOf(rows: OverviewRow[], now: Date): Overview {
	const age = (row: OverviewRow): number => (row.since === undefined ? Number.NaN : Date.parse(row.since));
	rows.sort((one, other) => urgency(one) - urgency(other) || order(age(one), age(other)));
	const counts = { "to do": 0, declined: 0, waiting: 0, blocked: 0, unknown: 0, optional: 0, complete: 0 };
	for (const { blocker } of rows) counts[blocker?.state ?? "complete"] += 1;
	return { at: now.toISOString(), rows, counts };
}

/**
 * A customer who cannot pay comes first. What compliance asked for holds up a company that is nearly there; what waits for somebody else cannot
 * be hurried by who reads this.
 */
function urgency({ kybStatus, blocker }: OverviewRow): number {
	if (kybStatus === "VALIDATED" && blocker?.step === "terms") return 0;
	if (kybStatus === "NEED_ADDITIONAL_INFORMATION") return 1;
	if (blocker?.state === "optional") return 4;
	return isForUs(blocker) ? 2 : 3;
}

const isForUs = (blocker: OverviewRow["blocker"]): boolean => blocker?.state === "to do" || blocker?.state === "declined";

/** Whether the row waits for whoever reads it. */
export const isYours = ({ blocker }: OverviewRow): boolean => isForUs(blocker) || blocker?.state === "optional";

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
	const { name, kybStatus, items } = checklist;
	const isDone = kybStatus === "VALIDATED";
	// What a service does not say of a company that compliance has accepted is no news.
	const open: readonly (Item & { state: RowState })[] = [...blockers(checklist).filter(({ state }) => !isDone || state !== "unknown")];
	const asked = kybStatus === "NEED_ADDITIONAL_INFORMATION" ? open.find(({ step }) => step === "kyb") : undefined;
	const optional = isDone
		? items.find((item): item is Item & { state: "optional" } => item.state === "optional" && !!item.command)
		: undefined;
	const first = asked ?? open[0] ?? optional;
	const row: OverviewRow = { corporateId, name, kybStatus, since: first?.since ?? changed, open: open.length, trouble };
	if (first === undefined) return row;
	const { step, state, label, who, why, command } = first;
	return { ...row, blocker: { step, state, label, who, why, command } };
}

/** How far companies are read, and for whom. */
interface Reach {
	/** KYB statuses; each group is one list. */
	groups: readonly (readonly string[])[];
	/** Maximum number of companies in one list, of companies whose persons are read, and of persons of one company. */
	listed: number;
	read?: number;
	persons?: number;
	/** The bound that was reached, in words: nothing more is read then. */
	spent?(): string | undefined;
	/** Whether the rows' blockers are wanted without personal data too. */
	masking?: boolean;
	listing?(list: () => Promise<Listed>): Promise<Listed>;
	reading?<T>(count: number, work: (update: (label: string) => void) => Promise<T>): Promise<T>;
}

/** The companies that need something, and how many were looked at. */
export interface CompaniesRead extends ReachedOverview {
	/** The rows' blockers without personal data, in their order, where they are wanted. */
	masks?: OverviewRow["blocker"][];
	/** Number of companies that were listed, and of those whose persons were looked for. */
	listed: number;
	checked: number;
	/** Rows of which less than usual is known, those that need nothing else included. */
	incomplete: readonly OverviewRow[];
	/** Whether all were listed. */
	whole: boolean;
}

/** Maximum number of requests at the same time. */
const concurrency = 8;

/**
 * Reads the companies that need something: those whose KYB is not decided, and those validated in which something is missing. What a company
 * needs most is read first: one that cannot pay, then the open ones, longest unchanged first, then what changed last of the validated.
 * @throws PurserError of the lists; a failure with one company is part of its row
 */
export async function readCompanies(context: Context, service: Pick<Service, "list" | "digestOf">, reach: Reach): Promise<CompaniesRead> {
	const { groups, listed: most, read: mostRead, persons, spent = () => undefined, masking = false, listing, reading } = reach;
	const { profile } = await context.settings.read();
	const found = new Map<string, Received>();
	const lists: Listed[] = [];
	for (const kybStatus of groups) {
		const list = () => service.list(listCorporates, { query: { kybStatus: [...kybStatus] } }, most);
		const one = await (listing === undefined ? list() : listing(list));
		lists.push(one);
		for (const record of one.records) if (isAskedFor(record, groups)) found.set(viewCorporate(record).id ?? `${found.size}`, record);
	}
	nameRecords(context, [...found.values()].map(viewCorporate));
	const candidates = [...found.values()].sort(byNeed).slice(0, mostRead);
	const recorded = await readSince(context, service);
	const now = context.clock.now();
	const read = factsFrom(service, persons);
	/** A company that was only partly read when a bound was reached counts as not read. */
	const factsOf = async (corporate: Received): Promise<OverviewFacts> => {
		const facts = spent() === undefined ? await read(corporate) : undefined;
		if (facts !== undefined && (facts.partial !== true || spent() === undefined)) return facts;
		return { corporate, related: undefined, trouble: unread };
	};
	// Only the row of a company is kept: what was read of tens of thousands would not fit into memory.
	const masks = new Map<OverviewRow, OverviewRow["blocker"]>();
	const options = { threshold: uboThreshold(profile), ...recorded, now };
	const rowFrom = async (corporate: Received): Promise<OverviewRow> => {
		const facts = await factsOf(corporate);
		// Of tens of thousands the persons' names would not fit into memory either.
		if (mostRead !== undefined && facts.related) namePersons(context, viewCorporate(corporate).id ?? "", facts.related);
		const row = overviewRow(facts, options);
		if (masking) masks.set(row, overviewRow(maskedFacts(facts), options).blocker);
		return row;
	};
	const work = (update: (label: string) => void) =>
		mapConcurrently(candidates, concurrency, rowFrom, (done) => update(`Reading companies: ${done} of ${candidates.length}`));
	const all = await (reading === undefined ? work(() => {}) : reading(candidates.length, work));
	const notChecked = all.filter(({ trouble }) => trouble === unread).length;
	const cut = lists.find((one) => one.cut !== undefined)?.cut;
	const incomplete = all.filter(({ trouble }) => trouble !== undefined && trouble !== unread);
	const whole = lists.every(({ complete }) => complete);
	const overview = overviewOf(
		all.filter(({ kybStatus, blocker }) => kybStatus !== "VALIDATED" || blocker !== undefined),
		now,
	);
	return {
		...overview,
		complete: whole && incomplete.length + notChecked === 0,
		notChecked,
		stoppedAfter: cut ?? (notChecked > 0 ? spent() : undefined),
		masks: masking ? overview.rows.map((row) => masks.get(row)) : undefined,
		listed: found.size,
		checked: all.length - notChecked,
		incomplete,
		whole,
	};
}

/** Why the related entities of a company are not known, once a bound was reached. */
export const unread = "not checked: the overview had to stop before";

/** A deployment may not know the filter, or have a status of its own, which is open. */
function isAskedFor(corporate: Received, groups: Reach["groups"]): boolean {
	const { kybStatus = "" } = viewCorporate(corporate);
	if (kybStatus === "DECLINED") return false;
	const isKnown = (overviewStatuses as readonly string[]).includes(kybStatus);
	return !isKnown || groups.some((group) => group.includes(kybStatus));
}

function byNeed(one: Received, other: Received): number {
	const [first, second] = [one, other].map((record) => {
		const { kybStatus, termsAccepted, updatedAt, createdAt } = viewCorporate(record);
		const isDone = kybStatus === "VALIDATED";
		return { rank: !isDone ? 1 : termsAccepted === false ? 0 : 2, at: updatedAt ?? createdAt ?? "", sign: isDone ? -1 : 1 };
	}) as [Need, Need];
	return first.rank - second.rank || first.sign * first.at.localeCompare(second.at);
}

interface Need {
	rank: number;
	/** When it last changed; a company without that comes first of those that are open. */
	at: string;
	sign: number;
}

/**
 * Maps a list with bounded concurrency, in its order.
 * @param work must not throw for one item alone: the first error ends everything
 * @param progress receives after each how many are done
 */
async function mapConcurrently<T, R>(
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

/** What `purser` alone reads: 14 requests at most. */
const little = { groups: [openStatuses, ["VALIDATED"]], listed: 100, read: 12, persons: 100 };

export interface WaitingCases {
	/** Companies with something for the operator to do, the most urgent first. */
	yours: OverviewRow[];
	/** Number of companies that wait for somebody else. */
	others: number;
	/** Companies that were looked at, and those listed. */
	checked: number;
	open: number;
	/** There are more companies than were listed. */
	more: boolean;
	/** Companies of which less than usual is known, because their persons could not be read. */
	incomplete: number;
}

/** Reads the companies that wait for the operator. @throws PurserError of the lists, and where no company can be read */
export async function readWaitingCases(context: Context, service: Service): Promise<WaitingCases> {
	const { rows, checked, listed, whole, incomplete } = await readCompanies(context, service, little);
	const yours = rows.filter(isYours);
	return { yours, others: rows.length - yours.length, checked, open: listed, more: !whole, incomplete: incomplete.length };
}
