/**
 * The payments that the journal knows to be made. A list is checked against them before the absence of another payment is believed.
 */

import { sameId } from "../../../api/answer.js";
import { isOtherSandbox } from "../../../api/operations/asked-of.js";
import type { TransactionView } from "../../../api/operations/transaction.js";
import { paidStates, type Transfer } from "../../../api/operations/transfer.js";
import { plainId } from "../../../api/text/ids.js";
import type { IntentRecord } from "../../../ports/intent.js";
import type { Journal } from "../../../ports/journal.js";
import { beganAt } from "../../rules/attempt-clock.js";
import { canonicalAmount } from "../../rules/decimal.js";
import type { Open } from "../matching/doubts.js";
import { bareReference, farthestSkew } from "../matching/similarity.js";
import { IdSet } from "./id-set.js";

/** Intents per read from the journal, to bound memory. */
const page = 1_000;

/** The period that a list surely covers completely, in milliseconds by the service's clock. */
export interface Covers {
	from: number;
	to: number;
}

/** A payment that is known to be made. */
export interface KnownPayment {
	intent: string;
	transfer: Open["transfer"];
	/** The service's id; absent if it was accepted without one, or if its id came from a statement or a person. */
	id?: string;
	/** When it began by the service's clock, in milliseconds. */
	at: number;
	/** Whether the id is from the service's own answer and the clocks were known, which makes it the strongest check of a list. */
	sure: boolean;
	/** Whether the difference of the clocks is known. */
	timed: boolean;
}

/** The scope of a check of a list. */
export interface CheckScope {
	/** All of one ledger and one service; not empty. */
	doubts: readonly Open[];
	covers: Covers;
	/** Milliseconds. */
	settleAfter: number;
}

/** The keys of known payments by amount and reference; a line with the same key may show a payment a second time. */
export async function knownLines(journal: Journal, scope: CheckScope): Promise<Pick<IdSet, "has">> {
	const lines = new IdSet();
	for await (const page of acceptedPayments(journal, scope)) for (const { transfer } of page) lines.add(lineKey(transfer));
	return lines;
}

/** The key of a line, or of a payment, in {@link knownLines}. */
export const lineKey = ({ amount, reference }: Pick<TransactionView, "amount" | "reference">): string => keyOf("", amount, reference);

type Accepted = IntentRecord & Pick<Open, "transfer">;

/**
 * All accepted payments of the doubts' ledger and service in a period, page by page. A payment sent while this machine's clock was wrong
 * by more than a day is missed.
 */
export async function* acceptedPayments(journal: Journal, { doubts, covers }: CheckScope): AsyncGenerator<Accepted[]> {
	const [first] = doubts;
	if (first === undefined) return;
	const since = new Date(covers.from - farthestSkew).toISOString();
	const until = new Date(covers.to + farthestSkew).toISOString();
	let through: string | undefined;
	for (;;) {
		const found = await journal.list({ states: paidStates, effect: "money", since, until, through, limit: page });
		yield found.filter((one): one is Accepted => isOfSameLedger(one, first));
		const last = found.at(-1);
		if (found.length < page || last === undefined) return;
		through = String(BigInt(last.intent) - 1n);
	}
}

function isOfSameLedger(one: IntentRecord, first: Open): one is Accepted {
	return one.transfer !== undefined && sameService(one, first) && sameId(one.transfer.ledgerFromId, first.transfer.ledgerFromId);
}

/** Compares by service address; records of older builds lack the base path, so only their origins are compared. */
function sameService(one: IntentRecord, other: IntentRecord): boolean {
	if (isOtherSandbox(one.sandbox, other.sandbox)) return false;
	const areKnown = one.service !== undefined && other.service !== undefined;
	return areKnown ? one.service === other.service : one.origin === other.origin;
}

/** What the journal knows of an accepted payment. */
export function knownOf(record: Accepted): KnownPayment {
	const { intent, transfer, id, evidence, skew } = record;
	// Ids from a statement or a person need not be the service's.
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

/** A key of payee, amount and reference; two payments of one ledger with the same key are duplicates. */
export function keyOf(payee: string | undefined, amount: string | undefined, reference: string | undefined): string {
	return [plainId(payee ?? ""), amount === undefined ? "" : canonicalAmount(amount.replace(/^-/, "")), bareReference(reference)].join("\n");
}

/** Transfers that are in doubt or being sent; they may be listed in addition to the known payments. */
export async function openTransfers(journal: Journal): Promise<Transfer[]> {
	return (await journal.list({ states: ["sending", "in-doubt"], effect: "money" })).flatMap(({ transfer }) => transfer ?? []);
}
