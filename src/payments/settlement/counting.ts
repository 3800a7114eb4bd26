/**
 * The counting rule: transfers that cannot be told apart are settled by counting. Pure.
 * A are in doubt, U transactions like them are unclaimed. U = A: all were made. 0 < U < A: U were, the rest stay in doubt.
 * U > A: a person looks. U = 0: `absence.ts`.
 *
 * Counting says how many were made, not which. So transfers alike whose times overlap are one cluster, those counted before
 * included: what one of them was given may have been another's, and only when the last of them is past its time is one that
 * was not found not created. (Seed 1066 of the simulation, before this was so: a list that showed a part.)
 */
import type { TransactionView } from "../../api/operations/transaction.js";
import type { Evidence, Look } from "../../ports/intent.js";
import { comparable } from "../rules/fingerprint.js";
import { groupBy } from "../rules/group-by.js";
import { absent, unnamed } from "./absence.js";
import { clockSkew, isMarked, type Sought, similarityToAny, tellsPayee } from "./matching/similarity.js";
import { spanOf } from "./matching/time-span.js";

/** One transfer in doubt; `begun` by the service's clock, as far as that is known. */
export interface Doubt extends Sought {
	intent: string;
	/** When it began at the latest, where the clocks leave that open, RFC 3339 UTC; and why they do, in words. */
	latest?: string;
	clock?: string;
	/** Looks at this attempt so far, oldest first. */
	looks: readonly Look[];
}

/** What one look at a source showed. */
export interface Seen {
	source: Look["source"];
	at: Date;
	/** When it was by the service's clock, where that is known. */
	serviceAt?: Date;
	/** Milliseconds that the service's clock was ahead of this machine's, where that is known. */
	skew?: number;
	/** Whether it is everything there was from before the first doubt until `at`. */
	complete: boolean;
	/** Why it may be wrong in what it does not show, in words; of a complete list undefined where nothing says so. */
	lacks?: string;
	/** Why it proves no absence by itself, although nothing in it is known to be wrong. */
	unproven?: string;
	listed: readonly TransactionView[];
	/** Ids that other attempts hold, in lower case. */
	claimed: Pick<ReadonlySet<string>, "has">;
	/** Ids, in lower case, of lines that surely are other open doubts: they may be no other transfer. */
	taken?: ReadonlySet<string>;
	/** Lines of payments that are known to be made, where a source has ids of its own. */
	known?: ReadonlySet<TransactionView>;
	/** Transfers alike that were found by counting before, with the id each was given. */
	counted: readonly { begun: string; id: string }[];
	/** Transfers alike that are being sent at this moment. */
	sending: number;
	/** Transfers alike that were accepted without an id (202): theirs may be among the listed. */
	unnamed: number;
	/** Why the id of a transfer alike that was accepted may be another's, in words: its own may be among the listed. */
	unsure?: string;
}

export interface Patience {
	/** Milliseconds within which a transfer that was made appears: the setting `settle-after`. */
	settleAfter: number;
	/** Milliseconds between two looks that may agree. */
	apart: number;
	/** Who decides that what is not listed was not created: the setting `absence`. */
	absence: "person" | "list";
}

/** Two looks within this time see the same moment of the service. */
export const looksApart = 10 * 60_000;

export type Verdict = { intent: string } & (
	| { state: "accepted"; id: string; evidence: Evidence }
	| { state: "not-created"; evidence: Evidence }
	/**
	 * `after`: when another look can settle it, RFC 3339 UTC; without it a person must say. `look`: what this one saw; where it agrees with
	 * an earlier one, a person may confirm that it was not created.
	 */
	| { state: "in-doubt"; why: string; after?: string; look?: Look }
);

/**
 * The verdicts on doubts with one fingerprint. Those with a token each have a reference of their own, and are no part of each other's count.
 * @param doubts all of them; one left out would make the count wrong
 */
export function settleByCounting(doubts: readonly Doubt[], seen: Seen, patience: Patience): Verdict[] {
	const inOrder = [...doubts].sort((one, other) => (one.begun < other.begun ? -1 : 1));
	return [...groupBy(inOrder, ({ transfer }) => comparable(transfer.reference)).values()].flatMap((those) =>
		clustersOf(those, seen, patience).flatMap((cluster) => settleCluster(cluster, seen, patience)),
	);
}

/** Transfers alike whose times overlap. */
interface Cluster {
	/** Oldest first. */
	doubts: Doubt[];
	/** When each of them began, doubts and counted ones; oldest first. */
	begun: string[];
	/** The ids that the counted ones were given. */
	given: Set<string>;
}

function clustersOf(doubts: readonly Doubt[], { counted }: Seen, { settleAfter }: Patience): Cluster[] {
	const members = [
		...doubts.map((doubt) => ({ begun: doubt.begun, doubt, id: undefined })),
		...counted.map(({ begun, id }) => ({ begun, doubt: undefined, id })),
	].sort((one, other) => (one.begun < other.begun ? -1 : 1));
	const clusters: Cluster[] = [];
	for (const { begun, doubt, id } of members) {
		const last = clusters.at(-1)?.begun.at(-1);
		const overlaps = last !== undefined && Date.parse(begun) - clockSkew <= Date.parse(last) + settleAfter;
		if (!overlaps) clusters.push({ doubts: [], begun: [], given: new Set() });
		const cluster = clusters.at(-1) as Cluster;
		cluster.begun.push(begun);
		if (doubt) cluster.doubts.push(doubt);
		if (id !== undefined) cluster.given.add(id.toLowerCase());
	}
	return clusters.filter((cluster) => cluster.doubts.length > 0);
}

function settleCluster(cluster: Cluster, seen: Seen, patience: Patience): Verdict[] {
	const { doubts } = cluster;
	const { unclaimed, given, possible } = sift(cluster, seen, patience);
	const looks = new Map(doubts.map((doubt) => [doubt, lookAt(doubt, seen, unclaimed.length, possible.length)]));
	const inDoubt = (why: string, after?: string): Verdict[] =>
		doubts.map((doubt) => ({ intent: doubt.intent, state: "in-doubt", why, after, look: looks.get(doubt) }));
	if (seen.sending > 0) return inDoubt("the same is being sent at this moment; look again when that has ended", seen.at.toISOString());
	if (unclaimed.length === 0) {
		const latest = Math.max(...cluster.begun.map(Date.parse), ...doubts.map(({ begun, latest = begun }) => Date.parse(latest)));
		const may = mayBe(possible, seen);
		return doubts.map((doubt) => absent({ doubt, look: looks.get(doubt) as Look, latest, possible: may }, seen, patience));
	}
	if (seen.unsure !== undefined && !unclaimed.every((one) => doubts.some(({ transfer }) => isMarked(transfer, one))))
		return inDoubt(seen.unsure);
	if (seen.unnamed > 0 && unclaimed.length !== doubts.length + seen.unnamed)
		return inDoubt(`${seen.unnamed} alike were ${unnamed(seen.source)}, and what is listed may be theirs; a person must look`);
	if (unclaimed.length > doubts.length + seen.unnamed || !fits([...given, ...unclaimed], cluster.begun, seen.unnamed, patience))
		return inDoubt(tooMany(unclaimed.length, doubts.length));
	return doubts.map((doubt, index) => {
		const found = unclaimed[index];
		if (found !== undefined) return created(doubt, found, seen, [unclaimed.length, doubts.length]);
		const were = unclaimed.length === 1 ? "1 was" : `${unclaimed.length} were`;
		const why = `of ${doubts.length} alike in doubt, ${were} found; this one stays in doubt: look again`;
		return { intent: doubt.intent, state: "in-doubt", why, after: seen.at.toISOString(), look: looks.get(doubt) };
	});
}

/** What this look saw, as it is kept with a doubt. */
function lookAt({ clock }: Doubt, seen: Seen, unclaimed: number, possible: number): Look {
	const complete = seen.complete && seen.lacks === undefined;
	const lacks = seen.lacks ?? (seen.complete ? (seen.unproven ?? clock) : "the list is not complete");
	const at = clock === undefined ? (seen.serviceAt ?? seen.at) : seen.at;
	return {
		at: at.toISOString(),
		source: seen.source,
		complete,
		unclaimed,
		possible,
		...(lacks === undefined ? {} : { lacks }),
		...(seen.skew === undefined ? {} : { skew: seen.skew }),
	};
}

/** Created, by its token or by counting: of the latter nobody can tell which of those alike it is, or that it is not another person's. */
function created(
	{ intent, transfer }: Doubt,
	found: Identified,
	{ source }: Seen,
	[unclaimed, inDoubt]: readonly [number, number],
): Verdict {
	const reason = isMarked(transfer, found)
		? `identified by its token; the transaction is of ${found.createdAt}`
		: `counted, not identified: ${unclaimed === 1 ? "one matching payment" : `${unclaimed} matching payments`} found for ${inDoubt === 1 ? "this one" : `${inDoubt} in doubt`}; the transaction is of ${found.createdAt}`;
	return { intent, state: "accepted", id: found.id, evidence: { source, reason } };
}

function tooMany(found: number, inDoubt: number): string {
	return `${found} unclaimed transactions alike for ${inDoubt} in doubt do not fit together: some were not made by this tool; a person must look`;
}

type Identified = TransactionView & { id: string };

/** The listed transactions that are surely like the cluster's transfers, oldest first, and those that may be one of them. */
function sift(cluster: Cluster, seen: Seen, { settleAfter }: Patience): { unclaimed: Identified[]; given: Identified[]; possible: May[] } {
	const [same, given] = [new Map<string, Identified>(), new Map<string, Identified>()];
	const possible: May[] = [];
	const { transfer, payee } = cluster.doubts[0] as Doubt;
	const begun = cluster.begun.map((time) => Date.parse(time));
	for (const listed of seen.listed) {
		const id = listed.id?.toLowerCase();
		if (id !== undefined && cluster.given.has(id)) {
			given.set(id, listed as Identified);
			continue;
		}
		if (id !== undefined && (seen.claimed.has(id) || same.has(id))) continue;
		const how = similarityToAny({ transfer, payee }, begun, listed, settleAfter);
		if (how === "other") continue;
		// A statement has names and ids of its own: without the payee's id its line may be another payee's, or its id another payment's.
		const tellsWho = seen.source === "service" || isMarked(transfer, listed) || tellsPayee(transfer, listed);
		if (how === "same" && id !== undefined && tellsWho) same.set(id, listed as Identified);
		else if (!isAnothers(listed, how, seen)) possible.push({ listed, how: tellsWho || how === "near" ? how : "untold" });
	}
	const sorted = (found: Map<string, Identified>) => [...found.values()].sort((one, other) => (fromOf(one) < fromOf(other) ? -1 : 1));
	return { unclaimed: sorted(same), given: sorted(given), possible };
}

/** Whether a line that is not surely one of these is surely another one: an open doubt, or a payment that is known to be made. */
function isAnothers(listed: TransactionView, how: May["how"], { taken, known }: Seen): boolean {
	return (listed.id !== undefined && taken?.has(listed.id.toLowerCase())) || (how === "near" && known?.has(listed) === true);
}

/** A line that may be one of the transfers, and how. */
interface May {
	listed: TransactionView;
	how: "same" | "possible" | "near" | "untold";
}

/** Most lines that are named where a person must look. */
const mostNamed = 3;

/** Why a person must look, of lines that may be it. */
function mayBe(possible: readonly May[], { source }: Seen): string | undefined {
	if (possible.length === 0) return undefined;
	const ids = possible.flatMap(({ listed }) => listed.id ?? []).slice(0, mostNamed);
	const named = ids.length === 0 ? "" : `: ${ids.join(", ")}${possible.length > ids.length ? ", …" : ""}`;
	const place = source === "statement" ? "statement" : "service";
	if (possible.every(({ how }) => how === "near"))
		return `${possible.length} listed ${possible.length === 1 ? "differs" : "differ"} from it in reference, amount or date alone; a person must look${named}`;
	if (source === "statement" && possible.some(({ how }) => how === "untold"))
		return `${possible.length} listed may be it, but the statement does not tell the payee's ledger (a column payeeLedger), so it settles nothing as created; a person must look${named}`;
	return `${possible.length} listed may be it, but the ${place} does not tell enough to be sure; a person must look${named}`;
}

const fromOf = (listed: TransactionView): number => spanOf(listed.createdAt)?.from ?? 0;

/** Whether each transaction can be that of a transfer of its own: one from before every attempt was not made by this tool. */
function fits(transactions: readonly Identified[], begun: readonly string[], unnamed: number, { settleAfter }: Patience): boolean {
	const free = [...begun];
	let left = 0;
	for (const transaction of [...transactions].sort((one, other) => fromOf(one) - fromOf(other))) {
		const span = spanOf(transaction.createdAt);
		// Each takes the transfer that began first among those it can be: no other choice places more of them.
		const place = free.findIndex(
			(time) => span === undefined || (span.to >= Date.parse(time) - clockSkew && span.from <= Date.parse(time) + settleAfter),
		);
		if (place < 0) left += 1;
		else free.splice(place, 1);
	}
	return left <= unnamed;
}
