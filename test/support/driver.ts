/**
 * Real processes of the built program that share one state directory, and what is on record there afterwards.
 */
import { cp, readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { rolldown } from "rolldown";
import { environment, longestRun, ownFolder, script } from "./built.js";
import type { State } from "./invariants.js";
import { writeProfile } from "./profile-file.js";
import { planting } from "./program.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The script of the program with a part of a source file replaced; it is gone once the test is over. */
export async function faultyProgram(file: string, part: string, instead: string): Promise<string> {
	const folder = await ownFolder("purser-program-");
	const bundle = await rolldown({
		cwd: root,
		platform: "node",
		external: ["libsql", "@napi-rs/keyring", /^node:/],
		transform: { target: "node20" },
		input: { main: "src/main.ts" },
		plugins: [planting({ file, part, instead })],
		logLevel: "silent",
	});
	await bundle.write({ format: "cjs", dir: join(folder, "dist"), entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" });
	await cp(join(root, "bin"), join(folder, "bin"), { recursive: true });
	await cp(join(root, "package.json"), join(folder, "package.json"));
	await symlink(join(root, "node_modules"), join(folder, "node_modules"));
	return join(folder, "bin", "purser.js");
}

/** How a process ended: its exit code, 128 and the signal's number where a signal ended it, "killed" for SIGKILL. */
export interface Ended {
	code: number | "killed";
	stdout: string;
	stderr: string;
}

export interface Running {
	/** Kills it at once (SIGKILL). */
	kill(): void;
	signal(name: NodeJS.Signals): void;
	/** Closes the pipe of its standard output. */
	closeStdout(): void;
	ended: Promise<Ended>;
}

/** One operator's configuration and state, with ways to run the program there. */
export interface Desk {
	folder: string;
	state: string;
	env: Record<string, string>;
	/** Starts a run without a terminal. @param before words in front: another program that runs it */
	start(argv: readonly string[], more?: { env?: Record<string, string>; before?: readonly string[] }): Running;
	/** Runs a command that reads, and parses its answer. @throws Error where it does not exit 0 */
	look<T>(argv: readonly string[]): Promise<T>;
}

/** A secret that a run uses, and that must not be anywhere on the disk. */
export const plantedToken = "planted-secret-7Q2ZK9";
/** Personal data in the service's answers, which must not be anywhere on the disk. */
export const plantedName = "Wilhelmina Plantagenet-Zapp";

/** A new desk whose profile `desk` is at the service's address; it is gone once the test is over. */
export async function newDesk(url: string, program = script): Promise<Desk> {
	const folder = await ownFolder("purser-desk-");
	const env: Record<string, string> = { ...environment(folder), PURSER_TIMEOUT: "60", PURSER_TOKEN: plantedToken };
	await writeProfile(env.PURSER_CONFIG_DIR as string, url, "desk");
	const start: Desk["start"] = (argv, { env: more = {}, before = [] } = {}) =>
		running([...before, process.execPath, program, ...argv], { ...env, ...more });
	return {
		folder,
		state: env.PURSER_STATE_DIR as string,
		env,
		start,
		look: async <T>(argv: readonly string[]) => {
			const { code, stdout, stderr } = await start([...argv, "--json"]).ended;
			if (code !== 0) throw new Error(`purser ${argv.join(" ")} exited ${code}\n${stdout}${stderr}`);
			return JSON.parse(stdout) as T;
		},
	};
}

const signals: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

function running([command = "", ...words]: readonly string[], env: Record<string, string>): Running {
	const limits = { timeout: longestRun, killSignal: "SIGKILL", stripFinalNewline: false, maxBuffer: 1e9 } as const;
	const child = execa(command, words, { env, extendEnv: false, reject: false, stdin: "ignore", ...limits });
	const ended = child.then(({ exitCode, signal, stdout, stderr, timedOut }): Ended => {
		if (timedOut) throw new Error(`it did not end within ${longestRun / 1_000} s: ${words.join(" ")}\n${stderr}`);
		return { code: exitCode ?? (signal === "SIGKILL" ? "killed" : (signals[signal ?? ""] ?? -1)), stdout, stderr };
	});
	return {
		kill: () => void child.kill("SIGKILL"),
		signal: (name) => void child.kill(name),
		closeStdout: () => void child.stdout.destroy(),
		ended,
	};
}

/** An intent as `history list` and `pay doubts` show it. */
export interface IntentView {
	intent: string;
	state: State;
	attempt: number;
	id?: string;
	why?: string;
	transfer: { ledgerFromId: string; counterpartyId: string; amount: string; reference?: string };
}

/** What is on record, as the program itself shows it, and every file of the desk. */
export interface OnRecord {
	intents: IntentView[];
	doubts: IntentView[];
	faults: string[];
	/** Every file of the desk, but for the names that answers showed. */
	bytes: Uint8Array[];
	/** The names that answers showed (state/seen): those of ledgers on purpose. It must not hold a secret either. */
	seenNames: Uint8Array[];
}

export async function recordOf(desk: Desk): Promise<OnRecord> {
	const intents = await desk.look<IntentView[]>(["history", "list", "--effect", "money", "--limit", "100000"]);
	const doubts = await desk.look<IntentView[]>(["pay", "doubts", "--limit", "100000"]);
	// Exit 1 where something is wrong, with the faults on standard output.
	const verified = await desk.start(["history", "verify", "--json"]).ended;
	const { faults } = JSON.parse(verified.stdout) as { faults: string[] };
	const entries = await readdir(desk.folder, { recursive: true, withFileTypes: true });
	const files = entries.filter((entry) => entry.isFile());
	const read = (those: typeof files): Promise<Uint8Array[]> =>
		Promise.all(those.map((entry) => readFile(join(entry.parentPath, entry.name))));
	const names = (entry: (typeof files)[number]): boolean => entry.parentPath === join(desk.state, "seen");
	return { intents, doubts, faults, bytes: await read(files.filter((entry) => !names(entry))), seenNames: await read(files.filter(names)) };
}
