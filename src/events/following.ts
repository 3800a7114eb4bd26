/**
 * Asks the service again and again what its records say, and reports what they said differently before. Errors do not end it, except a
 * credential that is refused.
 */
import { advice, purser } from "../api/advice.js";
import { otherRecord, type Received } from "../api/answer.js";
import { listCorporates, viewCorporate } from "../api/operations/corporate.js";
import { listRelated, viewRelated } from "../api/operations/related.js";
import { getTransaction, listTransactions, viewTransaction } from "../api/operations/transaction.js";
import { serviceAddress, serviceInUse, wasSentTo } from "../api/service-address.js";
import { spanOf } from "../api/text/duration.js";
import type { Context } from "../context.js";
import { isNotOffered, PurserError } from "../errors.js";
import type { Inbox } from "../ports/events.js";
import {
	differenceOf,
	isMoving,
	type Known,
	listedFrom,
	newsFrom,
	nextWatermark,
	overlap,
	type PollPlace,
	pauseOf,
	placeOf,
	placeText,
	type Seen,
	startingPlace,
	withoutOlder,
} from "./polling.js";
import type { EventStream } from "./stream.js";

/** The operations of a round. */
export const pollingOperations = [listTransactions, getTransaction, listCorporates, listRelated].map(({ id }) => id);

/** The parts of a round that a deployment may lack, and what is not followed then. */
const without = {
	list: "Transactions cannot be listed, so only payments of this machine's journal are followed",
	payments: "A payment of the journal cannot be read, so its status is not followed",
	companies: "Companies cannot be listed, so their KYB and terms are not followed",
	people: "Related entities cannot be listed, so their KYC is not followed",
} as const;
type Part = keyof typeof without;

/** Most requests of the parts of a round; of people, most companies. What does not fit is read by the next rounds. */
const most = { list: 500, payments: 15, companies: 5, people: 10 } as const;
/** Most transactions that one round lists: all of the hour before the watermark must fit, so that a busy service is not read in a circle. */
const mostListed = 50_000;
/** Most persons of a company, and most requests for them. */
const persons = { most: 1_000, requests: 10 };

/** How many days back the journal is read: in the first round ever, and in every other. */
const journalDays = { first: 30, usual: 2 };
const day = 86_400_000;
const mostIntents = 20_000;

/** The kinds of failure after which it is tried again. */
const passing: readonly string[] = ["unavailable", "rejected", "bug"];

/** Under which the inbox keeps the place. */
const source = "poll";

export class Following {
	/** Whether the service answered any round; else why not. */
	reached = false;
	trouble: PurserError | undefined;
	/** Undefined before the first round. */
	#place: PollPlace | undefined;
	/** The place as it was last written, without its time. */
	#written: string | undefined;
	/** Nobody followed before the first round of this run: what is there then is no news. */
	#isFirst = false;
	/** How many rounds failed in a row. */
	#failures = 0;
	/** What ended this round early. */
	#ended: PurserError | undefined;
	/** What was refused in this round: the next one asks again. */
	readonly #missing = new Map<Part, PurserError>();
	/** What was warned of, until it is to be had. */
	readonly #warned = new Set<Part | "all">();
	#round = 0;
	/** The number of the round in which a record was last asked for by itself. */
	readonly #asked = new Map<string, number>();
	/** The page of companies that the next round begins with, and those that were seen since the first page. */
	#page = 0;
	#ids = new Set<string>();

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
				const pause = pauseOf({ every: this.every, failures: this.#failures, asked, fraction: random.fraction() });
				if (!isOver()) await clock.sleep(pause);
			}
		} catch (error) {
			if (!isOver()) throw error;
		}
		return new Promise<never>(() => {});
	}

	/** @returns the milliseconds that the service asked to wait, where it did. @throws what makes going on of no use */
	async #attempt(): Promise<number | undefined> {
		const { clock, report } = this.context;
		const began = clock.now();
		this.#place ??= await this.#start(began);
		try {
			const events = await this.#readOnce(this.#place, began);
			if (this.#failures > 0) report.announce(`The service answers again: ${events} event${events === 1 ? "" : "s"} since`);
			this.reached = true;
			this.#failures = 0;
			return undefined;
		} catch (error) {
			// Without room for what is received there is nothing to wait for: a person has to make some.
			if (!(error instanceof PurserError) || !passing.includes(error.kind) || error.failure.code === "INBOX_FULL") throw error;
			this.trouble = error;
			// Only the first of many alike.
			if (this.#failures === 0) report.warn(`${error.message}; it is tried again`);
			this.#failures += 1;
			return error.failure.wait;
		}
	}

	async #start(now: Date): Promise<PollPlace> {
		const { profile } = await this.context.settings.read();
		const { baseUrl, sandbox } = await serviceInUse(this.context, profile);
		const service = `${serviceAddress(baseUrl)} ${sandbox ?? ""}`.trim();
		const stored = placeOf(await this.inbox.cursor(source), service);
		this.#isFirst = stored === undefined;
		return stored ?? startingPlace(service, now, this.context.clock.service.now(serviceAddress(baseUrl)));
	}

	/**
	 * One look for everything that is new. The place is kept once everything is stored.
	 * @returns how many new events there were
	 * @throws PurserError
	 */
	async #readOnce(place: PollPlace, began: Date): Promise<number> {
		this.#ended = undefined;
		this.#missing.clear();
		this.#round += 1;
		const { seen, watermark } = await this.#read(place);
		if (seen.length === 0) this.#endWhereAllIsRefused();
		const { changes, after } = differenceOf(place.records, seen);
		const at = this.context.clock.now().toISOString();
		let count = 0;
		for (const change of changes) {
			// Where nothing more is taken, the next run must bring it: the place stays where it was.
			if (!(await this.stream.hasRoom())) return count;
			if (await this.stream.receive({ source: "poll", change }, { status: change.to as string, at })) count += 1;
		}
		const next = { ...place, watermark, at: this.#ended === undefined ? began.toISOString() : place.at };
		this.#place = { ...next, records: withoutOlder(after, listedFrom(next)) };
		this.#isFirst = false;
		// A round without news writes nothing: the time of it alone is not worth a write to disk every few seconds.
		const text = placeText({ ...this.#place, at: "" });
		if (text !== this.#written) await this.inbox.setCursor(source, placeText(this.#place));
		this.#written = text;
		if (this.#ended !== undefined) throw this.#ended;
		return count;
	}

	async #read(place: PollPlace): Promise<{ seen: Seen[]; watermark: string }> {
		const { corporate: before, transaction } = place.records;
		// A record that was made at this time or later and was not seen before is new; where nobody followed before, none is.
		const since = this.#isFirst ? undefined : newsFrom(place);
		const own = await this.#ownPayments(place, since);
		const listed = await this.#part("list", () => this.#listed(place, since));
		const payments = await this.#part("payments", () => this.#payments(place, since, own, listed?.seen ?? []));
		const companies = await this.#part("companies", () => this.#companies(since));
		const found = [...(listed?.seen ?? []), ...(payments ?? []), ...(companies ?? [])];
		const { corporate } = differenceOf(place.records, found).after;
		const made = new Set((companies ?? []).filter(({ id, isNew }) => isNew && !before.has(id)).map(({ id }) => id));
		const people = await this.#part("people", () => this.#people(before, corporate, made));
		const isFollowing = listed !== undefined || companies !== undefined || own.size > 0 || transaction.size > 0;
		if (this.#ended === undefined) this.#warnOnce("all", isFollowing, "Nothing is followed: neither payments nor companies can be read");
		const { profile } = await this.context.settings.read();
		const now = this.context.clock.service.now(serviceAddress(profile.baseUrl));
		const watermark = listed === undefined ? place.watermark : nextWatermark(place, listed.created, now);
		return { seen: [...found, ...(people ?? [])], watermark };
	}

	/** A part of the round; undefined where it is not to be had. What others found counts even where one part fails. */
	async #part<T>(part: Part, read: () => Promise<T>): Promise<T | undefined> {
		if (this.#ended !== undefined) return undefined;
		try {
			const found = await read();
			this.#warned.delete(part);
			return found;
		} catch (error) {
			if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
			if (error.kind === "unavailable") this.#ended = error;
			else if (error.kind === "auth" && error.failure.status !== 403) throw error;
			else {
				if (isNotOffered(error)) this.#missing.set(part, error);
				this.#warnOnce(part, false, `${without[part]}: ${error.message}`);
			}
			return undefined;
		}
	}

	/** Warns of what is not to be had, once until it is. */
	#warnOnce(what: Part | "all", isThere: boolean, message: string): void {
		if (isThere) this.#warned.delete(what);
		else if (!this.#warned.has(what)) {
			this.#warned.add(what);
			this.context.report.warn(message);
		}
	}

	/** @throws PurserError auth, where the service allows nothing of it: going on would be of no use */
	#endWhereAllIsRefused(): void {
		const refused = (["list", "companies"] as const).map((part) => this.#missing.get(part));
		const [first] = refused;
		if (first !== undefined && refused.every((error) => error?.failure.status === 403)) throw first;
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
		const created = seen.map((one) => one.created);
		const isWhole = cut === undefined && records.length < mostListed;
		return { seen, created: isWhole || isAscending(created) ? created : [] };
	}

	/**
	 * Payments that are not final and that the list did not have, and the journal's own that nobody has followed; those first that were not
	 * asked for the longest.
	 */
	async #payments(place: PollPlace, since: string | undefined, own: ReadonlyMap<string, Seen>, listed: readonly Seen[]): Promise<Seen[]> {
		const had = new Set(listed.map(({ id }) => id));
		const moving = [...place.records.transaction].flatMap(([id, one]) => (isMoving("transaction", one) ? [id] : []));
		const seen: Seen[] = [];
		// One that cannot be read now is followed from now on all the same.
		const unread = new Map([...own].filter(([id]) => !had.has(id)));
		const wanted = [...moving, ...own.keys()].filter((one) => !had.has(one));
		for (const id of this.#inTurn(wanted, most.payments)) {
			const record = await this.#ifThere(id);
			if (record === undefined) continue;
			for (const one of transactionIn({ ...record, id }, since)) seen.push({ ...one, isNew: own.get(id)?.isNew ?? one.isNew });
			unread.delete(id);
		}
		return [...seen, ...unread.values()];
	}

	/** The next pages of the list of companies; from the first one again after the last. */
	async #companies(since: string | undefined): Promise<Seen[]> {
		const query = { sortAttribute: "CREATION_DATE", sortDirection: "ASC" };
		const seen: Seen[] = [];
		for (let requests = 0; requests < most.companies; requests += 1) {
			const { found, total } = await this.context.service.page(listCorporates, query, this.#page);
			const before = this.#ids.size;
			for (const one of found.flatMap((record) => companyIn(record, since))) {
				this.#ids.add(one.id);
				seen.push(one);
			}
			this.#page += 1;
			if (this.#ids.size > before && this.#ids.size !== total) continue;
			this.#page = 0;
			this.#ids = new Set();
			break;
		}
		return seen;
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
			const { records, complete } = await this.context.service.list(
				listRelated,
				{ params: { corporateId: id } },
				persons.most,
				persons.requests,
			);
			const isNew = before.get(id)?.people === true || made.has(id);
			for (const record of records) {
				const { id: person, kycStatus } = viewRelated(record);
				if (person !== undefined) seen.push({ kind: "related", id: person, status: kycStatus, isNew });
			}
			if (complete) seen.push({ kind: "corporate", id, people: true });
		}
		return seen;
	}

	/** The payments of the journal that the service has and nobody has followed: they are asked for from now on. */
	async #ownPayments(place: PollPlace, since: string | undefined): Promise<ReadonlyMap<string, Seen>> {
		const { context } = this;
		const isFirst = this.#isFirst;
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

	/** Those that are asked for in this round: first those that were not for the longest. */
	#inTurn(ids: readonly string[], count: number): string[] {
		const turn = (id: string): number => this.#asked.get(id) ?? 0;
		const chosen = [...ids].sort((one, other) => turn(one) - turn(other)).slice(0, count);
		for (const id of chosen) this.#asked.set(id, this.#round);
		return chosen;
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

const isAscending = (times: readonly (string | undefined)[]): boolean =>
	times
		.map((one) => spanOf(one)?.from)
		.every((from, place, all) => from !== undefined && (place === 0 || from >= (all[place - 1] as number)));
