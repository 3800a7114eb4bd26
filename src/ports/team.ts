/**
 * A team's journal, which is in a PostgreSQL database. Types only.
 */

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

/** A profile's place in a team. */
export interface Membership {
	/** The address as it was given, without a password. */
	url: string;
	/** What the team calls this machine. */
	machine: string;
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
	/** Changes that it carried over from its own journal. */
	carried: number;
	left?: string;
}

/** A login of the database. */
export interface Login {
	login: string;
	/** `owner`, or what it may do. */
	roles: readonly string[];
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
