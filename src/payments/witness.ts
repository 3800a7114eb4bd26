/**
 * Whether a list can be believed where it shows nothing: by the payments that are known to be made and would have to stand in it too.
 * Nobody can see from the lines of a statement whose it is, which sign its debits have, or whether its column of references is the
 * bank's own; nor from a service's empty list whether it understood what it was asked.
 */
import { sameId } from "../api/answer.js";
import type { IntentRecord, Journal } from "../ports/journal.js";
import { isWitness } from "./likeness.js";
import type { Listing } from "./listing.js";
import type { Open } from "./settle-doubts.js";

/** Intents around a doubt among which payments of its ledger are looked for, and payments that are looked for in a list. */
const [around, most] = [1_000, 100];

interface Asked {
	/** Of one ledger, not empty. */
	doubts: readonly Open[];
	/** The time that the list surely shows whole, in milliseconds. */
	covers: { from: number; to: number };
	listing: Listing;
	/** Milliseconds. */
	settleAfter: number;
}

type Known = IntentRecord & Pick<Open, "transfer">;

/** Payments that the journal knows as made from the doubts' ledger, at the service that it is of; the newest first. */
export async function knownOf(journal: Journal, { doubts, covers }: Pick<Asked, "doubts" | "covers">): Promise<Known[]> {
	const [first] = doubts;
	// A doubt from after the list is no reason to look for payments there.
	const shown = doubts.filter(({ begun }) => Date.parse(begun) <= covers.to);
	const last = Math.max(...(shown.length > 0 ? shown : doubts).map(({ intent }) => JSON.parse(intent) as number));
	const found = await journal.list({ states: ["accepted"], effect: "money", through: String(last + around / 2), limit: around });
	return found.filter(
		(one): one is Known =>
			first !== undefined && sameService(one, first) && sameId(one.transfer?.ledgerFromId, first.transfer.ledgerFromId),
	);
}

/** Records of older builds do not know their base path. */
function sameService(one: IntentRecord, other: IntentRecord): boolean {
	const told = one.service !== undefined && other.service !== undefined;
	return told ? one.service === other.service : one.origin === other.origin;
}

/** Milliseconds between a payment and the time that a list surely shows whole. */
function away({ begun }: Known, { from, to }: Asked["covers"]): number {
	return Math.max(from - Date.parse(begun), Date.parse(begun) - to, 0);
}

/**
 * Why a statement proves no absence; undefined where it shows a payment that is known to be made. Its first and last days, which may have
 * been cut, are no proof of absence; what they show is there all the same.
 *
 * Where amounts have signs, a line that left may be the reversal of a payment that stands there as if it came in: the signs are then the
 * other way round, and every payment is among what came in. So a payment speaks for the signs only where none of those lines may be it, and
 * where it was made in the time that is shown whole, in which that line would have to stand.
 * @param unlisted of a statement whose amounts have signs: the lines that came in by them
 */
export async function unwitnessed(journal: Journal, asked: Asked, unlisted?: Listing): Promise<string | undefined> {
	const { listing, settleAfter, covers } = asked;
	const nearest = (await knownOf(journal, asked)).sort((one, other) => away(one, covers) - away(other, covers)).slice(0, most);
	const shown = (known: Known, by: Listing): boolean =>
		by.candidates(known.transfer, []).some((listed) => isWitness(known, listed, settleAfter));
	const signs = (known: Known): boolean => unlisted === undefined || (Date.parse(known.begun) >= covers.from && !shown(known, unlisted));
	for (const known of nearest) if (shown(known, listing) && signs(known)) return undefined;
	return "the statement shows no payment that is known to be made from this ledger in its time: it may be of another ledger, have other signs, or another column of references; a person must look";
}

/** Why a service's list proves no absence; undefined where it shows a payment that the service itself named, or where none is known. */
export async function contradicted(journal: Journal, asked: Asked): Promise<string | undefined> {
	const { covers, settleAfter, listing } = asked;
	const due = (await knownOf(journal, asked)).filter((one) => away(one, { from: covers.from, to: covers.to - settleAfter }) === 0);
	const ids = due.flatMap(({ id, evidence }) => (id === undefined || evidence ? [] : [id.toLowerCase()])).slice(0, most);
	const listed = new Set(listing.listed.map(({ id }) => id?.toLowerCase()));
	if (ids.length === 0 || ids.some((id) => listed.has(id))) return undefined;
	return `the service lists none of the payments that it is known to have made from this ledger in that time (${ids[0]} is one); a person must look`;
}
