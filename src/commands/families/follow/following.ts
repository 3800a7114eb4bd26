/**
 * Asks the service again and again what its records say, and tells what they said differently before. Errors do not end it, except a
 * credential that is refused.
 */
import { serviceInUse } from "../../../api/operations/asked-of.js";
import { serviceAddress } from "../../../api/service-address.js";
import type { Context } from "../../../context.js";
import { isNotOffered, PurserError } from "../../../errors.js";
import { differenceOf, type Seen, withoutOld } from "../../../events/difference.js";
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

/** Under which the inbox keeps the place. */
const source = "poll";

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
	/** Undefined before the first round. */
	#place: PollPlace | undefined;
	/** The place as it was last written, without its time. */
	#written: string | undefined;
	/** Nobody followed before the first round of this run. */
	#isFirst = false;
	/** The list of transactions was cut, or this is the first round of this run: more is read at once. */
	#isBehind = true;
	/** How many rounds failed in a row. */
	#failures = 0;
	/** What ended this round early. */
	#ended: PurserError | undefined;
	/** What was refused in this round: the next one asks again. */
	readonly #missing = new Map<Part, PurserError>();
	/** What was told, until it is to be had. */
	readonly #warned = new Set<Part | "all">();

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
		const { clock, report } = this.context;
		const began = clock.now();
		this.#place ??= await this.#start(began);
		const failures = this.#failures;
		const last = this.#isFirst ? undefined : new Date(this.#place.at);
		const gap = last && gapSince(last, began, this.options.every);
		let events = 0;
		try {
			events = await this.#look(this.#place, began, gap !== undefined);
		} catch (error) {
			// Without room for what is heard there is nothing to wait for: a person has to make some.
			if (!(error instanceof PurserError) || !passing.includes(error.kind) || error.failure.code === "INBOX_FULL") throw error;
			this.trouble = error;
			// The first of many alike is told; the line for the gap says how it went on.
			if (failures === 0) report.warn(`${error.message}; it is tried again`);
			this.#failures += 1;
			return error.failure.wait;
		}
		this.reached = true;
		if (this.options.stream.isOver) return undefined;
		this.#failures = 0;
		const silent = failures > 0 && last !== undefined ? began.getTime() - last.getTime() : gap;
		if (silent !== undefined) report.announce(caughtUp(silent, events));
		return undefined;
	}

	async #start(now: Date): Promise<PollPlace> {
		const { profile } = await this.context.settings.read();
		const { baseUrl, sandbox } = await serviceInUse(this.context, profile);
		const service = `${serviceAddress(baseUrl)} ${sandbox ?? ""}`.trim();
		const kept = placeOf(await this.inbox.cursor(source), service);
		this.#isFirst = kept === undefined;
		const place = kept ?? startingPlace(service, now, this.context.clock.service.now(serviceAddress(baseUrl)));
		return this.options.from === undefined ? place : placeFrom(place, this.options.from);
	}

	/**
	 * One look for everything that is new. The place is kept once everything is stored.
	 * @param isLate nothing was heard for a while, so that more may have to be read at once
	 * @returns how many new events there were
	 * @throws PurserError
	 */
	async #look(place: PollPlace, began: Date, isLate: boolean): Promise<number> {
		const { stream, from } = this.options;
		// Where nobody asked for more, what is there when somebody first follows is no news.
		const since = this.#isFirst && from === undefined ? undefined : toldFrom(place);
		const round: Round = { place, isFirst: this.#isFirst, catchesUp: isLate || this.#isBehind, since };
		this.#ended = undefined;
		this.#missing.clear();
		this.#poll.begin();
		const { seen, watermark } = await this.#read(round);
		if (seen.length === 0) this.#endWhereAllIsRefused();
		const { said, after } = differenceOf(place.records, seen);
		const at = this.context.clock.now().toISOString();
		let count = 0;
		for (const one of said) {
			// Where nothing more is taken, the next run must bring it: the place stays where it was.
			if (!(await stream.hasRoom())) return count;
			if (await stream.hear({ source: "poll", said: one }, { status: one.to as string, at })) count += 1;
		}
		const next = { ...place, watermark, at: this.#ended === undefined ? began.toISOString() : place.at };
		this.#place = { ...next, records: withoutOld(after, listedFrom(next)) };
		this.#isFirst = false;
		// A round without news writes nothing: the time of it alone is not worth a write to disk every few seconds.
		const text = placeText({ ...this.#place, at: "" });
		if (text !== this.#written) await this.inbox.setCursor(source, placeText(this.#place));
		this.#written = text;
		if (this.#ended !== undefined) throw this.#ended;
		return count;
	}

	async #read(round: Round): Promise<{ seen: Seen[]; watermark: string }> {
		const { place } = round;
		const { corporate: before, transaction } = place.records;
		const poll = this.#poll;
		const own = await poll.ownPayments(round);
		const listed = await this.#part("list", () => poll.listed(round));
		const payments = await this.#part("payments", () => poll.payments(round, own, listed?.seen ?? []));
		const companies = await this.#part("companies", () => poll.companies(round));
		const found = [...(listed?.seen ?? []), ...(payments ?? []), ...(companies ?? [])];
		const { corporate } = differenceOf(place.records, found).after;
		const made = new Set((companies ?? []).filter(({ id, isNew }) => isNew && !before.has(id)).map(({ id }) => id));
		const people = await this.#part("people", () => poll.people(round, corporate, (id) => made.has(id)));
		this.#isBehind = listed?.isWhole === false;
		const isFollowing = listed !== undefined || companies !== undefined || own.size > 0 || transaction.size > 0;
		if (this.#ended === undefined) this.#tellOnce("all", isFollowing, "Nothing is followed: neither payments nor companies can be read");
		const { profile } = await this.context.settings.read();
		const now = this.context.clock.service.now(serviceAddress(profile.baseUrl));
		const watermark = listed === undefined ? place.watermark : nextWatermark(place, listed.created, now);
		return { seen: [...found, ...(people ?? [])], watermark };
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
			this.context.report.warn(message);
		}
	}

	/** @throws PurserError auth, where the service allows nothing of it: going on would be of no use */
	#endWhereAllIsRefused(): void {
		const refused = (["list", "companies"] as const).map((part) => this.#missing.get(part));
		const [first] = refused;
		if (first !== undefined && refused.every((error) => error?.failure.status === 403)) throw first;
	}
}
