/**
 * Reads what `events follow` compares with the poll before: one bounded round of requests.
 */
import { otherRecord, type Received } from "../../../api/answer.js";
import { largestPage } from "../../../api/fields.js";
import { listCorporates, viewCorporate } from "../../../api/operations/corporate.js";
import { listRelated, viewRelated } from "../../../api/operations/related.js";
import { getTransaction, listTransactions, viewTransaction } from "../../../api/operations/transaction.js";
import { serviceInUse, wasSentTo } from "../../../api/service-address.js";
import { spanOf } from "../../../api/text/duration.js";
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import { isMoving, type Known, listedFrom, overlap, type PollPlace, type Seen } from "../../../events/polling.js";
import { Budget, everyPage, onePage, PageStarts } from "../../../http/pages.js";

/** The operations of a round. */
export const pollingOperations = [listTransactions, getTransaction, listCorporates, listRelated].map(({ id }) => id);

/** Most requests of each part of a round; a round that catches up may make more. */
export const usual = { list: 10, payments: 15, companies: 5, people: 10 } as const;
const catchingUp: Bounds = { list: 500, payments: 200, companies: 200, people: 100 };
type Bounds = Readonly<Record<keyof typeof usual, number>>;

/** For each part of a round. */
const longest = 120_000;
const mostBytes = 64 * 1024 * 1024;

/** Most transactions that one round lists. */
const mostListed = 50_000;

/** How far back the journal is read: in the first round ever, and in every other. */
const journalDays = { first: 30, usual: 2 };
const day = 86_400_000;
const mostIntents = 20_000;

/** What differs from one round to the next. */
export interface Round {
	place: PollPlace;
	/** Nobody polled before: everything is noted. */
	isFirst: boolean;
	/** Nothing was heard for a while, so that more may have to be read at once. */
	catchesUp: boolean;
	/** A record that was made at this time or later and was not seen before is new. RFC 3339; undefined: none is. */
	since: string | undefined;
}

export class Poll {
	/** The number of the round in which a record was last asked for by itself. */
	readonly #asked = new Map<string, number>();
	#round = 0;
	/** The page of companies that the next round begins with. */
	#page = 0;
	#starts = new PageStarts();
	#ids = new Set<string>();

	constructor(private readonly context: Context) {}

	begin(): void {
		this.#round += 1;
	}

	/**
	 * Transactions of all ledgers that the credential sees, since the watermark less an hour.
	 * @returns `isWhole`: whether the list was seen to its end; `created`: when they were made, none where the list was cut and says nothing about
	 * what is behind the cut
	 * @throws PurserError as a list does
	 */
	async listed(round: Round): Promise<{ seen: Seen[]; isWhole: boolean; created: (string | undefined)[] }> {
		const query = { startDate: listedFrom(round.place), sortDirection: "ASC" as const };
		const budget = this.#budget(round, "list");
		const { records, cut } = await everyPage(this.context, listTransactions, { query }, { limit: mostListed, budget });
		const seen = records.flatMap((record) => transactionIn(record, round));
		const created = seen.map((one) => one.created);
		const isWhole = cut === undefined && records.length < mostListed;
		return { seen, isWhole, created: isWhole || isAscending(created) ? created : [] };
	}

	/**
	 * Payments that are not final and that the list did not have, and the journal's own that nobody has followed; those first that were not
	 * asked for the longest.
	 * @throws PurserError as a read does
	 */
	async payments(round: Round, own: ReadonlyMap<string, Seen>, listed: readonly Seen[]): Promise<Seen[]> {
		const had = new Set(listed.map(({ id }) => id));
		const moving = [...round.place.records.transaction].flatMap(([id, one]) => (isMoving("transaction", one) ? [id] : []));
		const budget = this.#budget(round, "payments");
		const seen: Seen[] = [];
		// One that cannot be read now is followed from now on all the same.
		const unread = new Map([...own].filter(([id]) => !had.has(id)));
		for (const id of this.#inTurn([...moving, ...own.keys()].filter((one) => !had.has(one)))) {
			if (!budget.take()) break;
			this.#asked.set(id, this.#round);
			const record = await this.#ifThere(id);
			if (record === undefined) continue;
			for (const one of transactionIn({ ...record, id }, round)) seen.push({ ...one, isNew: own.get(id)?.isNew ?? one.isNew });
			unread.delete(id);
		}
		return [...seen, ...unread.values()];
	}

	/** The next pages of the list of companies; from the first one again after the last. @throws PurserError as a list does */
	async companies(round: Round): Promise<Seen[]> {
		const budget = this.#budget(round, "companies");
		const query = { sortAttribute: "CREATION_DATE" as const, sortDirection: "ASC" as const };
		const seen: Seen[] = [];
		while (budget.take()) {
			const place = { page: this.#page, pageSize: largestPage };
			const { found, bare, ended, total, bytes } = await onePage(this.context, listCorporates, { query }, place, this.#starts);
			budget.keep(bytes);
			const before = this.#ids.size;
			for (const one of found.flatMap((record) => companyIn(record, round))) {
				this.#ids.add(one.id);
				seen.push(one);
			}
			this.#page += 1;
			if (!ended && !bare && this.#ids.size > before && (total === undefined || this.#ids.size < total)) continue;
			this.#page = 0;
			this.#starts = new PageStarts();
			this.#ids = new Set();
			break;
		}
		return seen;
	}

	/**
	 * The related entities of companies whose KYB is not decided, or was not before this round; a company that was not looked at the longest
	 * comes first.
	 * @throws PurserError as a list does
	 */
	async people(round: Round, companies: ReadonlyMap<string, Known>, isNew: (company: string) => boolean): Promise<Seen[]> {
		const before = round.place.records.corporate;
		const isOpen = (id: string, now: Known): boolean => isMoving("corporate", now) || isMoving("corporate", before.get(id) ?? now);
		const open = [...companies].flatMap(([id, known]) => (isOpen(id, known) ? [id] : []));
		const budget = this.#budget(round, "people");
		const seen: Seen[] = [];
		for (const id of this.#inTurn(open)) {
			if (budget.spent !== undefined) break;
			this.#asked.set(id, this.#round);
			const options = { limit: 1_000, budget };
			const { records, complete } = await everyPage(this.context, listRelated, { params: { corporateId: id } }, options);
			const wasSeen = before.get(id)?.people === true || isNew(id);
			for (const record of records) {
				const { id: person, kycStatus } = viewRelated(record);
				if (person !== undefined) seen.push({ kind: "related", id: person, status: kycStatus, isNew: wasSeen });
			}
			if (complete) seen.push({ kind: "corporate", id, people: true });
		}
		return seen;
	}

	/** The payments of the journal that the service has and nobody has followed: they are asked for from now on. */
	async ownPayments({ isFirst, place, since }: Round): Promise<ReadonlyMap<string, Seen>> {
		const context = this.context;
		const { profile } = await context.settings.read();
		if (!(await context.journal.exists(profile))) return new Map();
		const use = await serviceInUse(context, profile);
		const from = new Date(Date.parse(place.at) - (isFirst ? journalDays.first : journalDays.usual) * day).toISOString();
		const journal = await context.journal.of(profile);
		const records = await journal.list({ effect: "money", states: ["accepted", "waiting"], since: from, limit: mostIntents });
		const settled = new Date(Date.parse(place.at) - overlap).toISOString();
		return new Map(
			records.flatMap((record) => {
				const { id, changed } = record;
				const isKnown = id === undefined || place.records.transaction.has(id) || !wasSentTo(record, use);
				if (isKnown || !(isFirst || changed >= settled)) return [];
				return [[id, { kind: "transaction", id, created: changed, isNew: !isFirst || isFrom(changed, since) }]];
			}),
		);
	}

	#budget({ catchesUp }: Round, part: keyof Bounds): Budget {
		const requests = (catchesUp ? catchingUp : usual)[part];
		return new Budget(this.context.clock, { requests, milliseconds: longest, bytes: mostBytes });
	}

	#inTurn(ids: readonly string[]): string[] {
		const turn = (id: string): number => this.#asked.get(id) ?? 0;
		return [...ids].sort((one, other) => turn(one) - turn(other));
	}

	/** @returns undefined where the service refuses it: some answer so that they have no such record (operations, section 6). @throws PurserError of any other failure */
	async #ifThere(id: string): Promise<Received | undefined> {
		try {
			const record = (await this.context.service.get(getTransaction, { params: { transactionId: id } })) as Received;
			return otherRecord(id, viewTransaction(record).id) === undefined ? record : undefined;
		} catch (error) {
			if (error instanceof PurserError && error.kind === "rejected") return undefined;
			throw error;
		}
	}
}

function transactionIn(record: Received, { since }: Round): Seen[] {
	const { id, status, createdAt } = viewTransaction(record);
	if (id === undefined) return [];
	return [{ kind: "transaction", id, status, created: timeOf(createdAt), isNew: isFrom(createdAt, since) }];
}

function companyIn(record: Received, { since }: Round): Seen[] {
	const { id, kybStatus, termsAccepted, createdAt } = viewCorporate(record);
	if (id === undefined) return [];
	return [{ kind: "corporate", id, status: kybStatus, terms: termsAccepted, isNew: isFrom(createdAt, since) }];
}

/** A time without a zone may mean several moments: what may be new is told. */
const isFrom = (created: string | undefined, since: string | undefined): boolean =>
	since !== undefined && (spanOf(created)?.to ?? Number.NEGATIVE_INFINITY) >= Date.parse(since);

const timeOf = (text: string | undefined): string | undefined => (spanOf(text) === undefined ? undefined : text);

const isAscending = (times: readonly (string | undefined)[]): boolean =>
	times
		.map((one) => spanOf(one)?.from)
		.every((from, place, all) => from !== undefined && (place === 0 || from >= (all[place - 1] as number)));
