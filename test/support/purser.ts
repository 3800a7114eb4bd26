/**
 * Whole runs in process: `purser(argv)` against the in-process sandbox, with everything outside in the test's hands.
 */
import { createHash, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { commands } from "../../src/commands/index.js";
import type { Outside } from "../../src/context.js";
import { PurserError } from "../../src/errors.js";
import type { Batches } from "../../src/ports/batches.js";
import type { Journal, JournalIntent, JournalOutcome } from "../../src/ports/journal.js";
import type { Clock } from "../../src/ports/machine.js";
import type { Credential, Profile, Signing } from "../../src/ports/profiles.js";
import type { SeenRecord } from "../../src/ports/seen.js";
import type { Choice, Prompts } from "../../src/ports/terminal.js";
import type { Transport, WireOutcome, WireRequest } from "../../src/ports/wire.js";
import { run } from "../../src/run.js";
import type { Answer } from "../../src/sandbox/message.js";
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

/** A whole answer with JSON text. */
export const answered = (status: number, body = "", headers: Record<string, string> = {}): WireOutcome => ({
	kind: "answer",
	status,
	headers: { ...(body === "" ? {} : { "content-type": "application/json" }), ...headers },
	body: new TextEncoder().encode(body),
});

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
	seen: SeenRecord[];
	/** Whether the lists are told to be old. */
	due: boolean;
	/** What was started in the background: the words of each. */
	started: (readonly string[])[];
	journal: { intent: JournalIntent; outcome?: JournalOutcome }[];
	clock: Clock & { advance(milliseconds: number): void };
	/** Answers instead of the sandbox, when set. */
	wire?: Wire;
	purser(argv: readonly string[], options?: RunOptions): Promise<Ran>;
}

const origin = "http://127.0.0.1:4010";

/**
 * Makes a world whose profile `sandbox` is logged in, unless told otherwise.
 * @param wire answers in the place of the sandbox; the credential is then the token `token-1`
 * @param openJournal a journal on disk; without it, changes are noted in `world.journal` alone
 * @param openBatches the batches of that journal
 */
export async function makeWorld({
	loggedIn = true,
	profile = {} as Partial<Profile>,
	wire = undefined as Wire | undefined,
	openJournal = undefined as ((clock: Clock, profile: Profile) => Promise<Journal>) | undefined,
	openBatches = undefined as ((clock: Clock, profile: Profile) => Promise<Batches>) | undefined,
} = {}): Promise<World> {
	let now = Date.parse("2026-03-01T10:00:00Z");
	let chances = 1;
	let uuids = 0;
	const clock = {
		now: () => new Date(now),
		monotonic: () => now,
		sleep: async (milliseconds: number) => {
			now += milliseconds;
		},
		advance: (milliseconds: number) => {
			now += milliseconds;
		},
	};
	const chance = {
		// Lehmer's generator: the same sequence in every run.
		fraction: () => {
			chances = (chances * 48271) % 2147483647;
			return chances / 2147483647;
		},
		uuid: () => {
			const text = createHash("sha256").update(`uuid ${uuids++}`).digest("hex");
			return `${text.slice(0, 8)}-${text.slice(8, 12)}-4${text.slice(13, 16)}-8${text.slice(17, 20)}-${text.slice(20, 32)}`;
		},
	};
	const { createSandbox } = wire ? { createSandbox: () => undefined as never } : await import("../../src/sandbox/sandbox.js");
	const sandbox = createSandbox({ clock, chance, origin });
	const credentials = new Map<string, Credential>();
	const world: World = {
		sandbox,
		requests: [],
		limits: [],
		asked: [],
		files: new Map(),
		links: new Set(),
		person: {},
		profiles: new Map(),
		opened: [],
		copied: [],
		clipboard: "wl-copy",
		seen: [],
		due: false,
		started: [],
		journal: [],
		wire,
		clock,
		purser: (argv, options = {}) => purser(argv, options),
	};
	let current: string | undefined;
	if (loggedIn) {
		world.profiles.set("sandbox", {
			name: "sandbox",
			baseUrl: origin,
			environment: "sandbox",
			auth: { kind: "login" },
			overrides: {},
			settings: {},
			...profile,
		});
		current = "sandbox";
	}

	const transport: Transport = {
		send: async (request, { bytes, total }) => {
			world.limits.push({ url: request.url, bytes });
			const url = new URL(request.url);
			const body = request.body ? new TextDecoder().decode(request.body) : "";
			world.requests.push({
				line: `${request.method} ${url.pathname}${url.search}`,
				method: request.method,
				url: request.url,
				headers: request.headers,
				body,
			});
			if (world.wire) return world.wire(request);
			const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
			const answer = await sandbox.handle({
				method: request.method,
				target: url.pathname + url.search,
				headers,
				body: request.body ?? new Uint8Array(),
			});
			const delay = answer.delivery?.delay ?? 0;
			if (delay > 0) await clock.sleep(Math.min(delay, total));
			return delay < total ? delivered(answer) : { kind: "sent", reason: "no whole answer in time" };
		},
		close: async () => {},
	};

	const begun: string[] = [];
	const journal: Journal = {
		list: async ({ effect, limit }) =>
			world.journal
				.map(({ intent, outcome }, at) => {
					const state = outcome?.state ?? "sending";
					return { ...intent, intent: String(at + 1), state, attempt: 1, begun: begun[at] as string, changed: begun[at] as string };
				})
				.filter((record) => effect === undefined || record.effect === effect)
				.reverse()
				.slice(0, limit),
		begin: async (intent) => {
			world.journal.push({ intent });
			begun.push(clock.now().toISOString());
			return String(world.journal.length);
		},
		end: async (intent, outcome) => {
			const entry = world.journal[Number(intent) - 1];
			if (entry) entry.outcome = outcome;
		},
		close: async () => {},
	} as Partial<Journal> as Journal;

	async function purser(argv: readonly string[], options: RunOptions): Promise<Ran> {
		let stdout = "";
		let stderr = "";
		const answers = [...(options.answers ?? [])];
		const person = options.answers !== undefined;
		world.asked = [];
		const next = (asked: Asked): string | boolean | (() => Promise<boolean>) => {
			world.asked.push(asked);
			const answer = answers.shift();
			if (answer === undefined) throw new Error(`no answer left for: ${asked.message}`);
			return answer;
		};
		const interrupted = <A>(answer: A): A => {
			if (answer === "^C")
				throw new PurserError("interrupted", {
					code: "INTERRUPTED",
					message: "Stopped at a prompt; nothing was sent",
					fix: "Run the command again.",
				});
			return answer;
		};
		const checked = async (kind: "text" | "secret", message: string, check?: (answer: string) => string | undefined): Promise<string> => {
			for (;;) {
				const answer = String(interrupted(next({ kind, message })));
				const fault = check?.(answer);
				if (fault === undefined) return answer;
				stderr += `${fault}\n`;
			}
		};
		const prompts: Prompts = {
			text: ({ message, check }) => checked("text", message, check),
			secret: ({ message, check }) => checked("secret", message, check),
			confirm: async ({ message }) => {
				const answer = interrupted(next({ kind: "confirm", message }));
				return (typeof answer === "function" ? await answer() : answer) === true;
			},
			choose: async ({ message, choices }) => String(interrupted(next({ kind: "choose", message, choices }))),
		};
		const env = { ...options.env };
		const outside: Outside = {
			env,
			platform: "linux",
			version: "0.0.0-test",
			terminal: {
				stdout: {
					write: async (text) => {
						stdout += text;
					},
					isTerminal: options.terminal ?? person,
					columns: options.columns ?? 100,
					colours: 0,
				},
				stderr: {
					write: async (text) => {
						stderr += text;
					},
					isTerminal: person,
					columns: options.columns ?? 100,
					colours: 0,
				},
				stdin: {
					isTerminal: person,
					read: async () => new TextEncoder().encode(options.input ?? ""),
					stream: async function* () {
						yield new TextEncoder().encode(options.input ?? "");
					},
				},
			},
			clock,
			chance,
			files: {
				read: async (path) => {
					const content = world.files.get(path);
					if (!content) throw Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: "ENOENT" });
					return content;
				},
				stream: async function* (path) {
					yield await outside.files.read(path, Number.POSITIVE_INFINITY);
				},
				writer: async (path) => {
					let text = "";
					return {
						write: async (part) => {
							text += part;
						},
						finish: async () => void world.files.set(path, new TextEncoder().encode(text)),
						discard: async () => {},
					};
				},
				write: async (path, content) => {
					world.files.set(path, typeof content === "string" ? new TextEncoder().encode(content) : content);
				},
				folder: async () => {},
				remove: async (path) => void world.files.delete(path),
				isLink: async (path) => world.links.has(path),
				temporary: async () => ({ path: "/tmp/purser-test", remove: async () => {} }),
			},
			processes: {
				self: async () => {
					throw new Error("no processes in these tests");
				},
				background: async (argv) => void world.started.push(argv),
			},
			signal: options.signal ?? new AbortController().signal,
			clipboard: async (text) => {
				if (world.clipboard === undefined) return undefined;
				world.copied.push(text);
				return world.clipboard;
			},
			shipped: () => undefined,
			openBrowser: async (address) => {
				world.opened.push(address);
				return true;
			},
			prompts: async () => prompts,
			transport: async () => transport,
			journal: async (of) => (openJournal ? openJournal(clock, of) : journal),
			batches: async (of) => {
				if (openBatches === undefined) throw new Error("no batches in this test: makeWorld({ openBatches })");
				return openBatches(clock, of);
			},
			resolve: async (flags) => (await import("../../src/config/settings.js")).resolve(flags, env, await outside.profiles()),
			place: async () => ({ config: "/config", state: "/state" }),
			seen: {
				note: (_, records) => void world.seen.push(...records),
				whole: () => {},
				of: async (_, kind) => world.seen.filter((record) => record.kind === kind),
				due: async () => world.due,
			},
			profiles: async () => ({
				file: "/config/purser.json",
				list: async () => [...world.profiles.values()],
				get: async (name = current) => (name === undefined ? undefined : world.profiles.get(name)),
				save: async (saved) => {
					world.profiles.set(saved.name, saved);
					current ??= saved.name;
				},
				remove: async (name) => {
					world.profiles.delete(name);
					if (current === name) current = undefined;
				},
				current: async () => current,
				use: async (name) => {
					current = name;
				},
			}),
			signing: async () => signingOf(world),
			credentials: async () => ({
				// As without a folder to take turns in.
				turn: (_, act) => act(false),
				get: async (of) => {
					const credential = credentials.get(`${of.name} ${new URL(of.baseUrl).origin}`);
					return credential && { credential, from: "the test" };
				},
				set: async (of, credential) => {
					credentials.set(`${of.name} ${new URL(of.baseUrl).origin}`, credential);
					return { where: "the test" };
				},
				remove: async (of) => credentials.delete(`${of.name} ${new URL(of.baseUrl).origin}`),
			}),
		};
		const exit = await run(argv, outside, commands);
		if (answers.length > 0) throw new Error(`answers left over: ${JSON.stringify(answers)}`);
		return { exit, stdout, stderr, json: () => JSON.parse(stdout) };
	}

	if (loggedIn && wire) credentials.set(`sandbox ${origin}`, { kind: "tokens", token: "token-1" });
	else if (loggedIn) {
		const ran = await purser(["auth", "login", "--username", "operator", "--partner-name", "example-partner", "--password-stdin"], {
			input: "sandbox-password",
		});
		if (ran.exit !== 0) throw new Error(`the test's login failed: ${ran.stderr}`);
		world.requests.length = 0;
	}
	return world;
}

/** What reaches the caller of an answer that a fault drops or cuts, in the words of a real transport. */
export function delivered({ status, headers, body, delivery }: Answer): WireOutcome {
	if (delivery?.drop || (delivery?.cut !== undefined && body.length === 0))
		return { kind: "sent", reason: "the connection was closed before an answer came" };
	if (delivery?.cut !== undefined) return { kind: "sent", reason: "the answer was cut short (ECONNRESET)", status };
	return { kind: "answer", status, headers, body };
}

/** A key in the test's memory. */
function signingOf({ person }: World): Signing {
	const own = async () => person.key && { key: createPublicKey(person.key).export({ format: "jwk" }).x as string, where: "the test" };
	return {
		own,
		make: async () => {
			person.key ??= generateKeyPairSync("ed25519").privateKey;
			return (await own()) as { key: string; where: string };
		},
		sign: async (message) => sign(null, message, person.key as KeyObject).toString("base64url"),
	};
}
