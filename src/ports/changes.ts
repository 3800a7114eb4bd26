/**
 * Leave for changes at the service: what a person is shown before one, and says to it. Types only.
 */
import type { Advice } from "../errors.js";
import type { JournalIntent } from "./intent.js";
import type { Choice } from "./terminal.js";

/** What a change sends, and to whom, for the question before it. */
export interface About {
	/** As an order, without an end: `Request the KYB of Example Bakery SAS`. */
	title: string;
	/** Label and value, of what is sent and for whom. */
	rows?: readonly (readonly [string, string | undefined])[];
	warnings?: readonly Advice[];
	/** The title as a question, where it is another one. */
	question?: string;
	/** The terms that are accepted with it, where that is known more exactly once it is shown. */
	terms?: readonly AcceptedTerms[];
	acceptsOnly?: true;
}

/** Terms that a change accepts: a legal act in the account owner's name. */
export interface AcceptedTerms {
	version: string;
	/** The account owner's name, where it is known. */
	owner?: string;
	company?: string;
}

/** The terms that a change accepts, and whose word it is that the account owner accepted them; a person who is asked is the operator. */
export interface Acceptance {
	terms: readonly AcceptedTerms[];
	confirmedBy?: JournalIntent["confirmedBy"];
}

export interface Review {
	message: string;
	/** What will be sent, above the choices. */
	above?: readonly string[];
	choices: readonly Choice[];
	/** The choice that sends nothing: the answer of Enter alone on a live profile. */
	otherwise: string;
	/** The order as a title, for a live profile. */
	title?: () => Promise<string | undefined>;
}

/** @property below what is said under it, such as how many rows more there are */
export interface Table {
	columns: readonly string[];
	rows: readonly (readonly string[])[];
	below?: string;
}

export interface Preview {
	title: string;
	/** A time is RFC 3339, shown as the terminal shows times. */
	rows: readonly (readonly [string, string | { time: string }])[];
	/** Under these rows. */
	tables?: readonly Table[];
	/** The same was paid before: when, in RFC 3339, and as what. */
	already?: { at?: string; as: string };
	warnings: readonly Advice[];
	/** What must be typed to confirm on a live profile, such as the amount. */
	amount: string;
	currency?: string;
	/** What was done of it by an earlier run, and what was not: told to a person who does not go on. */
	before?: { done: readonly string[]; notDone: readonly string[] };
}

/** What asking about a payment needs beside its preview. */
export interface PaymentAsked {
	/** `--new-journal`: the journal is declared to be new, so that no earlier payment is known to it. */
	newJournal?: boolean;
	/** It is only signed here; another machine sends it. */
	signsOnly?: true;
}

export interface ChangeAsked extends Partial<Acceptance> {
	/** Asked on every profile, since it cannot be undone. */
	always?: boolean;
}

/** Whether anything may be sent: a person or a script has to say so, once in a run. What was not asked about here is not sent. */
export interface Changes {
	/**
	 * Refuses a change before anything is read for it, where a script lacks a flag.
	 * @param asksItself it asks a person later, or says that it needs a terminal
	 * @throws PurserError guard
	 */
	begin(asksItself?: boolean): Promise<void>;
	/**
	 * On a live profile, and on any where terms are accepted: shows the banner and what is sent, and asks once, unless the flags of a script
	 * say so or it was asked before. Elsewhere it asks where that is `always` done.
	 * @throws PurserError guard, where it is declined, or a script lacks a flag; usage, where nobody can be asked
	 */
	change(about: About | (() => Promise<About>), asked?: ChangeAsked): Promise<void>;
	/**
	 * Asked before something of this machine is removed or replaced, default No; `--yes` says it, and a dry run is not asked.
	 * @throws PurserError guard, where it is declined; usage, where nobody can be asked
	 */
	confirm(question: string): Promise<void>;
	/**
	 * Shows who pays whom how much and asks, default No; on a live profile the amount is typed too. In a script the flags say it.
	 * @returns what the person confirmed; undefined where nobody was asked
	 * @throws PurserError guard, where it is declined or forbidden; usage, where nobody can be asked and --yes is missing
	 */
	payment<S>(preview: () => Promise<Preview & { confirms?: S }>, asked?: PaymentAsked): Promise<S | undefined>;
	/** The client calls it before each payment. @throws Error, where it was not asked about in this run */
	requirePayment(): void;
	/** Shows a review and gives leave where the person sends it. @returns `send`, or the value of another choice */
	review(review: Review, acceptance?: Partial<Acceptance>): Promise<string>;
	/**
	 * The client calls it before each change.
	 * @param version of the terms that the change accepts
	 * @returns whose word it is that they are accepted
	 * @throws PurserError guard, on a live profile where nothing was permitted, and on any for terms that nobody was asked about; Error,
	 *   where the command did not ask
	 */
	require(version?: string): Promise<JournalIntent["confirmedBy"]>;
}
