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
import { blockers, type Checklist, checklistOf, type Item, type OpenState, type Step } from "./checklist.js";
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
	/** Whether every company was listed and read. */
	complete: boolean;
	/** Number of companies that were listed, but whose related entities were no longer read. */
	notChecked: number;
	/** The bound that ended it, in words. */
	stoppedAfter?: string;
}

/** The companies that need something, and how many were looked at. */
export interface CompaniesRead extends Overview {
	/** Number of companies that were listed, and whether that is all. */
	listed: number;
	whole: boolean;
	/** Why less than usual is known of a company, one for each; those that need nothing else included. */
	troubles: readonly string[];
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

function rowOf(checklist: Checklist, corporate: Received, trouble: string | undefined): OverviewRow {
	const { name, kybStatus, items } = checklist;
	const { id: corporateId, externalId, updatedAt, createdAt } = viewCorporate(corporate);
	const isDone = kybStatus === "VALIDATED";
	// What a service does not say of a company that compliance has accepted is no news.
	const open: readonly (Item & { state: RowState })[] = blockers(checklist).filter(({ state }) => !isDone || state !== "unknown");
	const asked = kybStatus === "NEED_ADDITIONAL_INFORMATION" ? open.find(({ step }) => step === "kyb") : undefined;
	const isLeft = (item: Item): item is Item & { state: "optional" } => isDone && item.state === "optional" && item.command !== undefined;
	const first = asked ?? open[0] ?? items.find(isLeft);
	const row = { corporateId, name, kybStatus, since: first?.since ?? updatedAt ?? createdAt, open: open.length, trouble, externalId };
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
	/** Whether the rows hold no personal data. */
	masking?: boolean;
	listing?(list: () => Promise<Listed>): Promise<Listed>;
	reading?<T>(count: number, work: (update: (label: string) => void) => Promise<T>): Promise<T>;
}

/** Maximum number of requests at the same time. */
const concurrency = 8;

/**
 * Reads the companies that need something: those whose KYB is not decided, and those validated in which something is missing. What a company
 * needs most is read first: one that cannot pay, then the open ones, longest unchanged first, then what changed last of the validated.
 * @throws PurserError of the lists; a failure with one company is part of its row
 */
export async function readCompanies(context: Context, service: Pick<Service, "list">, reach: Reach): Promise<CompaniesRead> {
	const { groups, listed: most, read: mostRead, persons, spent = () => undefined, masking } = reach;
	const { listing = (list) => list(), reading = (_, work) => work(() => {}) } = reach;
	const found = new Map<string, Received>();
	const lists: Listed[] = [];
	for (const kybStatus of groups) {
		const one = await listing(() => service.list(listCorporates, { query: { kybStatus: [...kybStatus] } }, most));
		lists.push(one);
		for (const record of one.records) if (isAskedFor(record, groups)) found.set(viewCorporate(record).id ?? `${found.size}`, record);
	}
	nameRecords(context, [...found.values()].map(viewCorporate));
	const candidates = [...found.values()].sort(byNeed).slice(0, mostRead);
	const now = context.clock.now();
	const { profile } = await context.settings.read();
	const options = { threshold: uboThreshold(profile), ...(await readSince(context)), now };
	const personsOf = personsFrom(service, persons);
	// Only the row of a company is kept: what was read of tens of thousands would not fit into memory.
	const rowFrom = async (corporate: Received): Promise<OverviewRow> => {
		const corporateId = viewCorporate(corporate).id ?? "";
		let known = spent() === undefined ? await personsOf(corporateId) : { trouble: unread };
		// A company that was only partly read when a bound was reached counts as not read.
		if (known.partial && spent() !== undefined) known = { trouble: unread };
		const { related, partial, trouble } = known;
		// Of tens of thousands the persons' names would not fit into memory either.
		if (mostRead !== undefined && related) namePersons(context, corporateId, related);
		const shown = masking
			? { corporate: masked(corporate) as Received, related: related && maskedRelated(related) }
			: { corporate, related };
		return rowOf(checklistOf({ corporateId, ...shown, partial, ...options }), corporate, trouble);
	};
	const all = await reading(candidates.length, async (update) => {
		const rows: OverviewRow[] = [];
		const open = [...candidates.entries()].reverse();
		let done = 0;
		const worker = async (): Promise<void> => {
			for (let next = open.pop(); next !== undefined; next = open.pop()) {
				rows[next[0]] = await rowFrom(next[1]);
				update(`Reading companies: ${++done} of ${candidates.length}`);
			}
		};
		// The first error ends everything.
		await Promise.all(Array.from({ length: concurrency }, worker)).finally(() => open.splice(0));
		return rows;
	});
	const notChecked = all.filter(({ trouble }) => trouble === unread).length;
	const troubles = all.flatMap(({ trouble }) => (trouble === undefined || trouble === unread ? [] : [trouble]));
	const whole = lists.every(({ complete }) => complete);
	const needy = all.filter(({ kybStatus, blocker }) => kybStatus !== "VALIDATED" || blocker !== undefined);
	// Rows without a readable time come last.
	const time = ({ since = "" }: OverviewRow): number => Date.parse(since) || Number.MAX_SAFE_INTEGER;
	needy.sort((one, other) => urgency(one) - urgency(other) || time(one) - time(other));
	const counts = { "to do": 0, declined: 0, waiting: 0, blocked: 0, unknown: 0, optional: 0, complete: 0 };
	for (const { blocker } of needy) counts[blocker?.state ?? "complete"] += 1;
	return {
		...{ at: now.toISOString(), rows: needy, counts },
		complete: whole && troubles.length + notChecked === 0,
		notChecked,
		stoppedAfter: lists.find(({ cut }) => cut !== undefined)?.cut ?? (notChecked > 0 ? spent() : undefined),
		listed: found.size,
		whole,
		troubles,
	};
}

/** Why the related entities of a company are not known, once a bound was reached. */
const unread = "not checked: the overview had to stop before";

/**
 * Reads the related entities of one company at a time. A failure becomes part of that company's row. Where the deployment does not offer
 * the list at all, it is requested only once.
 * @throws PurserError where no company can be read: a credential that was refused, or interrupted
 */
function personsFrom(service: Pick<Service, "list">, limit?: number) {
	let answered = false;
	let notOffered: string | undefined;
	return async (corporateId: string): Promise<{ related?: readonly Received[]; partial?: boolean; trouble?: string }> => {
		if (corporateId === "") return { trouble: "the service gave no id" };
		if (notOffered !== undefined) return { trouble: notOffered };
		try {
			const { records, complete } = await listRelatedOf(service, corporateId, limit);
			answered = true;
			return { related: records, partial: !complete, trouble: complete ? undefined : "the service did not list all of them" };
		} catch (error) {
			const offersNone: boolean = isNotOffered(error);
			if (!(error instanceof PurserError) || (!offersNone && error.kind !== "unavailable")) throw error;
			if (offersNone && !answered) notOffered = error.message;
			return { trouble: error.message };
		}
	};
}

/** A deployment may not know the filter, or have a status of its own, which is open. */
function isAskedFor(corporate: Received, groups: Reach["groups"]): boolean {
	const { kybStatus = "" } = viewCorporate(corporate);
	if (kybStatus === "DECLINED") return false;
	const isKnown = (overviewStatuses as readonly string[]).includes(kybStatus);
	return !isKnown || groups.some((group) => group.includes(kybStatus));
}

/** A company without a time comes first of those that are open. */
function byNeed(one: Received, other: Received): number {
	const [rank, time] = needOf(one);
	const [otherRank, otherTime] = needOf(other);
	return rank - otherRank || (rank === 1 ? 1 : -1) * time.localeCompare(otherTime);
}

function needOf(corporate: Received): [rank: number, changed: string] {
	const { kybStatus, termsAccepted, updatedAt, createdAt } = viewCorporate(corporate);
	return [kybStatus !== "VALIDATED" ? 1 : termsAccepted === false ? 0 : 2, updatedAt ?? createdAt ?? ""];
}

/** What was not read, in sentences. What the service said about a failure may name a person. */
export function unreadWords({ stoppedAfter, listed, whole, notChecked, troubles }: CompaniesRead, masked: boolean): string[] {
	const count = (many: number): string => `${many} compan${many === 1 ? "y" : "ies"}`;
	const others = notChecked === 0 ? "" : `, and ${notChecked} of them were not checked`;
	return [
		...(stoppedAfter === undefined ? [] : [`Stopped after ${stoppedAfter}: ${count(listed)} listed${others}; there may be more`]),
		...(stoppedAfter === undefined && !whole ? [`Not all companies were listed: ${listed} were looked at`] : []),
		...(troubles.length > 0 ? [`The persons of ${count(troubles.length)} could not all be read${masked ? "" : `: ${troubles[0]}`}`] : []),
	];
}

/** What `purser` alone reads: 14 requests at most. */
const little = { groups: [openStatuses, ["VALIDATED"]], listed: 100, read: 12, persons: 100 };

/** Companies with something for the operator to do, and how many wait for others, were looked at, and are open. */
export type WaitingCases = Awaited<ReturnType<typeof readWaitingCases>>;

/** Reads the companies that wait for the operator. @throws PurserError of the lists, and where no company can be read */
export async function readWaitingCases(context: Context, service: Service) {
	const { rows, listed, whole, troubles } = await readCompanies(context, service, little);
	const yours = rows.filter(({ blocker }) => isForUs(blocker) || blocker?.state === "optional");
	const checked = Math.min(listed, little.read);
	return { yours, others: rows.length - yours.length, checked, open: listed, more: !whole, incomplete: troubles.length };
}
