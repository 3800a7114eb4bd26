/**
 * The ports: every outside thing the tool may use, as interfaces. Types only.
 * `main.ts` builds the real ones, the tests build theirs; two runs with two contexts in one process never meet.
 * Cheap things are values; costly ones are functions that load late and give the same thing each time.
 */
import type { Effect, Method } from "./api/operation.js";
import type { Field } from "./api/schema.js";
import type { Batches } from "./batches.js";

// ── The terminal ────────────────────────────────────────────────────────────────────────────────────────────────

export interface Output {
	/** Writes and resolves once it was handed on; a closed pipe is not an error. */
	write(text: string): Promise<void>;
	/** Whether it is known by now that nobody reads it any more. */
	readonly isClosed?: () => boolean;
	readonly isTerminal: boolean;
	/** Columns of the terminal; 80 where there is none. */
	readonly columns: number;
	/** Colours the terminal itself can show: 0 none, 1 16, 2 256, 3 16 million. */
	readonly colours: 0 | 1 | 2 | 3;
	/** The stream itself, where a library has to move its cursor; absent where there is none. */
	readonly stream?: NodeJS.WritableStream;
}

export interface Terminal {
	readonly stdout: Output;
	readonly stderr: Output;
	readonly stdin: {
		readonly isTerminal: boolean;
		/** Everything on standard input, as bytes, at most `limit`. */
		read(limit: number): Promise<Uint8Array>;
		/** Standard input of any size, a piece at a time. */
		stream(): AsyncIterable<Uint8Array>;
	};
}

// ── Prompts ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Choice {
	value: string;
	label: string;
	hint?: string;
}

interface Question {
	message: string;
	/** Says what is wrong with an answer, or undefined. Asked again at most `tries` times. */
	check?: (answer: string) => string | undefined;
	fallback?: string;
}

/** Every prompt throws PurserError `interrupted` on Ctrl-C. */
export interface Prompts {
	text(question: Question): Promise<string>;
	/** Nothing typed is shown. */
	secret(question: Omit<Question, "fallback">): Promise<string>;
	confirm(question: { message: string; fallback: boolean }): Promise<boolean>;
	/** A list that narrows as one types. `other` allows a value outside the list, which `check` then looks at. */
	choose(question: {
		message: string;
		choices: readonly Choice[];
		other?: boolean;
		fallback?: string;
		check?: Question["check"];
		/** An answer sends something: what was typed before the question stood there does not count. */
		sends?: boolean;
	}): Promise<string>;
}

// ── The wire ────────────────────────────────────────────────────────────────────────────────────────────────────

export interface WireRequest {
	method: Method;
	/** Absolute; scheme, host and port are the profile's. */
	url: string;
	headers: Readonly<Record<string, string>>;
	body?: Uint8Array;
}

export interface WireLimits {
	/** Milliseconds until the connection (TLS included) must stand. */
	connect: number;
	/** Milliseconds for the whole exchange. */
	total: number;
	/** Most bytes of an answer. */
	bytes: number;
	signal?: AbortSignal;
}

/**
 * What became of one request, decided by the transport's events. `not-sent`: the request provably never began to leave
 * (name not resolved, refused, TLS not completed, aborted before). `sent`: it began to leave and no whole answer came.
 */
export type WireOutcome =
	| { kind: "answer"; status: number; headers: Readonly<Record<string, string>>; body: Uint8Array }
	| { kind: "not-sent"; reason: string; cause?: unknown }
	| { kind: "sent"; reason: string /** Status, where the head of an answer came. */; status?: number; cause?: unknown };

/** One call = at most one request on the wire: HTTP/1.1, no redirect, no retry, no decoding surprises. */
export interface Transport {
	send(request: WireRequest, limits: WireLimits): Promise<WireOutcome>;
	close(): Promise<void>;
}

// ── The journal ─────────────────────────────────────────────────────────────────────────────────────────────────

/** What is about to be asked of the service. No personal data: ids, digests, amounts, references. */
export interface JournalIntent {
	operation: string;
	effect: Exclude<Effect, "read">;
	profile: string;
	/** Scheme, host and port. */
	origin: string;
	method: Method;
	/** Path with parameters filled in. */
	path: string;
	/** SHA-256 of the exact body bytes, hex. Of a row of a batch the transfer says it all. */
	digest?: string;
	/** For money: what the transfer is. */
	transfer?: Transfer;
	/** A creation: while one like it is in doubt, another is not begun. */
	creates?: boolean;
	/** For creations: the externalId given, so that a lost reply can be looked up. */
	externalId?: string;
	/** The intents like this one (in doubt, or paid lately) in spite of which it is to be sent, each by its number, and why. */
	despite?: { intents: readonly string[]; reason: string };
}

export interface Transfer {
	kind: "ledger" | "beneficiary";
	ledgerFromId: string;
	/** Ledger or beneficiary credited. */
	counterpartyId: string;
	/** Decimal text as typed. */
	amount: string;
	currency?: string;
	/** As sent, the token included. */
	reference?: string;
	/** The token at the end of `reference`, where one was folded in. */
	token?: string;
}

export type JournalOutcome =
	| { state: "accepted"; id?: string; status: number; waiting?: boolean }
	| { state: "refused"; status: number; apiCode?: string }
	| { state: "not-sent"; reason: string }
	| { state: "in-doubt"; reason: string; status?: number };

/** Where a transfer stands; one state at a time, also after a crash. `waiting`: accepted, waiting for strong authentication. */
export type IntentState = "planned" | "sending" | "accepted" | "waiting" | "refused" | "not-sent" | "in-doubt" | "not-created";

/** What a doubt was settled on. No personal data. */
export interface Evidence {
	/** The service's list, one transaction of it, a statement file, a person's word. */
	source: "service" | "transaction" | "statement" | "person";
	/** In words: what was seen, or the person's reason. */
	reason: string;
	/** The looks it rests on, where absence was to be proven. */
	looks?: readonly Look[];
}

/** How a doubt ended. */
export type Settlement = { state: "accepted"; id?: string; evidence: Evidence } | { state: "not-created"; evidence: Evidence };

/** One look for what may have been created. */
export interface Look {
	/** When, RFC 3339 UTC. */
	at: string;
	source: "service" | "statement";
	/** Whether it showed everything there was in the time concerned. */
	complete: boolean;
	/** Transactions like the transfer that no attempt holds. */
	unclaimed: number;
	/** Transactions that may be it, as far as the service tells. */
	possible: number;
}

/** One thing that happened to an intent. `died`: the sending process ended without an outcome. */
export type JournalStep =
	| { kind: "begun" }
	| { kind: "ended"; outcome: JournalOutcome }
	| { kind: "died" }
	| { kind: "looked"; look: Look }
	| { kind: "settled"; settlement: Settlement };

/** An intent with where it stands, derived from its events. */
export interface IntentRecord extends JournalIntent {
	/** Its number. */
	intent: string;
	state: IntentState;
	/** Which attempt is the latest, from 1. */
	attempt: number;
	/** When the latest attempt began and when anything last happened, RFC 3339 UTC. */
	begun: string;
	changed: string;
	/** The same for all that cannot be told apart at the service. */
	fingerprint?: string;
	/** The service's id of what was created. */
	id?: string;
	/** HTTP status and the service's own code, where there was an answer. */
	status?: number;
	apiCode?: string;
	/** Why it is in doubt, was not sent. */
	why?: string;
	evidence?: Evidence;
	/** Of a row of a batch: the batch's number, and which row of its file it is, from 1. */
	batch?: string;
	row?: number;
}

/** One line of the append-only record. Each hash covers the one before it. */
export interface JournalEvent {
	seq: number;
	/** RFC 3339 UTC. */
	at: string;
	intent?: string;
	kind: string;
	content: Record<string, unknown>;
	hash: string;
}

/** What the rules of money are asked with, inside the journal's own transaction. */
export interface Known {
	/** Intents with the same fingerprint that are being sent, in doubt, went out since `Rules.lately`, or are still to leave with a batch under way. */
	alike: readonly Pick<IntentRecord, "intent" | "state" | "begun" | "id" | "batch">[];
	/** Decimal sums of what went out today (UTC), doubts included, by currency (`""`: not known). */
	spent: Readonly<Record<string, string>>;
	now: Date;
}

/** The rules of money as the journal applies them: pure, made in `payments/`, handed in by `main.ts`. */
export interface Rules {
	/** The same for all that cannot be told apart at the service; undefined where another one does no harm. */
	fingerprint(intent: JournalIntent): string | undefined;
	/** @throws PurserError bug, where the step is not allowed in that state */
	next(state: IntentState | undefined, step: JournalStep): IntentState;
	/** How long ago a transfer alike still counts: the start of that time. */
	lately(now: Date): Date;
	/** @throws PurserError guard, where it may not be sent now */
	permit(intent: JournalIntent, known: Known): void;
	/** Whether what is in this state counts as gone out. */
	counts(state: IntentState): boolean;
	/** The exact sum, or with -1 the difference, of two decimal texts. */
	add(one: string, other: string, sign: 1 | -1): string;
}

/** What `history verify` found. */
export interface Verified {
	/** Events and intents looked at. */
	events: number;
	intents: number;
	/** Number and hash of the newest event: to be noted elsewhere. */
	head: { seq: number; hash: string };
	installation: string;
	/** Each thing that is not as it was written. Empty: all is well. */
	faults: readonly string[];
}

/** What `history purge` removed. */
export interface Purged {
	events: number;
	intents: number;
	/** Why less than asked was removed, where it was. */
	kept?: string;
}

/** Every change asked of the service, on disk before it is sent. */
export interface Journal {
	/**
	 * Records the intent and its first attempt; durable when it resolves. Returns the intent's number.
	 * A transfer whose like was proven not created becomes a new attempt of that intent.
	 * @throws PurserError guard, where an open doubt, a duplicate or a cap forbids it; PurserError usage, where nothing can be written: then nothing is sent
	 */
	begin(intent: JournalIntent): Promise<string>;
	/**
	 * Records what became of the attempt.
	 * @throws PurserError unknown, where another attempt holds the id that the service gave: then this one is in doubt
	 */
	end(intent: string, outcome: JournalOutcome): Promise<void>;
	/** Intents, newest first; rows of batches that are only planned where `states` names them. */
	list(filter: JournalFilter): Promise<IntentRecord[]>;
	/** One intent with its events, oldest first. */
	show(intent: string): Promise<{ record: IntentRecord; events: JournalEvent[] } | undefined>;
	/** Which of these ids of the service an attempt holds, and whose it is. */
	holders(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
	/** The looks at an intent's latest attempt, oldest first. */
	looks(intent: string): Promise<Look[]>;
	/** Records a look at doubts that ended nothing. */
	looked(intents: readonly string[], look: Look): Promise<void>;
	/**
	 * @param attempt the one that was looked at: what proves something of it proves nothing of a later one
	 * @throws PurserError guard, where that attempt is not in doubt (any more), or another attempt holds the id
	 */
	settle(intent: string, settlement: Settlement, attempt: number): Promise<void>;
	/** Every event after number `after` (0: all), oldest first. */
	events(after: number): AsyncIterable<JournalEvent>;
	verify(): Promise<Verified>;
	/**
	 * Removes what ended before `before`.
	 * @throws PurserError guard, where something from before then is not settled
	 */
	purge(before: Date): Promise<Purged>;
	close(): Promise<void>;
	/** The file, to be named to people. */
	readonly file: string;
}

export interface JournalFilter {
	states?: readonly IntentState[];
	effect?: JournalIntent["effect"];
	fingerprint?: string;
	/** Rows of this batch alone. */
	batch?: string;
	/** Intents up to this number. */
	through?: string;
	/** Most intents; all without it. */
	limit?: number;
}

// ── Configuration ───────────────────────────────────────────────────────────────────────────────────────────────

export type Auth =
	| { kind: "login"; username?: string; partnerName?: string }
	| { kind: "header"; header: string }
	| { kind: "basic"; username?: string }
	| { kind: "none" };

/** What a profile replaces of an operation's description. */
export interface Override {
	method?: Method;
	path?: string;
	/** Field name of the description (dotted for nested) → name on the wire (of the last part). Both ways. */
	fields?: Record<string, string>;
	/** Header name → value, sent with this operation. */
	headers?: Record<string, string>;
}

export interface Profile {
	name: string;
	baseUrl: string;
	environment: "sandbox" | "live";
	auth: Auth;
	/** By operation id. */
	overrides: Record<string, Override>;
	/** Preferences by config key; see `config explain`. */
	settings: Record<string, string>;
}

export interface Profiles {
	list(): Promise<Profile[]>;
	/** The one of that name; without a name the one in use. */
	get(name?: string): Promise<Profile | undefined>;
	/** Creates or replaces. */
	save(profile: Profile): Promise<void>;
	remove(name: string): Promise<void>;
	current(): Promise<string | undefined>;
	use(name: string): Promise<void>;
	/** The file, to be named to people. */
	readonly file: string;
}

export type Credential =
	| { kind: "tokens"; token: string; refreshToken?: string }
	| { kind: "header"; value: string }
	| { kind: "basic"; username: string; password: string };

/** Secrets, each bound to a profile's scheme, host and port. */
export interface Credentials {
	/** The credential to use now, and where it came from (`PURSER_TOKEN`, `keyring`, the file's path). */
	get(profile: Profile): Promise<{ credential: Credential; from: string } | undefined>;
	/** Stores; the warning names the file where no keyring was to be had. */
	set(profile: Profile, credential: Credential): Promise<{ where: string; warning?: string }>;
	remove(profile: Profile): Promise<boolean>;
	/**
	 * Does `act` while no other program on this machine does so for the same profile's login.
	 * @param act is told whether it is alone: a turn that does not come in time is not waited for any longer
	 */
	turn<T>(profile: Profile, act: (alone: boolean) => Promise<T>): Promise<T>;
}

/** This person's Ed25519 key, which approves batches. Its private half never leaves the port. */
export interface Signing {
	/** The public half (base64url of its 32 bytes) and where the key is kept; undefined where there is none. */
	own(): Promise<{ key: string; where: string } | undefined>;
	/** Makes the key; one that is there stays. The warning names the file where no keyring was to be had. */
	make(): Promise<{ key: string; where: string; warning?: string }>;
	/** @returns the signature, base64url. @throws PurserError usage, where there is no key */
	sign(message: Uint8Array): Promise<string>;
}

// ── What was seen ───────────────────────────────────────────────────────────────────────────────────────────────

export type SeenKind = "corporate" | "related" | "ledger" | "beneficiary" | "batch";

export interface SeenRecord {
	kind: SeenKind;
	/** As typed: an identifier of the service, or the number of a batch. */
	id: string;
	/** What tells it apart: never personal data, since it is kept on disk. */
	name?: string;
}

/** Ids and names that answers showed: for completion only, nothing is ever decided by them. */
export interface Seen {
	note(profile: Profile, records: readonly SeenRecord[]): void;
	/** What was noted of these kinds in this run is all there is: it takes the place of what was kept. */
	whole(profile: Profile, kinds: readonly SeenKind[]): void;
	of(profile: Profile, kind: SeenKind): Promise<SeenRecord[]>;
	/**
	 * Whether the lists should be read again: they are old or were never read. Says yes to one asker at a time, and not again
	 * before that one has had its time.
	 */
	due(profile: Profile): Promise<boolean>;
}

// ── Files, clock, chance, browser, processes ────────────────────────────────────────────────────────────────────

export interface Files {
	/** @throws the system's error (ENOENT, EACCES …), or RangeError beyond `limit` bytes */
	read(path: string, limit: number): Promise<Uint8Array>;
	/** A file of any size, a piece at a time. @throws the system's error, with the first piece */
	stream(path: string): AsyncIterable<Uint8Array>;
	/** A file of any size, written piece by piece beside its place; there, whole and synced, with `finish` alone. */
	writer(path: string, mode?: number): Promise<FileWriter>;
	/** Writes a new file or replaces it whole; mode is applied where the system has modes. */
	write(path: string, content: Uint8Array | string, mode?: number): Promise<void>;
	/** Makes a folder, private where it is new, and those above it. */
	folder(path: string): Promise<void>;
	/** Removes a file; one that is not there is no error. */
	remove(path: string): Promise<void>;
	/** Whether a symbolic link stands there, wherever it points. */
	isLink(path: string): Promise<boolean>;
	/** A new private folder, and how to remove it. */
	temporary(): Promise<{ path: string; remove(): Promise<void> }>;
}

export interface FileWriter {
	write(text: string): Promise<void>;
	finish(): Promise<void>;
	/** Leaves nothing behind. */
	discard(): Promise<void>;
}

export interface Clock {
	now(): Date;
	/** Milliseconds, only for differences. */
	monotonic(): number;
	/** Resolves after `milliseconds`; rejects with PurserError `interrupted` when cancelled. */
	sleep(milliseconds: number): Promise<void>;
}

export interface Chance {
	uuid(): string;
	/** From 0 up to, not including, 1. */
	fraction(): number;
}

export interface Processes {
	/** Runs this very program with arguments; `both` is standard output and error together, as they came. */
	self(
		argv: readonly string[],
		options: { env: Record<string, string>; input?: string },
	): Promise<{ exit: number; stdout: string; stderr: string; both: string }>;
	/** Starts this very program with arguments and lets it go: nothing is read of it, and it outlives this run. */
	background(argv: readonly string[]): Promise<void>;
}

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
	readonly chance: Chance;
	readonly files: Files;
	readonly processes: Processes;
	/** Aborted by Ctrl-C, TERM, HUP. `reason` is "SIGINT" and so on. */
	readonly signal: AbortSignal;
	/** The `file:` address of a file that was installed with the program; undefined where there is none. */
	shipped(name: string): string | undefined;
	/** Opens an address in the person's browser. Resolves false where there is none. */
	openBrowser(address: string): Promise<boolean>;
	/** Copies text to the person's clipboard. Resolves the program's name, `OSC 52` for the terminal, undefined where there is neither. */
	clipboard(text: string): Promise<string | undefined>;
	prompts(): Promise<Prompts>;
	transport(): Promise<Transport>;
	journal(profile: Profile): Promise<Journal>;
	/** The batches of a profile's journal, over a connection of their own. */
	batches(profile: Profile): Promise<Batches>;
	/**
	 * Flag > environment > profile > default.
	 * @throws PurserError usage, where no profile is configured: says how to start on the sandbox or log in
	 */
	resolve(flags: Flags): Promise<{ settings: Settings; explained: readonly Explained[] }>;
	profiles(): Promise<Profiles>;
	readonly seen: Seen;
	/** Where configuration and state are kept; the folders may not be there yet. */
	place(): Promise<{ config: string; state: string }>;
	/** `warn` is told what is not as it should be with a secret's file. */
	credentials(warn?: (message: string) => void): Promise<Credentials>;
	signing(): Promise<Signing>;
}

// ── What a command sees ─────────────────────────────────────────────────────────────────────────────────────────

export interface Settings {
	/** The profile in use, with environment variables and flags applied. */
	profile: Profile;
	dryRun: boolean;
	yes: boolean;
	live: boolean;
	/** Milliseconds for one exchange with the service. */
	timeout: number;
	/** Follow every call on standard error, redacted. */
	debug: boolean;
	/** Whether a person can be asked: see conventions, Streams. */
	interactive: boolean;
}

/** The context of one run: everything outside, what was set, and the voice to standard error. */
export interface Context extends Outside {
	/** @throws PurserError usage, where no profile is configured: says how to start on the sandbox or log in */
	settings(): Promise<Settings>;
	/** Every setting with where it came from. */
	explained(): Promise<readonly Explained[]>;
	/** The global flags of this run. */
	readonly flags: Flags;
	readonly say: Say;
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
export interface Say {
	warn(message: string): void;
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
