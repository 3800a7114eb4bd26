/**
 * How a likely duplicate is told: on one line, before a question and in an error alike. Pure.
 */

/** An earlier payment that this one may be a second time. */
export interface EarlierPayment {
	/** The transaction. */
	id?: string;
	/** The journal's number. */
	intent?: string;
	/** RFC 3339. */
	at?: string;
	/** Its reference is another one. */
	otherReference?: boolean;
}

/**
 * The line about likely duplicates: what, to whom, when, how much.
 * @param what would be sent: `10.00 EUR to Example Supplies`
 * @param found newest first
 */
export function duplicateLine(what: string, found: readonly EarlierPayment[]): string | undefined {
	const [latest] = found;
	if (latest === undefined) return undefined;
	const { at, intent, id, otherReference } = latest;
	const facts = [intent ? `intent ${intent}` : id && `transaction ${id}`, otherReference && "another reference"].filter(Boolean);
	const time = at === undefined ? "" : `, sent ${at}`;
	const which = facts.length === 0 ? "" : ` (${facts.join(", ")})`;
	const more = found.length === 1 ? "" : `, and of ${found.length - 1} more`;
	return `Looks like a duplicate of ${what}${time}${which}${more}`;
}
