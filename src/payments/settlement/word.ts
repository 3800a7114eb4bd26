/**
 * A person's word that a payment was not created: the service's list is looked at first, and what may be the payment must be named.
 */
import { advice } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import type { TransactionView } from "../../api/operations/transaction.js";
import { PurserError } from "../../errors.js";
import type { Evidence, IntentRecord } from "../../ports/intent.js";
import { type LookTools, type Sight, type Suspect, settledBy, sightOf, transactionWords, withoutId } from "./look-again.js";
import { isTransfer } from "./matching/doubts.js";

/** What was seen before a word, for the record and for whoever gave it. */
export interface SeenBefore {
	before: NonNullable<Evidence["before"]>;
	/** Transactions that may be the payment, as listed. */
	listed: readonly TransactionView[];
	/** Why the list may not be everything or could not be read, in words. */
	why?: string;
}

/** Transactions that an error names at most. */
const mostNamed = 20;

/**
 * Looks at the service's list before a payment is said to be not created, and tells what it shows.
 * @param notThis transactions that the person says to be others
 * @returns undefined for what is no payment: no list tells of it
 * @throws PurserError guard, where a listed transaction that may be it is not named; interrupted
 */
export async function lookBeforeWord(
	tools: LookTools,
	record: IntentRecord,
	notThis: readonly string[],
	warn: (message: string) => void,
): Promise<SeenBefore | undefined> {
	if (!isTransfer(record)) return undefined;
	const sight = await sightOf(tools, [record], new Set());
	const named = new Set(notThis.map((id) => id.toLowerCase()));
	const isNamed = ({ id }: TransactionView): boolean => named.has(id?.toLowerCase() ?? withoutId);
	const listed = sight.suspects.map(({ transaction }) => transaction);
	const left = sight.suspects.filter(({ transaction }) => !isNamed(transaction));
	if (left.length > 0) throw mayBeIt(record.intent, left);
	for (const message of sightTexts(record.intent, sight)) warn(message);
	const others = [...new Set(listed.map(({ id }) => id ?? withoutId))];
	return {
		before: { look: sight.look, unread: sight.unread?.code, notThis: others.length === 0 ? undefined : others },
		listed,
		why: sight.unread?.why ?? sight.lacks ?? sight.clock,
	};
}

function sightTexts(intent: string, { unread, lacks: missing, clock, suspects }: Sight): string[] {
	if (unread !== undefined)
		return [`The service's list could not be looked at (${unread.why}); your word alone counts for intent ${intent}`];
	const lacks = missing ?? clock;
	const seen =
		suspects.length === 0
			? `The service's list shows no transaction that may be intent ${intent}`
			: `The service's list shows what you say to be other payments than intent ${intent}: ${suspects.map(({ transaction }) => transactionWords(transaction)).join("; ")}`;
	return [lacks === undefined ? seen : `${seen}; but it may not be everything: ${lacks}`];
}

function mayBeIt(intent: string, suspects: readonly Suspect[]): PurserError {
	const listed = suspects.map(({ transaction }) => transaction);
	const [first] = listed as [TransactionView];
	const id = first.id === undefined ? withoutId : typed(first.id, "TRANSACTION");
	const more = listed.length === 1 ? "" : `, and ${listed.length - 1} more`;
	return new PurserError("guard", {
		code: "LISTED_MAY_BE_IT",
		message: `The service lists ${transactionWords(first)}${more}, which is not known to be another payment and may be intent ${intent}; nothing was changed`,
		why: "If it is that payment, it was created, and would be paid twice",
		fix: advice`If it is: ${settledBy(intent, suspects[0] as Suspect)}\nIf it is another payment, say so for each: --not-this ${id}`,
		details: listed.slice(0, mostNamed).map((one) => ({ field: "notThis", message: transactionWords(one) })),
		intent,
	});
}
