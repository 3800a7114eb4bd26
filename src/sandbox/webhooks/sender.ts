/**
 * Signs and sends the deliveries that are due: several at a time, those about one record one after the other. Signatures are as Standard
 * Webhooks describes them, and written here on their own: what checks them (`events/`) shares nothing with this.
 */
import { createHmac } from "node:crypto";
import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { Queue, QueuedDelivery } from "./queue.js";

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
