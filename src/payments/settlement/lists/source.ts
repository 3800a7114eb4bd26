/**
 * Reads the service's list of a ledger as a source for settling.
 */

import { groupDigits } from "../../../api/amount.js";
import { type Received, sameId } from "../../../api/answer.js";
import { isOtherSandbox, type SentRequest, type ServiceInUse, wasSentTo } from "../../../api/operations/asked-of.js";
import { getLedger, viewLedger } from "../../../api/operations/ledger.js";
import { listTransactions, type TransactionView, viewTransaction } from "../../../api/operations/transaction.js";
import type { Transfer } from "../../../api/operations/transfer.js";
import { serviceAddress } from "../../../api/service-address.js";
import { plainId } from "../../../api/text/ids.js";
import type { Journal } from "../../../ports/journal.js";
import type { Reading } from "../../../ports/service.js";
import { canProceed } from "../../rules/failed-look.js";
import { spanOf } from "../matching/time-span.js";
import { type LineFilter, relevantLines } from "./concerning.js";
import type { IdSet } from "./id-set.js";
import { Listing } from "./listing.js";
import { readUp, startTolerance } from "./windows.js";

/** What a source showed of one ledger, or why it could not be read. */
export type LedgerList = Listing | { unread: string };

/** Most transactions of one ledger that are stored; a list with more counts as incomplete. */
export const maxStored = 200_000;

/** One look at one ledger. */
export interface LedgerLook {
	/** As `plainId` has it. */
	ledgerId: string;
	/** Start of the period, RFC 3339 UTC. */
	start: string;
	/** The time of the look by this machine's clock. */
	asked: Date;
	/** Selects what is stored of a long list, since a ledger may have more transactions than fit into memory. */
	sieve?: LineFilter;
	/** Reports how far the reading has come. */
	progress?(read: number, upTo: string | undefined): void;
	/** What time it is, for the limit of a look. */
	now?(): Date;
}

/**
 * Reads a ledger's list, oldest first, so that transactions inserted meanwhile do not shift pages that are still to be read. The time of
 * the look is the older of both clocks at the first page, so that a clock that runs ahead does not make settling time pass.
 *
 * An interrupted look starts over. Resuming it would mean storing what was read, with payees' names, on disk, and a transaction whose date
 * the service changes meanwhile could be missed in both halves. So an interruption costs the ledger being read, not the earlier ones.
 * @throws PurserError auth (401) or interrupted
 */
export async function listLedger(service: Reading, { ledgerId, start, asked, sieve, progress, now }: LedgerLook): Promise<LedgerList> {
	const stored = new StoredLines(sieve);
	const query = { ledgerId, sortDirection: "ASC" };
	const period = new Period(Date.parse(start));
	try {
		const { lacks, seen, at } = await readUp(
			{
				read: async (startDate, endDate, page) => {
					const asked = endDate === undefined ? { ...query, startDate } : { ...query, startDate, endDate };
					const read = await service.page(listTransactions, asked, page);
					period.isAsked = read.isUnbounded !== true;
					return read;
				},
				take: (records) => stored.add(records.map(viewTransaction).filter((one) => period.has(one))),
				progress,
				now,
			},
			Date.parse(start),
			asked.getTime(),
		);
		if (period.hasUndated)
			return { unread: "it cannot be asked for a period, and shows payments without a time: an earlier one could be taken for this one" };
		// A user without access to the ledger may get an empty list instead of an error.
		if (seen === 0 && !(await isVisible(service, ledgerId)))
			return { unread: "it shows nothing, and the ledger itself cannot be seen with this credential" };
		const readAt = new Date(Math.min(asked.getTime(), at ?? asked.getTime()));
		const why = stored.full ? `more than ${maxStored} of its transactions may be the ones in doubt` : lacks;
		const listing = new Listing("service", readAt, why === undefined, stored.views);
		listing.lacks = why;
		listing.statuses = stored.statuses;
		listing.skew = at === undefined ? undefined : at - asked.getTime();
		return listing;
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return { unread: cause.message };
	}
}

/**
 * The period of a look, held here where the service cannot be asked for one: a payment that is clearly earlier is none of those that are
 * sought. What is near its start is left to the comparison of times.
 */
class Period {
	isAsked = true;
	hasUndated = false;

	constructor(private readonly start: number) {}

	has({ createdAt }: TransactionView): boolean {
		if (this.isAsked) return true;
		const span = spanOf(createdAt);
		this.hasUndated ||= span === undefined;
		return span === undefined || span.to >= this.start - startTolerance;
	}
}

interface ListTools {
	service: Reading;
	journal: Pick<Journal, "holders">;
	/** Reports how far a long list has been read. */
	progress?(label: string): void;
	now(): Date;
}

/**
 * Reads a ledger's list for payments from it; of a long one only the relevant lines are stored, see {@link relevantLines}.
 * @param known keys of known payments
 * @throws PurserError auth (401) or interrupted
 */
export function listConcerning(
	{ service, journal, progress, now }: ListTools,
	{ transfers, known, ...look }: LedgerLook & { transfers: readonly Transfer[]; known?: Pick<IdSet, "has"> },
): Promise<LedgerList> {
	return listLedger(service, {
		...look,
		now,
		sieve: relevantLines(journal, transfers, known),
		progress: progress && ((read, upTo) => progress(progressLabel(read, upTo))),
	});
}

/** `Checking the service's transactions: 12 300 read, up to 2026-03-05`. @param upTo the last transaction's date, by the service */
function progressLabel(read: number, upTo: string | undefined): string {
	const day = /^\d{4}-\d{2}-\d{2}/.exec(upTo ?? "")?.[0];
	return `Checking the service's transactions: ${groupDigits(read)} read${day === undefined ? "" : `, up to ${day}`}`;
}

/** Only longer lists are sifted, because a dropped line cannot be compared with anything later. */
const siftedAbove = 10_000;
/** Lines sifted at once. */
const siftSize = 1_000;

/** The stored transactions of a ledger, each id once. */
class StoredLines {
	#byId = new Map<string, TransactionView>();
	#unnamed: TransactionView[] = [];
	#sifting = false;
	/** Some lines that should have been stored were not. */
	full = false;
	/** Every status seen, including those of dropped lines. */
	readonly statuses = new Set<string | undefined>();

	constructor(private readonly sieve: LineFilter | undefined) {}

	async add(page: readonly TransactionView[]): Promise<void> {
		for (const { status } of page) this.statuses.add(status);
		this.#put(this.#sifting ? await this.#sift(page) : page);
		if (this.#sifting || this.sieve === undefined || this.#size <= siftedAbove) return;
		this.#sifting = true;
		const unsifted = this.views;
		[this.#byId, this.#unnamed] = [new Map(), []];
		for (let from = 0; from < unsifted.length; from += siftSize) this.#put(await this.#sift(unsifted.slice(from, from + siftSize)));
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
			const id = plainId(view.id);
			if (id !== undefined && this.#byId.has(id)) continue;
			if (this.#size >= maxStored) this.full = true;
			else if (id === undefined) this.#unnamed.push(view);
			else this.#byId.set(id, view);
		}
	}
}

async function isVisible(service: Reading, ledgerId: string): Promise<boolean> {
	try {
		return sameId(viewLedger((await service.get(getLedger, { params: { ledgerId } })) as Received).id, ledgerId);
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return false;
	}
}

/** Why this service's list proves nothing, for people: a doubt was sent to another service. Undefined if all were sent to this one. */
export function wrongServiceReason(doubts: readonly SentRequest[], place: ServiceInUse): string | undefined {
	const other = doubts.find((one) => !wasSentTo(one, place));
	if (other !== undefined && isOtherSandbox(other.sandbox, place.sandbox) && wasSentTo({ ...other, sandbox: undefined }, place))
		return "it was sent to an earlier sandbox at this address, which has been restarted or reset since: settle it on your word";
	return (
		other &&
		`it was sent to ${other.service ?? other.origin + (other.batch === undefined ? other.path : "")}, but this would check ${serviceAddress(place.baseUrl)}: use --base-url, or settle it by a statement or on your word`
	);
}
