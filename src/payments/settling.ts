/**
 * The counting rule of `money.md`, "Settling a doubt": transfers that cannot be told apart are settled by counting. Pure.
 * A are in doubt, U transactions like them are unclaimed. U = A: all were made. 0 < U < A: U were, the rest stay in doubt.
 * U > A: a person looks. U = 0: not created, but only on a complete list, after the settling time, when two looks agree.
 */
import type { TransactionView } from "../api/transaction.js";
import type { Evidence, Look } from "../context.js";
import { clockSkew, likeness, type Sought, spanOf } from "./likeness.js";

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
	listed: readonly TransactionView[];
	/** Ids that other attempts hold, in lower case. */
	claimed: ReadonlySet<string>;
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
	/** `after`: when another look can settle it, RFC 3339 UTC; without it a person must say. */
	| { state: "in-doubt"; why: string; after?: string }
);

/**
 * The verdicts on doubts with one fingerprint, and the look to be recorded with those that stay.
 * @param doubts all of them; one left out would make the count wrong
 */
export function settleAlike(doubts: readonly Doubt[], seen: Seen, patience: Patience): { verdicts: Verdict[]; look: Look } {
	const { same, possible } = sift(doubts, seen, patience);
	const look: Look = { at: seen.at.toISOString(), source: seen.source, complete: seen.complete, unclaimed: same.length, possible };
	const inDoubt = (why: string): Verdict[] => doubts.map(({ intent }) => ({ intent, state: "in-doubt", why }));
	if (seen.sending > 0) return { look, verdicts: inDoubt("the same is being sent at this moment; look again when that has ended") };
	if (same.length === 0) return { look, verdicts: doubts.map((doubt) => absent(doubt, seen, look, patience)) };
	if (seen.unnamed > 0 && same.length !== doubts.length + seen.unnamed)
		return {
			look,
			verdicts: inDoubt(`${seen.unnamed} alike were accepted without an id, and what is listed may be theirs; a person must look`),
		};
	const pairs = pair(doubts, same, patience);
	// With accepted ones that have no id, all there are were made, and theirs are those left over.
	const fits = seen.unnamed > 0 ? pairs.size === doubts.length : pairs.size === same.length;
	if (!fits) return { look, verdicts: inDoubt(tooMany(same.length, doubts.length)) };
	return { look, verdicts: doubts.map((doubt) => verdictOf(doubt, pairs.get(doubt), look, doubts.length)) };
}

function verdictOf({ intent }: Doubt, transaction: Told | undefined, look: Look, inDoubt: number): Verdict {
	if (transaction === undefined)
		return {
			intent,
			state: "in-doubt",
			why: `of ${inDoubt} alike in doubt, ${look.unclaimed} ${look.unclaimed === 1 ? "was" : "were"} found; this one stays in doubt: look again`,
			after: look.at,
		};
	const reason = `${look.unclaimed} unclaimed alike for ${inDoubt} in doubt; the transaction is of ${transaction.createdAt}`;
	return { intent, state: "accepted", id: transaction.id, evidence: { source: look.source, reason } };
}

function tooMany(found: number, inDoubt: number): string {
	return `${found} unclaimed transactions alike for ${inDoubt} in doubt: some were not made by this tool; a person must look`;
}

type Told = TransactionView & { id: string };

/** The unclaimed transactions that are surely like one of the doubts, oldest first, and the number of those that may be. */
function sift(doubts: readonly Doubt[], seen: Seen, { settleAfter }: Patience): { same: Told[]; possible: number } {
	const same = new Map<string, Told>();
	let possible = 0;
	for (const listed of seen.listed) {
		const id = listed.id?.toLowerCase();
		if (id !== undefined && (seen.claimed.has(id) || same.has(id))) continue;
		const answers = doubts.map((doubt) => likeness(doubt, listed, settleAfter));
		if (answers.includes("same") && id !== undefined) same.set(id, listed as Told);
		else if (answers.some((answer) => answer !== "other")) possible += 1;
	}
	return { same: [...same.values()].sort((one, other) => (fromOf(one) < fromOf(other) ? -1 : 1)), possible };
}

const fromOf = (listed: TransactionView): number => spanOf(listed.createdAt)?.from ?? 0;

/** Gives each transaction the doubt that began first among those it can be: no other choice pairs more of them. */
function pair(doubts: readonly Doubt[], transactions: readonly Told[], { settleAfter }: Patience): Map<Doubt, Told> {
	const pairs = new Map<Doubt, Told>();
	const waiting = [...doubts].sort((one, other) => (one.begun < other.begun ? -1 : 1));
	for (const transaction of transactions) {
		const doubt = waiting.find((one) => !pairs.has(one) && likeness(one, transaction, settleAfter) === "same");
		if (doubt) pairs.set(doubt, transaction);
	}
	return pairs;
}

/** What absence proves: nothing, unless everything was seen, late enough, twice. */
function absent({ intent, begun, looks }: Doubt, seen: Seen, look: Look, { settleAfter, apart }: Patience): Verdict {
	const inDoubt = (why: string, after?: Date): Verdict => ({ intent, state: "in-doubt", why, after: after?.toISOString() });
	if (look.possible > 0)
		return inDoubt(`${look.possible} listed may be it, but the service does not tell enough to be sure; a person must look`);
	if (seen.unnamed > 0) return inDoubt("one alike was accepted without an id and is not listed, so the list does not show everything");
	if (!seen.complete) return inDoubt("it was not found, but the list is not complete", seen.at);
	const settled = Date.parse(begun) + settleAfter;
	if (seen.at.getTime() < settled) return inDoubt("it is not listed, but it may still appear", new Date(settled));
	const agreeing = looks.findLast((one) => agrees(one, begun) && Date.parse(one.at) <= seen.at.getTime() - apart);
	if (agreeing === undefined) {
		const first = looks.find((one) => agrees(one, begun));
		return inDoubt("it is not listed; a second look must agree", new Date(Date.parse(first?.at ?? look.at) + apart));
	}
	const reason = `not among the transactions of two complete looks, the second ${hours(seen.at.getTime() - Date.parse(begun))} after it was begun`;
	return { intent, state: "not-created", evidence: { source: seen.source, reason, looks: [agreeing, look] } };
}

function agrees(look: Look, begun: string): boolean {
	return look.complete && look.unclaimed === 0 && look.possible === 0 && look.at >= begun;
}

function hours(milliseconds: number): string {
	return `${Math.floor(milliseconds / 3_600_000)} hours`;
}

/** From when a list must reach back to show everything that doubts can have become: RFC 3339 UTC. */
export function seenFrom(doubts: readonly Doubt[]): string {
	const first = Math.min(...doubts.map(({ begun }) => Date.parse(begun)));
	return new Date(first - clockSkew).toISOString();
}
