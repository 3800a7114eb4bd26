/**
 * Whether a list can be believed where it shows nothing: by the payments that are known to be made and would have to stand in it too.
 * Nobody can see from the lines of a statement whose it is, which sign its debits have, or whether its column of references is the
 * bank's own; nor from a service's empty list whether it understood what it was asked.
 */
import type { IntentRecord, Journal } from "../context.js";
import { likeness } from "./likeness.js";
import type { Listing } from "./listing.js";
import type { Open } from "./settle-doubts.js";

/** Intents around a doubt among which payments of its ledger are looked for, and payments that are looked for in a list. */
const [around, most] = [1_000, 100];

interface Asked {
	/** Of one ledger, not empty. */
	doubts: readonly Open[];
	/** The time that the list shows whole, in milliseconds. */
	covers: { from: number; to: number };
	listing: Listing;
	/** Milliseconds. */
	settleAfter: number;
}

type Known = IntentRecord & Pick<Open, "transfer">;

/** Payments that the journal knows as made, from the doubts' ledger and surely in the time that the list covers. */
async function knownOf(journal: Journal, { doubts, covers, settleAfter }: Asked): Promise<Known[]> {
	const ledgerId = doubts[0]?.transfer.ledgerFromId.toLowerCase();
	const last = doubts.reduce((highest, { intent }) => Math.max(highest, JSON.parse(intent) as number), 0);
	const found = await journal.list({ states: ["accepted"], effect: "money", through: String(last + around / 2), limit: around });
	const fits = (one: IntentRecord): one is Known => {
		const at = Date.parse(one.begun);
		return one.transfer?.ledgerFromId.toLowerCase() === ledgerId && at >= covers.from && at <= covers.to - settleAfter;
	};
	return found.filter(fits).slice(0, most);
}

/** Why a statement proves no absence; undefined where it shows a payment that is known to be made. */
export async function unwitnessed(journal: Journal, asked: Asked): Promise<string | undefined> {
	const { listing, settleAfter } = asked;
	for (const known of await knownOf(journal, asked))
		if (listing.candidates(known.transfer, []).some((listed) => likeness(known, listed, settleAfter) !== "other")) return undefined;
	return "the statement shows no payment that is known to be made from this ledger in its time: it may be of another ledger, have other signs, or another column of references; a person must look";
}

/** Why a service's list proves no absence; undefined where it shows a payment that the service itself named, or where none is known. */
export async function contradicted(journal: Journal, asked: Asked): Promise<string | undefined> {
	const ids = (await knownOf(journal, asked)).flatMap(({ id, evidence }) => (id === undefined || evidence ? [] : [id.toLowerCase()]));
	const listed = new Set(asked.listing.listed.map(({ id }) => id?.toLowerCase()));
	if (ids.length === 0 || ids.some((id) => listed.has(id))) return undefined;
	return `the service lists none of the payments that it is known to have made from this ledger in that time (${ids[0]} is one); a person must look`;
}
