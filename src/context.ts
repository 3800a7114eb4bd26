/**
 * What a run is given: everything outside, the flags and settings, and what a run reports on standard error. Types only; the ports it is made of stand in `ports/`.
 * `main.ts` builds the real ones, the tests build theirs; two runs with two contexts in one process never meet.
 * Cheap things are values; costly ones are functions that load late and give the same thing each time.
 */
import type { Field } from "./api/schema.js";
import type { Advice } from "./errors.js";
import type { Batches } from "./ports/batches.js";
import type { CompletionCache } from "./ports/completion-cache.js";
import type { Journal } from "./ports/journal.js";
import type { Clock, Files, Processes, Random, ServiceClock } from "./ports/machine.js";
import type { Credentials, Profile, Profiles, Signing } from "./ports/profiles.js";
import type { Choice, Prompts, Terminal } from "./ports/terminal.js";
import type { Transport } from "./ports/wire.js";

/** What the global flags say; undefined where a flag was not given. */
export interface Flags {
	profile?: string;
	baseUrl?: string;
	/** Form of the answer; `--json` is json. */
	output?: string;
	/** Milliseconds. */
	timeout?: number;
	dryRun: boolean;
	yes: boolean;
	live: boolean;
	debug: boolean;
	interactive: boolean;
}

/** One setting with the value in force and where it came from, for `config explain`. */
export interface Explained {
	key: string;
	meaning: string;
	value: string | undefined;
	from: "flag" | "environment" | "profile" | "default";
	/** The flag, variable or profile that won. */
	source?: string;
	fallback?: string;
}

/** Everything outside, as `main.ts` hands it in. */
export interface Outside {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly platform: string;
	readonly version: string;
	readonly terminal: Terminal;
	readonly clock: Clock;
	readonly serviceClock: ServiceClock;
	readonly random: Random;
	readonly files: Files;
	readonly processes: Processes;
	/** Aborted by Ctrl-C, TERM, HUP. `reason` is "SIGINT" and so on. */
	readonly signal: AbortSignal;
	/** The `file:` address of a file that was installed with the program; undefined where there is none. */
	shipped(name: string): string | undefined;
	/** The text of a file that was installed with the program, or lies inside a single executable; undefined where there is none. */
	shippedText(name: string): Promise<string | undefined>;
	/** Opens an address in the person's browser. Resolves false where there is none. */
	openBrowser(address: string): Promise<boolean>;
	/** Copies text to the person's clipboard. Resolves the program's name, `OSC 52` for the terminal, undefined where there is neither. */
	clipboard(text: string): Promise<string | undefined>;
	prompts(): Promise<Prompts>;
	transport(): Promise<Transport>;
	journal(profile: Profile): Promise<Journal>;
	/** Whether the profile has a journal yet: opening one makes it. */
	hasJournal(profile: Profile): Promise<boolean>;
	/** The batches of a profile's journal, over a connection of their own. */
	batches(profile: Profile): Promise<Batches>;
	/**
	 * Flag > environment > profile > default.
	 * @throws PurserError usage, where no profile is configured: says how to start on the sandbox or log in
	 */
	resolve(flags: Flags): Promise<{ settings: Settings; explained: readonly Explained[] }>;
	profiles(): Promise<Profiles>;
	readonly completionCache: CompletionCache;
	/** Where configuration and state are kept; the folders may not be there yet. */
	place(): Promise<{ config: string; state: string }>;
	/** `warn` is told what is not as it should be with a secret's file. */
	credentials(warn?: (message: string) => void): Promise<Credentials>;
	signing(): Promise<Signing>;
	/**
	 * Who asks, for the record: `PURSER_OPERATOR`, else the system's user; undefined where neither is known.
	 * @throws PurserError usage, where the variable is no name
	 */
	operator(): Promise<string | undefined>;
}

export interface Settings {
	/** The profile in use, with environment variables and flags applied. */
	profile: Profile;
	dryRun: boolean;
	yes: boolean;
	live: boolean;
	/** Milliseconds for one exchange with the service. */
	timeout: number;
	/** Milliseconds within which a payment that was made appears in the service's list. */
	settleAfter: number;
	/** Who decides that a payment which is not listed was not created. */
	absence: "person" | "list";
	/** Follow every call on standard error, redacted. */
	debug: boolean;
	/** Whether a person can be asked: see conventions, Streams. */
	interactive: boolean;
	/** The profile is an address alone, without the caps and the approval of a stored one, and no flag says that this is meant. */
	unnamed: boolean;
}

/** The context of one run: everything outside, what was set, and what a run reports on standard error. */
export interface Context extends Outside {
	/** @throws PurserError usage, where no profile is configured: says how to start on the sandbox or log in */
	settings(): Promise<Settings>;
	/** Every setting with where it came from. */
	explained(): Promise<readonly Explained[]>;
	/** The global flags of this run. */
	readonly flags: Flags;
	readonly reporter: Reporter;
	/** As text for an answer: its commands name the profile that the run was given. */
	readonly shown: (advice: Advice) => string;
	readonly documents: Documents;
}

/** Files of input, as JSON or YAML, beside the one that the frame reads for `--from`. */
export interface Documents {
	/**
	 * Numbers come as their literals, empty entries are left out.
	 * @param source a path, or `-` for standard input
	 * @throws PurserError usage, where it cannot be read or is neither JSON nor YAML
	 */
	read(source: string): Promise<unknown>;
	/** The value as YAML, with a comment in front. */
	yaml(value: unknown, comment: string): Promise<string>;
	/** What a person can choose from for a field; undefined where anything may be typed. */
	choices(field: Field): Promise<readonly Choice[] | undefined>;
}

/** Everything a run tells beside its answer. All on standard error, control characters neutralised. */
export interface Reporter {
	readonly warn: (message: Advice) => void;
	/** Only with --verbose. */
	verbose(message: string): void;
	/** Only with --debug. */
	debug(message: string): void;
	/** Writes to standard output at once, for a command whose answer comes in pieces; nothing with --json. */
	show(text: string): Promise<void>;
	/** The same with what this very program printed in a run of its own: it passed the gate there, and its colours are meant. */
	passOn(printed: string): Promise<void>;
	/**
	 * Writes a line of NDJSON to standard output at once, with `--output ndjson`; nothing otherwise, and nothing is made then.
	 * @returns false where nobody reads it any more
	 */
	record(make: () => unknown): Promise<boolean>;
	/** A spinner on a terminal, a plain line at start and end elsewhere, while `work` runs. */
	during<T>(label: string, work: (update: (label: string) => void) => Promise<T>): Promise<T>;
}
