/**
 * Real processes of the built program that share one state directory, and what is on record there afterwards.
 */
import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { longestRun } from "./built.js";
import type { State } from "./invariants.js";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** A copy of the built program, so that a build does not replace it while it runs. */
export interface Program {
	script: string;
	remove(): Promise<void>;
}

/** @throws Error where nothing is built */
export async function copyOfProgram(): Promise<Program> {
	const [dist, built] = [join(root, "dist"), async () => (await stat(join(root, "dist", "main.cjs")).catch(() => undefined))?.mtimeMs];
	return program(async (folder) => {
		// A build at the same time leaves it incomplete for a moment.
		for (let tried = 0; tried < 40; tried++) {
			const before = await built();
			await rm(join(folder, "dist"), { recursive: true, force: true });
			const copied =
				before !== undefined &&
				(await cp(dist, join(folder, "dist"), { recursive: true }).then(
					() => true,
					() => false,
				));
			if (copied && (await built()) === before) return;
			await new Promise((resolve) => setTimeout(resolve, 250));
		}
		throw new Error("there is no dist/main.cjs to test; run npm run build");
	});
}

/** The program with a part of a source file replaced. @throws Error where the part is not found exactly once */
export async function faultyProgram(file: string, part: string, instead: string): Promise<Program> {
	const { rolldown } = await import("rolldown");
	const path = join(root, file);
	const source = await readFile(path, "utf8");
	if (source.split(part).length !== 2) throw new Error(`${file} does not hold ${JSON.stringify(part)} exactly once`);
	const plant = {
		name: "plant",
		load: (id: string) => (id === path ? { code: source.replace(part, () => instead), moduleType: "ts" as const } : null),
	};
	return program(async (folder) => {
		const bundle = await rolldown({
			cwd: root,
			platform: "node",
			external: ["libsql", "@napi-rs/keyring", /^node:/],
			transform: { target: "node20" },
			input: { main: "src/main.ts" },
			plugins: [plant],
			logLevel: "silent",
		});
		await bundle.write({ format: "cjs", dir: join(folder, "dist"), entryFileNames: "[name].cjs", chunkFileNames: "[name]-[hash].cjs" });
	});
}

async function program(fill: (folder: string) => Promise<void>): Promise<Program> {
	const folder = await mkdtemp(join(tmpdir(), "purser-program-"));
	try {
		await fill(folder);
		await cp(join(root, "bin"), join(folder, "bin"), { recursive: true });
		await cp(join(root, "package.json"), join(folder, "package.json"));
		await symlink(join(root, "node_modules"), join(folder, "node_modules"));
	} catch (error) {
		await rm(folder, { recursive: true, force: true });
		throw error;
	}
	return { script: join(folder, "bin", "purser.js"), remove: () => rm(folder, { recursive: true, force: true }) };
}

/** How a process ended: its exit code, 128 and the signal's number where a signal ended it, "killed" for SIGKILL. */
export interface Ended {
	code: number | "killed";
	stdout: string;
	stderr: string;
}

export interface Running {
	pid: number;
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
	remove(): Promise<void>;
}

/** A secret that a run uses, and that must not be anywhere on the disk. */
export const plantedToken = "planted-secret-7Q2ZK9";
/** Personal data in the service's answers, which must not be anywhere on the disk. */
export const plantedName = "Wilhelmina Plantagenet-Zapp";

/** A new desk whose profile `desk` is at the service's address. @param state the state directory, a new one unless given */
export async function newDesk(use: Program, url: string, state?: string): Promise<Desk> {
	const folder = await mkdtemp(join(tmpdir(), "purser-desk-"));
	const config = join(folder, "config");
	await mkdir(config, { mode: 0o700 });
	const profile = { baseUrl: url, environment: "sandbox", auth: { kind: "login" }, settings: {} };
	await writeFile(join(config, "profiles.json"), JSON.stringify({ current: "desk", profiles: { desk: profile } }), { mode: 0o600 });
	const env = {
		PATH: process.env.PATH ?? "",
		HOME: folder,
		TZ: "UTC",
		PURSER_CONFIG_DIR: config,
		PURSER_STATE_DIR: state ?? join(folder, "state"),
		PURSER_NO_KEYRING: "1",
		PURSER_TIMEOUT: "60",
		PURSER_TOKEN: plantedToken,
		NODE_DISABLE_COMPILE_CACHE: "1",
	};
	const start: Desk["start"] = (argv, { env: more = {}, before = [] } = {}) => {
		const [command = "", ...words] = [...before, process.execPath, use.script, ...argv];
		return running(command, words, { ...env, ...more });
	};
	return {
		folder,
		state: env.PURSER_STATE_DIR,
		env,
		start,
		look: async <T>(argv: readonly string[]) => {
			const { code, stdout, stderr } = await start([...argv, "--json"]).ended;
			if (code !== 0) throw new Error(`purser ${argv.join(" ")} exited ${code}\n${stdout}${stderr}`);
			return JSON.parse(stdout) as T;
		},
		remove: () => rm(folder, { recursive: true, force: true }),
	};
}

const signals: Readonly<Record<string, number>> = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

function running(command: string, words: readonly string[], env: Record<string, string>): Running {
	const child = spawn(command, words, { env, stdio: ["ignore", "pipe", "pipe"] });
	let [stdout, stderr] = ["", ""];
	child.stdout.on("data", (part) => {
		stdout += part;
	});
	child.stderr.on("data", (part) => {
		stderr += part;
	});
	let hung = false;
	const timer = setTimeout(() => {
		hung = true;
		child.kill("SIGKILL");
	}, longestRun);
	const ended = new Promise<Ended>((resolve, reject) => {
		child.on("error", reject);
		child.on("close", (code, signal) => {
			clearTimeout(timer);
			if (hung) reject(new Error(`it did not end within ${longestRun / 1_000} s: ${words.join(" ")}\n${stderr}`));
			else resolve({ code: code ?? (signal === "SIGKILL" ? "killed" : (signals[signal ?? ""] ?? -1)), stdout, stderr });
		});
	});
	const pid = child.pid as number;
	return {
		pid,
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
