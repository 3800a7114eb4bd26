/**
 * The counting rule: transfers that cannot be told apart are settled by counting. Pure.
 * A transfers are in doubt, and U matching transactions are unclaimed. U = A: all were made. 0 < U < A: U were made, the rest stay in
 * doubt.
 * U > A: a person must look. U = 0: see `absence.ts`.
 *
 * Counting says how many were made, not which. So duplicates whose periods overlap form one cluster, including those counted earlier:
 * an id given to one may belong to another, and "not created" is possible only after the settling time of the cluster's last
 * transfer. (Seed 1066 of the simulation failed without this, with an incomplete list.)
 */
import type { TransactionView } from "../../api/operations/transaction.js";
import { plainId } from "../../api/text/ids.js";
import type { Evidence, Look } from "../../ports/intent.js";
import { comparable } from "../rules/fingerprint.js";
import { groupBy } from "../rules/group-by.js";
import { absenceVerdict, withoutIdText } from "./absence.js";
import { canAllMatch, fromOf, type Identified } from "./matching/by-time.js";
import { clockSkew, hasOurToken, identifiesPayee, type Sought, similarityToAny } from "./matching/similarity.js";

/** One transfer in doubt; `begun` is by the service's clock if that is known. */
export interface Doubt extends Sought {
	intent: string;
	/** When it began at the latest, if the clocks leave that open, RFC 3339 UTC. */
	latest?: string;
	/** Why the clocks leave it open, for people. */
	clock?: string;
	/** Looks at this attempt so far, oldest first. */
	looks: readonly Look[];
}

/** What one look at a source showed about a group of duplicates. */
export interface Observation {
	source: Look["source"];
	at: Date;
	/** The same moment by the service's clock, if known. */
	serviceAt?: Date;
	/** How many milliseconds the service's clock is ahead of this machine's, if known. */
	skew?: number;
	/** Whether the list covers everything from before the first doubt until `at`. */
	complete: boolean;
	/** Why absence from the list means nothing, for people; undefined if no fault is known. */
	lacks?: string;
	/** Why the list does not prove absence by itself although no fault is known. */
	unproven?: string;
	listed: readonly TransactionView[];
	/** Plain ids that other attempts hold. */
	claimed: Pick<ReadonlySet<string>, "has">;
	/** Plain ids of lines that surely belong to other open doubts. */
	taken?: ReadonlySet<string>;
	/** Lines of known payments, for a source with its own ids (a statement). */
	known?: ReadonlySet<TransactionView>;
	/** Duplicates settled by counting earlier, with the ids they were given. */
	counted: readonly { begun: string; id: string }[];
	sending: number;
	/** Number of duplicates accepted without an id (202), whose transactions may be among the listed. */
	unnamed: number;
	/** Why an accepted duplicate may hold another payment's id, for people; its own transaction may then be among the listed. */
	unsure?: string;
}

export interface Patience {
	/** Milliseconds within which a transfer that was made appears: the setting `settle-after`. */
	settleAfter: number;
	/** Least milliseconds between two agreeing looks. */
	apart: number;
	/** Who decides that an unlisted payment was not created: the setting `absence`. */
	absence: "person" | "list";
}

/** Least time between two looks that count as independent, in milliseconds. */
export const looksApart = 10 * 60_000;

export type Verdict = { intent: string } & (
	| { state: "accepted"; id: string; evidence: Evidence }
	| { state: "not-created"; evidence: Evidence }
	/** `after`: when another look may settle it, RFC 3339 UTC; without it only a person can. `look`: what this look showed. */
	| { state: "in-doubt"; why: string; after?: string; look?: Look }
);

/**
 * The verdicts on doubts with the same fingerprint. Those with a token have different references and are counted separately.
 * @param doubts all of them; leaving one out would make the count wrong
 */
export function settleByCounting(doubts: readonly Doubt[], shown: Observation, patience: Patience): Verdict[] {
	const inOrder = [...doubts].sort((one, other) => (one.begun < other.begun ? -1 : 1));
	return [...groupBy(inOrder, ({ transfer }) => comparable(transfer.reference)).values()].flatMap((group) =>
		clustersOf(group, shown, patience).flatMap((cluster) => settleCluster(cluster, shown, patience)),
	);
}

interface Cluster {
	doubts: Doubt[];
	/** When each of them began, both doubts and those counted earlier; oldest first. */
	begun: string[];
	/** The ids given to those counted earlier. */
	given: Set<string>;
}

function clustersOf(doubts: readonly Doubt[], { counted }: Observation, { settleAfter }: Patience): Cluster[] {
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
		if (id !== undefined) cluster.given.add(plainId(id));
	}
	return clusters.filter((cluster) => cluster.doubts.length > 0);
}

function settleCluster(cluster: Cluster, shown: Observation, patience: Patience): Verdict[] {
	const { doubts } = cluster;
	const { unclaimed, given, possible } = sift(cluster, shown, patience);
	const looks = new Map(doubts.map((doubt) => [doubt, lookAt(doubt, shown, unclaimed.length, possible.length)]));
	const inDoubt = (why: string, after?: string): Verdict[] =>
		doubts.map((doubt) => ({ intent: doubt.intent, state: "in-doubt", why, after, look: looks.get(doubt) }));
	if (shown.sending > 0)
		return inDoubt("the same payment is being sent right now; check again when that has finished", shown.at.toISOString());
	if (unclaimed.length === 0) {
		const times = [...cluster.begun, ...doubts.map(({ begun, latest = begun }) => latest)].map((time) => Date.parse(time));
		const latest = times.reduce((last, time) => Math.max(last, time));
		const reason = possibleMatchReason(possible, shown);
		return doubts.map((doubt) => absenceVerdict({ doubt, look: looks.get(doubt) as Look, latest, possible: reason }, shown, patience));
	}
	if (shown.unsure !== undefined && !unclaimed.every((one) => doubts.some(({ transfer }) => hasOurToken(transfer, one))))
		return inDoubt(shown.unsure);
	if (shown.unnamed > 0 && unclaimed.length !== doubts.length + shown.unnamed)
		return inDoubt(
			`${shown.unnamed} identical payments were ${withoutIdText(shown.source)}, and the listed ones may be theirs; a person must check`,
		);
	if (
		unclaimed.length > doubts.length + shown.unnamed ||
		!canAllMatch([...given, ...unclaimed], cluster.begun, shown.unnamed, patience.settleAfter)
	)
		return inDoubt(tooManyText(unclaimed.length, doubts.length));
	return doubts.map((doubt, index) => {
		const found = unclaimed[index];
		if (found !== undefined) return created(doubt, found, shown, [unclaimed.length, doubts.length]);
		const foundText = unclaimed.length === 1 ? "1 was" : `${unclaimed.length} were`;
		const why = `of ${doubts.length} identical payments in doubt, ${foundText} found; this one stays in doubt: check again`;
		return { intent: doubt.intent, state: "in-doubt", why, after: shown.at.toISOString(), look: looks.get(doubt) };
	});
}

function lookAt({ clock }: Doubt, shown: Observation, unclaimed: number, possible: number): Look {
	const complete = shown.complete && shown.lacks === undefined;
	const lacks = shown.lacks ?? (shown.complete ? (shown.unproven ?? clock) : "the list is not complete");
	const at = clock === undefined ? (shown.serviceAt ?? shown.at) : shown.at;
	return {
		at: at.toISOString(),
		source: shown.source,
		complete,
		unclaimed,
		possible,
		...(lacks === undefined ? {} : { lacks }),
		...(shown.skew === undefined ? {} : { skew: shown.skew }),
	};
}

/**
 * The verdict "created". Without a token the reason says that it was counted: any duplicate, or somebody else's payment, may be the match.
 */
function created(
	{ intent, transfer }: Doubt,
	found: Identified,
	{ source }: Observation,
	[unclaimed, inDoubt]: readonly [number, number],
): Verdict {
	const reason = hasOurToken(transfer, found)
		? `identified by its token; the transaction is dated ${found.createdAt}`
		: `counted, not identified: ${unclaimed === 1 ? "one matching payment" : `${unclaimed} matching payments`} found for ${inDoubt === 1 ? "this one" : `${inDoubt} in doubt`}; the transaction is dated ${found.createdAt}`;
	return { intent, state: "accepted", id: found.id, evidence: { source, reason } };
}

function tooManyText(found: number, inDoubt: number): string {
	return `${found} matching transactions for ${inDoubt} in doubt do not add up: some were not made by this tool; a person must check`;
}

/** The listed transactions that surely match the cluster's transfers, oldest first, and those that possibly do. */
function sift(
	cluster: Cluster,
	shown: Observation,
	{ settleAfter }: Patience,
): { unclaimed: Identified[]; given: Identified[]; possible: PossibleMatch[] } {
	const [same, given] = [new Map<string, Identified>(), new Map<string, Identified>()];
	const possible: PossibleMatch[] = [];
	const { transfer, payee } = cluster.doubts[0] as Doubt;
	const begun = cluster.begun.map((time) => Date.parse(time));
	for (const listed of shown.listed) {
		const id = plainId(listed.id);
		if (id !== undefined && cluster.given.has(id)) {
			given.set(id, listed as Identified);
			continue;
		}
		if (id !== undefined && (shown.claimed.has(id) || same.has(id))) continue;
		const how = similarityToAny({ transfer, payee }, begun, listed, settleAfter);
		if (how === "other") continue;
		// A statement has its own names and ids, so without the payee's ledger a line may be a payment to somebody else.
		const isIdentified = shown.source === "service" || hasOurToken(transfer, listed) || identifiesPayee(transfer, listed);
		if (how === "same" && id !== undefined && isIdentified) same.set(id, listed as Identified);
		else if (!isOtherPayment(listed, how, shown)) possible.push({ listed, how: isIdentified || how === "near" ? how : "untold" });
	}
	const sorted = (found: Map<string, Identified>) => [...found.values()].sort((one, other) => (fromOf(one) < fromOf(other) ? -1 : 1));
	return { unclaimed: sorted(same), given: sorted(given), possible };
}

/** Whether a possible match surely belongs to another open doubt or to a known payment. */
function isOtherPayment(listed: TransactionView, how: PossibleMatch["how"], { taken, known }: Observation): boolean {
	return (listed.id !== undefined && taken?.has(plainId(listed.id))) || (how === "near" && known?.has(listed) === true);
}

interface PossibleMatch {
	listed: TransactionView;
	how: "same" | "possible" | "near" | "untold";
}

/** Most lines that a message names. */
const maxNamed = 3;

/** Why a person must look at the possible matches; undefined if there are none. */
function possibleMatchReason(possible: readonly PossibleMatch[], { source }: Observation): string | undefined {
	if (possible.length === 0) return undefined;
	const ids = possible.flatMap(({ listed }) => listed.id ?? []).slice(0, maxNamed);
	const named = ids.length === 0 ? "" : `: ${ids.join(", ")}${possible.length > ids.length ? ", …" : ""}`;
	const place = source === "statement" ? "statement" : "service";
	if (possible.every(({ how }) => how === "near"))
		return `${possible.length} listed ${possible.length === 1 ? "differs" : "differ"} from it only in reference, amount or date; a person must check${named}`;
	if (source === "statement" && possible.some(({ how }) => how === "untold"))
		return `${possible.length} listed may be it, but the statement does not show the payee's ledger (a column payeeLedger), so it cannot settle anything as created; a person must check${named}`;
	return `${possible.length} listed may be it, but the ${place} does not show enough to be sure; a person must check${named}`;
}
