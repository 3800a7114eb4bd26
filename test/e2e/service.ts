/**
 * A real `purser sandbox serve` in a process of its own, and real processes of `purser` against it.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { longestRun, program, words } from "../support/built.js";

/** The world that the sandbox starts with. */
export const seeded = {
	corporate: "11111111-1111-4111-8111-111111111111",
	accountOwner: "22222222-2222-4222-8222-222222222222",
	main: "aaaaaaaa-0001-4000-8000-000000000001",
	savings: "aaaaaaaa-0002-4000-8000-000000000002",
	supplier: "bbbbbbbb-0001-4000-8000-000000000001",
};

export interface Spawned {
	exit: number | undefined;
	stdout: string;
	stderr: string;
	hung: boolean;
	/** stdout as JSON. */
	// biome-ignore lint/suspicious/noExplicitAny: a script looks into answers of every shape
	json(): any;
}

export interface Service {
	url: string;
	/** Holds config/ and state/ of the operator who is logged in. */
	folder: string;
	/** An environment without CI, colours or a profile of the machine's own. */
	env: Record<string, string>;
	/** One run without a terminal, standard input closed unless given; ended after 20 seconds. */
	purser(argv: readonly string[], more?: { env?: Record<string, string>; input?: string }): Promise<Spawned>;
	stop(): Promise<void>;
}

/** An environment whose configuration and state are kept in the folder. */
export function environment(folder: string): Record<string, string> {
	return {
		PATH: process.env.PATH ?? "",
		HOME: folder,
		TERM: "xterm-256color",
		TZ: "UTC",
		PURSER_CONFIG_DIR: join(folder, "config"),
		PURSER_STATE_DIR: join(folder, "state"),
		PURSER_NO_KEYRING: "1",
		// Newer versions of Node keep compiled code in the home folder.
		NODE_DISABLE_COMPILE_CACHE: "1",
	};
}

/** Starts a service on a free port, with a profile `sandbox` that is logged in, and with a simulated fault. */
export async function startService(argv: readonly string[] = [], fault?: string): Promise<Service> {
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const env = environment(folder);
	const serving = execa(program, words(["sandbox", "serve", "--port", "0", "--save-profile", "sandbox", ...argv]), {
		env,
		extendEnv: false,
		reject: false,
		stdin: "ignore",
	});
	let told = "";
	const url = await new Promise<string>((resolve, reject) => {
		serving.stdout?.on("data", (part) => {
			told += part;
			const found = /Sandbox at (http:\/\/127\.0\.0\.1:\d+)[\s\S]*Ctrl-C stops it/.exec(told)?.[1];
			if (found) resolve(found);
		});
		void serving.then((ended) => reject(new Error(`the sandbox did not start:\n${told}${ended.stderr}`)));
	});
	if (fault !== undefined) await spawned(["sandbox", "simulate", "fault", fault], env);
	return {
		url,
		folder,
		env,
		purser: (words, { env: more = {}, input } = {}) => spawned(words, { ...env, ...more }, input),
		stop: async () => {
			serving.kill("SIGTERM");
			await serving;
			await rm(folder, { recursive: true, force: true });
		},
	};
}

async function spawned(argv: readonly string[], env: Record<string, string>, input?: string): Promise<Spawned> {
	const ran = await execa(program, words([...argv]), {
		env,
		extendEnv: false,
		reject: false,
		timeout: longestRun,
		stripFinalNewline: false,
		...(input === undefined ? { stdin: "ignore" as const } : { input }),
	});
	return { exit: ran.exitCode, stdout: ran.stdout, stderr: ran.stderr, hung: ran.timedOut, json: () => JSON.parse(ran.stdout) };
}
