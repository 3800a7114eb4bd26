/**
 * The composition root: builds everything outside and hands it to `run`. The only file that touches `process`.
 */

import { setMaxListeners } from "node:events";
import { existsSync, writeSync } from "node:fs";
import about from "../package.json" with { type: "json" };
import type { Outside } from "./context.js";
import type { AnchorPlace } from "./ports/anchor.js";
import type { Batches } from "./ports/batches.js";
import type { Journal } from "./ports/journal.js";
import type { Profile } from "./ports/profiles.js";
import type { Output } from "./ports/terminal.js";
import type { Contract } from "./shell/contract.js";
import type { Form, UnderWay } from "./shell/output/cut-off.js";

const stop = new AbortController();
// Each exchange under way listens, and a batch has many under way.
setMaxListeners(0, stop.signal);
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Intents recorded as begun and not as ended: a run that is cut off now leaves them in doubt. */
const underWay = new Map<string, UnderWay>();

/** What is told of them then; nothing is under way before it is there. */
let cutOff: (() => string) | undefined;

/** How a warning of Node's is told. */
let warned = (message: string): string => `Warning: ${message}\n`;

/** Whether this run has begun a payment, whatever became of it. */
let paid = false;

/** Rows of a batch recorded as begun and not as ended. */
let rowsUnderWay = 0;

/** Why standard output could not be written, where it could not. */
let lost: string | undefined;

/** The first signal asks the run to end in order; a second one ends it at once, and says so where that leaves a doubt (exit 7). */
function listen(): void {
	for (const [name, code] of Object.entries(signals))
		process.on(name as NodeJS.Signals, () => {
			if (!stop.signal.aborted) {
				stop.abort(name);
				return;
			}
			// A terminal that closes hangs up more than once (the system, the shell): that is nobody's impatience.
			if (name === "SIGHUP") return;
			if (underWay.size === 0 && rowsUnderWay <= 0) process.exit(code);
			try {
				writeSync(2, cutOff?.() ?? "");
			} finally {
				process.exit(7);
			}
		});
	// node:sqlite says that it is experimental on every start; anything else is worth a line.
	process.removeAllListeners("warning");
	process.on("warning", (warning) => {
		if (warning.name !== "ExperimentalWarning") process.stderr.write(warned(warning.message));
	});
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return () => {
		made ??= make();
		return made;
	};
}

/** The same journal, with what is under way noted for a second signal. */
function watched(journal: Journal): Journal {
	return {
		...journal,
		begin: async (intent, warn) => {
			const number = await journal.begin(intent, warn);
			underWay.set(number, { intent: number, money: intent.effect === "money" });
			paid ||= intent.effect === "money";
			return number;
		},
		end: async (intent, outcome) => {
			await journal.end(intent, outcome);
			underWay.delete(intent);
		},
	};
}

/** The same batches, with how many rows are on their way noted for a second signal. */
function counted(batches: Batches): Batches {
	return {
		...batches,
		advance: async (batch, ended, want, skew) => {
			const begun = await batches.advance(batch, ended, want, skew);
			rowsUnderWay += begun.length - ended.length;
			paid ||= begun.length > 0;
			return begun;
		},
	};
}

/** As `homedir` of `node:os` finds it, which is not loaded where the environment says it. */
async function home(): Promise<string> {
	const said = process.platform === "win32" ? process.env.USERPROFILE || undefined : process.env.HOME;
	return said ?? (await import("node:os")).homedir();
}

async function outside(): Promise<Outside & { end(): Promise<void> }> {
	const { env, platform } = process;
	const {
		browser,
		random,
		clock,
		createCompletionCache,
		createServiceClock,
		files,
		mayBeTerminal,
		processes,
		readAll,
		shippedFile,
		shippedText,
		writable,
	} = await import("./machine/machine.js");
	const outputs: { stdout?: Output; stderr?: Output } = {};
	const stdout = (): NodeJS.WriteStream =>
		process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
			lost = code;
		});
	const output = (name: "stdout" | "stderr"): Output => {
		outputs[name] ??= name === "stdout" ? writable(1, stdout, env) : writable(2, () => process.stderr, env);
		return outputs[name];
	};
	const time = clock(stop.signal);
	const place = once(async () => {
		const { directories } = await import("./config/directories.js");
		return directories(env, platform, await home());
	});
	const completionCache = createCompletionCache(files, time, async () => (await place()).state);
	const profiles = once(async () =>
		(await import("./config/profiles.js")).createProfiles({ directory: (await place()).config, uid: process.geteuid?.() }),
	);
	const transport = once(async () => (await import("./client/transport/http.js")).createTransport({ env }));
	const tell = (message: string): void => void process.stderr.write(warned(message));
	const anchors = new Map<string, Promise<AnchorPlace>>();
	/** Where a live profile's journal is anchored; a sandbox's needs no anchor. */
	const anchorOf = (profile: Profile): (() => Promise<AnchorPlace>) | undefined => {
		if (profile.environment !== "live") return undefined;
		return async () => {
			const [{ openAnchorPlace }, { openKeyring }] = await Promise.all([
				import("./config/secrets/anchors.js"),
				import("./config/secrets/keyring.js"),
			]);
			const keyring = () => openKeyring(env, platform);
			const found = anchors.get(profile.name) ?? openAnchorPlace({ directory: (await place()).config, profile, keyring });
			anchors.set(profile.name, found);
			return found;
		};
	};
	const journals = new Map<string, Promise<Journal>>();
	const journal = (profile: Profile): Promise<Journal> => {
		const key = `${profile.name} ${profile.environment}`;
		const found = journals.get(key) ?? open(profile);
		journals.set(key, found);
		return found;
	};
	const opened = new Map<string, Promise<Batches>>();
	const batches = (profile: Profile): Promise<Batches> => {
		const key = `${profile.name} ${profile.environment}`;
		const found = opened.get(key) ?? openBatches(profile);
		opened.set(key, found);
		return found;
	};
	const openBatches = async (profile: Profile): Promise<Batches> => {
		const { openBatches: open } = await import("./journal/open-batches.js");
		const { batchRules } = await import("./payments/batch/send/rules.js");
		const { state: directory, config } = await place();
		const here = await open({
			directory,
			profile,
			clock: time,
			random,
			rules: batchRules(profile.settings),
			anchor: anchorOf(profile),
			tell,
		});
		// Beside this file as built; a single executable has no other file, and records in this thread.
		const file = new URL("./journal-worker.cjs", import.meta.url);
		if (!existsSync(file)) return counted(here);
		const { batchesInThread } = await import("./machine/journal-thread.js");
		return counted(batchesInThread(file, here, { directory, config, profile }));
	};
	const open = async (profile: Profile): Promise<Journal> => {
		const { openJournal } = await import("./journal/open.js");
		const { moneyRules } = await import("./payments/rules/rules.js");
		return watched(
			await openJournal({
				directory: (await place()).state,
				profile,
				clock: time,
				random,
				rules: moneyRules(profile.settings),
				anchor: anchorOf(profile),
				tell,
			}),
		);
	};
	return {
		env,
		platform,
		version: about.version,
		terminal: {
			get stdout() {
				return output("stdout");
			},
			get stderr() {
				return output("stderr");
			},
			get stdin() {
				return {
					isTerminal: mayBeTerminal(0) && process.stdin.isTTY === true,
					read: (limit: number) => readAll(process.stdin, limit),
					stream: () => process.stdin,
				};
			},
		},
		clock: time,
		serviceClock: createServiceClock(time),
		random,
		files,
		processes: processes(process.execPath, process.argv[1] as string),
		signal: stop.signal,
		shipped: (name) => shippedFile(import.meta.url, name),
		shippedText: (name) => shippedText(import.meta.url, name),
		openBrowser: browser,
		clipboard: async (text) =>
			(await import("./machine/clipboard.js")).copyToClipboard(text, { env, platform, terminal: output("stderr") }),
		prompts: once(async () => (await import("./shell/prompts/prompts.js")).makePrompts(process.stdin, process.stderr, stop.signal, env)),
		transport,
		journal,
		hasJournal: async (profile) => existsSync((await import("./journal/sqlite/place.js")).placeOf((await place()).state, profile).file),
		batches,
		resolve: async (flags) => (await import("./config/settings.js")).resolve(flags, env, await profiles()),
		profiles,
		completionCache,
		place,
		credentials: async (warn) => {
			const { createCredentials } = await import("./config/secrets/credentials.js");
			return createCredentials({ directory: (await place()).config, env, platform, profiles: await profiles(), warn });
		},
		signing: async () => (await import("./config/secrets/signing.js")).createSigning({ directory: (await place()).config, env, platform }),
		operator: once(async () => (await import("./machine/operator.js")).currentOperator(env, process.getuid?.())),
		end: async () => {
			await completionCache.save();
			for (const one of [...journals.values(), ...opened.values()]) await one.then((journal) => journal.close()).catch(() => {});
			for (const one of anchors.values()) await one.then((anchor) => anchor.keep()).catch(() => {});
		},
	};
}

/** The version, for which nothing is loaded. */
function tellVersion(): void {
	try {
		writeSync(1, `purser ${about.version}\n`);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === "EPIPE") return;
		process.stderr.write(`Error: the version could not be written (${code})\n`);
		process.exitCode = 1;
	}
}

async function main(): Promise<void> {
	const argv = process.argv.slice(2);
	if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) return tellVersion();
	listen();
	const { run } = await import("./run.js");
	const [{ cutOffLine, unwrittenLine, warningLine }, { adviceText }, { readGlobal }] = await Promise.all([
		import("./shell/output/cut-off.js"),
		import("./api/advice.js"),
		import("./shell/input/global.js"),
	]);
	const form: Form = { json: !readGlobal(argv, {}, process.env).format.people, shown: adviceText };
	cutOff = () => cutOffLine([...underWay.values()], rowsUnderWay, form);
	warned = (message) => warningLine(message, form.json);
	const { commands } = await import("./commands/index.js");
	const world = await outside();
	const contract = async (): Promise<Contract | undefined> => {
		const text = await world.shippedText("contract.json");
		return text === undefined ? undefined : (JSON.parse(text) as Contract);
	};
	const code = await run(argv, world, commands, contract, ({ global, shown }) => {
		Object.assign(form, { json: !global.format.people, shown });
	});
	await world.end();
	await world.terminal.stdout.write("");
	await world.terminal.stderr.write("");
	const unwritten = lost !== undefined && lost !== "EPIPE";
	if (unwritten) process.stderr.write(unwrittenLine(lost as string, code, paid, form));
	process.exit(unwritten && code === 0 ? 1 : code);
}

void main();
