/**
 * A team's journal, which is in a PostgreSQL database; making, joining and leaving it. Types only.
 */
import type { Membership, Profile } from "./profiles.js";

/** Where a team's journal is. */
export interface TeamAddress {
	/** A name or an address; the folder of a socket begins with a slash. */
	host: string;
	port: number;
	database: string;
	user: string;
	/** Without one, what PGPASSFILE says is tried. */
	password?: string;
	/** The schema that has the tables: a lower-case letter, then such letters, digits and underscores. */
	schema: string;
	/** `verify-full`: encrypted, and the server's certificate names the host; `off`: only to this machine. */
	ssl: "verify-full" | "off";
	/** The certificates of those who sign the server's, PEM; without it, those that Node knows. */
	ca?: string;
}

/** A machine that pays by the team's journal. */
export interface Member {
	machine: string;
	/** Of the journal that it had before, or has for the day when it leaves. */
	installation: string;
	/** Who joined, as the machine said. */
	operator?: string;
	/** RFC 3339 UTC. */
	joined: string;
	left?: string;
}

/** A login of the database, and what it may do; its owner everything. */
export interface Login {
	login: string;
	roles: readonly ("owner" | "reader" | "planner" | "approver" | "sender")[];
}

/** A session of purser in the database now. */
export interface TeamSession {
	/** `purser: PERSON on MACHINE`, and its login. */
	who: string;
	login: string;
	/** RFC 3339 UTC; absent where this login may not see it. */
	since?: string;
	/** `writing`: it holds the lock of all who write; `sending`: it may have payments on their way. */
	holds: readonly ("writing" | "sending")[];
}

/** How the database keeps what it has confirmed. */
export interface Keeping {
	fsync: string;
	synchronousCommit: string;
	/** The servers that follow it, each with whether it waits for them. */
	standbys: readonly { name: string; sync: string }[];
}

/** What a team's members must keep to, whatever their profiles say. */
export interface TeamPolicy {
	/** `always`, `above 1000 EUR` or `above 1000 EUR a day`. */
	approval?: string;
	/** What one login sends on a day (UTC): `5000 EUR`. */
	"cap-per-person-day"?: string;
}

export interface TeamStatus {
	/** For people. */
	address: string;
	members: readonly Member[];
	sessions: readonly TeamSession[];
	keeping: Keeping;
	policy: TeamPolicy;
	logins: readonly Login[];
}

/** What a recovery filled in. */
export interface Recovered {
	/** Outcomes of payments that the database knows. */
	carried: number;
	/** Payments that it did not know, or not as sent. */
	restored: number;
	/** Intents of which the database and the log say different things. */
	contested: string[];
	/** Intents that nobody knows the outcome of. */
	doubts: string[];
	/** Lines of the log that were torn or altered. */
	unreadable: number;
}

/** What concerns the team itself; its journal is opened as every other. */
export interface Teams {
	/** The statements that make a journal at this address. @throws PurserError usage, where it is none, or the policy has another form */
	statements(url: string, policy?: TeamPolicy): Promise<string>;
	/**
	 * Makes the tables, roles and triggers.
	 * @throws PurserError auth, where the login is refused without this password; unavailable; usage, where it exists already
	 */
	create(url: string, asked: { policy: TeamPolicy; password?: string }): Promise<void>;
	/**
	 * Carries this machine's journal over and makes the team's the profile's; see `journal/teams.ts`.
	 * @throws PurserError guard, where a payment or batch of this machine is under way; otherwise as {@link create}
	 */
	join(
		profile: Profile,
		url: string,
		asked: { password?: string; operator?: string; progress(count: number): void },
	): Promise<Membership & { carried: number; warning?: string }>;
	/** Makes the journal of this machine the profile's again. @throws PurserError guard, where payments of it are in doubt */
	leave(profile: Profile): Promise<void>;
	/** Forgets the password of the team's database that is kept on this machine. */
	forget(profile: Profile): Promise<void>;
	status(profile: Profile): Promise<TeamStatus>;
	/**
	 * Fills a database that went back from this machine's log, and adopts it.
	 * @param reason a person's, on record
	 */
	recover(profile: Profile, reason: string): Promise<Recovered>;
}
