/**
 * The counting rule of `money.md`, "Settling a doubt": transfers that cannot be told apart are settled by counting. Pure.
 * A are in doubt, U transactions like them are unclaimed. U = A: all were made. 0 < U < A: U were, the rest stay in doubt.
 * U > A: a person looks. U = 0: not created, but only on two complete lists that agree, both seen after the settling time.
 *
 * Counting says how many were made, not which. So transfers alike whose times overlap are one cluster, those counted before
 * included: what one of them was given may have been another's, and only when the last of them is past its time is one that
 * was not found not created. (Seed 1066 of the simulation, before this was so: a list that showed a part.)
 */
import type { TransactionView } from "../api/transaction.js";
import type { Evidence, Look } from "../ports/journal.js";
import { comparable } from "./fingerprint.js";
import { clockSkew, dayAfter, farthestSkew, likeness, type Sought, spanOf } from "./likeness.js";

/** One transfer in doubt. */
export interface Doubt extends Sought {
	intent: string;
	/** Looks at this attempt so far, oldest first. */
	looks: readonly Look[];
}

/** What one look at a source showed. */
export interface Seen {
	source: Look["source"];
	at: Date;
	/** Whether it is everything there was from before the first doubt until `at`. */
	complete: boolean;
	/** Why absence proves nothing, in words; of a complete list undefined where it does. */
	lacks?: string;
	listed: readonly TransactionView[];
	/** Ids that other attempts hold, in lower case. */
	claimed: ReadonlySet<string>;
	/** Transfers alike that were found by counting before, with the id each was given. */
	counted: readonly { begun: string; id: string }[];
	/** Transfers alike that are being sent at this moment. */
	sending: number;
	/** Transfers alike that were accepted without an id (202): theirs may be among the listed. */
	unnamed: number;
}

export interface Patience {
	/** Milliseconds within which a transfer that was made appears: the setting `settle-after`. */
	settleAfter: number;
	/** Milliseconds between two looks that may agree. */
	apart: number;
}

/** Two looks within this time see the same moment of the service. */
export const looksApart = 10 * 60_000;

export type Verdict = { intent: string } & (
	| { state: "accepted"; id: string; evidence: Evidence }
	| { state: "not-created"; evidence: Evidence }
	/** `after`: when another look can settle it, RFC 3339 UTC; without it a person must say. `look`: to be recorded with it. */
	| { state: "in-doubt"; why: string; after?: string; look?: Look }
);

/**
 * The verdicts on doubts with one fingerprint. Those with a token each have a reference of their own, and are no part of each other's count.
 * @param doubts all of them; one left out would make the count wrong
 */
export function settleAlike(doubts: readonly Doubt[], seen: Seen, patience: Patience): Verdict[] {
	const byReference = new Map<string, Doubt[]>();
	for (const doubt of [...doubts].sort((one, other) => (one.begun < other.begun ? -1 : 1))) {
		const reference = comparable(doubt.transfer.reference);
		const those = byReference.get(reference);
		if (those) those.push(doubt);
		else byReference.set(reference, [doubt]);
	}
	return [...byReference.values()].flatMap((those) =>
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
	const complete = seen.complete && seen.lacks === undefined;
	const look: Look = { at: seen.at.toISOString(), source: seen.source, complete, unclaimed: unclaimed.length, possible };
	const inDoubt = (why: string): Verdict[] => doubts.map(({ intent }) => ({ intent, state: "in-doubt", why, look }));
	if (seen.sending > 0)
		return doubts.map(({ intent }) => {
			const why = "the same is being sent at this moment; look again when that has ended";
			return { intent, state: "in-doubt", why, after: look.at, look };
		});
	if (unclaimed.length === 0) return doubts.map((doubt) => absent(doubt, cluster, seen, look, patience));
	if (seen.unnamed > 0 && unclaimed.length !== doubts.length + seen.unnamed)
		return inDoubt(`${seen.unnamed} alike were accepted without an id, and what is listed may be theirs; a person must look`);
	if (unclaimed.length > doubts.length + seen.unnamed || !fits([...given, ...unclaimed], cluster.begun, seen.unnamed, patience))
		return inDoubt(tooMany(unclaimed.length, doubts.length));
	return doubts.map((doubt, index) => verdictOf(doubt, unclaimed[index], look, doubts.length));
}

function verdictOf({ intent }: Doubt, transaction: Told | undefined, look: Look, inDoubt: number): Verdict {
	if (transaction === undefined) {
		const why = `of ${inDoubt} alike in doubt, ${look.unclaimed} ${look.unclaimed === 1 ? "was" : "were"} found; this one stays in doubt: look again`;
		return { intent, state: "in-doubt", why, after: look.at, look };
	}
	const reason = `${look.unclaimed} unclaimed alike for ${inDoubt} in doubt; the transaction is of ${transaction.createdAt}`;
	return { intent, state: "accepted", id: transaction.id, evidence: { source: look.source, reason } };
}

function tooMany(found: number, inDoubt: number): string {
	return `${found} unclaimed transactions alike for ${inDoubt} in doubt do not fit together: some were not made by this tool; a person must look`;
}

type Told = TransactionView & { id: string };

/** The listed transactions that are surely like the cluster's transfers, oldest first, and the number of those that may be. */
function sift(cluster: Cluster, seen: Seen, { settleAfter }: Patience): { unclaimed: Told[]; given: Told[]; possible: number } {
	const [same, given] = [new Map<string, Told>(), new Map<string, Told>()];
	let possible = 0;
	const { transfer, payee } = cluster.doubts[0] as Doubt;
	for (const listed of seen.listed) {
		const id = listed.id?.toLowerCase();
		const mine = id !== undefined && cluster.given.has(id);
		if (id !== undefined && ((seen.claimed.has(id) && !mine) || same.has(id))) continue;
		const answers = cluster.begun.map((begun) => likeness({ transfer, payee, begun }, listed, settleAfter));
		if (id !== undefined && mine) given.set(id, listed as Told);
		else if (answers.includes("same") && id !== undefined) same.set(id, listed as Told);
		else if (answers.some((answer) => answer !== "other")) possible += 1;
	}
	const sorted = (found: Map<string, Told>) => [...found.values()].sort((one, other) => (fromOf(one) < fromOf(other) ? -1 : 1));
	return { unclaimed: sorted(same), given: sorted(given), possible };
}

const fromOf = (listed: TransactionView): number => spanOf(listed.createdAt)?.from ?? 0;

/** Whether each transaction can be that of a transfer of its own: one from before every attempt was not made by this tool. */
function fits(transactions: readonly Told[], begun: readonly string[], unnamed: number, { settleAfter }: Patience): boolean {
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

/** What absence proves: nothing, unless everything was seen, late enough, twice. */
function absent(doubt: Doubt, cluster: Cluster, seen: Seen, look: Look, { settleAfter, apart }: Patience): Verdict {
	const { intent, begun, looks } = doubt;
	const inDoubt = (why: string, after?: Date): Verdict => ({ intent, state: "in-doubt", why, after: after?.toISOString(), look });
	if (look.possible > 0)
		return inDoubt(
			`${look.possible} listed may be it, but the ${seen.source === "statement" ? "statement" : "service"} does not tell enough to be sure; a person must look`,
		);
	if (seen.unnamed > 0) return inDoubt("one alike was accepted without an id and is not listed, so the list does not show everything");
	if (!seen.complete) return inDoubt(`it was not found, but ${seen.lacks ?? "the list is not complete"}`, seen.at);
	const settled = Date.parse(cluster.begun.at(-1) as string) + settleAfter;
	if (seen.at.getTime() < settled) return inDoubt(tooEarly(seen.source, settled), new Date(settled));
	if (seen.lacks !== undefined) return inDoubt(`it was not found, but ${seen.lacks}`);
	// Both looks are late enough: an early one shows nothing of what comes late, so that one wrong list later would do.
	const late = looks.filter((one) => one.complete && one.unclaimed === 0 && one.possible === 0 && Date.parse(one.at) >= settled);
	const agreeing = late.find((one) => Date.parse(one.at) <= seen.at.getTime() - apart);
	if (agreeing === undefined)
		return inDoubt("it is not listed; a second look must agree", new Date(Date.parse(late[0]?.at ?? look.at) + apart));
	const hours = Math.floor((Date.parse(agreeing.at) - Date.parse(begun)) / 3_600_000);
	const reason = `not among the transactions of two complete looks, the first ${hours} hours after it was begun`;
	return { intent, state: "not-created", evidence: { source: seen.source, reason, looks: [agreeing, look] } };
}

function tooEarly(source: Look["source"], settled: number): string {
	if (source !== "statement") return "it is not listed, but it may still appear";
	return `it was not found, but the statement ends too early: one is needed with a line of ${dayAfter(settled)} or later`;
}

/**
 * From when a list must reach back to show all that doubts can have become, RFC 3339 UTC: from before the first transfer
 * alike whose time overlaps with theirs, by as much as our clock may have been ahead.
 * @param doubts when they began; `counted`: when those alike began that were found by counting
 */
export function reachBack(doubts: readonly string[], counted: readonly string[], settleAfter: number): string {
	let first = Math.min(...doubts.map((time) => Date.parse(time)));
	for (const time of [...counted].sort().reverse()) {
		const begun = Date.parse(time);
		if (begun < first && first - clockSkew <= begun + settleAfter) first = begun;
	}
	return new Date(first - farthestSkew).toISOString();
}
