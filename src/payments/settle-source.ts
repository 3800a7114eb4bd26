/**
 * The service's list as a source for settling: what it showed of a ledger, as of when, and whether it can show anything at all.
 */
import type { Received } from "../api/answer.js";
import { type AskedOf, type InUse, isAskedOf } from "../api/asked-of.js";
import { getLedger, viewLedger } from "../api/ledger.js";
import { serviceAddress } from "../api/service-address.js";
import { listTransactions, viewTransaction } from "../api/transaction.js";
import { mayGoOn, type Service } from "./facts.js";
import { Listing } from "./listing.js";

/** What a source showed of one ledger, or why it showed nothing. */
export type Source = Listing | { unread: string };

/** Most transactions read of one ledger: beyond this its list is not complete, and absence proves nothing. */
const mostListed = 10_000;

/**
 * Newest last, so that what the service inserts meanwhile moves nothing that is still to be read. The look is as old as the
 * older of the two clocks says: one that runs ahead must not make time pass that has not.
 */
export async function listLedger(service: Service, asked: Date, ledgerId: string, startDate: string): Promise<Source> {
	try {
		const { records, complete, at } = await service.list(listTransactions, { ledgerId, startDate, sortDirection: "ASC" }, mostListed);
		// A user who may not see the ledger may be shown an empty list of it.
		if (records.length === 0 && !(await isVisible(service, ledgerId)))
			return { unread: "it shows nothing, and the ledger itself cannot be seen with this credential" };
		const given = new Date(Math.min(asked.getTime(), at ?? asked.getTime()));
		return new Listing("service", given, complete, records.map(viewTransaction));
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return { unread: cause.message };
	}
}

async function isVisible(service: Service, ledgerId: string): Promise<boolean> {
	try {
		return viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received).id?.toLowerCase() === ledgerId;
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return false;
	}
}

/** Where a doubt was sent to another service than the one looked at, what that one lists proves nothing. */
export function elsewhere(doubts: readonly AskedOf[], place: InUse): string | undefined {
	const other = doubts.find((one) => !isAskedOf(one, place));
	return (
		other &&
		`it was sent to ${other.service ?? other.origin + (other.batch === undefined ? other.path : "")}, and this would look at ${serviceAddress(place.baseUrl)}: look there with --base-url, or settle it by a statement or your word`
	);
}
