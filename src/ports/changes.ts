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
	/** Accepting the terms is all that it does. */
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

/** A review: everything that will be sent, and choices of which one sends it. */
export interface Review {
	message: string;
	/** What will be sent, above the choices. */
	above?: readonly string[];
	/** Beside sending it. */
	choices: readonly Choice[];
	/** The choice that sends nothing: the answer of Enter alone on a live profile. */
	otherwise: string;
	/** The order as a title, for a live profile. */
	title?: () => Promise<string | undefined>;
}

/** Whether changes may be sent to a live service, and terms accepted at any: a person or a script has to say so, once in a run. */
export interface Changes {
	/**
	 * On a live profile, and on any where terms are accepted: shows the banner and what is sent, and asks once, unless the flags of a script
	 * say so or it was asked before. Elsewhere it does nothing.
	 * @throws PurserError guard, where it is declined, or a script lacks a flag
	 */
	permit(about: About | (() => Promise<About>), acceptance?: Acceptance): Promise<void>;
	/** Shows a review and gives leave where the person sends it. @returns `send`, or the value of another choice */
	review(review: Review, acceptance?: Acceptance): Promise<string>;
	/**
	 * The client calls it before each change.
	 * @param version of the terms that the change accepts
	 * @returns whose word it is that they are accepted
	 * @throws PurserError guard, on a live profile where nothing was permitted, and on any for terms that nobody was asked about
	 */
	require(version?: string): Promise<JournalIntent["confirmedBy"]>;
}
