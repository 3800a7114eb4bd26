import type { Mapping } from "./mapping.js";

export type Auth = { kind: "login"; username?: string; partnerName?: string } | { kind: "header"; header: string } | { kind: "none" };

export interface Profile {
	name: string;
	baseUrl: string;
	environment: "sandbox" | "live";
	auth: Auth;
	/** Where the API of its service differs from the description; absent where it does not. */
	mapping?: Mapping;
	/** The requests of the mapping that somebody confirmed, by operation id. */
	confirmations?: Readonly<Record<string, MappingConfirmation>>;
	/** Its journal is a team's; absent where it is a file on this machine. */
	team?: Membership;
	/** Preferences by config key; see `config explain`. */
	settings: Record<string, string>;
}

/** That somebody saw the exact request that a mapping makes and said that it is right. */
export interface MappingConfirmation {
	/** Of what was shown; anything else is not confirmed. */
	digest: string;
	/** The service that it was shown for: scheme, host, port and base path. */
	service: string;
	at: string;
	by?: string;
}

export interface Profiles {
	list(): Promise<Profile[]>;
	/** The profile of that name; without a name, the current one. */
	get(name?: string): Promise<Profile | undefined>;
	/** Adds a profile, or replaces one whole. */
	save(profile: Profile): Promise<void>;
	/** Changes a profile as it is stored at that moment, so that nothing is lost of what another process stored meanwhile. */
	change(name: string, next: (stored: Profile) => Profile): Promise<void>;
	remove(name: string): Promise<void>;
	current(): Promise<string | undefined>;
	use(name: string): Promise<void>;
	readonly file: string;
	/** Why somebody else may have written the configuration, and the fix; undefined if nobody else can, and on Windows. */
	distrust(): Promise<{ why: string; fix: string } | undefined>;
	/** The live profile that has paid at a service before, and the file that says so; undefined if none has. */
	liveAt(service: string): Promise<{ profile: string; file: string } | undefined>;
}

export type Credential = { kind: "tokens"; token: string; refreshToken?: string } | { kind: "header"; value: string };

/** Secrets, each bound to a profile's scheme, host and port. */
export interface Credentials {
	/** The credential to use now, and where it came from (`PURSER_TOKEN`, `keyring`, the file's path). */
	get(profile: Profile): Promise<{ credential: Credential; from: string } | undefined>;
	/** Stores the credential; the warning names the file if there is no keyring. */
	set(profile: Profile, credential: Credential): Promise<{ where: string; warning?: string }>;
	remove(profile: Profile): Promise<boolean>;
	/** Runs `act` under the machine-wide lock of this profile's login. @param act receives whether the lock is held; it runs without it if that cannot be had in time */
	withLock<T>(profile: Profile, act: (held: boolean) => Promise<T>): Promise<T>;
}

/** This person's Ed25519 key, which approves batches. The private key never leaves the port. */
export interface Signing {
	/** The public key (base64url of its 32 bytes) and where the key is stored; undefined if there is none. */
	own(): Promise<{ key: string; where: string } | undefined>;
	/** Creates the key, unless there is one. The warning names the file if there is no keyring. */
	make(): Promise<{ key: string; where: string; warning?: string }>;
	/** @returns the signature, base64url. @throws PurserError usage, if there is no key */
	sign(message: Uint8Array): Promise<string>;
}

/** A profile's place in a team. */
export interface Membership {
	/** The address as it was given, without a password. */
	url: string;
	/** What the team calls this machine. */
	machine: string;
}
