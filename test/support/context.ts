/**
 * A context with small substitutes for everything outside, for tests below the frame.
 */
import { adviceText } from "../../src/api/advice.js";
import type { Context } from "../../src/context.js";
import { serviceOf } from "../../src/http/service.js";
import type { JournalIntent, JournalOutcome } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Clock } from "../../src/ports/machine.js";
import type { Credential, Credentials, Profile } from "../../src/ports/profiles.js";
import type { Transport, WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { createServiceClock } from "../../src/system/clock.js";

export interface SmallContext {
	context: Context;
	/** Every request that reached the transport, in order. */
	requests: WireRequest[];
	/** The journal, in order. */
	journal: ({ begin: JournalIntent } | { end: JournalOutcome; intent: string })[];
	/** Messages on standard error, with their kind. */
	said: string[];
	/** Milliseconds slept, one entry a pause. */
	slept: number[];
	/** The credential store: profile name → credential. */
	stored: Map<string, Credential>;
	/** Aborts as Ctrl-C does. */
	interrupt(): void;
}

export interface SmallOptions {
	profile?: Partial<Profile>;
	/** The answers in order, of which the last is repeated, or a function that answers each request. */
	answers?: readonly (WireOutcome | ((request: WireRequest) => WireOutcome | Promise<WireOutcome>))[];
	/** Instead of `answers`: a transport of its own. */
	transport?: Transport;
	credential?: Credential | null;
	dryRun?: boolean;
	debug?: boolean;
	/** Milliseconds for one exchange. */
	timeout?: number;
	now?: Date;
	/** Really sleeps instead of only noting it. */
	realSleep?: boolean;
	journal?: Partial<Journal>;
}

/** A JSON answer. */
export function answered(status: number, body?: unknown, headers: Record<string, string> = {}): WireOutcome {
	const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
	const type: Record<string, string> = text === "" ? {} : { "content-type": "application/json" };
	return { kind: "answer", status, headers: { ...type, ...headers }, body: new TextEncoder().encode(text) };
}

/** What is not named of it throws. */
const only = <T extends object>(what: string, own: Partial<T>): T =>
	new Proxy(own as T, {
		get: (target, name) => {
			if (name in target) return Reflect.get(target, name);
			throw new Error(`${what}.${String(name)} has no place in this test`);
		},
	});

/** A transport that notes the requests: the test's own, or one with the given answers. */
function transportOf(options: SmallOptions, requests: WireRequest[]): Transport {
	const answers = [...(options.answers ?? [])];
	const own = options.transport;
	return {
		async send(request, limits) {
			requests.push(request);
			if (own !== undefined) return own.send(request, limits);
			const next = answers.length > 1 ? answers.shift() : answers[0];
			if (next === undefined) throw new Error("no answer is left for this request");
			return typeof next === "function" ? next(request) : next;
		},
		async close() {
			await own?.close();
		},
	};
}

const journalOf = (own: Partial<Journal> | undefined, journal: SmallContext["journal"]): Journal =>
	({
		begin: async (intent) => {
			journal.push({ begin: intent });
			return `intent-${journal.length}`;
		},
		end: async (intent, outcome) => void journal.push({ end: outcome, intent }),
		...own,
		close: async () => {},
	}) as Partial<Journal> as Journal;

/** Logins in memory. @param keyOf under which one is kept */
export function credentialsIn(stored: Map<string, Credential>, keyOf: (of: Profile) => string = ({ name }) => name): Credentials {
	return {
		// As without a folder to take turns in.
		withLock: (_, act) => act(true),
		async get(of) {
			const credential = stored.get(keyOf(of));
			return credential && { credential, from: "the test" };
		},
		async set(of, credential) {
			stored.set(keyOf(of), credential);
			return { where: "the test" };
		},
		remove: async (of) => stored.delete(keyOf(of)),
	};
}

type Parts = { [G in Exclude<keyof Context, "service" | "signal">]?: Partial<Context[G]> };

/** The same context with other parts; its client uses them too. */
export function changed(context: Context, parts: Parts): Context {
	const groups = Object.entries(parts).map(([group, part]) => [group, { ...context[group as keyof Parts], ...part }]);
	return {
		...context,
		...Object.fromEntries(groups),
		get service() {
			return serviceOf(this as Context);
		},
	};
}

/** Builds a small context; the profile is a sandbox on an example address, logged in with a token that tells nothing. */
export function smallContext(options: SmallOptions = {}): SmallContext {
	const profile: Profile = {
		name: "test",
		baseUrl: "https://api.example.com",
		environment: "sandbox",
		auth: { kind: "login" },
		settings: {},
		...options.profile,
	};
	const requests: WireRequest[] = [];
	const journal: SmallContext["journal"] = [];
	const said: string[] = [];
	const slept: number[] = [];
	const stored = new Map<string, Credential>();
	if (options.credential !== null)
		stored.set(profile.name, options.credential ?? { kind: "tokens", token: "the-token", refreshToken: "the-refresh-token" });
	const interruption = new AbortController();
	const transport = transportOf(options, requests);
	const noted = journalOf(options.journal, journal);
	const credentials = credentialsIn(stored);
	const output = { write: async () => {}, isTerminal: false, columns: 80, colours: 0 as const };
	const start = performance.now();
	const clock: Clock = {
		now: () => options.now ?? new Date(),
		monotonic: () => performance.now() - start,
		sleep: async (milliseconds) => {
			slept.push(milliseconds);
			if (options.realSleep) await new Promise((resolve) => setTimeout(resolve, milliseconds));
		},
	};
	const dryRun = options.dryRun ?? false;
	const debug = options.debug ?? false;
	const context: Context = {
		settings: {
			flags: { dryRun, yes: false, live: false, debug, interactive: false },
			read: async () => ({
				profile,
				dryRun,
				yes: false,
				live: false,
				timeout: options.timeout ?? 5_000,
				settleAfter: 24 * 3_600_000,
				debug,
				interactive: false,
				unnamed: false,
			}),
			ids: async () => profile.mapping?.ids ?? {},
			unplaced: async () => new Set(),
			explained: async () => [],
		},
		get service() {
			return serviceOf(this);
		},
		journal: only<Context["journal"]>("journal", {
			of: async () => noted,
			exists: async () => false,
			hasInbox: async () => false,
			sandboxIdentity: async () => undefined,
		}),
		names: only<Context["names"]>("names", {
			seen: { note: () => {}, read: async () => [] },
			known: new Map(),
			of: async () => () => undefined,
		}),
		ask: only<Context["ask"]>("ask", {
			begin: async () => {},
			change: async () => {},
			confirm: async () => {},
			payment: async () => undefined,
			requirePayment: () => {},
			review: async () => "send",
			require: async () => undefined,
		}),
		report: {
			...{ shown: adviceText, shownHere: adviceText, afterAnswer: () => {}, tellWarnings: () => {} },
			...{ passOn: async () => {}, part: async () => {}, show: async () => {}, record: async () => true },
			warn: (message) => void said.push(`warn: ${adviceText(message)}`),
			verbose: (message) => void said.push(`verbose: ${message}`),
			debug: (message) => void said.push(`debug: ${message}`),
			step: (message) => void said.push(`step: ${message}`),
			announce: (message) => void said.push(`announce: ${message}`),
			during: (_label, work) => work(() => {}),
		},
		files: only<Context["files"]>("files", { documents: only("documents", {}) }),
		clock: { ...clock, service: createServiceClock(clock) },
		random: { uuid: () => "00000000-0000-4000-8000-000000000000", fraction: () => 0.5 },
		config: only<Context["config"]>("config", { credentials: async () => credentials, operator: async () => undefined }),
		system: only<Context["system"]>("system", {
			env: {},
			platform: "linux",
			version: "0.0.0-test",
			node: "20.19.0",
			terminal: {
				stdout: output,
				stderr: output,
				stdin: { isTerminal: false, read: async () => new Uint8Array(), stream: async function* () {} },
			},
			processes: only("processes", {}),
			shippedText: async () => undefined,
			showDocument: async () => "none",
			transport: async () => transport,
		}),
		signal: interruption.signal,
	};
	return { context, requests, journal, said, slept, stored, interrupt: () => interruption.abort("SIGINT") };
}
