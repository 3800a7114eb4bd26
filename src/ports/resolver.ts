/**
 * The port that finds out which record a person means. Types only.
 */
import type { Received } from "../api/answer.js";
import type { Profile } from "./profiles.js";
import type { Choice } from "./terminal.js";

/** The kinds of record that can be named. */
export type RecordKind = "corporate" | "related" | "ledger" | "beneficiary" | "transaction" | "batch";

/** By what a record was found: the beginning of its id, its externalId, its name, a person's email. */
export type MatchedBy = "id" | "prefix" | "externalId" | "name" | "email";

/** A record that a text may mean. */
export interface Candidate {
	kind: RecordKind;
	id: string;
	name?: string;
	/** Of a person: the company's name. */
	company?: string;
	/** Its name, status and what else tells it apart, on one line. */
	label: string;
	/** Every way in which the text fits it. */
	by: readonly MatchedBy[];
}

/** Where a record is looked for. */
export interface Scope {
	/** Related entities: only those of this company. */
	corporateId?: string;
	/** Payees: where one fits that belongs to the company of this ledger, no other is meant. */
	ledgerId?: string;
}

/** What the service's lists say about a text. */
export interface Findings {
	/** All of them, by id; the ways of matching are not ranked. */
	candidates: readonly Candidate[];
	/** The lists were seen to their end: no record that is not among the candidates fits. */
	whole: boolean;
	/** Names of records that nearly fit. */
	similar: readonly string[];
	/** There is no such list, or not for this user; `by`: by what that is known, like `HTTP 404`. */
	unlisted?: { kind: RecordKind; by: string };
	/** A person was named without a company. */
	needsCompany?: true;
}

/** What a prompt leaves out or asks within. */
export interface Offer extends Scope {
	/** Only ledgers that can be debited or credited. */
	payable?: boolean;
}

/** Finds records of the service by what a person calls them. Reads only; the lists of one run are read once. */
export interface Resolver {
	/** @throws PurserError as the service does, unless it has no such list */
	find(kind: RecordKind, text: string, scope: Scope): Promise<Findings>;
	/** The records of the list in which {@link find} looks. @throws PurserError as the service does */
	records(kind: "ledger" | "beneficiary"): Promise<readonly Received[]>;
	/**
	 * What a person can choose from, by name, status and what matters; related entities of one company only. Empty where there is no list: the
	 * id is then typed.
	 * @throws PurserError where nobody is logged in; interrupted
	 */
	offer(kind: RecordKind, offer: Offer): Promise<readonly Choice[]>;
	/**
	 * What people call records. What no answer has told yet is read from the service, within a few requests and seconds; nothing fails where that
	 * does not succeed.
	 */
	names(wanted: readonly Called[]): Promise<NameOf>;
}

/** A record to be named. */
export type Called = readonly [kind: SeenName["kind"], id: string | undefined];

/** What people call a record: `Main account of Example Bakery SAS`. Undefined where nothing told it, or two are called the same. */
export type NameOf = (kind: SeenName["kind"], id: string | undefined) => string | undefined;

/** What a run has learned of a record without asking for it: for people to read, and for the commands that are suggested to them. */
export interface KnownRecord {
	/** What names it in a command as well as its id does. */
	typed?: string;
	name?: string;
	/** Of a person: the company's name. */
	company?: string;
}

/** The name of a record as an answer showed it. */
export interface SeenName {
	kind: "ledger" | "beneficiary" | "corporate" | "related" | "transaction";
	id: string;
	/** Empty where it is a natural person's and not of this run. */
	name: string;
	/** The id of the company that it belongs to. */
	of?: string;
	/** A natural person's, or of a payment: it is not written to disk. */
	personal?: true;
}

/** Names from answers of this run and of earlier ones, for people to read; no decision depends on them. */
export interface SeenNames {
	note(profile: Profile, names: readonly SeenName[]): void;
	read(profile: Profile): Promise<readonly SeenName[]>;
}

/** Which record was taken for what was given; a key of the answer for programs. */
export interface Named {
	/** The flag, or the argument in capitals. */
	argument: string;
	given: string;
	kind: RecordKind;
	id: string;
	name?: string;
}
