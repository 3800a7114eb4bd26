/**
 * What a subscriber is sent, when each delivery is tried, and the secret that signs it. Times are of the sandbox's clock. Signatures are as
 * Standard Webhooks describes them, and written here on their own: what checks them (`events/`) shares nothing with this. The specification
 * shows four names of events and no payload (operations.md 7); the rest is assumed here and nowhere else.
 */
import { createHmac } from "node:crypto";
import { request } from "node:http";
import { withDeadline } from "../api/deadline.js";
import type { Random } from "../ports/machine.js";
import type { Beneficiary, Corporate, LedgerTransaction, QueuedDelivery, Related, State, Webhooks } from "./state.js";

/** One thing that has happened to one record. */
interface Change {
	/** Names seen: CORPORATE_KYB_VALIDATED, CORPORATE_RELATED_KYC_VALIDATED, BENEFICIARY_CREATED, BENEFICIARY_UPDATED. Others follow them: assumed. */
	type: string;
	/** Assumed: ids under the names that requests use, and the status. */
	data: Readonly<Record<string, string>>;
}

export const transactionChange = ({ id, status }: LedgerTransaction): Change => ({
	type: `TRANSACTION_${status}`,
	data: { transactionId: id, status },
});

export const kybChange = ({ id, kyb: { status } }: Corporate): Change => ({
	type: `CORPORATE_KYB_${status}`,
	data: { corporateId: id, status },
});

export const kycChange = ({ id, corporateId, kyc: { status } }: Related): Change => ({
	type: `CORPORATE_RELATED_KYC_${status}`,
	data: { corporateRelatedId: id, corporateId, status },
});

export const beneficiaryChange = ({ id, status }: Beneficiary, what: "CREATED" | "UPDATED"): Change => ({
	type: `BENEFICIARY_${what}`,
	data: { beneficiaryId: id, status },
});

/** The body of a delivery: the outer form is the one that Standard Webhooks recommends. Assumed. */
const bodyOf = ({ type, data }: Change, at: Date): string => JSON.stringify({ type, timestamp: at.toISOString(), data });

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after a failed try the next one is made (https://docs.svix.com/retries); the first is made at once. */
const retryAfter: readonly number[] = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/**
 * Posts one delivery.
 * @returns the status of the answer; undefined where there was none in time
 */
export type Post = (headers: Record<string, string>, body: string) => Promise<number | undefined>;

export class Deliveries {
	#running: Promise<void> | undefined;

	/**
	 * @param now by the sandbox's clock: when deliveries are due
	 * @param signedAt by this machine's: receivers compare the signed time with theirs, however far the sandbox's clock was advanced
	 * @param post absent where there is no address to deliver to: then nothing waits
	 */
	constructor(
		private readonly state: State,
		private readonly random: Pick<Random, "uuid">,
		private readonly now: () => Date,
		private readonly signedAt: () => Date,
		private readonly post: Post | undefined,
		private readonly saved: () => Promise<void>,
	) {}

	/** Made on first use, so that a sandbox that delivers nothing has none. */
	get #stored(): Webhooks {
		const made = (): string => Buffer.from(`${this.random.uuid()}${this.random.uuid()}`.replaceAll("-", ""), "hex").toString("base64");
		this.state.webhooks ??= { secret: `whsec_${made()}`, waiting: [] };
		return this.state.webhooks;
	}

	get secret(): string {
		return this.#stored.secret;
	}

	add(change: Change): void {
		if (this.post === undefined) return;
		const at = this.now();
		const id = `msg_${this.random.uuid().replaceAll("-", "")}`;
		this.#stored.waiting.push({ id, body: bodyOf(change, at), at: at.getTime(), tries: 0 });
	}

	/** Tries everything that is due, one after another. Never rejects. */
	deliver(): Promise<void> {
		this.#running ??= this.#deliverDue().finally(() => {
			this.#running = undefined;
		});
		return this.#running;
	}

	async #deliverDue(): Promise<void> {
		const due = (): QueuedDelivery | undefined => this.state.webhooks?.waiting.find(({ at }) => at <= this.now().getTime());
		for (let one = due(); one !== undefined; one = due()) {
			const seconds = Math.floor(this.signedAt().getTime() / 1000);
			const status = await this.post?.(signedHeaders(this.secret, one.id, seconds, one.body), one.body).catch(() => undefined);
			this.#tried(one, status !== undefined && status >= 200 && status <= 299);
			await this.saved();
		}
	}

	/** Takes a delivery out, or sets the time of its next try. */
	#tried(delivery: QueuedDelivery, acknowledged: boolean): void {
		const wait = acknowledged ? undefined : retryAfter[delivery.tries];
		if (wait === undefined) this.#stored.waiting = this.#stored.waiting.filter((one) => one !== delivery);
		else Object.assign(delivery, { tries: delivery.tries + 1, at: this.now().getTime() + wait });
	}
}

/**
 * The headers of a delivery, signed by HMAC-SHA256 over `id.timestamp.body`. The provider's names: the open form calls them `webhook-…`.
 * @param seconds since 1970
 */
export function signedHeaders(secret: string, id: string, seconds: number, body: string): Record<string, string> {
	const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
	return {
		"content-type": "application/json",
		"svix-id": id,
		"svix-timestamp": String(seconds),
		"svix-signature": `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`, "utf8").digest("base64")}`,
	};
}

/** Milliseconds that a receiver has for its answer, as at the provider. */
const patience = 15_000;

/**
 * Posts a body; a redirection is not followed, and of the answer only the status is read.
 * @throws the system's error, or an AbortError after 15 seconds or once `signal` is aborted
 */
export function post(to: URL, headers: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<number | undefined> {
	const limit = withDeadline(patience, signal);
	return new Promise((resolve, reject) => {
		// A connection for each: one that was kept open and closed by the receiver would count as a failed try.
		const sent = request(to, { method: "POST", agent: false, headers, signal: limit }, (answer) => {
			resolve(answer.statusCode);
			answer.on("error", () => {}).resume();
		});
		sent.on("error", reject).end(body);
	});
}
