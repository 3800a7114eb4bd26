/**
 * Reads the service's list of a ledger.
 */
import { groupDigits } from "../../../api/amount.js";
import { type Received, sameId } from "../../../api/answer.js";
import { isOtherSandbox, type SentRequest, type ServiceInUse, wasSentTo } from "../../../api/operations/asked-of.js";
import { getLedger, viewLedger } from "../../../api/operations/ledger.js";
import { listTransactions, type TransactionView, viewTransaction } from "../../../api/operations/transaction.js";
import { serviceAddress } from "../../../api/service-address.js";
import { plainId } from "../../../api/text/ids.js";
import { spanOf } from "../../../api/text/time-span.js";
import type { Reading } from "../../../ports/service.js";
import { canProceed, unlessUnreadable } from "../../rules/failed-look.js";
import { readPages } from "./pages.js";

/** What the service listed of one ledger. */
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

/** One reading of one ledger. */
export interface LedgerReading {
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
 * @returns why it could not be read
 * @throws PurserError auth (401) or interrupted
 */
export async function readLedger(service: Reading, { ledgerId, from, keep, progress, now }: LedgerReading): Promise<LedgerList | Unread> {
	const stored = new StoredLines();
	let hasUndated = false;
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
				for (const view of (await keep?.(page)) ?? page) stored.add(view);
				const day = /^\d{4}-\d{2}-\d{2}/.exec(listed.at(-1)?.createdAt ?? "")?.[0];
				progress?.(`Checking the service's transactions: ${groupDigits(seen)} read${day === undefined ? "" : `, up to ${day}`}`);
			},
			now,
		);
		let unread: string | undefined;
		if (hasUndated)
			unread = "it cannot be asked for a period, and shows payments without a time: an earlier one could be taken for this one";
		// A user without access to the ledger may get an empty list instead of an error.
		else if (seen === 0 && !(await isVisible(service, ledgerId)))
			unread = "it shows nothing, and the ledger itself cannot be seen with this credential";
		if (unread !== undefined) return { unread, code: "LIST_UNREADABLE" };
		return {
			lines: stored.views,
			ids,
			lacks: stored.full ? `it has more than ${groupDigits(maxStored)} transactions that may be the ones in doubt` : lacks,
			at: new Date(Math.min(asked, at ?? asked)),
			skew: at === undefined ? undefined : at - asked,
		};
	} catch (cause) {
		if (!canProceed(cause)) throw cause;
		return { unread: cause.message, code: cause.failure.code, isMissing: [404, 405, 501].includes(cause.failure.status ?? 0) };
	}
}

/** The transactions of a ledger that are stored, each id once. */
class StoredLines {
	readonly #byId = new Map<string, TransactionView>();
	readonly #unnamed: TransactionView[] = [];
	/** Some lines that should have been stored were not. */
	full = false;

	add(view: TransactionView): void {
		const id = plainId(view.id);
		if (id !== undefined && this.#byId.has(id)) return;
		if (this.#byId.size + this.#unnamed.length >= maxStored) this.full = true;
		else if (id === undefined) this.#unnamed.push(view);
		else this.#byId.set(id, view);
	}

	get views(): TransactionView[] {
		return [...this.#byId.values(), ...this.#unnamed];
	}
}

async function isVisible(service: Reading, ledgerId: string): Promise<boolean> {
	const ledger = await unlessUnreadable(() => service.get(getLedger, { params: { ledgerId } }));
	return ledger !== undefined && sameId(viewLedger(ledger as Received).id, ledgerId);
}

/** Why this service's list says nothing of a payment, for people: it was sent to another service. Undefined if it was sent to this one. */
export function wrongServiceReason(sent: SentRequest, place: ServiceInUse): string | undefined {
	if (wasSentTo(sent, place)) return undefined;
	if (isOtherSandbox(sent.sandbox, place.sandbox) && wasSentTo({ ...sent, sandbox: undefined }, place))
		return "it was sent to an earlier sandbox at this address, which has been restarted or reset since: settle it on your word";
	const sentTo = sent.service ?? sent.origin + (sent.batch === undefined ? sent.path : "");
	return `it was sent to ${sentTo}, but this would check ${serviceAddress(place.baseUrl)}: use --base-url, or settle it by a statement or on your word`;
}
