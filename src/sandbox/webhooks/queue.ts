/**
 * What subscribers hear of, what can go wrong with it on request, when each delivery is tried, and the secrets that sign it. Times are of the
 * sandbox's clock; nothing is sent here. The specification shows four names of events and no payload (operations.md 7); the rest is assumed
 * here and nowhere else.
 */
import type { Random } from "../../ports/machine.js";

/** A record, as far as subscribers hear of it. */
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

export const webhookFaultKinds = ["duplicate", "bad-signature", "lost"] as const;
type WebhookFaultKind = (typeof webhookFaultKinds)[number];

interface WebhookFault {
	kind: WebhookFaultKind;
	/** How many more deliveries it takes. */
	times: number;
}

/** What is typed instead of a fault to get a new secret. */
export const rotation = "rotate";

/**
 * `lost`, `bad-signature:x3`. Without a count it takes one delivery.
 * @throws RangeError saying what is wrong
 */
export function parseWebhookFault(text: string): WebhookFault {
	const [, kind = "", count] = /^([a-z-]+)(?::x(\d{1,6}))?$/.exec(text) ?? [];
	if (!webhookFaultKinds.includes(kind as WebhookFaultKind))
		throw new RangeError(`${JSON.stringify(text)} is not ${rotation} or KIND[:xTIMES]; kinds: ${webhookFaultKinds.join(", ")}`);
	const times = Number(count ?? 1);
	if (times < 1) throw new RangeError(`${kind} takes at least one delivery (x1)`);
	return { kind: kind as WebhookFaultKind, times };
}

export const formatWebhookFault = ({ kind, times }: WebhookFault): string => `${kind}:x${times}`;

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How long after a failed try the next one is made (https://docs.svix.com/retries); the first is made at once. */
export const retryAfter: readonly number[] = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** How long the earlier secret goes on signing with a new one: as long as at the provider. */
export const overlap = 24 * hour;

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
	/** What goes wrong with its next try. */
	fault?: "bad-signature";
}

/** What a sandbox keeps of its deliveries. */
export interface Webhooks {
	/** Newest first, the earlier ones with the time until which they sign too. */
	secrets: { key: string; until?: number }[];
	waiting: QueuedDelivery[];
	/** How many were given up. */
	failed: number;
}

/** A secret from 24 to 64 bytes of randomness. */
export const formatSecret = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString("base64")}`;

interface Keeper {
	webhooks?: Webhooks;
}

export class Queue {
	readonly #state: Keeper;
	readonly #random: Pick<Random, "uuid">;
	readonly #now: () => Date;
	readonly faults: WebhookFault[] = [];
	/** Whether there is an address to deliver to. */
	readonly listens: boolean;

	/** @param listens without an address to deliver to nothing waits */
	constructor(state: Keeper, random: Pick<Random, "uuid">, now: () => Date, listens: boolean) {
		this.#state = state;
		this.#random = random;
		this.#now = now;
		this.listens = listens;
	}

	/** Made on first use, so that a sandbox that delivers nothing has none. */
	get #stored() {
		this.#state.webhooks ??= { secrets: [{ key: this.#newSecret() }], waiting: [], failed: 0 };
		return this.#state.webhooks;
	}

	#newSecret(): string {
		const hex = `${this.#random.uuid()}${this.#random.uuid()}`.replaceAll("-", "");
		return formatSecret(Buffer.from(hex, "hex"));
	}

	/** The secrets that sign now, newest first. */
	get secrets(): string[] {
		const now = this.#now().getTime();
		return this.#stored.secrets.filter(({ until }) => until === undefined || until > now).map(({ key }) => key);
	}

	/** Makes a new secret. @returns until when the earlier one signs too */
	rotate(): Date {
		const until = new Date(this.#now().getTime() + overlap);
		const earlier = this.#stored.secrets.map((one) => ({ ...one, until: one.until ?? until.getTime() }));
		this.#stored.secrets = [{ key: this.#newSecret() }, ...earlier.filter((one) => one.until > this.#now().getTime())];
		return until;
	}

	/** How many wait, and how many were given up. */
	get counts(): { waiting: number; failed: number } {
		return { waiting: this.#state.webhooks?.waiting.length ?? 0, failed: this.#state.webhooks?.failed ?? 0 };
	}

	/** The same queue, for changes that are not delivered. */
	get silent(): Queue {
		return new Queue(this.#state, this.#random, this.#now, false);
	}

	/** Forgets everything but the secrets. */
	reset(): void {
		this.faults.length = 0;
		if (this.#state.webhooks) Object.assign(this.#state.webhooks, { waiting: [], failed: 0 });
	}

	/** Puts a change into the queue, with what is to go wrong with it. */
	add(change: Change): void {
		if (!this.listens) return;
		const stored = this.#stored;
		const fault = this.#nextFault();
		if (fault === "lost") return;
		if (stored.waiting.length >= mostWaiting) {
			stored.failed += 1;
			return;
		}
		const at = this.#now();
		const id = `msg_${this.#random.uuid().replaceAll("-", "")}`;
		const delivery: QueuedDelivery = { id, subject: change.subject, body: bodyOf(change, at), at: at.getTime(), tries: 0 };
		if (fault === "bad-signature") delivery.fault = fault;
		stored.waiting.push(delivery);
		if (fault === "duplicate") stored.waiting.push({ ...delivery });
	}

	#nextFault(): WebhookFaultKind | undefined {
		const [first] = this.faults;
		if (first === undefined) return undefined;
		first.times -= 1;
		if (first.times === 0) this.faults.shift();
		return first.kind;
	}

	/** Takes no more deliveries for what was asked for. */
	clear(): void {
		this.faults.length = 0;
	}

	/** Those whose time has come, in their order. */
	due(): QueuedDelivery[] {
		const now = this.#now().getTime();
		return (this.#state.webhooks?.waiting ?? []).filter(({ at }) => at <= now);
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
		delivery.at = this.#now().getTime() + wait;
		delete delivery.fault;
	}
}
