/**
 * The payments that the journal knows by an id of the service's, by which a list is checked before it is believed where it shows nothing.
 */

import { sameId } from "../../../api/answer.js";
import type { TransactionView } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import type { IntentRecord } from "../../../ports/intent.js";
import type { Journal } from "../../../ports/journal.js";
import { beganAt } from "../../rules/attempt-clock.js";
import { canonicalAmount } from "../../rules/decimal.js";
import type { Open } from "../matching/doubts.js";
import { bareReference, farthestSkew } from "../matching/similarity.js";
import { IdSet } from "./id-set.js";

/** Intents of one read: a journal may know a million payments, and what is kept of them here is small. */
const page = 1_000;

/** The time that a list surely shows whole, in milliseconds by the service's clock. */
export interface Covers {
	from: number;
	to: number;
}

/** A payment that is known to be made. */
export interface KnownPayment {
	intent: string;
	transfer: Open["transfer"];
	/** The service's id; absent of one accepted without any, and of one that a statement or a person named otherwise. */
	id?: string;
	/** When it began by the service's clock, in milliseconds. */
	at: number;
	/** Whether the service itself named it in its answer, and the clocks were known: it then tells the most of a list. */
	sure: boolean;
	/** Whether the difference of the clocks is known. */
	timed: boolean;
}

/** What a list is held against. */
export interface CheckScope {
	/** Of one ledger and one service, not empty. */
	doubts: readonly Open[];
	covers: Covers;
	/** Milliseconds. */
	settleAfter: number;
}

/** Amounts and references of these payments: a line with both of one may show that payment a second time. */
export async function knownLines(journal: Journal, asked: CheckScope): Promise<Pick<IdSet, "has">> {
	const lines = new IdSet();
	for await (const page of acceptedPayments(journal, asked)) for (const { transfer } of page) lines.add(lineKey(transfer));
	return lines;
}

/** The key of a line, or of a payment, in {@link knownLines}. */
export const lineKey = ({ amount, reference }: Pick<TransactionView, "amount" | "reference">): string => keyOf("", amount, reference);

type Accepted = IntentRecord & Pick<Open, "transfer">;

/**
 * Every payment from the doubts' ledger, at their service, that was accepted in a time, a page at a time. A payment that was sent while this
 * machine's clock was wrong by more than a day is not among those of its time.
 */
export async function* acceptedPayments(journal: Journal, { doubts, covers }: CheckScope): AsyncGenerator<Accepted[]> {
	const [first] = doubts;
	if (first === undefined) return;
	const since = new Date(covers.from - farthestSkew).toISOString();
	const until = new Date(covers.to + farthestSkew).toISOString();
	let through: string | undefined;
	for (;;) {
		const found = await journal.list({ states: ["accepted", "waiting"], effect: "money", since, until, through, limit: page });
		yield found.filter((one): one is Accepted => isOfSameLedger(one, first));
		const last = found.at(-1);
		if (found.length < page || last === undefined) return;
		through = String(BigInt(last.intent) - 1n);
	}
}

function isOfSameLedger(one: IntentRecord, first: Open): one is Accepted {
	return one.transfer !== undefined && sameService(one, first) && sameId(one.transfer.ledgerFromId, first.transfer.ledgerFromId);
}

/** Records of older builds do not know their base path. */
function sameService(one: IntentRecord, other: IntentRecord): boolean {
	const told = one.service !== undefined && other.service !== undefined;
	return told ? one.service === other.service : one.origin === other.origin;
}

/** What the journal knows of an accepted payment. */
export function knownOf(record: Accepted): KnownPayment {
	const { intent, transfer, id, evidence, skew } = record;
	// A statement and a person name transactions in their own way.
	const named = evidence === undefined || evidence.source === "service" || evidence.source === "transaction";
	return {
		intent,
		transfer,
		id: named ? id : undefined,
		at: Date.parse(beganAt(record)),
		sure: evidence === undefined && id !== undefined && skew !== undefined,
		timed: skew !== undefined,
	};
}

/** Payee, amount and reference in one: two payments of one ledger that have it in common are alike. */
export function keyOf(payee: string | undefined, amount: string | undefined, reference: string | undefined): string {
	return [
		(payee ?? "").toLowerCase(),
		amount === undefined ? "" : canonicalAmount(amount.replace(/^-/, "")),
		bareReference(reference),
	].join("\n");
}

/** What else may stand in a list alike, beside the payments that are known by an id: what is in doubt, and what is being sent. */
export async function openTransfers(journal: Journal): Promise<Transfer[]> {
	return (await journal.list({ states: ["sending", "in-doubt"], effect: "money" })).flatMap(({ transfer }) => transfer ?? []);
}
