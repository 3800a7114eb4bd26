/**
 * Asks the service again and again what its records say, and tells what they said differently before. Errors do not end it, except a
 * credential that is refused.
 */
import { serviceInUse } from "../../../api/operations/asked-of.js";
import { serviceAddress } from "../../../api/service-address.js";
import type { Context } from "../../../context.js";
import { isNotOffered, PurserError } from "../../../errors.js";
import { differenceOf, type Records, type Seen, withoutOld } from "../../../events/difference.js";
import {
	listedFrom,
	nextWatermark,
	type PollPlace,
	placeFrom,
	placeOf,
	placeText,
	startingPlace,
	toldFrom,
} from "../../../events/poll-place.js";
import { caughtUp, gapSince, pauseOf } from "../../../events/rounds.js";
import type { Inbox } from "../../../ports/events.js";
import type { EventStream } from "../event-stream.js";
import { Poll, type Round } from "./poll.js";

/** The parts of a round that a deployment may lack, and what is not told then. */
const without = {
	list: "Transactions cannot be listed, so only payments of this machine's journal are followed",
	payments: "A payment of the journal cannot be read, so its status is not followed",
	companies: "Companies cannot be listed, so their KYB and terms are not followed",
	people: "Related entities cannot be listed, so their KYC is not followed",
} as const;
type Part = keyof typeof without;

/** The kinds of failure after which it is tried again. */
const passing: readonly string[] = ["unavailable", "rejected", "bug"];

/** Under which the inbox keeps what was seen, and when everything was last heard. */
const places = { seen: "poll", time: "poll.at" } as const;

export interface FollowOptions {
	/** Milliseconds between two rounds. */
	every: number;
	/** What was asked for with --since; undefined: where the last run ended. */
	from: Date | undefined;
	stream: Pick<EventStream, "hear" | "hasRoom" | "isOver">;
}

export class Following {
	/** Whether any round heard the service; else why not. */
	reached = false;
	trouble: PurserError | undefined;
	readonly #poll: Poll;
	/** When everything was last heard, and how many rounds failed since. */
	#last: Date | undefined;
	#failures = 0;
	/** What was refused in this round: the next one asks again. */
	readonly #missing = new Map<Part, PurserError>();
	/** What was told, until it is to be had. */
	readonly #warned = new Set<Part | "all">();
	#place: PollPlace | undefined;
	/** The place as it is kept, but for the time of the journal, which moves with each round. */
	#kept: string | undefined;
	/** The list of transactions was cut: the next round reads more at once. */
	#isBehind = false;
	/** What ended this round early. */
	#ended: PurserError | undefined;

	constructor(
		private readonly context: Context,
		private readonly inbox: Inbox,
		private readonly options: FollowOptions,
	) {
		this.#poll = new Poll(context);
	}

	/** @returns never resolves where it goes on until the run is over; rejects where going on is of no use */
	async run(): Promise<never> {
		const { clock, random, signal } = this.context;
		const { every, stream } = this.options;
		const at = Date.parse((await this.inbox.cursor(places.time)) ?? "");
		this.#last = Number.isNaN(at) ? undefined : new Date(at);
		const isOver = (): boolean => stream.isOver || signal.aborted;
		try {
			while (!isOver()) {
				const asked = await this.#round();
				if (!isOver()) await clock.sleep(pauseOf({ every, failures: this.#failures, asked, fraction: random.fraction() }));
			}
		} catch (error) {
			if (!isOver()) throw error;
		}
		return new Promise<never>(() => {});
	}

	/** @returns the milliseconds that the service asked to wait, where it did. @throws what makes going on of no use */
	async #round(): Promise<number | undefined> {
		const { clock, reporter } = this.context;
		const { every, stream } = this.options;
		const [last, failures, began] = [this.#last, this.#failures, clock.now()];
		const gap = last === undefined ? undefined : gapSince(last, began, every);
		let events = 0;
		try {
			events = await this.#look(last === undefined || gap !== undefined);
		} catch (error) {
			if (!(error instanceof PurserError) || !passing.includes(error.kind)) throw error;
			this.trouble = error;
			// The first of many alike is told; the line for the gap says how it went on.
			if (failures === 0) reporter.warn(`${error.message}; it is tried again`);
			this.#failures += 1;
			return error.failure.wait;
		}
		this.reached = true;
		if (stream.isOver) return undefined;
		this.#last = began;
		this.#failures = 0;
		await this.inbox.setCursor(places.time, began.toISOString());
		const silent = failures > 0 && last !== undefined ? began.getTime() - last.getTime() : gap;
		if (silent !== undefined) reporter.announce(caughtUp(silent, events));
		return undefined;
	}

	/**
	 * One look for everything that is new. The place is kept once everything is stored.
	 * @param catchesUp nothing was heard for a while, so that more may have to be read at once
	 * @returns how many new events there were
	 * @throws PurserError
	 */
	async #look(catchesUp: boolean): Promise<number> {
		const { clock } = this.context;
		const { stream } = this.options;
		const began = clock.now();
		const round = await this.#roundFrom(catchesUp || this.#isBehind);
		this.#ended = undefined;
		this.#missing.clear();
		this.#poll.begin();
		const { seen, before, place } = await this.#read(round, began);
		if (seen.length === 0) this.#endWhereAllIsRefused();
		const { said, after } = differenceOf(before, seen);
		const at = clock.now().toISOString();
		let count = 0;
		for (const one of said) {
			// Where nothing more is taken, the next run must bring it: the place stays where it was.
			if (!(await stream.hasRoom())) return count;
			if (await stream.hear({ source: "poll", said: one }, { status: one.to as string, at })) count += 1;
		}
		await this.#keep({ ...place, records: withoutOld(after, listedFrom(place)) });
		if (this.#ended !== undefined) throw this.#ended;
		return count;
	}

	async #roundFrom(catchesUp: boolean): Promise<Round> {
		const { clock, serviceClock } = this.context;
		const { from } = this.options;
		if (this.#place !== undefined) return { place: this.#place, isFirst: false, catchesUp, since: toldFrom(this.#place) };
		const { profile } = await this.context.settings();
		const { baseUrl, sandbox } = await serviceInUse(this.context, profile);
		const service = `${serviceAddress(baseUrl)} ${sandbox ?? ""}`.trim();
		const kept = placeOf(await this.inbox.cursor(places.seen), service);
		this.#kept = kept && withoutJournal(kept);
		const place = kept ?? startingPlace(service, clock.now(), serviceClock.now(serviceAddress(baseUrl)));
		const whole = from === undefined ? place : placeFrom(place, from);
		// Where nobody asked for more, what is there when somebody first follows is no news.
		const since = kept === undefined && from === undefined ? undefined : toldFrom(whole);
		return { place: whole, isFirst: kept === undefined, catchesUp: true, since };
	}

	async #read(round: Round, began: Date): Promise<{ seen: Seen[]; before: Records; place: PollPlace }> {
		const { profile } = await this.context.settings();
		const poll = this.#poll;
		const own = await poll.ownPayments(round);
		const listed = await this.#part("list", () => poll.listed(round));
		const payments = await this.#part("payments", () => poll.payments(round, own, listed?.seen ?? []));
		const companies = await this.#part("companies", () => poll.companies(round));
		const before = round.place.records;
		const found = [...(listed?.seen ?? []), ...(payments ?? []), ...(companies ?? [])];
		const { corporate } = differenceOf(before, found).after;
		const made = new Set(
			found.filter(({ kind, id, isNew }) => kind === "corporate" && isNew && !before.corporate.has(id)).map(({ id }) => id),
		);
		const people = await this.#part("people", () => poll.people(round, corporate, (id) => made.has(id)));
		this.#isBehind = listed?.isWhole === false;
		const isFollowing = listed !== undefined || companies !== undefined || own.size > 0 || before.transaction.size > 0;
		if (this.#ended === undefined) this.#tellOnce("all", isFollowing, "Nothing is followed: neither payments nor companies can be read");
		const now = this.context.serviceClock.now(serviceAddress(profile.baseUrl));
		const watermark = listed === undefined ? round.place.watermark : nextWatermark(round.place, listed.created, now);
		return { seen: [...found, ...(people ?? [])], before, place: { ...round.place, watermark, journal: began.toISOString() } };
	}

	/** A part of the round; undefined where it is not to be had. What others found is told even where one part fails. */
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
				this.#tellOnce(part, false, `${without[part]}: ${error.message}`);
			}
			return undefined;
		}
	}

	/** Warns of what is not to be had, once until it is. */
	#tellOnce(what: Part | "all", isThere: boolean, message: string): void {
		if (isThere) this.#warned.delete(what);
		else if (!this.#warned.has(what)) {
			this.#warned.add(what);
			this.context.reporter.warn(message);
		}
	}

	/** @throws PurserError auth, where the service allows nothing of it: going on would be of no use */
	#endWhereAllIsRefused(): void {
		const refused = (["list", "companies"] as const).map((part) => this.#missing.get(part));
		const [first] = refused;
		if (first !== undefined && refused.every((error) => error?.failure.status === 403)) throw first;
	}

	async #keep(place: PollPlace): Promise<void> {
		this.#place = place;
		const text = withoutJournal(place);
		if (text !== this.#kept) await this.inbox.setCursor(places.seen, placeText(place));
		this.#kept = text;
	}
}

const withoutJournal = (place: PollPlace): string => placeText({ ...place, journal: "" });
