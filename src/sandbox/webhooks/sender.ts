/**
 * Sends the deliveries that are due: several at a time, those about one record one after the other.
 */
import type { Queue, QueuedDelivery } from "./queue.js";
import { formatSecret, signedHeaders } from "./signing.js";

/**
 * Posts one delivery.
 * @returns the status of the answer; undefined where there was none in time
 */
export type Post = (headers: Record<string, string>, body: string) => Promise<number | undefined>;

/** Deliveries on their way at once. */
const most = 8;

/** A `late` delivery was signed so long before it is sent: more than receivers tolerate. */
const lateness = 10 * 60;

export class Sender {
	readonly #queue: Queue;
	readonly #post: Post;
	readonly #clock: { now(): Date };
	readonly #saved: () => Promise<void>;
	readonly #away = new Set<QueuedDelivery>();

	/** @param clock this machine's: receivers compare the signed time with theirs, however far the sandbox's clock was advanced */
	constructor(queue: Queue, clock: { now(): Date }, post: Post, saved: () => Promise<void>) {
		this.#queue = queue;
		this.#clock = clock;
		this.#post = post;
		this.#saved = saved;
	}

	/** Tries everything that is due. Resolves once nothing of what this call started is on its way and nothing more is due. Never rejects. */
	async send(): Promise<void> {
		const started: Promise<void>[] = [];
		const subjects = new Set([...this.#away].map(({ subject }) => subject));
		for (const delivery of this.#queue.due()) {
			if (this.#away.size >= most) break;
			if (subjects.has(delivery.subject)) continue;
			subjects.add(delivery.subject);
			this.#away.add(delivery);
			started.push(this.#try(delivery));
		}
		await Promise.all(started);
	}

	async #try(delivery: QueuedDelivery): Promise<void> {
		const { id, body, fault } = delivery;
		const seconds = Math.floor(this.#clock.now().getTime() / 1000) - (fault === "late" ? lateness : 0);
		const secrets = fault === "bad-signature" ? [formatSecret(new Uint8Array(32))] : this.#queue.secrets;
		const status = await this.#post(signedHeaders(secrets, id, seconds, body), body).catch(() => undefined);
		this.#queue.ended(delivery, status !== undefined && status >= 200 && status <= 299);
		this.#away.delete(delivery);
		await this.#saved();
		await this.send();
	}
}
