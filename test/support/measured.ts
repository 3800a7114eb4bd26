/**
 * The built program against a service that answers as a test says, with the time and the memory that the run took.
 */
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { onTestFinished } from "vitest";
import { environment, longestRun, ownFolder, program, words } from "./built.js";
import { writeProfile } from "./profile-file.js";

const preload = fileURLToPath(new URL("peak.cjs", import.meta.url));

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** Answers with a text as JSON. */
export const jsonOf =
	(text: string, status = 200): Answering =>
	(_, response) =>
		void response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);

/** A folder and the environment of somebody whose profile is at such a service, for one test. */
export async function deskAt(answer: Answering): Promise<{ folder: string; env: Record<string, string> }> {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const folder = await ownFolder();
	await writeProfile(join(folder, "config"), `http://127.0.0.1:${(server.address() as { port: number }).port}`);
	return { folder, env: { ...environment(folder), PURSER_TOKEN: "token-of-the-test", PURSER_TIMEOUT: "300" } };
}

/** How a run is started. */
export interface Start {
	/** By name, what stands in the folder that it is started in. */
	files?: Readonly<Record<string, string>>;
	/** Fills that folder before. */
	fill?: (folder: string) => unknown;
	env?: Record<string, string>;
	/** The file of its standard input. */
	stdin?: string;
}

/** A run, with the most memory that it held, and what it took of the processor. @param seconds after which it is ended */
export async function measured(argv: readonly string[], answer: Answering, start: Start = {}, seconds = longestRun / 1_000) {
	const { files = {}, fill, env: more = {}, stdin } = start;
	const { folder, env } = await deskAt(answer);
	for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
	fill?.(folder);
	const ran = await execa(program, words(argv), {
		env: { ...env, ...more, NODE_OPTIONS: `--require ${preload}` },
		extendEnv: false,
		cwd: folder,
		reject: false,
		stdio: [stdin === undefined ? "ignore" : { file: stdin }, "pipe", "pipe", "pipe"],
		timeout: seconds * 1_000,
		killSignal: "SIGKILL",
		maxBuffer: 1e9,
	});
	const [kilobytes = Infinity, time = Infinity] = (ran.stdio[3] || "Infinity Infinity").split(" ").map(Number);
	const { exitCode: exit, timedOut: late, stdout, stderr } = ran;
	return { exit, late, stdout, stderr, megabytes: kilobytes / 1024, seconds: time / 1_000 };
}
