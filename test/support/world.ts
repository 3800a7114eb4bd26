/**
 * What a test can see and change of a world, which purser.ts makes.
 */
import type { KeyObject } from "node:crypto";
import type { Inbox } from "../../src/ports/events.js";
import type { JournalIntent, JournalOutcome } from "../../src/ports/intent.js";
import type { Clock, Opened, Processes } from "../../src/ports/machine.js";
import type { Profile } from "../../src/ports/profiles.js";
import type { SeenName } from "../../src/ports/resolver.js";
import type { Choice } from "../../src/ports/terminal.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import type { Sandbox } from "../../src/sandbox/sandbox.js";

/** The result of one run. */
export interface Ran {
	exit: number;
	stdout: string;
	stderr: string;
	/** stdout parsed as JSON, with numbers as doubles: not for amounts. */
	// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
	json(): any;
	/** The error that a script is told, from the last line of stderr. */
	// biome-ignore lint/suspicious/noExplicitAny: as above
	error(): any;
}

export interface RunOptions {
	/** Standard input as text. */
	input?: string;
	/** Answers to the prompts, in order; standard input and error count as terminals then. A function runs first and then answers Yes or No. */
	answers?: readonly (string | boolean | (() => Promise<boolean>))[];
	/** Answers every question by itself, in place of `answers`. */
	person?: (asked: Asked) => string | boolean;
	env?: Record<string, string>;
	/** Standard output is a pipe in which lists are one record a line. */
	piped?: boolean;
	/** Nobody reads standard output: what is written is lost. */
	closed?: true;
	/** Standard output is a terminal. */
	terminal?: boolean;
	columns?: number;
	signal?: AbortSignal;
}

export interface Asked {
	kind: "text" | "secret" | "confirm" | "choose";
	message: string;
	choices?: readonly Choice[];
	/** Lines above the question. */
	above?: readonly string[];
	/** The answer of Enter alone, where it is another than the first. */
	fallback?: string;
}

export type Wire = (request: WireRequest) => Promise<WireOutcome>;

/** A small world: one sandbox, one clock, one configuration; any number of runs. */
export interface World {
	sandbox: Sandbox;
	/** Every request that reached the wire, as `METHOD /path`. */
	requests: { line: string; method: string; url: string; headers: Readonly<Record<string, string>>; body: string }[];
	/** The same requests with the limits for their answers. */
	limits: { url: string; bytes: number }[];
	/** What was asked of the person in the last run. */
	asked: Asked[];
	files: Map<string, Uint8Array>;
	/** Paths of symbolic links. */
	links: Set<string>;
	/** The signing key of the user; there is none before `pay batch key`. */
	person: { key?: KeyObject };
	profiles: Map<string, Profile>;
	opened: string[];
	/** What becomes of what a browser is asked to open. */
	browser: Opened;
	/** Names that answers showed. */
	seen: SeenName[];
	journal: { intent: JournalIntent; outcome?: JournalOutcome }[];
	/** The identity of the sandbox; not known unless the test sets one. */
	identity: string | undefined;
	platform: string;
	/** Runs another program; none is expected unless the test sets one. */
	program: Processes["program"];
	/** The operator; unknown unless the test sets one. */
	operator: string | undefined;
	clock: Clock & { advance(milliseconds: number): void };
	/** Answers instead of the sandbox, when set. */
	wire?: Wire;
	/** The inbox of the profile `sandbox`, on disk. */
	inbox(): Promise<Inbox>;
	/** @param line words as a shell takes them, those with blanks in double quotes; or one by one */
	purser(line: string | readonly string[], options?: RunOptions): Promise<Ran>;
	/** What it answers with `--json`. */
	// biome-ignore lint/suspicious/noExplicitAny: as of a run
	json(line: string | readonly string[], options?: RunOptions): Promise<any>;
	/** Writes a file, and gives its path. */
	put(path: string, text: string): string;
	text(path: string): string;
	/** The requests that were no `GET`. */
	changes(): World["requests"];
}
