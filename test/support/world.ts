/**
 * What a test has in its hands of a world: see purser.ts, which makes it.
 */
import type { KeyObject } from "node:crypto";
import type { CachedRecord } from "../../src/ports/completion-cache.js";
import type { JournalIntent, JournalOutcome } from "../../src/ports/intent.js";
import type { Clock } from "../../src/ports/machine.js";
import type { Profile } from "../../src/ports/profiles.js";
import type { Choice } from "../../src/ports/terminal.js";
import type { WireOutcome, WireRequest } from "../../src/ports/wire.js";
import type { Sandbox } from "../../src/sandbox/sandbox.js";

/** What came of one run. */
export interface Ran {
	exit: number;
	stdout: string;
	stderr: string;
	/** stdout read as JSON, numbers as doubles: for what is not an amount. */
	// biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
	json(): any;
}

export interface RunOptions {
	/** Standard input as text. */
	input?: string;
	/** Answers to the prompts, in order; standard input and error count as terminals then. A function answers a question of Yes or No after what it does. */
	answers?: readonly (string | boolean | (() => Promise<boolean>))[];
	env?: Record<string, string>;
	/** Standard output is a terminal. */
	terminal?: boolean;
	columns?: number;
	signal?: AbortSignal;
}

export interface Asked {
	kind: "text" | "secret" | "confirm" | "choose";
	message: string;
	choices?: readonly Choice[];
}

export type Wire = (request: WireRequest) => Promise<WireOutcome>;

/** A small world: one sandbox, one clock, one configuration; any number of runs. */
export interface World {
	sandbox: Sandbox;
	/** Every request that reached the wire, as `METHOD /path`. */
	requests: { line: string; method: string; url: string; headers: Readonly<Record<string, string>>; body: string }[];
	/** The same requests with the limits that were set on their answers. */
	limits: { url: string; bytes: number }[];
	/** What was asked of the person in the last run. */
	asked: Asked[];
	files: Map<string, Uint8Array>;
	/** Paths at which a symbolic link stands. */
	links: Set<string>;
	/** The key of whoever runs the commands; there is none before `pay batch key`. */
	person: { key?: KeyObject };
	profiles: Map<string, Profile>;
	opened: string[];
	/** What was copied, and by what program; undefined where there is no clipboard. */
	copied: string[];
	clipboard?: string;
	/** What answers showed, for completion. */
	seen: CachedRecord[];
	/** Whether the lists are told to be old. */
	due: boolean;
	/** What was started in the background: the words of each. */
	started: (readonly string[])[];
	journal: { intent: JournalIntent; outcome?: JournalOutcome }[];
	/** Who asks; nobody who is known, unless the test says. */
	operator: string | undefined;
	clock: Clock & { advance(milliseconds: number): void };
	/** Answers instead of the sandbox, when set. */
	wire?: Wire;
	purser(argv: readonly string[], options?: RunOptions): Promise<Ran>;
}
