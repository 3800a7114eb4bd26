/**
 * Before a person's word settles a payment as not created, the service's list is read. The person must name each listed transaction that
 * may be the payment as a different one.
 */
import { advice } from "../../api/advice.js";
import { plainlyTyped } from "../../api/answer.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { plainId } from "../../api/text/ids.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord } from "../../ports/intent.js";
import { type LookResult, type LookTools, lookAtLedger, type Suspect, settleCommand, transactionText, withoutId } from "./look-again.js";
import { isTransfer } from "./matching/doubts.js";

/** What the list showed before a person decided: `before` is recorded, the rest is shown. */
export interface SeenBefore {
	before: NonNullable<Evidence["before"]>;
	/** Transactions that may be the payment, as listed. */
	listed: readonly TransactionView[];
	/** Why the list may be incomplete or could not be read, for people. */
	why?: string;
}

/** Most transactions that an error names. */
const mostNamed = 20;

/**
 * Reads the service's list before a payment is settled as not created, and warns of what it shows.
 * @param notThis transactions that the person declares to be different payments
 * @returns undefined if the intent is no payment, since no list shows it
 * @throws PurserError guard, if a listed transaction that may be the payment was not named; interrupted
 */
export async function lookBeforeWord(
	tools: LookTools,
	record: IntentRecord,
	notThis: readonly string[],
	warn: (message: string) => void,
): Promise<SeenBefore | undefined> {
	if (!isTransfer(record)) return undefined;
	const look = await lookAtLedger(tools, [record], new Set());
	const named = new Set(notThis.map((id) => plainId(id)));
	const isNamed = ({ id }: TransactionView): boolean => named.has(plainId(id ?? withoutId));
	const listed = look.suspects.map(({ transaction }) => transaction);
	const left = look.suspects.filter(({ transaction }) => !isNamed(transaction));
	if (left.length > 0) throw listedError(record.intent, left);
	for (const message of lookTexts(record.intent, look)) warn(message);
	const others = [...new Set(listed.map(({ id }) => id ?? withoutId))];
	return {
		before: { look: look.look, unread: look.unread?.code, notThis: others.length === 0 ? undefined : others },
		listed,
		why: look.unread?.why ?? look.lacks ?? look.clock,
	};
}

function lookTexts(intent: string, { unread, lacks: missing, clock, suspects }: LookResult): string[] {
	if (unread !== undefined) return [`The service's list could not be read (${unread.why}); only your word counts for intent ${intent}`];
	const lacks = missing ?? clock;
	const seen =
		suspects.length === 0
			? `The service's list shows no transaction that may be intent ${intent}`
			: `The service's list shows only payments that you say are not intent ${intent}: ${suspects.map(({ transaction }) => transactionText(transaction)).join("; ")}`;
	return [lacks === undefined ? seen : `${seen}, but the list may be incomplete: ${lacks}`];
}

function listedError(intent: string, suspects: readonly Suspect[]): PurserError {
	const listed = suspects.map(({ transaction }) => transaction);
	const [first] = listed as [TransactionView];
	const id = first.id === undefined ? withoutId : plainlyTyped(first.id, "TRANSACTION");
	const more = listed.length === 1 ? "" : `, and ${listed.length - 1} more`;
	return new PurserError("guard", {
		code: "LISTED_MAY_BE_IT",
		message: `The service lists ${transactionText(first)}${more}, which is not known to be another payment and may be intent ${intent}; nothing was changed`,
		why: "If it is that payment, it was created, and would be paid twice",
		fix: advice`If it is: ${settleCommand(intent, suspects[0] as Suspect)}\nIf it is another payment, say so for each: --not-this ${id}`,
		details: listed.slice(0, mostNamed).map((one) => ({ field: "notThis", message: transactionText(one) })),
		intent,
	});
}
