/**
 * Whether a statement can be believed where it shows nothing. Nobody can see from its lines whose statement it is, which sign its
 * debits have, or whether its column of references is the bank's own; a payment that is known to be made and stands in it says all that.
 */
import type { Journal } from "../context.js";
import { likeness } from "./likeness.js";
import type { Listing } from "./listing.js";
import type { Open } from "./settle-doubts.js";
import type { Statement } from "./statement.js";

/** Intents around a doubt among which payments of its ledger are looked for, and payments that are looked for in the statement. */
const [around, most] = [1_000, 100];

interface Asked {
	/** Of one ledger, not empty. */
	doubts: readonly Open[];
	covers: NonNullable<Statement["covers"]>;
	listing: Listing;
	/** Milliseconds. */
	settleAfter: number;
}

/** Whether it shows a payment that the journal knows as made, from the doubts' ledger and surely in the time that the statement covers. */
export async function isWitnessed(journal: Journal, { doubts, covers, listing, settleAfter }: Asked): Promise<boolean> {
	const ledgerId = doubts[0]?.transfer.ledgerFromId.toLowerCase();
	const last = Math.max(...doubts.map(({ intent }) => JSON.parse(intent) as number));
	const found = await journal.list({ states: ["accepted"], effect: "money", through: String(last + around / 2), limit: around });
	const known = found.flatMap(({ transfer, begun }) => {
		const at = Date.parse(begun);
		const covered = at >= covers.from && at <= covers.to - settleAfter;
		return transfer !== undefined && covered && transfer.ledgerFromId.toLowerCase() === ledgerId ? [{ transfer, begun }] : [];
	});
	return known
		.slice(0, most)
		.some((sought) => listing.candidates(sought.transfer, []).some((listed) => likeness(sought, listed, settleAfter) !== "other"));
}
