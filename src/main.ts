/**
 * The composition root: builds everything outside and hands it to `run`. The only file that touches `process`.
 */

import { setMaxListeners } from "node:events";
import { existsSync, writeSync } from "node:fs";
import about from "../package.json" with { type: "json" };
import type { Contract } from "./cli/contract.js";
import type { Frame } from "./cli/frame.js";
import type { Form } from "./cli/output/cut-off.js";
import type { UnderWay } from "./cli/under-way.js";
import type { Runtime } from "./context.js";
import type { AnchorPlace } from "./ports/anchor.js";
import type { ShownDocument } from "./ports/machine.js";
import type { Membership, Profile } from "./ports/profiles.js";
import { keepCompiledCode } from "./system/compiled-code.js";

const stop = new AbortController();
// Each running exchange adds a listener, and a batch has many at once.
setMaxListeners(0, stop.signal);
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** Loaded with the program; nothing is under way before that. */
let underWay: UnderWay | undefined;

let cutOffText = (): string => "";

let warningText = (message: string): string => `Warning: ${message}\n`;

let outputError: string | undefined;

/** Ends the threads beside this one between two calls of theirs: libsql aborts the process where a thread is ended within one. */
let endThreads = async (): Promise<void> => {};

/** Ends the process at once. One call of a thread may take longer than a person at Ctrl-C waits. */
function leave(code: number): void {
	void Promise.race([endThreads(), new Promise((resolve) => setTimeout(resolve, 1_000))]).finally(() => process.exit(code));
}

/** The first signal asks the run to end in order; a second one ends it at once, and says so where that leaves a doubt (exit 7). */
function listen(): void {
	for (const [name, code] of Object.entries(signals))
		process.on(name as NodeJS.Signals, () => {
			if (!stop.signal.aborted) {
				stop.abort(name);
				return;
			}
			// A closing terminal sends SIGHUP more than once (the system, the shell), which does not mean that a person is impatient.
			if (name === "SIGHUP") return;
			if (underWay?.isEmpty !== false) return leave(code);
			try {
				writeSync(2, cutOffText());
			} finally {
				leave(7);
			}
		});
	// node:sqlite warns at every start that it is experimental; every other warning is shown.
	process.removeAllListeners("warning");
	process.on("warning", (warning) => {
		if (warning.name !== "ExperimentalWarning") process.stderr.write(warningText(warning.message));
	});
}

async function runtime(): Promise<Runtime & { end(): Promise<void> }> {
	const { platform } = process;
	const {
		createProfiles,
		directoriesOf,
		resolve,
		serviceAddress,
		takeSecrets,
		browser,
		random,
		clock,
		createFiles,
		createSeenNames,
		createServiceClock,
		home,
		mayBeTerminal,
		once,
		oncePerProfile,
		processes,
		readAll,
		shippedFile,
		shippedText,
		untilStopped,
		writable,
	} = await import("./start.js");
	// Before anything can start a program: what it inherits holds no secret.
	const given = takeSecrets(process.env);
	// Such a terminal cannot move its cursor.
	const env = given.TERM === "dumb" ? { ACCESSIBLE: "1", ...given } : given;
	const openStdout = (): NodeJS.WriteStream =>
		process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => {
			outputError = code;
		});
	const stdout = once(() => writable(1, openStdout, env));
	const stderr = once(() => writable(2, () => process.stderr, env));
	const time = clock(stop.signal);
	const files = createFiles(stop.signal);
	const shown = async (document: ShownDocument) =>
		(await import("./system/shown-document.js")).show(document, {
			open: (file) => browser(file, env, platform),
			home: home(env, platform),
			signal: stop.signal,
		});
	const directories = once(async () => directoriesOf(env, platform, home(env, platform)));
	const configuration = async () => ({ directory: (await directories()).config, env, platform });
	const seenNames = createSeenNames(files, async () => (await directories()).state);
	const profiles = once(async () => createProfiles({ directory: (await directories()).config, uid: process.geteuid?.() }));
	const transport = once(async () => (await import("./http/transport/http.js")).createTransport({ env }));
	const anchors = oncePerProfile(async (profile) => {
		const keyring = async () => (await import("./config/secrets/keyring.js")).openKeyring(env, platform);
		return (await import("./config/secrets/anchors.js")).openAnchorPlace({ ...(await configuration()), profile, keyring });
	});
	/** Where a live profile's journal is anchored; a sandbox's needs no anchor. */
	const anchorOf = (profile: Profile): (() => Promise<AnchorPlace>) | undefined => {
		if (profile.environment !== "live") return undefined;
		return () => anchors.get(profile);
	};
	const journalOptions = async (profile: Profile) => ({
		directory: (await directories()).state,
		profile,
		clock: time,
		random,
		anchor: anchorOf(profile),
	});
	const rulesOf = async ({ settings, confirmations }: Profile) =>
		(await import("./payments/rules/rules.js")).moneyRules(settings, confirmations);
	/** How the journal of a team is opened by the profile. */
	const teamOptions = async (profile: Profile, { url, machine }: Membership) => {
		const address = await (await import("./config/team.js")).addressOfTeam(profile, url, await configuration());
		return { ...(await journalOptions(profile)), address, machine, service: serviceAddress(profile.baseUrl) };
	};
	const journals = oncePerProfile(async (profile) => {
		const { team } = profile;
		const rules = await rulesOf(profile);
		if (team !== undefined)
			return (await import("./journal/open-team.js")).openTeamJournal({ ...(await teamOptions(profile, team)), rules });
		return (await import("./journal/open.js")).openJournal({ ...(await journalOptions(profile)), rules });
	});
	const inboxes = oncePerProfile(async (profile) =>
		(await import("./inbox/inbox.js")).openInbox({ directory: (await directories()).state, profile, clock: time, random }),
	);
	const identities = oncePerProfile(async (profile) => (await import("./http/transport/http.js")).askSandboxIdentity(profile, stop.signal));
	const batches = oncePerProfile(async (profile) => {
		const { batchRules } = await import("./payments/batch/send/guards.js");
		const { team } = profile;
		const rules = batchRules(profile.settings, profile.confirmations);
		if (team !== undefined)
			return (await import("./journal/open-team.js")).openTeamBatches({ ...(await teamOptions(profile, team)), rules });
		const { openBatches } = await import("./journal/open-batches.js");
		const here = await openBatches({ ...(await journalOptions(profile)), rules });
		// Beside this file as built; a single executable has no other file, and records in this thread.
		const worker = shippedFile(import.meta.url, "journal-worker.cjs");
		if (worker === undefined) return here;
		const { batchesInThread, endJournalThreads } = await import("./system/journal-thread.js");
		endThreads = endJournalThreads;
		const { state: directory, config } = await directories();
		return batchesInThread(new URL(worker), here, { directory, config, profile });
	});
	return {
		settings: { resolve: async (flags) => resolve(flags, env, await profiles()) },
		service: async () => (await import("./http/service.js")).serviceOf,
		journal: {
			of: journals.get,
			exists: async (profile) =>
				profile.team !== undefined ||
				existsSync((await import("./journal/sqlite/place.js")).placeOf((await directories()).state, profile).file),
			batches: batches.get,
			inbox: inboxes.get,
			hasInbox: async (profile) => (await import("./inbox/inbox.js")).hasInbox({ directory: (await directories()).state, profile }),
			sandboxIdentity: async (profile) => (profile.environment === "sandbox" ? identities.get(profile) : undefined),
			team: async () => {
				const { teamsOf } = await import("./journal/teams.js");
				const { machineName } = await import("./system/operator.js");
				const team = await import("./config/team.js");
				const place = await configuration();
				return teamsOf({
					machine: machineName(),
					team: async (profile, member) => ({ ...(await teamOptions(profile, member)), rules: await rulesOf(profile) }),
					profiles: await profiles(),
					address: (url) => team.teamAddress(url),
					keep: (profile, address) => team.keepPassword(profile, address, place),
					forget: (profile) => team.forgetPassword(profile, place),
				});
			},
		},
		names: {
			seen: seenNames,
			resolver: async (context) => {
				const { makeResolver } = await import("./names/resolver.js");
				const own = async () => batches.get((await context.settings.read()).profile);
				return makeResolver({
					get service() {
						return context.service;
					},
					batches: async () => (await own()).list(),
					ids: await context.settings.ids(),
					seen: async () => seenNames.read((await context.settings.read()).profile),
					soon: async (milliseconds, reads) => (await import("./http/service.js")).readSoon(context, milliseconds, reads),
				});
			},
		},
		ask: {
			prompts: once(async () => (await import("./cli/prompts/prompts.js")).makePrompts(process.stdin, process.stderr, stop.signal, env)),
		},
		files,
		clock: { ...time, service: createServiceClock(time) },
		random,
		config: {
			profiles,
			credentials: async (warn) =>
				(await import("./config/secrets/credentials.js")).createCredentials({
					...(await configuration()),
					profiles: await profiles(),
					read: files.read,
					warn,
				}),
			signing: async () => (await import("./config/secrets/signing.js")).createSigning(await configuration()),
			eventSecrets: async (warn) =>
				(await import("./config/secrets/event-secrets.js")).createEventSecrets({ ...(await configuration()), warn }),
			operator: once(async () => (await import("./system/operator.js")).currentOperator(env, process.getuid?.())),
			directories,
		},
		system: {
			env,
			platform,
			version: about.version,
			node: process.versions.node,
			terminal: {
				get stdout() {
					return stdout();
				},
				get stderr() {
					return stderr();
				},
				get stdin() {
					return {
						isTerminal: mayBeTerminal(0) && process.stdin.isTTY === true,
						read: (limit: number) => readAll(untilStopped(process.stdin, stop.signal), limit),
						stream: () => untilStopped(process.stdin, stop.signal),
					};
				},
			},
			processes: processes(
				process.execPath,
				process.argv[1] as string,
				(pid, name) => void process.kill(pid, name),
				(text) => void stderr().write(text),
			),
			receiver: async (place, options) => (await import("./system/receiver.js")).openReceiver(place, options),
			shippedText: (name) => shippedText(import.meta.url, name),
			showDocument: shown,
			transport,
		},
		signal: stop.signal,
		end: async () => {
			await seenNames.save();
			for (const one of [...journals.all(), ...batches.all(), ...inboxes.all()]) await one.then((open) => open.close()).catch(() => {});
			for (const one of anchors.all()) await one.then((anchor) => anchor.keep()).catch(() => {});
		},
	};
}

function writeVersion(): void {
	try {
		writeSync(1, `purser ${about.version}\n`);
	} catch (cause) {
		const { code } = cause as NodeJS.ErrnoException;
		if (code === "EPIPE") return;
		process.stderr.write(`Error: the version could not be written (${code})\n`);
		process.exitCode = code === "ENOSPC" ? 6 : 1;
	}
}

async function main(): Promise<void> {
	const argv = process.argv.slice(2);
	if (argv.length === 1 && (argv[0] === "--version" || argv[0] === "-V")) return writeVersion();
	keepCompiledCode(process.env, process.platform, about.version, process.geteuid?.());
	listen();
	const { run, cutOffLine, unwritten, warningLine, UnderWay, adviceText, readGlobal, commands } = await import("./start.js");
	const form: Form = { json: !readGlobal(argv, {}, process.env).format.people, shown: adviceText };
	const begun = new UnderWay();
	underWay = begun;
	cutOffText = () => cutOffLine(begun.open, begun.rows, form);
	warningText = (message) => warningLine(message, form.json);
	const world = await runtime();
	const contract = async (name: "contract" | "help"): Promise<Contract | undefined> => {
		const text = await world.system.shippedText(`${name}.json`);
		return text === undefined ? undefined : (JSON.parse(text) as Contract);
	};
	const speak = ({ global, shown }: Frame): void => void Object.assign(form, { json: !global.format.people, shown });
	const code = await run(argv, world, commands, contract, speak, begun);
	await world.end();
	await world.system.terminal.stdout.write("");
	await world.system.terminal.stderr.write("");
	if (outputError === undefined || outputError === "EPIPE") process.exit(code);
	const { line, exit } = unwritten(outputError, code, begun, form);
	process.stderr.write(line);
	process.exit(exit);
}

void main();
