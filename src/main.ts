/**
 * The composition root: builds everything outside and hands it to `run`. The only file that touches `process`.
 */

import about from "../package.json" with { type: "json" };
import { commands } from "./commands/index.js";
import type { Journal, Output, Outside, Profile } from "./context.js";
import { browser } from "./machine/browser.js";
import { chance } from "./machine/chance.js";
import { clock } from "./machine/clock.js";
import { files } from "./machine/files.js";
import { processes } from "./machine/processes.js";
import { readAll, writable } from "./machine/streams.js";
import { run } from "./run.js";

const stop = new AbortController();
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The first signal asks the run to end in order; a second one ends it at once. */
function listen(): void {
	for (const [name, code] of Object.entries(signals))
		process.on(name as NodeJS.Signals, () => {
			if (stop.signal.aborted) process.exit(code);
			stop.abort(name);
		});
	// node:sqlite says that it is experimental on every start; anything else is worth a line.
	process.removeAllListeners("warning");
	process.on("warning", (warning) => {
		if (warning.name !== "ExperimentalWarning") process.stderr.write(`Warning: ${warning.message}\n`);
	});
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
	let made: Promise<T> | undefined;
	return () => {
		made ??= make();
		return made;
	};
}

function outside(): Outside & { end(): Promise<void> } {
	const { env, platform, stdin, stdout, stderr } = process;
	const output = (stream: NodeJS.WriteStream): Output => writable(stream, env);
	const time = clock(stop.signal);
	const place = once(async () => {
		const { directories } = await import("./config/directories.js");
		const { homedir } = await import("node:os");
		return directories(env, platform, homedir());
	});
	const profiles = once(async () => (await import("./config/profiles.js")).createProfiles({ directory: (await place()).config }));
	const transport = once(async () => (await import("./client/http.js")).createTransport({ env }));
	const journals = new Map<string, Promise<Journal>>();
	const journal = (profile: Profile): Promise<Journal> => {
		const key = `${profile.name} ${profile.environment}`;
		const opened = journals.get(key) ?? open(profile);
		journals.set(key, opened);
		return opened;
	};
	const open = async (profile: Profile): Promise<Journal> => {
		const { openJournal } = await import("./journal/open.js");
		const { moneyRules } = await import("./payments/rules.js");
		return openJournal({ directory: (await place()).state, profile, clock: time, chance, rules: moneyRules(profile.settings) });
	};
	return {
		env,
		platform,
		version: about.version,
		terminal: {
			stdout: output(stdout),
			stderr: output(stderr),
			stdin: { isTerminal: stdin.isTTY === true, read: (limit) => readAll(stdin, limit) },
		},
		clock: time,
		chance,
		files,
		processes: processes(process.execPath, process.argv[1] as string),
		signal: stop.signal,
		openBrowser: browser,
		prompts: once(async () => (await import("./shell/prompts.js")).makePrompts(stdin, stderr, stop.signal)),
		transport,
		journal,
		resolve: async (flags) => (await import("./config/settings.js")).resolve(flags, env, await profiles()),
		profiles,
		place,
		credentials: async (warn) =>
			(await import("./config/credentials.js")).createCredentials({ directory: (await place()).config, env, platform, warn }),
		end: async () => {
			for (const opened of journals.values()) await opened.then((one) => one.close()).catch(() => {});
		},
	};
}

async function main(): Promise<void> {
	listen();
	const world = outside();
	const code = await run(process.argv.slice(2), world, commands);
	await world.end();
	await world.terminal.stdout.write("");
	await world.terminal.stderr.write("");
	process.exit(code);
}

void main();
