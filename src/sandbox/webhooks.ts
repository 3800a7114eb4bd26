/**
 * What a subscriber is sent, when each delivery is tried, and the secret that signs it. Times are of the sandbox's clock. Signatures are as
 * Standard Webhooks describes them, and written here on their own: what checks them (`events/`) shares nothing with this. The specification
 * shows four names of events and no payload (operations.md 7); the rest is assumed here and nowhere else.
 */
import { createHmac } from "node:crypto";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { Random } from "../ports/machine.js";

/** A record, as far as a subscriber is told of it. */
interface Notified {
	id: string;
	status: string;
}

/** One thing that has happened to one record. */
export interface Change {
	/** Names seen: CORPORATE_KYB_VALIDATED, CORPORATE_RELATED_KYC_VALIDATED, BENEFICIARY_CREATED, BENEFICIARY_UPDATED. Others follow them: assumed. */
	type: string;
	/** The record's id, by which deliveries about one record stay in order. */
	subject: string;
	/** Assumed: ids under the names that requests use, and the status. */
	data: Readonly<Record<string, string>>;
}

export const transactionChange = ({ id, status }: Notified): Change => ({
	type: `TRANSACTION_${status}`,
	subject: id,
	data: { transactionId: id, status },
});

export const kybChange = ({ id, kyb: { status } }: { id: string; kyb: { status: string } }): Change => ({
	type: `CORPORATE_KYB_${status}`,
	subject: id,
	data: { corporateId: id, status },
});

export const kycChange = ({ id, corporateId, kyc: { status } }: { id: string; corporateId: string; kyc: { status: string } }): Change => ({
	type: `CORPORATE_RELATED_KYC_${status}`,
	subject: id,
	data: { corporateRelatedId: id, corporateId, status },
});

export const beneficiaryChange = ({ id, status }: Notified, what: "CREATED" | "UPDATED"): Change => ({
	type: `BENEFICIARY_${what}`,
	subject: id,
	data: { beneficiaryId: id, status },
});

/** The body of a delivery: the outer form is the one that Standard Webhooks recommends. Assumed. */
const bodyOf = ({ type, data }: Change, at: Date): string => JSON.stringify({ type, timestamp: at.toISOString(), data });

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after a failed try the next one is made (https://docs.svix.com/retries); the first is made at once. */
const retryAfter: readonly number[] = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** A delivery that was not acknowledged yet. */
export interface QueuedDelivery {
	/** The same for each try. */
	id: string;
	/** The record that it is about. */
	subject: string;
	body: string;
	/** When it is tried next, in milliseconds since the epoch by the sandbox's clock. */
	at: number;
	/** How often it was tried in vain. */
	tries: number;
}

/** What a sandbox keeps of its deliveries. */
export interface Webhooks {
	secret: string;
	waiting: QueuedDelivery[];
	/** How many were given up. */
	failed: number;
}

interface Keeper {
	webhooks?: Webhooks;
}

export class Queue {
	/** @param listens whether there is an address to deliver to; without one nothing waits */
	constructor(
		private readonly state: Keeper,
		private readonly random: Pick<Random, "uuid">,
		private readonly now: () => Date,
		private readonly listens: boolean,
	) {}

	/** Made on first use, so that a sandbox that delivers nothing has none. */
	get #stored(): Webhooks {
		this.state.webhooks ??= { secret: this.#newSecret(), waiting: [], failed: 0 };
		return this.state.webhooks;
	}

	#newSecret(): string {
		const hex = `${this.random.uuid()}${this.random.uuid()}`.replaceAll("-", "");
		return `whsec_${Buffer.from(hex, "hex").toString("base64")}`;
	}

	get secret(): string {
		return this.#stored.secret;
	}

	/** The same queue, for changes that are not delivered. */
	get silent(): Queue {
		return new Queue(this.state, this.random, this.now, false);
	}

	/** Forgets everything but the secret. */
	reset(): void {
		if (this.state.webhooks) Object.assign(this.state.webhooks, { waiting: [], failed: 0 });
	}

	/** Puts a change into the queue. */
	add(change: Change): void {
		if (!this.listens) return;
		const stored = this.#stored;
		const at = this.now();
		const id = `msg_${this.random.uuid().replaceAll("-", "")}`;
		stored.waiting.push({ id, subject: change.subject, body: bodyOf(change, at), at: at.getTime(), tries: 0 });
	}

	/** Those whose time has come, in their order. */
	due(): QueuedDelivery[] {
		const now = this.now().getTime();
		return (this.state.webhooks?.waiting ?? []).filter(({ at }) => at <= now);
	}

	/** Takes a delivery out, or sets the time of its next try. */
	ended(delivery: QueuedDelivery, acknowledged: boolean): void {
		const stored = this.#stored;
		const wait = acknowledged ? undefined : retryAfter[delivery.tries];
		if (wait === undefined) {
			stored.waiting = stored.waiting.filter((one) => one !== delivery);
			if (!acknowledged) stored.failed += 1;
			return;
		}
		delivery.tries += 1;
		delivery.at = this.now().getTime() + wait;
	}
}

/**
 * Posts one delivery.
 * @returns the status of the answer; undefined where there was none in time
 */
export type Post = (headers: Record<string, string>, body: string) => Promise<number | undefined>;

/** Deliveries on their way at once. */
const most = 8;

export class Sender {
	readonly #away = new Set<QueuedDelivery>();

	/** @param clock this machine's: receivers compare the signed time with theirs, however far the sandbox's clock was advanced */
	constructor(
		private readonly queue: Queue,
		private readonly clock: { now(): Date },
		private readonly post: Post,
		private readonly saved: () => Promise<void>,
	) {}

	/** Tries everything that is due. Resolves once nothing of what this call started is on its way and nothing more is due. Never rejects. */
	async send(): Promise<void> {
		const started: Promise<void>[] = [];
		const subjects = new Set([...this.#away].map(({ subject }) => subject));
		for (const delivery of this.queue.due()) {
			if (this.#away.size >= most) break;
			if (subjects.has(delivery.subject)) continue;
			subjects.add(delivery.subject);
			this.#away.add(delivery);
			started.push(this.#try(delivery));
		}
		await Promise.all(started);
	}

	async #try(delivery: QueuedDelivery): Promise<void> {
		const { id, body } = delivery;
		const seconds = Math.floor(this.clock.now().getTime() / 1000);
		const status = await this.post(signedHeaders(this.queue.secret, id, seconds, body), body).catch(() => undefined);
		this.queue.ended(delivery, status !== undefined && status >= 200 && status <= 299);
		this.#away.delete(delivery);
		await this.saved();
		await this.send();
	}
}

/**
 * One signature: HMAC-SHA256 over `id.timestamp.body`.
 * @param seconds since 1970
 */
function signature(secret: string, id: string, seconds: number, body: string): string {
	const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
	return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`, "utf8").digest("base64")}`;
}

/** The headers of a delivery. The provider's names: the open form calls them `webhook-…`. */
export function signedHeaders(secret: string, id: string, seconds: number, body: string): Record<string, string> {
	return {
		"content-type": "application/json",
		"svix-id": id,
		"svix-timestamp": String(seconds),
		"svix-signature": signature(secret, id, seconds, body),
	};
}

/** Milliseconds that a receiver has for its answer, as at the provider. */
const patience = 15_000;

/**
 * Posts a body; a redirection is not followed, and of the answer only the status is read.
 * @throws the system's error, or an AbortError after 15 seconds or once `signal` is aborted
 */
export function post(to: URL, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<number | undefined> {
	const bytes = Buffer.from(body, "utf8");
	const request = to.protocol === "https:" ? requestSecure : requestPlain;
	return new Promise((resolve, reject) => {
		// A connection for each: one that was kept open and closed by the receiver would count as a failed try.
		const options = {
			method: "POST",
			agent: false,
			headers: { ...headers, "content-length": bytes.length },
			signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
		};
		const sent = request(to, options, (answer) => {
			resolve(answer.statusCode);
			answer.on("error", () => {});
			answer.resume();
		});
		sent.on("error", reject);
		sent.end(bytes);
	});
}
