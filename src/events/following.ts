/**
 * Asks the service again and again what its records say, and reports what they said differently before. Errors do not end it, except a
 * credential that is refused.
 */
import { advice, purser } from "../api/advice.js";
import { otherRecord, type Received } from "../api/answer.js";
import { listCorporates, viewCorporate } from "../api/operations/corporate.js";
import { listRelated, viewRelated } from "../api/operations/related.js";
import { getTransaction, listTransactions, viewTransaction } from "../api/operations/transaction.js";
import { serviceAddress, serviceInUse } from "../api/service-address.js";
import { spanOf } from "../api/text/duration.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { Inbox } from "../ports/events.js";
import {
	differenceOf,
	isMoving,
	type Known,
	listedFrom,
	newsFrom,
	nextWatermark,
	type PollPlace,
	pauseOf,
	placeOf,
	placeText,
	type Seen,
	startingPlace,
	withoutOlder,
} from "./polling.js";
import type { EventStream } from "./stream.js";

export const pollingOperations = [listTransactions, getTransaction, listCorporates, listRelated].map(({ id }) => id);

/** The parts of a round that a deployment may lack, and what is not followed then. */
const without = {
	list: "Transactions cannot be listed, so payments are not followed",
	payments: "A payment cannot be read, so its status is not followed",
	companies: "Companies cannot be listed, so their KYB and terms are not followed",
	people: "Related entities cannot be listed, so their KYC is not followed",
} as const;
type Part = keyof typeof without;

/** Most requests of the parts of a round; of people, most companies. What does not fit is read by the next rounds. */
const most = { list: 500, payments: 15, people: 10 } as const;
/** Most records of a list in one round: all transactions of the hour before the watermark must fit, so that a busy service is not read in a circle. */
const mostListed = 50_000;
/** Most persons of a company, and most requests for them. */
const persons = { most: 1_000, requests: 10 };

export class Following {
	/** Whether the service answered any round. */
	reached = false;
	trouble: PurserError | undefined;
	/** Undefined before the first round. */
	#place: PollPlace | undefined;
	/** Nobody followed before the first round of this run: what is there then is no news. */
	#isFirst = false;
	/** What failed in this round; the next one asks again. */
	#failed: PurserError[] = [];
	readonly #warned = new Set<string>();
	#round = 0;
	/** The number of the round in which a record was last asked for by itself. */
	readonly #asked = new Map<string, number>();

	/** @param every milliseconds between two rounds */
	constructor(
		private readonly context: Context,
		private readonly inbox: Inbox,
		private readonly stream: Pick<EventStream, "receive" | "hasRoom" | "isOver">,
		private readonly every: number,
	) {}

	/** @returns never resolves where it goes on until the run is over; rejects where going on is of no use */
	async run(): Promise<never> {
		const { clock, random, signal } = this.context;
		const isOver = (): boolean => this.stream.isOver || signal.aborted;
		try {
			while (!isOver()) {
				const asked = await this.#attempt();
				const pause = pauseOf(this.every, asked, random.fraction());
				if (!isOver()) await clock.sleep(pause);
			}
		} catch (error) {
			if (!isOver()) throw error;
		}
		return new Promise<never>(() => {});
	}

	/** @returns the milliseconds that the service asked to wait. @throws what makes going on of no use */
	async #attempt(): Promise<number> {
		const { report } = this.context;
		this.#place ??= await this.#start();
		try {
			const events = await this.#readOnce(this.#place);
			if (this.trouble) report.announce(`The service answers again: ${events} event${events === 1 ? "" : "s"} since`);
			this.reached = true;
			this.trouble = undefined;
			return 0;
		} catch (error) {
			// Without room for what is received there is nothing to wait for: a person has to make some.
			if (
				!(error instanceof PurserError) ||
				!["unavailable", "rejected", "bug"].includes(error.kind) ||
				error.failure.code === "INBOX_FULL"
			)
				throw error;
			// Only the first of many alike.
			if (!this.trouble) report.warn(`${error.message}; it is tried again`);
			this.trouble = error;
			return error.failure.wait ?? 0;
		}
	}

	async #start(): Promise<PollPlace> {
		const { profile } = await this.context.settings.read();
		const { baseUrl, sandbox } = await serviceInUse(this.context, profile);
		const service = `${serviceAddress(baseUrl)} ${sandbox ?? ""}`.trim();
		const stored = placeOf(await this.inbox.place(), service);
		this.#isFirst = stored === undefined;
		return stored ?? startingPlace(service, this.context.clock.service.now(serviceAddress(baseUrl)));
	}

	/** One look for everything that is new. The place is kept once everything is stored. */
	async #readOnce(place: PollPlace): Promise<number> {
		this.#failed = [];
		this.#round += 1;
		const { seen, watermark, isRead } = await this.#read(place);
		const { changes, after } = differenceOf(place.records, seen);
		const at = this.context.clock.now().toISOString();
		let count = 0;
		for (const change of changes) {
			// Where nothing more is taken, the next run must bring it: the place stays where it was.
			if (!(await this.stream.hasRoom())) return count;
			if (await this.stream.receive({ source: "poll", change }, { status: change.to as string, at })) count += 1;
		}
		const next = { ...place, watermark };
		this.#place = { ...next, records: withoutOlder(after, listedFrom(next)) };
		this.#isFirst = false;
		await this.inbox.setPlace(placeText(this.#place));
		const away = this.#failed.find(({ kind }) => kind === "unavailable") ?? (isRead ? undefined : this.#failed[0]);
		if (away !== undefined) throw away;
		return count;
	}

	async #read(place: PollPlace): Promise<{ seen: Seen[]; watermark: string; isRead: boolean }> {
		const { corporate: before } = place.records;
		// A record that was made at this time or later and was not seen before is new; where nobody followed before, none is.
		const since = this.#isFirst ? undefined : newsFrom(place);
		const listed = await this.#part("list", () => this.#listed(place, since));
		const payments = await this.#part("payments", () => this.#payments(place, since, listed?.seen ?? []));
		const companies = await this.#part("companies", () => this.#companies(since));
		const found = [...(listed?.seen ?? []), ...(payments ?? []), ...(companies ?? [])];
		const { corporate } = differenceOf(place.records, found).after;
		const made = new Set((companies ?? []).filter(({ id, isNew }) => isNew && !before.has(id)).map(({ id }) => id));
		const people = await this.#part("people", () => this.#people(before, corporate, made));
		const { profile } = await this.context.settings.read();
		const now = this.context.clock.service.now(serviceAddress(profile.baseUrl));
		const watermark = listed === undefined ? place.watermark : nextWatermark(place, listed.created, now);
		return { seen: [...found, ...(people ?? [])], watermark, isRead: listed !== undefined || companies !== undefined };
	}

	/** A part of the round; undefined where it is not to be had, which is told once. What others found counts even where one part fails. */
	async #part<T>(part: Part, read: () => Promise<T>): Promise<T | undefined> {
		if (this.#failed.some(({ kind }) => kind === "unavailable")) return undefined;
		try {
			return await read();
		} catch (error) {
			if (!(error instanceof PurserError) || error.kind === "interrupted" || error.failure.status === 401) throw error;
			this.#failed.push(error);
			if (error.kind !== "unavailable" && !this.#warned.has(part)) this.context.report.warn(`${without[part]}: ${error.message}`);
			this.#warned.add(part);
			return undefined;
		}
	}

	/**
	 * Transactions of all ledgers that the credential sees, since the watermark less an hour.
	 * @returns `created`: when they were made, none where the list was cut and says nothing about what is behind the cut
	 */
	async #listed(place: PollPlace, since: string | undefined): Promise<{ seen: Seen[]; created: (string | undefined)[] }> {
		const { profile } = await this.context.settings.read();
		const entry = profile.mapping?.operations[listTransactions.id];
		const fields = entry === undefined || entry === "none" ? undefined : entry.fields;
		// The whole list would come, in every round.
		if (fields !== undefined && (fields.startDate ?? "none") === "none")
			throw new PurserError("validation", {
				code: "FIELD_WITHOUT_PLACE",
				message: "startDate has no place at this deployment",
				fix: advice`Say in the mapping where it belongs: ${purser`help mapping`}`,
			});
		const query = { startDate: listedFrom(place), sortDirection: "ASC" as const };
		const { records, cut } = await this.context.service.list(listTransactions, { query }, mostListed, most.list);
		const seen = records.flatMap((record) => transactionIn(record, since));
		const isWhole = cut === undefined && records.length < mostListed;
		return { seen, created: isWhole ? seen.map(({ created }) => created) : [] };
	}

	/** Payments that are not final and that the list did not have; those first that were not asked for the longest. */
	async #payments(place: PollPlace, since: string | undefined, listed: readonly Seen[]): Promise<Seen[]> {
		const had = new Set(listed.map(({ id }) => id));
		const moving = [...place.records.transaction].flatMap(([id, one]) => (isMoving("transaction", one) && !had.has(id) ? [id] : []));
		const seen: Seen[] = [];
		for (const id of this.#inTurn(moving, most.payments)) {
			try {
				const record = (await this.context.service.get(getTransaction, { params: { transactionId: id } })) as Received;
				if (otherRecord(id, viewTransaction(record).id) !== undefined) continue;
				for (const one of transactionIn({ ...record, id }, since)) seen.push(one);
			} catch (error) {
				// Some services answer so that they have no such record (operations, section 6).
				if (!(error instanceof PurserError) || error.kind !== "rejected") throw error;
			}
		}
		return seen;
	}

	async #companies(since: string | undefined): Promise<Seen[]> {
		const query = { sortAttribute: "CREATION_DATE", sortDirection: "ASC" } as const;
		const { records } = await this.context.service.list(listCorporates, { query }, mostListed, most.list);
		return records.flatMap((record) => companyIn(record, since));
	}

	/**
	 * The related entities of companies whose KYB is not decided, or was not before this round.
	 * @param made the companies that are new: their persons are news
	 */
	async #people(before: ReadonlyMap<string, Known>, companies: ReadonlyMap<string, Known>, made: ReadonlySet<string>): Promise<Seen[]> {
		const isOpen = (id: string, now: Known): boolean => isMoving("corporate", now) || isMoving("corporate", before.get(id) ?? now);
		const open = [...companies].flatMap(([id, known]) => (isOpen(id, known) ? [id] : []));
		const seen: Seen[] = [];
		for (const id of this.#inTurn(open, most.people)) {
			const of = { params: { corporateId: id } };
			const { records, complete } = await this.context.service.list(listRelated, of, persons.most, persons.requests);
			const isNew = before.get(id)?.people === true || made.has(id);
			for (const record of records) {
				const { id: person, kycStatus } = viewRelated(record);
				if (person !== undefined) seen.push({ kind: "related", id: person, status: kycStatus, isNew });
			}
			if (complete) seen.push({ kind: "corporate", id, people: true });
		}
		return seen;
	}

	/** Those that are asked for in this round: first those that were not for the longest. */
	#inTurn(ids: readonly string[], count: number): string[] {
		const turn = (id: string): number => this.#asked.get(id) ?? 0;
		const chosen = [...ids].sort((one, other) => turn(one) - turn(other)).slice(0, count);
		for (const id of chosen) this.#asked.set(id, this.#round);
		return chosen;
	}
}

function transactionIn(record: Received, since: string | undefined): Seen[] {
	const { id, status, createdAt } = viewTransaction(record);
	if (id === undefined) return [];
	const created = spanOf(createdAt) === undefined ? undefined : createdAt;
	return [{ kind: "transaction", id, status, created, isNew: isFrom(createdAt, since) }];
}

function companyIn(record: Received, since: string | undefined): Seen[] {
	const { id, kybStatus, termsAccepted, createdAt } = viewCorporate(record);
	if (id === undefined) return [];
	return [{ kind: "corporate", id, status: kybStatus, terms: termsAccepted, isNew: isFrom(createdAt, since) }];
}

/** A time without a zone may mean several moments: what may be new is news. */
const isFrom = (created: string | undefined, since: string | undefined): boolean =>
	since !== undefined && (spanOf(created)?.to ?? Number.NEGATIVE_INFINITY) >= Date.parse(since);
