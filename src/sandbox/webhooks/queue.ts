/**
 * What a subscriber is sent, when each delivery is tried, and the secret that signs it. Times are of the sandbox's clock; nothing is sent here. The specification shows four names of events and no payload (operations.md 7); the rest is assumed
 * here and nowhere else.
 */
import type { Random } from "../../ports/machine.js";

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

/** Deliveries that may wait; what comes then is counted as failed. */
const mostWaiting = 100_000;

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
		if (stored.waiting.length >= mostWaiting) {
			stored.failed += 1;
			return;
		}
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
