/**
 * Whole runs in process: `purser(argv)` against the in-process sandbox, with everything outside controlled by the test.
 */
import { readFileSync } from "node:fs";
import { readGlobal } from "../../src/cli/input/options.js";
import { parse } from "../../src/cli/input/program.js";
import { route } from "../../src/cli/input/route.js";
import { commands } from "../../src/commands/index.js";
import type { Context, Runtime } from "../../src/context.js";
import { readSoon, serviceOf } from "../../src/http/service.js";
import { makeResolver } from "../../src/names/resolver.js";
import type { Batches } from "../../src/ports/batches.js";
import type { Journal } from "../../src/ports/journal.js";
import type { Clock, Processes, Random, ShownDocument } from "../../src/ports/machine.js";
import type { Profile } from "../../src/ports/profiles.js";
import type { Output } from "../../src/ports/terminal.js";
import { run } from "../../src/run.js";
import { parseFault } from "../../src/sandbox/simulate/faults.js";
import { createServiceClock } from "../../src/system/clock.js";
import { suggestedBy } from "../commands/suggested.js";
import { checkAnswer } from "./answers.js";
import { credentialsIn } from "./context.js";
import { logInWords } from "./log-in.js";
import type { Ran, RunOptions, Wire, World } from "./world.js";
import { eventsOf, filesOf, journalOf, noTeams, profilesOf, promptsOf, signingOf } from "./world-parts.js";
import { makeChance, makeClock } from "./world-time.js";
import { transportOf } from "./world-wire.js";

export type { Ran, RunOptions, Wire, World } from "./world.js";
export { answered } from "./world-wire.js";

const origin = "http://127.0.0.1:4010";

/** Options of a world; see {@link makeWorld}. */
interface WorldOptions {
	loggedIn?: boolean;
	profile?: Partial<Profile>;
	/** Simulated faults of the sandbox, as they are typed. */
	faults?: readonly string[];
	/** Answers instead of the sandbox; the credential is then the token `token-1`. */
	wire?: Wire;
	/** A journal on disk; without it, changes are noted in `world.journal` alone. */
	openJournal?(clock: Clock, profile: Profile): Promise<Journal>;
	/** The batches of that journal. */
	openBatches?(clock: Clock, profile: Profile): Promise<Batches>;
}

/** The ports that stay the same from one run to the next. */
type Lasting = Omit<Runtime, "settings" | "ask" | "clock" | "signal" | "system"> & {
	readonly clock: Clock;
	readonly system: Omit<Runtime["system"], "env" | "terminal">;
};

/** Makes a world whose profile `sandbox` is logged in by default. */
export async function makeWorld(options: WorldOptions = {}): Promise<World> {
	const { loggedIn = true, profile, wire, faults = [] } = options;
	const clock = makeClock();
	const random = makeChance();
	const { createSandbox } = wire ? { createSandbox: () => undefined as never } : await import("../../src/sandbox/sandbox.js");
	const sandbox = createSandbox({ clock, random, origin, faults: faults.map(parseFault) });
	const events = eventsOf(clock, random);
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
		browser: "opened",
		seen: [],
		journal: [],
		operator: undefined,
		identity: undefined,
		platform: "linux",
		program: noProcess,
		wire,
		clock,
		inbox: () => events.journal.inbox(world.profiles.get("sandbox") as Profile),
		purser: (line, options = {}) => purser(world, lasting, wordsOf(line), options),
		json: async (line, options) => (await world.purser([...wordsOf(line), "--json"], options)).json(),
		put: (path, text) => {
			world.files.set(path, new TextEncoder().encode(text));
			return path;
		},
		text: (path) => new TextDecoder().decode(world.files.get(path)),
		changes: () => world.requests.filter(({ method }) => method !== "GET"),
	};
	const auth = { kind: "login", username: "operator", partnerName: "example-partner" } as const;
	const own: Profile = { name: "sandbox", baseUrl: origin, environment: "sandbox", auth, settings: {}, ...profile };
	if (loggedIn) world.profiles.set("sandbox", own);
	// By profile and origin, as in the real store.
	const credentials = credentialsIn(new Map(), ({ name, baseUrl }) => `${name} ${new URL(baseUrl).origin}`);
	const made = lastingOf(world, options, random);
	const lasting: Lasting = {
		...made,
		journal: { ...made.journal, ...events.journal },
		config: { ...made.config, ...events.config, credentials: async () => credentials },
	};
	if (loggedIn && wire) await credentials.set({ ...own, name: "sandbox", baseUrl: origin }, { kind: "tokens", token: "token-1" });
	else if (loggedIn) await logIn(world);
	return world;
}

const wordsOf = (line: string | readonly string[]): readonly string[] =>
	typeof line === "string" ? [...line.matchAll(/"([^"]*)"|[^\s"]+/g)].map(([whole, quoted]) => quoted ?? whole) : line;

async function logIn(world: World): Promise<void> {
	const ran = await world.purser(logInWords, { input: "sandbox-password" });
	if (ran.exit !== 0) throw new Error(`the test's login failed: ${ran.stderr}`);
	world.requests.length = 0;
}

const noProcess = async () => {
	throw new Error("no processes in these tests");
};

function lastingOf(world: World, { openJournal, openBatches }: WorldOptions, random: Random) {
	const { clock } = world;
	const journal = journalOf(world);
	const transport = transportOf(world);
	const profiles = profilesOf(world);
	return {
		service: async () => serviceOf,
		journal: {
			of: async (of: Profile) => (openJournal ? openJournal(clock, of) : journal),
			exists: async () => openJournal !== undefined,
			batches: async (of: Profile) => {
				if (openBatches === undefined) throw new Error("no batches in this test: makeWorld({ openBatches })");
				return openBatches(clock, of);
			},
			sandboxIdentity: async () => world.identity,
			team: async () => noTeams(world),
		},
		names: {
			seen: { note: (_: Profile, names: World["seen"]) => void world.seen.push(...names), read: async () => world.seen },
			resolver: async (context: Context) =>
				makeResolver({
					get service() {
						return context.service;
					},
					batches: async () => (await context.journal.batches((await context.settings.read()).profile)).list(),
					ids: await context.settings.ids(),
					seen: async () => world.seen,
					soon: (milliseconds, reads) => readSoon(context, milliseconds, reads),
				}),
		},
		clock,
		random,
		files: filesOf(world),
		config: {
			profiles: async () => profiles,
			signing: async () => signingOf(world),
			operator: async () => world.operator,
			directories: async () => ({ config: "/config", state: "/state" }),
		},
		system: {
			get platform() {
				return world.platform;
			},
			version: "0.0.0-test",
			node: "20.19.0",
			processes: { self: noProcess, program: (...given: Parameters<Processes["program"]>) => world.program(...given) },
			receiver: async () => {
				throw new Error("no receiver in these tests");
			},
			// As from `dist/`, where the built program lies.
			shippedText: async (name: string) =>
				name.startsWith("../") ? readFileSync(new URL(`../${name}`, import.meta.url), "utf8") : undefined,
			showDocument: async ({ bytes, contentType }: ShownDocument) => {
				world.opened.push(`${contentType}: ${new TextDecoder().decode(bytes)}`);
				return world.browser;
			},
			transport: async () => transport,
		},
	};
}

/** One run in a world. */
async function purser(world: World, lasting: Lasting, argv: readonly string[], options: RunOptions): Promise<Ran> {
	const written = { stdout: "", stderr: "" };
	const answers = [...(options.answers ?? [])];
	const person = options.answers !== undefined || options.person !== undefined;
	world.asked = [];
	const prompts = promptsOf(world, { answers, person: options.person }, (line) => {
		written.stderr += line;
	});
	const output = (name: keyof typeof written, isTerminal: boolean): Output => ({
		write: async (text) => {
			if (name !== "stdout" || !options.closed) written[name] += text;
		},
		isClosed: () => name === "stdout" && options.closed === true,
		isTerminal,
		columns: options.columns ?? 100,
		colours: 0,
	});
	const input = () => new TextEncoder().encode(options.input ?? "");
	// Answers are read as a person reads them, unless a test is about pipes.
	const people: Record<string, string> = options.piped ? {} : { PURSER_OUTPUT: "text" };
	const env: Record<string, string> = { ...people, ...options.env };
	const runtime: Runtime = {
		...lasting,
		settings: {
			resolve: async (flags) => (await import("../../src/config/settings.js")).resolve(flags, env, await lasting.config.profiles()),
		},
		ask: { prompts: async () => prompts },
		clock: Object.assign(Object.create(lasting.clock), { service: createServiceClock(lasting.clock) }),
		system: {
			...lasting.system,
			env,
			terminal: {
				stdout: output("stdout", options.terminal ?? person),
				stderr: output("stderr", person),
				stdin: {
					isTerminal: person,
					read: async () => input(),
					stream: async function* () {
						yield input();
					},
				},
			},
		},
		signal: options.signal ?? new AbortController().signal,
	};
	const exit = await run(argv, runtime, commands);
	await checkWritten(argv, env, written.stdout);
	await checkSuggested(written);
	if (answers.length > 0) throw new Error(`answers left over: ${JSON.stringify(answers)}`);
	const error = () => JSON.parse(written.stderr.trim().split("\n").at(-1) as string).error;
	return { exit, ...written, json: () => JSON.parse(written.stdout), error };
}

/** What a run suggests can be typed: the command is there, with those flags and so many arguments. */
async function checkSuggested(written: { stderr: string }): Promise<void> {
	for (const words of suggestedBy(written)) {
		const length = [3, 2, 1].find((count) => Object.hasOwn(commands, words.slice(0, count).join(" "))) ?? 0;
		const rest = words.slice(length);
		const load = commands[words.slice(0, length).join(" ")];
		if (load === undefined || rest.includes("--help")) continue;
		try {
			parse((await load()).default, rest);
		} catch (cause) {
			throw new Error(`purser ${words.join(" ")} cannot be typed: ${(cause as Error).message}`);
		}
	}
}

/** Holds what was written as JSON against the command's schema. Events that are written as they come have one of their own. */
async function checkWritten(argv: readonly string[], env: Readonly<Record<string, string>>, stdout: string): Promise<void> {
	if (!/^[[{n]/.test(stdout)) return;
	const { format } = readGlobal(argv, {}, env);
	const { path = "", help } = route(argv, Object.keys(commands));
	const isPart = argv.some((word) => word.startsWith("--print-template") || word === "--columns");
	if (commands[path] === undefined || help || isPart || format.people) return;
	const { default: command } = await commands[path]();
	const isLines = format.streams || argv.includes("ndjson");
	if (!isLines) checkAnswer(command, JSON.parse(stdout));
	else if (!path.startsWith("events ")) for (const line of stdout.trimEnd().split("\n")) checkAnswer(command, JSON.parse(line), "record");
}
