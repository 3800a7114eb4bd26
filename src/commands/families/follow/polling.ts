/**
 * The source `poll` of `events follow`: what the service's own records say, compared with what they said before.
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
import type { Inbox } from "../../../ports/events.js";
import type { Hear, Source } from "./following.js";
import { type Found, Poll, type Round } from "./poll.js";

/** The parts of a round that a deployment may lack, and what is not told then. */
const without = {
	list: "Transactions cannot be listed, so only payments of this machine's journal are followed",
	payments: "A payment of the journal cannot be read, so its status is not followed",
	companies: "Companies cannot be listed, so only those of this machine's journal are followed",
	known: "Companies cannot be read, so their KYB and terms are not followed",
	people: "Related entities cannot be listed, so their KYC is not followed",
} as const;
type Part = keyof typeof without;

export class Polling implements Source {
	readonly name = "poll";
	readonly #context: Context;
	readonly #inbox: Inbox;
	readonly #poll: Poll;
	/** What was asked for with --since; undefined: where the last run ended. */
	readonly #from: Date | undefined;
	/** What was refused in this round: the next one asks again. */
	readonly #missing = new Map<Part, PurserError>();
	/** What was told, until it is to be had. */
	readonly #warned = new Set<Part | "all">();
	/** The place as it is kept, but for the time of the journal, which moves with each round. */
	#kept: string | undefined;
	#place: PollPlace | undefined;
	/** The list of transactions was cut: the next round reads more at once. */
	#isBehind = false;
	/** What ended this round early. */
	#trouble: PurserError | undefined;

	constructor(context: Context, inbox: Inbox, from: Date | undefined) {
		this.#context = context;
		this.#inbox = inbox;
		this.#poll = new Poll(context);
		this.#from = from;
	}

	async look(hear: Hear, catchesUp: boolean): Promise<number> {
		const began = this.#context.clock.now();
		const round = await this.#roundFrom(catchesUp || this.#isBehind);
		this.#trouble = undefined;
		this.#missing.clear();
		this.#poll.begin();
		const { seen, before, place } = await this.#read(round, began);
		if (seen.length === 0) this.#endWhereAllIsRefused();
		const { said, after } = differenceOf(before, seen);
		const at = this.#context.clock.now().toISOString();
		let count = 0;
		for (const one of said) {
			const isNew = await hear({ source: "poll", said: one }, { status: one.to as string, at });
			if (isNew === undefined) return count;
			if (isNew) count += 1;
		}
		await this.#keep({ ...place, records: withoutOld(after, listedFrom(place)) });
		if (this.#trouble !== undefined) throw this.#trouble;
		return count;
	}

	async #roundFrom(catchesUp: boolean): Promise<Round> {
		const { clock } = this.#context;
		if (this.#place !== undefined) return { place: this.#place, isFirst: false, catchesUp, since: toldFrom(this.#place) };
		const { profile } = await this.#context.settings();
		const { baseUrl, sandbox } = await serviceInUse(this.#context, profile);
		const service = `${serviceAddress(baseUrl)} ${sandbox ?? ""}`.trim();
		const kept = placeOf(await this.#inbox.cursor(this.name), service);
		this.#kept = kept && withoutJournal(kept);
		const place = kept ?? startingPlace(service, clock.now(), this.#context.serviceClock.now(serviceAddress(baseUrl)));
		const whole = this.#from === undefined ? place : placeFrom(place, this.#from);
		// Where nobody asked for more, what is there when somebody first follows is no news.
		const since = kept === undefined && this.#from === undefined ? undefined : toldFrom(whole);
		return { place: whole, isFirst: kept === undefined, catchesUp: true, since };
	}

	async #read(round: Round, began: Date): Promise<{ seen: Seen[]; before: Records; place: PollPlace }> {
		const { profile } = await this.#context.settings();
		const poll = this.#poll;
		const own = await poll.ownPayments(round);
		const listed = await this.#part("list", () => poll.listed(round));
		const payments = await this.#part("payments", () => poll.payments(round, own, listed?.seen ?? []));
		const companies = await this.#part("companies", () => poll.companies(round));
		const known = this.#missing.has("companies") ? await this.#part("known", () => poll.knownCompanies(round)) : undefined;
		const before: Records = { ...round.place.records, transaction: own };
		const found = [listed, payments, companies, known].flatMap((one) => one?.seen ?? []);
		const { corporate } = differenceOf(before, found).after;
		const made = new Set(
			found.filter(({ kind, id, isNew }) => kind === "corporate" && isNew && !before.corporate.has(id)).map(({ id }) => id),
		);
		const people = await this.#part("people", () => poll.people(round, corporate, (id) => made.has(id)));
		this.#isBehind = listed?.isWhole === false;
		const isFollowing = listed !== undefined || companies !== undefined || own.size > 0 || (known?.seen.length ?? 0) > 0;
		if (this.#trouble === undefined) this.#tellOnce("all", isFollowing, "Nothing is followed: neither payments nor companies can be read");
		const now = this.#context.serviceClock.now(serviceAddress(profile.baseUrl));
		const watermark = listed === undefined ? round.place.watermark : nextWatermark(round.place, listed.created, now);
		return { seen: [...found, ...(people?.seen ?? [])], before, place: { ...round.place, watermark, journal: began.toISOString() } };
	}

	/** A part of the round; undefined where it is not to be had. What others found is told even where one part fails. */
	async #part<F extends Found>(part: Part, read: () => Promise<F>): Promise<F | undefined> {
		if (this.#trouble !== undefined) return undefined;
		try {
			const found = await read();
			this.#warned.delete(part);
			return found;
		} catch (error) {
			if (!(error instanceof PurserError) || error.kind === "interrupted") throw error;
			if (error.kind === "unavailable") this.#trouble = error;
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
			this.#context.reporter.warn(message);
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
		if (text !== this.#kept) await this.#inbox.setCursor(this.name, placeText(place));
		this.#kept = text;
	}
}

const withoutJournal = (place: PollPlace): string => placeText({ ...place, journal: "" });
