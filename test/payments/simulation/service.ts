/**
 * The service and the network in front of it: it makes transfers, sometimes late, and answers, sometimes wrongly or not at all.
 */
import type { Received } from "../../../src/api/answer.js";
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
] as const;
type Fate = (typeof fates)[number];

interface Made {
	id: string;
	key: string;
	at: number;
	/** When lists begin to show it. */
	listedFrom: number;
	body: Received;
}

export class Service {
	readonly made: Made[] = [];
	#late: { at: number; body: Received }[] = [];
	#ids = 0;
	#stale = false;
	/** Requests that reached it. */
	requests = 0;

	constructor(
		private readonly random: Random,
		private readonly now: () => number,
		/** Ids that the tool has on record: those that a confused service may give a second time. */
		private readonly held: () => string[],
	) {}

	/** One request on the wire; `dies` is asked at the moment when the sender may be killed with the request under way. */
	exchange(request: WireRequest, dies: () => boolean): WireOutcome {
		const fate = this.random.pick<Fate>(fates);
		if (fate === "not-sent") return { kind: "not-sent", reason: "the connection was refused" };
		if (dies() && this.random.often(0.5)) return { kind: "sent", reason: "never told" };
		this.requests += 1;
		const body = JSON.parse(new TextDecoder().decode(request.body)) as Received;
		return this.#answer(fate, body);
	}

	#answer(fate: Fate, body: Received): WireOutcome {
		const lost: WireOutcome = { kind: "sent", reason: "the connection was closed before an answer came" };
		switch (fate) {
			case "well":
				return answer(201, { id: this.#make(body) });
			case "refused":
				return answer(this.random.pick([400, 401, 403, 404, 422, 429]), { errorCode: "NO" });
			case "lost after":
				this.#make(body);
				return lost;
			case "late":
				this.#late.push({ at: this.now() + this.random.below(20 * hour), body });
				return lost;
			case "status with":
				this.#make(body);
				return answer(this.random.pick([408, 409, 500, 502, 503, 504]), {});
			case "status without":
				return answer(this.random.pick([408, 409, 500, 502, 503, 504]), {});
			case "redirect with":
				this.#make(body);
				return answer(this.random.pick([301, 302, 303, 307, 308]), {});
			case "redirect without":
				return answer(this.random.pick([301, 302, 303, 307, 308]), {});
			case "no id":
				this.#make(body);
				return answer(201, {});
			case "cut":
				this.#make(body);
				return { kind: "sent", reason: "the answer was cut short", status: 201 };
			case "same id without":
				return this.held().length > 0 ? answer(201, { id: this.random.pick(this.held()) }) : answer(500, {});
			case "same id with": {
				const held = this.held().length > 0 ? this.random.pick(this.held()) : undefined;
				const id = this.#make(body);
				return answer(201, { id: held ?? id });
			}
			case "waiting":
				return answer(202, { id: this.#make(body) });
			case "waiting without an id":
				this.#make(body);
				return answer(202, {});
			default:
				return lost;
		}
	}

	#make(body: Received, at = this.now()): string {
		this.#ids += 1;
		const id = `00000000-0000-4000-8000-${String(this.#ids).padStart(12, "0")}`;
		this.made.push({ id, key: String(body.reference), at, listedFrom: at + this.random.below(hour), body });
		return id;
	}

	/** Makes what was late until now. */
	settle(): void {
		const now = this.now();
		for (const { at, body } of this.#late.filter((one) => one.at <= now)) this.#make(body, at);
		this.#late = this.#late.filter((one) => one.at > now);
	}

	/** The list of transactions; once in a run it may show nothing at all and say that this is everything. */
	list(calm: boolean): { records: Received[]; complete: boolean; at: number } {
		this.settle();
		if (!calm && !this.#stale && this.random.often(0.1)) {
			this.#stale = true;
			return { records: [], complete: true, at: this.now() };
		}
		const shown = this.made.filter(({ listedFrom }) => listedFrom <= this.now());
		const records = shown.map(({ id, at, body }) => ({
			id,
			creationDate: new Date(at).toISOString(),
			amount: String(body.amount),
			currency: "EUR",
			information: { reference: body.reference },
			sender: { ledgerId: body.ledgerFromId },
			receiver: { ledgerId: body.ledgerToId },
		}));
		const complete = calm || this.random.often(0.7);
		return { records: complete ? records : records.filter(() => this.random.often(0.5)), complete, at: this.now() };
	}

	/** Ids by key, as made. */
	created(): Map<string, string[]> {
		this.settle();
		const found = new Map<string, string[]>();
		for (const { key, id } of this.made) found.set(key, [...(found.get(key) ?? []), id]);
		return found;
	}
}

function answer(status: number, body: object): WireOutcome {
	return { kind: "answer", status, headers: { "content-type": "application/json" }, body: new TextEncoder().encode(JSON.stringify(body)) };
}
