/**
 * The port that finds out which record a person means. Types only.
 */
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
	/**
	 * What a person can choose from, by name, status and what matters; related entities of one company only. Empty where there is no list: the
	 * id is then typed.
	 * @throws PurserError where nobody is logged in; interrupted
	 */
	offer(kind: RecordKind, offer: Offer): Promise<readonly Choice[]>;
}

/** What a run has learned of a record without asking for it: for people to read, and for the commands that are suggested to them. */
export interface KnownRecord {
	/** What names it in a command as well as its id does. */
	typed?: string;
	name?: string;
	/** Of a person: the company's name. */
	company?: string;
}

/** The name of a ledger or payee as an earlier answer showed it; never a natural person's, because it is stored on disk. */
export interface SeenName {
	kind: "ledger" | "beneficiary";
	id: string;
	name: string;
}

/** Names from earlier answers, for people to read; no decision depends on them. */
export interface SeenNames {
	note(profile: Profile, names: readonly SeenName[]): void;
	read(profile: Profile, kind: SeenName["kind"]): Promise<readonly SeenName[]>;
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
