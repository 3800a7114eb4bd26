/**
 * The source `svix` of `events follow`: the messages of the provider's polling endpoint, which are those that a webhook brings.
 */
import { formatJson, parseJson } from "../../../api/json.js";
import { spanOf } from "../../../api/text/time-span.js";
import { type PolledMessage, type PollingEndpoint, pollEndpoint } from "../../../client/look/polling-endpoint.js";
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import { saidIn } from "../../../events/normal.js";
import type { Heard, Inbox, Said } from "../../../ports/events.js";
import type { Hear, Source } from "./following.js";

/** Most pages of one look; what is behind them is read by the next. */
const mostPages = { usual: 20, catchingUp: 500 };

/** Messages are asked for again from this long before the last look where the iterator is lost, and a clock may differ. In milliseconds. */
const overlap = 3_600_000;
const slack = 60_000;

/** What the inbox keeps. */
interface Place {
	/** The iterator is of this endpoint only. */
	address: string;
	iterator?: string;
	/** Older messages are not told, RFC 3339 UTC. */
	after: string;
	/** Of the newest look, RFC 3339 UTC. */
	at: string;
}

export class Svix implements Source {
	readonly name = "svix";
	readonly #context: Context;
	readonly #inbox: Inbox;
	readonly #endpoint: PollingEndpoint;
	readonly #from: Date | undefined;
	#place: Place | undefined;

	/** @param from what was asked for with --since; undefined: where the last run ended */
	constructor(context: Context, inbox: Inbox, endpoint: PollingEndpoint, from: Date | undefined) {
		this.#context = context;
		this.#inbox = inbox;
		this.#endpoint = endpoint;
		this.#from = from;
	}

	async look(hear: Hear, catchesUp: boolean): Promise<number> {
		const now = this.#context.clock.now();
		this.#place ??= await this.#start(now);
		let count = 0;
		const most = catchesUp ? mostPages.catchingUp : mostPages.usual;
		for (let pages = 0; pages < most; pages += 1) {
			const place: Place = this.#place;
			const page = await this.#page(place);
			for (const message of page.messages) {
				if ((spanOf(message.at)?.to ?? Number.NaN) < Date.parse(place.after) - slack) continue;
				const isNew = await hear(heardOf(message));
				if (isNew === undefined) return count;
				if (isNew) count += 1;
			}
			const isSame = page.iterator === place.iterator;
			await this.#keep({ ...place, iterator: page.iterator ?? place.iterator, at: now.toISOString() });
			// The first answer of an endpoint has no messages and only says where they begin.
			if (page.isDone || isSame || (page.messages.length === 0 && place.iterator !== undefined)) break;
		}
		return count;
	}

	async #page(place: Place): ReturnType<typeof pollEndpoint> {
		const { iterator, after, at } = place;
		try {
			return await pollEndpoint(this.#context, this.#endpoint, iterator === undefined ? { after } : { iterator });
		} catch (error) {
			if (iterator === undefined || !(error instanceof PurserError) || error.kind !== "rejected") throw error;
			// The endpoint does not know the iterator any more: what was told already is not told again.
			const again = new Date(Math.max(Date.parse(after), Date.parse(at) - overlap)).toISOString();
			const page = await pollEndpoint(this.#context, this.#endpoint, { after: again });
			this.#context.reporter.warn("The polling endpoint no longer knew the place of the last run; it is read again from an hour before");
			return page;
		}
	}

	async #start(now: Date): Promise<Place> {
		const { address } = this.#endpoint;
		const kept = placeIn(await this.#inbox.cursor(this.name), address);
		if (this.#from === undefined && kept !== undefined) return kept;
		const at = now.toISOString();
		return { address, after: this.#from?.toISOString() ?? at, at };
	}

	async #keep(place: Place): Promise<void> {
		if (place.iterator !== this.#place?.iterator) await this.#inbox.setCursor(this.name, JSON.stringify(place));
		this.#place = place;
	}
}

function placeIn(text: string | undefined, address: string): Place | undefined {
	try {
		const place = JSON.parse(text ?? "null") as Place | null;
		return place?.address === address && !Number.isNaN(Date.parse(place.after)) && !Number.isNaN(Date.parse(place.at)) ? place : undefined;
	} catch {
		return undefined;
	}
}

function heardOf({ id, type, at, body }: PolledMessage): Heard {
	const sent = spanOf(at);
	// Without a zone it is not known.
	const time = sent?.from === sent?.to ? sent?.from : undefined;
	const said = saidOf(body, type);
	return {
		source: "svix",
		said: { ...said, at: said.at ?? (time === undefined ? undefined : new Date(time).toISOString()) },
		delivery: { scheme: "svix", id, at: time, headers: { "content-type": "application/json", "svix-id": id }, body },
	};
}

/** What the body says, as from a webhook; where it does not say what happened, the endpoint's own word does. */
function saidOf(body: Uint8Array, type: string | undefined): Said {
	const said = saidIn(body);
	if (said.type !== "unknown" || type === undefined) return said;
	const payload = parseJson(new TextDecoder().decode(body));
	return saidIn(new TextEncoder().encode(formatJson({ type, data: payload })));
}
