/**
 * The service's list as a source for settling: what it showed of a ledger, as of when, and whether it can show anything at all.
 */

import type { Received } from "../../../api/answer.js";
import { type SentRequest, type ServiceInUse, wasSentTo } from "../../../api/operations/asked-of.js";
import { getLedger, viewLedger } from "../../../api/operations/ledger.js";
import { listTransactions, type TransactionView, viewTransaction } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { serviceAddress } from "../../../api/service-address.js";
import type { Journal } from "../../../ports/journal.js";
import type { Reading } from "../../../ports/service.js";
import { mayGoOn } from "../../rules/failed-look.js";
import { groupDigits } from "../../rules/money-text.js";
import { concerning, type Sieve } from "./concerning.js";
import type { IdSet } from "./id-set.js";
import { Listing } from "./listing.js";
import { readUp } from "./windows.js";

/** What a source showed of one ledger, or why it showed nothing. */
export type LedgerList = Listing | { unread: string };

/** Transactions of one ledger that are kept at most: beyond this nothing is left out silently, the list counts as not complete. */
export const mostKept = 200_000;

/** One look at one ledger. */
export interface LedgerLook {
	/** In lower case. */
	ledgerId: string;
	/** From when on, RFC 3339 UTC. */
	start: string;
	/** When it was asked, by this machine's clock. */
	asked: Date;
	/** A ledger may have more transactions than memory holds: of a long list only what passes is kept. */
	sieve?: Sieve;
	/** Told how far it has come. */
	progress?(read: number, upTo: string | undefined): void;
}

/**
 * Oldest first, so that what the service inserts meanwhile moves nothing that is still to be read. The look is as old as the
 * older of the two clocks says when its first page was read: one that runs ahead must not make time pass that has not.
 *
 * A look that was interrupted begins anew: what it had read would have to be kept on disk until it goes on, with the names of payees
 * in it, and a transaction whose date the service changes meanwhile could be missing in both halves. So an interruption costs the
 * ledger that was being read, and not those before it.
 * @throws PurserError auth (401) or interrupted
 */
export async function listLedger(service: Reading, { ledgerId, start, asked, sieve, progress }: LedgerLook): Promise<LedgerList> {
	const kept = new KeptLines(sieve);
	const query = { ledgerId, sortDirection: "ASC" };
	try {
		const { lacks, seen, at } = await readUp(
			{
				read: (startDate, endDate, page) =>
					service.page(listTransactions, endDate === undefined ? { ...query, startDate } : { ...query, startDate, endDate }, page),
				take: (records) => kept.add(records.map(viewTransaction)),
				progress,
			},
			Date.parse(start),
			asked.getTime(),
		);
		// A user who may not see the ledger may be shown an empty list of it.
		if (seen === 0 && !(await isVisible(service, ledgerId)))
			return { unread: "it shows nothing, and the ledger itself cannot be seen with this credential" };
		const given = new Date(Math.min(asked.getTime(), at ?? asked.getTime()));
		const why = kept.full ? `more than ${mostKept} of its transactions may be the ones in doubt` : lacks;
		const listing = new Listing("service", given, why === undefined, kept.views);
		listing.lacks = why;
		listing.statuses = kept.statuses;
		listing.skew = at === undefined ? undefined : at - asked.getTime();
		return listing;
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return { unread: cause.message };
	}
}

/** What a ledger's list is read with. */
interface ListTools {
	service: Reading;
	journal: Pick<Journal, "holders">;
	/** Told how far a long list has been read. */
	progress?(label: string): void;
}

/**
 * Reads a ledger's list for payments from it: of a long one only what concerns them is kept, see {@link concerning}.
 * @param known amounts and references of payments that are known to be made
 * @throws PurserError auth (401) or interrupted
 */
export function listConcerning(
	{ service, journal, progress }: ListTools,
	{ transfers, known, ...look }: LedgerLook & { transfers: readonly Transfer[]; known?: Pick<IdSet, "has"> },
): Promise<LedgerList> {
	return listLedger(service, {
		...look,
		sieve: concerning(journal, transfers, known),
		progress: progress && ((read, upTo) => progress(progressLabel(read, upTo))),
	});
}

/** `Looking at the service's transactions: 12 300 read, up to 2026-03-05`. @param upTo as the service dates it */
function progressLabel(read: number, upTo: string | undefined): string {
	const day = /^\d{4}-\d{2}-\d{2}/.exec(upTo ?? "")?.[0];
	return `Looking at the service's transactions: ${groupDigits(read)} read${day === undefined ? "" : `, up to ${day}`}`;
}

/** Lines that are kept whatever they are: only a longer list is sifted, for what is left out can be compared with nothing any more. */
const keptWhole = 10_000;
/** Lines that are sifted at once. */
const sifted = 1_000;

/** What is kept of a ledger's transactions, each once by its id. */
class KeptLines {
	#byId = new Map<string, TransactionView>();
	#unnamed: TransactionView[] = [];
	#sifting = false;
	/** Not everything that should have been kept was. */
	full = false;
	/** Every status that a line showed, kept or not. */
	readonly statuses = new Set<string | undefined>();

	constructor(private readonly sieve: Sieve | undefined) {}

	async add(page: readonly TransactionView[]): Promise<void> {
		for (const { status } of page) this.statuses.add(status);
		this.#put(this.#sifting ? await this.#sift(page) : page);
		if (this.#sifting || this.sieve === undefined || this.#size <= keptWhole) return;
		this.#sifting = true;
		const whole = this.views;
		[this.#byId, this.#unnamed] = [new Map(), []];
		for (let from = 0; from < whole.length; from += sifted) this.#put(await this.#sift(whole.slice(from, from + sifted)));
	}

	get views(): TransactionView[] {
		return [...this.#byId.values(), ...this.#unnamed];
	}

	get #size(): number {
		return this.#byId.size + this.#unnamed.length;
	}

	async #sift(page: readonly TransactionView[]): Promise<readonly TransactionView[]> {
		return (await this.sieve?.(page)) ?? page;
	}

	#put(page: readonly TransactionView[]): void {
		for (const view of page) {
			const id = view.id?.toLowerCase();
			if (id !== undefined && this.#byId.has(id)) continue;
			if (this.#size >= mostKept) this.full = true;
			else if (id === undefined) this.#unnamed.push(view);
			else this.#byId.set(id, view);
		}
	}
}

async function isVisible(service: Reading, ledgerId: string): Promise<boolean> {
	try {
		return viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received).id?.toLowerCase() === ledgerId;
	} catch (cause) {
		if (!mayGoOn(cause)) throw cause;
		return false;
	}
}

/** Where a doubt was sent to another service than the one looked at, what that one lists proves nothing. */
export function elsewhere(doubts: readonly SentRequest[], place: ServiceInUse): string | undefined {
	const other = doubts.find((one) => !wasSentTo(one, place));
	return (
		other &&
		`it was sent to ${other.service ?? other.origin + (other.batch === undefined ? other.path : "")}, and this would look at ${serviceAddress(place.baseUrl)}: look there with --base-url, or settle it by a statement or your word`
	);
}
