/**
 * What a run is given: the ports, the flags and settings, and the reporter. Types only; the ports themselves are in `ports/`.
 * `main.ts` builds the real ones, tests build theirs; runs with different contexts in one process share nothing.
 * What is cheap is a value; what is costly is a function that loads late and returns the same object each time.
 */
import type { Field } from "./api/schema.js";
import type { IdForms } from "./api/text/ids.js";
import type { Advice } from "./errors.js";
import type { Batches } from "./ports/batches.js";
import type { Changes } from "./ports/changes.js";
import type { EventSecrets, Inbox } from "./ports/events.js";
import type { Journal } from "./ports/journal.js";
import type { Clock, Files, Opened, Processes, Random, ServiceClock, ShownDocument } from "./ports/machine.js";
import type { Credentials, Profile, Profiles, Signing } from "./ports/profiles.js";
import type { OpenReceiver } from "./ports/receiver.js";
import type { Called, KnownRecord, NameOf, Resolver, SeenNames } from "./ports/resolver.js";
import type { Service } from "./ports/service.js";
import type { Style } from "./ports/style.js";
import type { Teams } from "./ports/team.js";
import type { Choice, Prompts, Terminal } from "./ports/terminal.js";
import type { Transport } from "./ports/wire.js";

/** The global flags; undefined where a flag was not given. */
export interface Flags {
	profile?: string;
	baseUrl?: string;
	/** The output format; `--json` is json. */
	output?: string;
	timeout?: number;
	dryRun: boolean;
	yes: boolean;
	live: boolean;
	debug: boolean;
	verbose?: boolean;
	/** Times are shown in UTC, and days by name are of UTC. */
	utc?: boolean;
	interactive: boolean;
}

/** One setting with its value and where that came from, for `config explain`. */
export interface Explained {
	key: string;
	meaning: string;
	value: string | undefined;
	from: "flag" | "environment" | "profile" | "default";
	source?: string;
	fallback?: string;
}

/** The machine and the program: its variables, its streams, other programs, the browser. */
export interface System {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly platform: string;
	readonly version: string;
	/** The version of Node that runs it, like `20.19.0`. */
	readonly node: string;
	readonly terminal: Terminal;
	readonly processes: Processes;
	/** Opens a receiver of deliveries on this machine. @throws the system's error where the port cannot be had */
	readonly receiver: OpenReceiver;
	/** The text of a file that was installed with the program, or lies inside a single executable; undefined where there is none. */
	shippedText(name: string): Promise<string | undefined>;
	/**
	 * Shows a document in the person's browser, without a copy on the disk; waits until a browser has read it.
	 * @throws PurserError interrupted
	 */
	showDocument(document: ShownDocument): Promise<Opened>;
	transport(): Promise<Transport>;
}

/** What is kept of payments and other changes, by profile: the journal, its batches, the inbox of events. */
export interface Journals {
	of(profile: Profile): Promise<Journal>;
	/** Whether the profile has a journal yet; opening creates one. */
	exists(profile: Profile): Promise<boolean>;
	/** The batches of a profile's journal, over a connection of their own. */
	batches(profile: Profile): Promise<Batches>;
	/** The profile's inbox of events; opening creates its file. */
	inbox(profile: Profile): Promise<Inbox>;
	hasInbox(profile: Profile): Promise<boolean>;
	/**
	 * The identity of the local sandbox behind a profile's address, asked for once a run. Undefined for a live profile and for every address
	 * that is not on this machine, which are never asked, and where there is no answer.
	 */
	sandboxIdentity(profile: Profile): Promise<string | undefined>;
	/** What concerns the team whose journal a profile uses. */
	team(): Promise<Teams>;
}

export interface Config {
	profiles(): Promise<Profiles>;
	/** `warn` receives faults of a secret's file, such as permissions. */
	credentials(warn?: (message: string) => void): Promise<Credentials>;
	signing(): Promise<Signing>;
	/** As {@link credentials}. */
	eventSecrets(warn?: (message: string) => void): Promise<EventSecrets>;
	/** The operator, for the journal: `PURSER_OPERATOR`, else the system's user; undefined where neither is known. */
	operator(): Promise<string | undefined>;
	/** The folders of configuration and state; they may not exist yet. */
	directories(): Promise<{ config: string; state: string }>;
}

/** Everything outside a run, as `main.ts` builds it. */
export interface Runtime {
	readonly settings: {
		/** See `config/settings`. */
		resolve(flags: Flags): Promise<{ settings: Settings; explained: readonly Explained[] }>;
	};
	/** Loads the client; what it returns makes the one of a run. */
	service(): Promise<(context: Context) => Service>;
	readonly journal: Journals;
	readonly names: {
		/** Names that the service showed. */
		readonly seen: SeenNames;
		/** Finds the records that a person names. */
		resolver(context: Context): Promise<Resolver>;
	};
	readonly ask: { prompts(): Promise<Prompts> };
	readonly files: Files;
	/** This machine's clock, and what the service's answers say of its own. */
	readonly clock: Clock & { readonly service: ServiceClock };
	readonly random: Random;
	readonly config: Config;
	readonly system: System;
	/** Aborted by Ctrl-C, TERM, HUP. `reason` is "SIGINT" and so on. */
	readonly signal: AbortSignal;
}

export interface Settings {
	/** The profile in use, with environment variables and flags applied. */
	profile: Profile;
	dryRun: boolean;
	yes: boolean;
	live: boolean;
	/** Milliseconds for one exchange with the service. */
	timeout: number;
	/** Milliseconds within which a new payment appears in the service's list. */
	settleAfter: number;
	/** Log every call on standard error, redacted. */
	debug: boolean;
	interactive: boolean;
}

/** The settings of this run: the flags, and what the profile says where they say nothing. */
export interface RunSettings {
	readonly flags: Flags;
	/** @throws PurserError usage, where no profile is configured: says how to start on the sandbox or log in */
	read(): Promise<Settings>;
	/** The profile's forms of ids; none where its ids are UUIDs, and where there is no profile. */
	ids(): Promise<IdForms>;
	/** Required fields of these operations that the profile's mapping has no place for, dotted: nobody is asked for them. */
	unplaced(operations: readonly string[]): Promise<ReadonlySet<string>>;
	explained(): Promise<readonly Explained[]>;
}

/** What a run is given, by subject. */
export interface Context extends Pick<Runtime, "journal" | "clock" | "random" | "config" | "system" | "signal"> {
	readonly settings: RunSettings;
	readonly service: Service;
	readonly names: Pick<Runtime["names"], "seen"> & {
		/** Records that this run knows by name, by their plain ids. */
		readonly known: Map<string, KnownRecord>;
		/** Finds the records that a person names; one for the whole run. */
		resolver(): Promise<Resolver>;
		/**
		 * What people call records, which the style tells from then on too. What no answer has told yet is read for people, not for programs,
		 * and by commands that name operations.
		 */
		of(wanted?: readonly Called[]): Promise<NameOf>;
	};
	readonly ask: Changes & { prompts(): Promise<Prompts> };
	readonly report: Reporter;
	readonly files: Files & { readonly documents: Documents };
}

/** Input files in JSON or YAML, beside the one that the frame reads for `--file`. */
export interface Documents {
	/**
	 * The value of a file with the line of each path in it; numbers come as their literals.
	 * @param source a path, or `-` for standard input
	 * @throws PurserError usage, where it cannot be read, is too large, or is neither JSON nor YAML
	 */
	readWithLines(source: string): Promise<{ value: unknown; lineOf(path: readonly string[]): number | undefined }>;
	/** The value of a machine's description of a service, up to 20 MB. @throws PurserError usage, as above */
	readDescription(source: string): Promise<unknown>;
	/**
	 * The value of a file that somebody filled in.
	 * @throws PurserError usage, as above; validation, for a template that is not filled in
	 */
	read(source: string, shape: Field): Promise<unknown>;
	yaml(value: unknown, comment: string): Promise<string>;
	choices(field: Field): Promise<readonly Choice[] | undefined>;
}

/** Everything a run reports beside its answer. On standard error, with control characters sanitized. */
export interface Reporter {
	/** Renders advice as text; its commands name the profile that this run was given. */
	readonly shown: (advice: Advice) => string;
	/** The same for the screen alone: its commands name records as the run knows them. */
	readonly shownHere: (advice: Advice) => string;
	/**
	 * Calls `act` once the answer is written (true), or cannot be (false): the run failed, or nobody reads its output. A link that the service
	 * gives once counts as given only then.
	 */
	afterAnswer(act: (written: boolean) => Promise<void>): void;
	/** People see it at once; a program at the end of the run, or where {@link tellWarnings} was called. */
	readonly warn: (message: Advice) => void;
	/** Writes the warnings so far, and from now on each at once, for programs too: a run that goes on and on has no end to wait for. */
	tellWarnings(): void;
	verbose(message: string): void;
	debug(message: string): void;
	/** A step of long work, for people: a line at once. Nothing with --quiet. */
	step(message: string): void;
	/** A plain line on standard error in every format, for whoever waits for it: an address that is listened at. */
	announce(message: string): void;
	/** Writes to standard output at once, for an answer that comes in pieces; nothing with --json. */
	show(text: string): Promise<void>;
	/** A part of the answer before the rest is known, for people only: it looks as the answer does. */
	part<T>(data: T, text: (data: T, style: Style) => string): Promise<void>;
	/** The same for output of another run of this program: it is sanitized already, and keeps its colours. */
	passOn(printed: string): Promise<void>;
	/**
	 * Writes a line of NDJSON to standard output at once, with `--output ndjson`; otherwise `make` is not called.
	 * @returns false where nobody reads the output any more
	 */
	record(make: () => unknown): Promise<boolean>;
	/**
	 * A spinner on a terminal while `work` runs; elsewhere a plain line at its start.
	 * @param work is given what changes the label. A label that is a function is asked for twice a second, and only where there is a spinner;
	 *   what it returns must fit into the style's columns.
	 */
	during<T>(label: string, work: (update: (label: string | ((style: Style) => string)) => void) => Promise<T>): Promise<T>;
}
