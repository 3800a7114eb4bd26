/**
 * Events of the service as they arrive and as they are printed, and the secrets that they are checked with. Types only; `events/` reads and
 * checks them.
 */
import type { Profile } from "./profiles.js";

export interface EventSubject {
	kind: "transaction" | "corporate" | "related" | "beneficiary" | "ledger" | "unknown";
	id: string;
}

export type EventSource = "webhook" | "poll";

/** What our own read found of an event's subject. Only this counts. */
export interface Confirmed {
	status: string;
	/** RFC 3339 UTC. */
	at: string;
}

/** What happened, in one form whatever brought it. The JSON of every events command is this object, keys in this order. */
export interface ServiceEvent {
	/** `evt_` and 32 hex digits; of a delivery the same on every machine. */
	id: string;
	/** Lower case with full stops: `transaction.approved`; the sender's own word, in that form, where it is not one we know. */
	type: string;
	/** RFC 3339 UTC: when its delivery was signed; of a poll, when it was seen. */
	at: string;
	subject: EventSubject | null;
	/** States in the words of the service (`PENDING`, `APPROVED`); null where nothing names them. */
	from: string | null;
	to: string | null;
	source: EventSource;
	/** Whether a signature held. A poll is our own read: true. */
	verified: boolean;
	/** Null where no read was made, or it failed. */
	confirmed: Confirmed | null;
	/** The body as it came, where it is stored (7 days) and is JSON; numbers are `Decimal`. */
	raw?: unknown;
}

/** What a body, or the difference of two polls, says. */
export interface Change {
	type: string;
	/** RFC 3339 UTC; undefined where it is not known. */
	at?: string;
	subject: EventSubject | null;
	from: string | null;
	to: string | null;
}

/** A delivery as it came, after its signature held. */
export interface VerifiedDelivery {
	/** The sender's id, which its signature covers. */
	id: string;
	/** Names in lower case, as they came: what a receiving program needs to verify it again. */
	headers: Readonly<Record<string, string | readonly string[] | undefined>>;
	body: Uint8Array;
}

export interface Notice {
	source: EventSource;
	change: Change;
	delivery?: VerifiedDelivery;
}

/** A hook's work on one event. */
export interface HookState {
	/** The digest of its words. */
	hook: string;
	state: "due" | "done" | "failed";
	why: string | null;
}

export interface StoredDelivery {
	/** The sender's id. */
	id: string;
	/** SHA-256 of the body, hex. */
	digest: string;
	/** Undefined where the body is no longer stored, or never was. */
	headers?: Readonly<Record<string, string | readonly string[]>>;
	body?: Uint8Array;
}

/** An event with everything that the inbox knows of it. */
export interface StoredEvent {
	event: ServiceEvent;
	receivedAt: string;
	/** Absent where a poll saw the event. */
	delivery?: StoredDelivery;
	hooks: readonly HookState[];
}

export interface EventFilter {
	limit?: number;
	/** RFC 3339 UTC: received at this time or later. */
	since?: string;
	/** Names, or their beginnings with `*` at the end: `transaction.*`. Any of them. */
	types?: readonly string[];
	subject?: string;
	failed?: boolean;
}

/** The events of one profile on this machine, apart from its journal. */
export interface Inbox {
	readonly file: string;
	/**
	 * Durable when it resolves (many share one commit).
	 * @param hooks digests of the hooks that a new event is due for at once; stored in the same commit
	 * @returns `isNew` false for a repeat, which nobody is shown
	 */
	receive(notice: Notice, hooks?: readonly string[]): Promise<{ event: ServiceEvent; isNew: boolean }>;
	/** Nothing where there is no such event. */
	confirm(id: string, confirmed: Confirmed): Promise<void>;
	/** The newest first. */
	list(filter: EventFilter): Promise<ServiceEvent[]>;
	/**
	 * @param id the whole id, or the beginning of one event's id alone, at least four digits of it
	 * @throws PurserError usage, where several begin so
	 */
	show(id: string): Promise<StoredEvent | undefined>;
	/** Where polls have come to. */
	place(): Promise<string | undefined>;
	setPlace(place: string): Promise<void>;
	readonly hooks: {
		/** Ids of events, the oldest first. */
		due(hook: string, most: number): Promise<string[]>;
		/** Nothing where there is no such event. @param why null where it acknowledged */
		ended(event: string, hook: string, why: string | null): Promise<void>;
	};
	close(): void;
}

export interface EventSecret {
	name: string;
	/** RFC 3339 UTC. */
	addedAt: string;
	/** The first 8 hex digits of the SHA-256 of the secret. */
	fingerprint: string;
	secret: string;
}

type Whose = Pick<Profile, "name" | "baseUrl">;

/** The secrets of one profile, bound to its scheme, host and port. */
export interface EventSecrets {
	/** @throws PurserError auth, where they were added for another address of the profile, or the keyring lost them; usage, where a file cannot be read */
	list(profile: Whose): Promise<readonly EventSecret[]>;
	/** Another text after each change of the list, by whatever process; cheap to read. */
	stampOf(profile: Pick<Profile, "name">): string;
	/** @throws PurserError usage, where the name is taken; as `list` */
	add(profile: Whose, secret: Omit<EventSecret, "fingerprint">): Promise<{ where: string; warning?: string }>;
	/** @returns whether there was one of that name */
	remove(profile: Whose, name: string): Promise<boolean>;
	/** Removes all of the profile's, whatever address they are for. */
	clear(profile: Whose): Promise<void>;
}
