/**
 * A real `purser sandbox serve` in a process of its own, and real processes of `purser` against it.
 */
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { environment, longestRun, program, programLine, words } from "../support/built.js";

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

/** Starts the built program; standard input is closed unless given. */
export const started = (argv: readonly string[], env: Record<string, string>, input?: string, timeout?: number) =>
	execa(program, words([...argv]), {
		...({ env, extendEnv: false, reject: false, timeout, stripFinalNewline: false } as const),
		...(input === undefined ? { stdin: "ignore" as const } : { input }),
	});

/** One run without a terminal, to its end. */
export async function spawned(argv: readonly string[], env: Record<string, string>, input?: string): Promise<Spawned> {
	const ran = await started(argv, env, input, longestRun);
	return { exit: ran.exitCode, stdout: ran.stdout, stderr: ran.stderr, hung: ran.timedOut, json: () => JSON.parse(ran.stdout) };
}

/** What people type in a section of a page, as `ada$ purser …`. */
export async function typedBy(page: string, heading: string): Promise<{ who: string; line: string }[]> {
	const text = (await readFile(page, "utf8")).replaceAll("\r\n", "\n");
	const section = text.split(`\n## ${heading}\n`)[1]?.split(/^## /m)[0] ?? "";
	return [...section.matchAll(/^(\w+)\$ (.*)$/gm)].map(([, who = "", line = ""]) => ({ who, line }));
}

/** Puts a `purser` into a folder, and gives what types a line of a shell there. */
export async function typing(folder: string, env: Record<string, string>) {
	await writeFile(join(folder, "purser"), `#!/bin/sh\nexec ${programLine} "$@"\n`);
	await chmod(join(folder, "purser"), 0o755);
	const options = {
		cwd: folder,
		env: { ...env, PATH: `${folder}:${env.PATH}` },
		extendEnv: false,
		reject: false,
		stdin: "ignore",
	} as const;
	const typed = async (line: string) => {
		const { exitCode: exit, stdout, stderr } = await execa("bash", ["-c", line], { ...options, timeout: longestRun });
		return { exit, stdout, stderr };
	};
	return { typed, options };
}

/** Waits until a sandbox that was started listens. @returns its address, and what ends it */
export async function serving(process: ReturnType<typeof started>): Promise<{ url: string; stop(): Promise<unknown> }> {
	let told = "";
	const url = await new Promise<string>((resolve, reject) => {
		process.stdout?.on("data", (part) => {
			told += part;
			const found = /Sandbox at (http:\/\/127\.0\.0\.1:\d+)[\s\S]*Ctrl-C stops it/.exec(told)?.[1];
			if (found) resolve(found);
		});
		void process.then((ended) => reject(new Error(`the sandbox did not start:\n${told}${ended.stderr}`)));
	});
	return {
		url,
		stop: async () => {
			process.kill("SIGTERM");
			await process;
		},
	};
}

/** Starts a service on a free port, with a profile `sandbox` that is logged in, and with a simulated fault. */
export async function startService(argv: readonly string[] = [], fault?: string): Promise<Service> {
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const env = environment(folder);
	const { url, stop } = await serving(started(["sandbox", "serve", "--port", "0", "--save-profile", "sandbox", ...argv], env));
	if (fault !== undefined) await spawned(["sandbox", "simulate", "fault", fault], env);
	return {
		url,
		folder,
		env,
		purser: (words, { env: more = {}, input } = {}) => spawned(words, { ...env, ...more }, input),
		stop: async () => {
			await stop();
			await rm(folder, { recursive: true, force: true });
		},
	};
}
