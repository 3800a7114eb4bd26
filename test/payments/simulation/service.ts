/**
 * The service and the network in front of it: it makes transfers, sometimes late, and answers, sometimes wrongly or not at all.
 */

import type { Received } from "../../../src/api/answer.js";
import type { Transfer } from "../../../src/api/operations/transfer.js";
import { PurserError } from "../../../src/errors.js";
import type { WireOutcome, WireRequest } from "../../../src/ports/wire.js";
import type { Random } from "./random.js";

const minute = 60_000;
const hour = 60 * minute;

/** What happens to one request. `made`: whether the transfer is created; the rest: what comes back. */
const fates = [
	"well",
	"well",
	"well",
	"refused",
	"not-sent",
	"lost before",
	"lost after",
	"late",
	"status without",
	"status with",
	"redirect without",
	"redirect with",
	"no id",
	"cut",
	"same id without",
	"same id with",
	"waiting",
	"waiting without an id",
	"another's id",
] as const;
export type Fate = (typeof fates)[number];
/** Those in which it is made before the answer is chosen. */
const makes: readonly Fate[] = ["well", "lost after", "status with", "redirect with", "no id", "cut", "waiting", "waiting without an id"];

interface Made {
	id: string;
	key: string;
	at: number;
	/** When lists begin to show it. */
	listedFrom: number;
	body: Received;
}

/**
 * In which way a list is wrong so that what is in doubt is still seen: either a known payment is missing, or the amount still stands there and
 * has to be named as another payment. `one of ours …`: only what nobody holds is altered.
 */
const visible = [
	"receivers",
	"references",
	"shifted",
	"doubled",
	"empty",
	"a known one missing",
	"one of ours with another reference",
] as const;
/** In which way a list is wrong so that no rule can see it: what is in doubt is not there, or is there with another amount. */
const hiding = ["cents", "fee", "senders", "swapped", "one of ours with a fee", "only ours hidden"] as const;
export type ListFault = (typeof visible)[number] | (typeof hiding)[number];

export class Service {
	readonly made: Made[] = [];
	/** Of this run; while nobody is calm. */
	readonly listFault: ListFault | undefined;
	#late: { at: number; body: Received }[] = [];
	#ids = 0;
	#stale = false;
	/** Ids that an answer gave to another transfer than the one that they are of. */
	readonly mixed = new Set<string>();
	/** Whether its list hides those, while nobody is calm: a list that hides one payment alone can be seen by no rule. */
	readonly #hidesMixed: boolean;
	/** Requests that reached it. */
	requests = 0;
	/** What happens to the next request, where that is no accident. */
	next?: Fate;
	/** From now on its list shows everything that there is. */
	showsAll = false;

	constructor(
		private readonly random: Random,
		private readonly now: () => number,
		/** Ids that the tool has on record: those that a confused service may give a second time. */
		private readonly held: () => string[],
		/** The person who settles knows what was made, so that a list may hide what no rule can see. */
		isKnown: boolean,
		/** Told of each transfer when it is made. */
		private readonly happened: (id: string) => void = () => {},
	) {
		this.#hidesMixed = isKnown && random.often(0.5);
		if (random.often(0.3)) this.listFault = random.pick<ListFault>(isKnown && random.often(0.7) ? hiding : visible);
	}

	/** One request on the wire; `dies` is asked at the moment when the sender may be killed with the request under way. */
	exchange(request: WireRequest, dies: () => boolean): WireOutcome {
		const fate = this.next ?? this.random.pick<Fate>(fates);
		if (fate === "not-sent") return { kind: "not-sent", reason: "the connection was refused" };
		if (dies() && this.random.often(0.5)) return { kind: "sent", reason: "never told" };
		this.requests += 1;
		const body = JSON.parse(new TextDecoder().decode(request.body)) as Received;
		return this.#answer(fate, body);
	}

	/** Makes a transfer that lists show at once. @returns its id */
	makeKnown({ ledgerFromId, counterpartyId, amount, reference }: Transfer): string {
		return this.#make({ ledgerFromId, ledgerToId: counterpartyId, amount, reference }, this.now(), true);
	}

	#answer(fate: Fate, body: Received): WireOutcome {
		const { random } = this;
		const id = makes.includes(fate) ? this.#make(body) : "";
		const held = fate.startsWith("same id") && this.held().length > 0 ? random.pick(this.held()) : undefined;
		switch (fate) {
			case "well":
				return answer(201, { id });
			case "refused":
				return answer(random.pick([400, 401, 403, 404, 422, 429]), { errorCode: "NO" });
			case "late":
				this.#late.push({ at: this.now() + random.below(20 * hour), body });
				break;
			case "status with":
			case "status without":
				return answer(random.pick([408, 409, 500, 502, 503, 504]), {});
			case "redirect with":
			case "redirect without":
				return answer(random.pick([301, 302, 303, 307, 308]), {});
			case "no id":
				return answer(201, {});
			case "cut":
				return { kind: "sent", reason: "the answer was cut short", status: 201 };
			case "same id without":
				return held === undefined ? answer(500, {}) : answer(201, { id: held });
			case "same id with": {
				const own = this.#make(body);
				return answer(201, { id: held ?? own });
			}
			case "waiting":
				return answer(202, { id });
			case "waiting without an id":
				return answer(202, {});
			case "another's id": {
				const told = random.pick(this.untold());
				const own = this.#make(body);
				if (told !== undefined) this.mixed.add(told);
				return answer(201, { id: told ?? own });
			}
		}
		return { kind: "sent", reason: "the connection was closed before an answer came" };
	}

	/** Of what was made, the ids that no answer brought to where they are kept. */
	untold(): string[] {
		const held = new Set(this.held());
		return this.made.map(({ id }) => id).filter((id) => !held.has(id));
	}

	/** One transaction by its id, as lists tell it. */
	get(id: string): Received {
		const one = this.made.find((made) => made.id === id);
		if (one === undefined)
			throw new PurserError("rejected", { code: "NOT_FOUND", message: `no transaction ${id}`, fix: "Look at the id." });
		return recordOf(lineOf(one));
	}

	#make(body: Received, at = this.now(), soon = false): string {
		this.#ids += 1;
		const id = `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
		this.happened(id);
		this.made.push({ id, key: String(body.reference), at, listedFrom: at + (soon ? 0 : this.random.below(hour)), body });
		return id;
	}

	/** Makes what was late until now. */
	settle(): void {
		const now = this.now();
		for (const { at, body } of this.#late.filter((one) => one.at <= now)) this.#make(body, at);
		this.#late = this.#late.filter((one) => one.at > now);
	}

	/** The list of transactions; once in a run it may show only what the tool knows already, and say that this is everything. */
	list(asked: boolean, startDate: string): { records: Received[]; complete: boolean; at: number } {
		this.settle();
		const calm = asked || this.showsAll;
		// Not where it is wrong besides: then it shows what is in doubt altered, and hides even that when it is read once more.
		if (!calm && !this.#stale && this.listFault === undefined && this.random.often(0.1)) {
			this.#stale = true;
			const held = new Set(this.held());
			const known = this.made.filter(({ id, listedFrom }) => held.has(id) && listedFrom <= this.now()).map((one) => recordOf(lineOf(one)));
			return { records: known, complete: true, at: this.now() };
		}
		const isHidden = ({ id }: Made): boolean => !calm && this.#hidesMixed && this.mixed.has(id);
		const shown = this.made.filter((one) => one.listedFrom <= this.now() && !isHidden(one));
		const wrong = calm ? shown.map(lineOf) : wrongly(shown, this.listFault, { held: new Set(this.held()), now: this.now() });
		const records = wrong.filter(({ at }) => at >= Date.parse(startDate)).map(recordOf);
		if (calm || this.random.often(0.7)) return { records, complete: true, at: this.now() };
		// A part, in which all that is known may stand: then nothing but the part itself says that it is one.
		const known = new Set(this.random.often(0.5) ? this.held() : []);
		return { records: records.filter(({ id }) => known.has(String(id)) || this.random.often(0.5)), complete: false, at: this.now() };
	}

	/** Whether a transfer of this key was made that no attempt holds, or may still be made: what a person who is right finds out. */
	mayBe(key: string): boolean {
		this.settle();
		const held = new Set(this.held());
		// Who holds an id that an answer gave to another one may be that other one.
		return (
			this.made.some((one) => one.key === key && (!held.has(one.id) || this.mixed.has(one.id))) ||
			this.#late.some(({ body }) => body.reference === key)
		);
	}

	/** Whether a transfer of this key was made that no attempt holds and that a list shows which hides nothing, and no other one may still be made. */
	isListed(key: string): boolean {
		this.settle();
		const held = new Set(this.held());
		const own = this.made.filter((one) => one.key === key && !held.has(one.id));
		return (
			own.length > 0 && own.every(({ listedFrom }) => listedFrom <= this.now()) && !this.#late.some(({ body }) => body.reference === key)
		);
	}

	showAll(): void {
		this.showsAll = true;
	}

	/** Ids by key, as made. */
	created(): Map<string, string[]> {
		this.settle();
		const found = new Map<string, string[]>();
		for (const { key, id } of this.made) found.set(key, [...(found.get(key) ?? []), id]);
		return found;
	}
}

/** A line of the list. */
interface Line {
	id: string;
	at: number;
	amount: string;
	reference: string;
	sender: string;
	receiver: string;
	/** It is not as it was sent: for planted bugs, and of no meaning to the tool. */
	altered?: true;
}

const lineOf = ({ id, at, body }: Made): Line => ({
	id,
	at,
	amount: String(body.amount),
	reference: String(body.reference),
	sender: String(body.ledgerFromId),
	receiver: String(body.ledgerToId),
});

function recordOf({ id, at, amount, reference, sender, receiver, altered }: Line): Received {
	const creationDate = new Date(at).toISOString();
	const parties = { sender: { ledgerId: sender }, receiver: { ledgerId: receiver } };
	return { id, creationDate, amount, currency: "EUR", information: { reference }, ...parties, altered };
}

const cents = (amount: string): string => `${amount.includes(".") ? amount.replace(".", "").replace(/^0+/, "") : `${amount}00`}`;
const withFee = (amount: string): string => `${amount.split(".")[0]}.99`;

const alterations: Partial<Record<ListFault, (line: Line) => Partial<Line>>> = {
	cents: ({ amount }) => ({ amount: cents(amount) }),
	fee: ({ amount }) => ({ amount: withFee(amount) }),
	senders: ({ sender }) => ({ sender: sender.replace(/.$/, "0") }),
	receivers: ({ receiver }) => ({ receiver: receiver.replace(/.$/, "0") }),
	swapped: ({ sender, receiver }) => ({ sender: receiver, receiver: sender }),
	references: ({ id }) => ({ reference: `FT${id.slice(-4)}` }),
	shifted: ({ at }) => ({ at: at + 6 * hour }),
};

/** What a wrong list shows of what was made. */
function wrongly(made: readonly Made[], fault: ListFault | undefined, { held, now }: { held: ReadonlySet<string>; now: number }): Line[] {
	const lines = made.map(lineOf);
	const change = fault && alterations[fault];
	if (change) return lines.map((line) => ({ ...line, ...change(line), altered: true }));
	const isHeld = ({ id }: Line): boolean => held.has(id);
	const ours = lines.filter((line) => !isHeld(line));
	// Of what is known, one that must stand there by now, and was made about when those that are hidden with it were.
	const due = lines.find((line) => isHeld(line) && line.at < now - 25 * hour && ours.every(({ at }) => Math.abs(at - line.at) < 20 * hour));
	switch (fault) {
		case "empty":
			return due === undefined ? lines : [];
		case "doubled":
			// The double of what is in doubt would be another payment alike that was made, and no rule can see that it was not.
			return lines.flatMap((line) =>
				line.reference.startsWith("Known") ? [line, { ...line, id: line.id.replace("00000000-", "ffffffff-"), altered: true }] : [line],
			);
		case "only ours hidden":
			return lines.filter(isHeld);
		case "a known one missing":
			return due === undefined ? lines : lines.filter((line) => isHeld(line) && line !== due);
		case "one of ours with a fee":
			return lines.map((line) => (isHeld(line) ? line : { ...line, amount: withFee(line.amount), altered: true }));
		case "one of ours with another reference":
			return lines.map((line) => (isHeld(line) ? line : { ...line, reference: "FT26060AAA", altered: true }));
		default:
			return lines;
	}
}

function answer(status: number, body: object): WireOutcome {
	return { kind: "answer", status, headers: { "content-type": "application/json" }, body: new TextEncoder().encode(JSON.stringify(body)) };
}
