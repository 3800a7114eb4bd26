/**
 * The port through which payments, batches and cases use the service, bound to one run. Types only.
 */
import type { Received } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import type { Transfer } from "../api/operations/transfer.js";
import type { ExpectedAttempt, IntentRecord, JournalIntent, JournalOutcome } from "./intent.js";
import type { Moment } from "./machine.js";
import type { Profile } from "./profiles.js";

export interface Reading {
	/** The record that an operation answers with. */
	get<O extends AnyOperation>(operation: O, input: Input<O>): Promise<unknown>;
	/**
	 * At most `limit` records of a list, read with at most so many requests. Filters that the deployment cannot be asked for are left out where the
	 * caller sifts too.
	 */
	list<O extends AnyOperation>(operation: O, input: Input<O>, limit: number, requests?: number): Promise<Listed>;
	/**
	 * One page of a list, from 0, with the largest page size; `isUnbounded` where the start of a period was left out.
	 * @param params of the path, where it has any
	 * @throws PurserError bug, if the answer is no list
	 */
	page(operation: AnyOperation, query: Record<string, unknown>, page: number, params?: Record<string, unknown>): Promise<ListPage>;
	/** The digest of all that a profile replaces, as an intent remembers it; undefined where it replaces nothing. */
	mappingOf(profile: Profile): string | undefined;
}

/** The whole port; the client implements it. */
export interface Service extends Reading {
	/** As many records as can be read soon, for a person to choose from. Warns where there are more. */
	offer<O extends AnyOperation>(operation: O, input: Input<O>): Promise<Received[]>;
	/**
	 * Calls an operation that moves no money.
	 * @param beside what is recorded with it
	 * @throws PurserError by its outcome; in a dry run, the dry run's own for a change
	 */
	call<O extends AnyOperation>(operation: O, input: Input<O>, options?: WithChange): Promise<Answered>;
	/** Fetches a document to which an answer refers, from the service's own host only. @throws PurserError, where it does not come */
	document(address: string): Promise<{ bytes: Uint8Array; contentType?: string }>;
	/** The digest of a request, as the journal records it. */
	digestOf<O extends AnyOperation>(profile: Profile, operation: O, input: Input<O>): string;
	/** @throws PurserError guard, where nobody has confirmed what the mapping sends for an operation; see `http/confirm` */
	requireConfirmed(operation: AnyOperation): Promise<void>;
	/**
	 * Sends one payment, at most once.
	 * @throws PurserError by its outcome; the dry run's own in a dry run
	 */
	send(transfer: Transfer, options: WithPayment): Promise<Answered>;
	/**
	 * Sends the request of a doubt once more, with the idempotency key of its attempt. The caller must have asked a person.
	 * @returns what the answer proves; it settles nothing by itself
	 * @throws PurserError guard, where the mapping names no key, says not for how long keys are kept, changed since, or that time is over
	 */
	resend(record: IntentRecord): Promise<JournalOutcome>;
	/**
	 * Prepares the sending of many transfers of one kind; `first` is one of them.
	 * @throws PurserError usage or auth, as a single payment does before it begins
	 */
	sender(first: Transfer): Promise<Sender>;
	/** Polls until it is done or the time is over, and returns the last poll. @throws PurserError as `poll` does; interrupted */
	until<T>(limits: { timeout: number; label: string }, poll: () => Promise<Poll<T>>): Promise<Poll<T>>;
}

/** What accompanies another change, for the journal. */
export type WithChange = Pick<JournalIntent, "despite" | "reviewed">;

/** What accompanies a payment, for the journal. */
export interface WithPayment {
	/** Overridden duplicates. A required property, so that no caller leaves it out by mistake. */
	despite: JournalIntent["despite"];
	/** The attempt, settled as not created, that was looked for before this one. Required for the same reason. */
	expected: ExpectedAttempt | undefined;
}

/** A whole, successful answer. */
export interface Answered {
	data?: unknown;
	/** As received. */
	bytes: Uint8Array;
	/** Media type in lower case without parameters. */
	contentType?: string;
	/** The new record's UUID. */
	id?: string;
	/** For a change: the journal's number. */
	intent?: string;
	/** For a transfer: accepted, waiting for the holder's strong authentication (202). */
	waiting: boolean;
}

/** Which attempt a transfer is sent as. */
export interface AttemptOf {
	/** The journal's number. */
	intent: string;
	attempt: number;
	/** When it was about to be recorded. */
	recorded: Moment;
}

/** Sends a transfer that is recorded as being sent, once; never rejects. */
export type Sender = (transfer: Transfer, of: AttemptOf) => Promise<Arrived>;

/** The outcome of one transfer of many, and what it says about the service's load. */
export interface Arrived {
	outcome: JournalOutcome;
	/** HTTP status, if there was an answer. */
	status?: number;
	/** Milliseconds that the service asks to wait (Retry-After). */
	wait?: number;
	/** Refused with 401, and the token that it left with was renewed since. */
	renewed?: boolean;
	/** It did not leave, because it was recorded too long before. */
	tooOld?: true;
	/** Milliseconds from the start to the end. */
	took: number;
}

export interface Poll<T> {
	done: boolean;
	data: T;
}

/** One page of a list as received. */
export interface ListPage {
	found: Received[];
	/** Whether every entry was a record. */
	whole: boolean;
	/** How many records the service announces in total, if it does. */
	total?: number;
	/** The time of the answer by the service's clock, in milliseconds, if it has one. */
	at?: number;
	/** Names of what the profile's mapping always asks this list with: it may leave records out. */
	narrowed?: string;
	/** The deployment cannot be asked for the start of a period: earlier records may be among these. */
	isUnbounded?: boolean;
}

/** A list as far as it was read. */
export interface Listed {
	records: Received[];
	/** That is all of it. */
	complete: boolean;
	/** The bound that ended the reading, in words. */
	cut?: string;
	/** The earliest time of its answers by the service's clock, in milliseconds, if known. */
	at?: number;
}
