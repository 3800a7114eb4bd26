/**
 * The service, as payments, batches and cases are handed it: bound to one run. Types only.
 */
import type { Received } from "../api/answer.js";
import type { AnyOperation, Input } from "../api/operation.js";
import type { Transfer } from "../api/operations/transfer.js";
import type { ExpectedAttempt, JournalIntent, JournalOutcome } from "./intent.js";
import type { Profile } from "./profiles.js";

/** Reading from it, without a change. */
export interface Reading {
	/** The record that an operation answers with. */
	get<O extends AnyOperation>(operation: O, input: Input<O>): Promise<unknown>;
	/** At most `limit` records of a list. */
	list<O extends AnyOperation>(operation: O, input: Input<O>, limit: number): Promise<Listed>;
	/** One page, from 0, of as many records as a page may have. @throws PurserError bug, where the answer is no list */
	page(operation: AnyOperation, query: Record<string, unknown>, page: number): Promise<ListPage>;
}

/** All of it; a command hands in the client's. */
export interface Service extends Reading {
	/** Asks an operation that moves no money. @throws PurserError by what became of it; the dry run's own for a change in a dry run */
	call<O extends AnyOperation>(operation: O, input: Input<O>): Promise<Answered>;
	/** The digest under which the journal keeps a request. */
	digestOf<O extends AnyOperation>(profile: Profile, operation: O, input: Input<O>): string;
	/**
	 * Sends one payment, at most once.
	 * @throws PurserError by what became of it; the dry run's own in a dry run
	 */
	send(transfer: Transfer, beside: BesidePayment): Promise<Answered>;
	/**
	 * Opens the way of many transfers of one kind; `first` is one of them.
	 * @throws PurserError as a single payment does before it begins: usage, auth
	 */
	lane(first: Transfer): Promise<Lane>;
	/** Looks until it is done or the time is over: the last look. @throws PurserError as `look` does; interrupted */
	until<T>(limits: { timeout: number; label: string }, look: () => Promise<Poll<T>>): Promise<Poll<T>>;
}

/** What goes with one payment: for the request, and for the journal. */
export interface BesidePayment {
	/** Fields that the operator adds to the body; those of the transfer itself win. */
	added?: Readonly<Record<string, unknown>>;
	/** Never left out by mistake: what guards a repetition is named, also where there is none. */
	despite: JournalIntent["despite"];
	/** The attempt, settled as not created, that was looked for before this one. */
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
	/** The journal's number, of a change. */
	intent?: string;
	/** Of a transfer: accepted, waiting for the holder's strong authentication (202). */
	waiting: boolean;
}

/** Sends a transfer that is on record as being sent, once; never rejects. */
export type Lane = (transfer: Transfer) => Promise<Arrived>;

/** What became of one transfer of many, and what it says about the way. */
export interface Arrived {
	outcome: JournalOutcome;
	/** HTTP status, where there was an answer. */
	status?: number;
	/** Milliseconds that the service asks to be left alone. */
	wait?: number;
	/** Milliseconds from the start to the end. */
	took: number;
}

/** One look at something that is waited for. */
export interface Poll<T> {
	done: boolean;
	data: T;
}

/** One page of a list as the service gave it. */
export interface ListPage {
	found: Received[];
	/** Nothing but records stood in it. */
	whole: boolean;
	/** How many records the service announces in all, where it does. */
	total?: number;
	/** When the service says it gave it, in milliseconds, where it says so. */
	at?: number;
}

/** A list as far as it was read; `complete`: that is all of it; `at`: when the service says it gave it, in milliseconds, where it says so. */
export interface Listed {
	records: Received[];
	complete: boolean;
	at?: number;
}
