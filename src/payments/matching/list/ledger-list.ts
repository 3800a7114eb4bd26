/**
 * Reads the service's list of a ledger.
 */
import { groupDigits } from "../../../api/amount.js";
import { type Received, sameId, textAt } from "../../../api/answer.js";
import { formatJson } from "../../../api/json.js";
import { getLedger, viewLedger } from "../../../api/operations/ledger.js";
import { listTransactions, type TransactionView, viewTransaction } from "../../../api/operations/transaction.js";
import { isOtherSandbox, type ServiceInUse, serviceAddress, wasSentTo } from "../../../api/service-address.js";
import { spanOf } from "../../../api/text/duration.js";
import { plainId } from "../../../api/text/ids.js";
import { PurserError } from "../../../errors.js";
import type { IntentRecord } from "../../../ports/intent.js";
import type { ListPage, Reading } from "../../../ports/service.js";
import { canProceed, unlessUnreadable } from "../../rules/failed-look.js";

export interface LedgerList {
	lines: readonly TransactionView[];
	/** Every id that was listed, of lines that were not stored too. */
	ids: ReadonlySet<string>;
	/** Why the list may not show everything, for people; undefined where nothing says so. */
	lacks?: string;
	/** The older of both clocks at the first page, so that a clock that runs ahead does not make the settling time pass. */
	at: Date;
	/** How many milliseconds the service's clock was ahead of this machine's; undefined if it told no time. */
	skew?: number;
}

/** Why a list could not be read, for people, and the code of the error, which holds no text from the service. */
export interface Unread {
	unread: string;
	code: string;
	/** Whether the service has no such list, so that another try does not help. */
	isMissing?: boolean;
}

/** Most transactions of one ledger that are stored; a list with more counts as incomplete. */
const maxStored = 200_000;
/** Milliseconds by which records may precede the period's start: some services treat a date as a whole day in their own time zone. */
const startTolerance = 36 * 3_600_000;

/** Most requests for one list: two million records in pages of a hundred. */
const maxRequests = 20_000;
/** Milliseconds after which no further page of one list is requested. */
const maxTime = 2 * 3_600_000;
/** No known service has shorter pages, so a list shorter than this was not cut off at the page length. */
const shortestPage = 10;
/** Consecutive pages without a new record that end a reading; one is not enough, since inserted records may shift a whole page. */
const maxStalePages = 2;

interface LedgerReading {
	/** As `plainId` has it. */
	ledgerId: string;
	/** Start of the period, in milliseconds. */
	from: number;
	/** Selects what is stored, since a ledger may have more transactions than fit into memory; everything without it. */
	keep?(page: readonly TransactionView[]): Promise<readonly TransactionView[]>;
	progress?(label: string): void;
	now(): Date;
}

/**
 * Reads a ledger's list, oldest first, so that transactions inserted meanwhile do not shift pages that are still to be read. An interrupted
 * reading starts over: resuming it would mean storing what was read, with payees' names, on disk.
 */
export async function readLedger(service: Reading, { ledgerId, from, keep, progress, now }: LedgerReading): Promise<LedgerList | Unread> {
	const stored = new Map<unknown, TransactionView>();
	let [hasUndated, isFull] = [false, false];
	/** Only what is clearly earlier is left out: what is near the start is left to the comparison of times. */
	const isInPeriod = ({ createdAt }: TransactionView): boolean => {
		const span = spanOf(createdAt);
		hasUndated ||= span === undefined;
		return span === undefined || span.to >= from - startTolerance;
	};
	const query = { ledgerId, sortDirection: "ASC", startDate: new Date(from).toISOString() };
	const asked = now().getTime();
	try {
		const { lacks, seen, at, ids } = await readPages(
			(page) => service.page(listTransactions, query, page),
			async ({ found, isUnbounded }, seen) => {
				const listed = found.map(viewTransaction);
				const page = isUnbounded ? listed.filter(isInPeriod) : listed;
				for (const view of (await keep?.(page)) ?? page) {
					const key = lineKey(view);
					if (stored.size < maxStored || stored.has(key)) stored.set(key, view);
					else isFull = true;
				}
				const day = /^\d{4}-\d{2}-\d{2}/.exec(listed.at(-1)?.createdAt ?? "")?.[0];
				progress?.(`Checking the service's transactions: ${groupDigits(seen)} read${day === undefined ? "" : `, up to ${day}`}`);
			},
			now,
		);
		const unreadable = (unread: string): Unread => ({ unread, code: "LIST_UNREADABLE" });
		if (hasUndated)
			return unreadable("it cannot be asked for a period, and shows payments without a time: an earlier one could be taken for this one");
		// A user without access to the ledger may get an empty list instead of an error.
		const ledger = seen === 0 ? await unlessUnreadable(() => service.get(getLedger, { params: { ledgerId } })) : undefined;
		if (seen === 0 && !sameId(viewLedger((ledger ?? {}) as Received).id, ledgerId))
			return unreadable("it shows nothing, and the ledger itself cannot be seen with this credential");
		return {
			lines: [...stored.values()],
			ids,
			lacks: isFull ? `it has more than ${groupDigits(maxStored)} transactions that may be the ones in doubt` : lacks,
			at: new Date(Math.min(asked, at ?? asked)),
			skew: at === undefined ? undefined : at - asked,
		};
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return { unread: cause.message, code: cause.failure.code, isMissing: [404, 405, 501].includes(cause.failure.status ?? 0) };
	}
}

/** Lines with one key count once. A service may list a payment and its fee under one id: those are two. What has no id is like no other. */
export const lineKey = (view: TransactionView): unknown =>
	view.id === undefined ? view : formatJson([plainId(view.id), view.type, view.amount]);

/**
 * Reads a list page by page until pages are empty or bring nothing new. Totals and page lengths are not trusted: a total may be wrong, a
 * page in the middle may be shorter than requested, and a service may ignore paging altogether.
 * @param take receives each page that has a new record, and how many were seen
 * @returns why the list may be incomplete, how many distinct records it shows, the earliest time that the service reports for a page, and
 * the ids that were seen, with whole records where there is none
 */
async function readPages(
	read: (page: number) => Promise<ListPage>,
	take: (page: ListPage, seen: number) => Promise<void>,
	now: () => Date,
) {
	const ids = new Set<string>();
	const began = now().getTime();
	let [seen, pages, stale, fresh, unnamed] = [0, 0, 0, 0, false];
	let [at, total]: (number | undefined)[] = [];
	let lacks: string | undefined;
	for (let ended = false; !ended && stale < maxStalePages; ) {
		const late = now().getTime() - began < maxTime ? undefined : `one check reads in ${maxTime / 3_600_000} hours`;
		const bound = pages < maxRequests ? late : `the ${maxRequests} requests that one check may make`;
		if (bound !== undefined) return { lacks: lacks ?? `the list is longer than ${bound}`, seen, at, ids };
		let page: ListPage;
		try {
			page = await read(pages);
		} catch (cause) {
			// Some services refuse a page beyond the last one: an end only if the total agrees.
			if (pages === 0 || !(cause instanceof PurserError) || cause.kind !== "rejected") throw cause;
			if (total !== seen) lacks ??= `the list cannot be read beyond page ${pages} (${cause.message})`;
			break;
		}
		pages += 1;
		// The largest: where a record is gone meanwhile, those after it move up, and one may be passed over.
		total = page.total === undefined ? total : Math.max(page.total, total ?? 0);
		at = page.at === undefined ? at : Math.min(page.at, at ?? page.at);
		if (!page.whole) lacks ??= "not everything in the list is a transaction";
		if (page.narrowed !== undefined)
			lacks ??= `the profile always asks the list with a value of its own (${page.narrowed}), which may leave payments out`;
		ended = page.found.length === 0;
		const known = ids.size;
		for (const record of page.found) {
			const id = plainId(textAt(record, "id", "transactionId"));
			unnamed ||= id === undefined;
			const key = id ?? formatJson(record);
			// Identical records without an id cannot be distinguished, so all of them count.
			if (!ids.has(key) || id === undefined) seen += 1;
			ids.add(key);
		}
		const isNew = ids.size > known;
		stale = isNew || ended ? 0 : stale + 1;
		if (!isNew) continue;
		fresh += 1;
		await take(page, seen);
	}
	if (total !== undefined && total > seen) lacks ??= `the list announces ${total} transactions and shows ${seen}`;
	if (stale > 0 && unnamed) lacks ??= "the list repeats itself and has no ids, so its end cannot be seen";
	if (fresh > 1 && unnamed) lacks ??= "the list has no ids and several pages, so a line that is on two of them looks like two payments";
	if (stale > 0 && fresh === 1 && seen >= shortestPage)
		lacks ??= "the list gives the same page whatever page is asked for, so it may be a part";
	return { lacks, seen, at, ids };
}

/** Why this service's list says nothing of a payment, for people: it was sent to another service. Undefined if it was sent to this one. */
export function wrongServiceReason(sent: IntentRecord, place: ServiceInUse): string | undefined {
	if (wasSentTo(sent, place)) return undefined;
	if (isOtherSandbox(sent.sandbox, place.sandbox) && wasSentTo({ ...sent, sandbox: undefined }, place))
		return "it was sent to an earlier sandbox at this address, which has been restarted or reset since: settle it on your word";
	const sentTo = sent.service ?? sent.origin + (sent.batch === undefined ? sent.path : "");
	return `it was sent to ${sentTo}, but this would check ${serviceAddress(place.baseUrl)}: use --base-url, or settle it by a statement or on your word`;
}
