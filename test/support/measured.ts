/**
 * The built program against a service that answers as a test says, with the time and the memory that the run took.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { execa } from "execa";
import { program, words } from "./built.js";
import { writeProfile } from "./profile-file.js";

const preload = fileURLToPath(new URL("peak.cjs", import.meta.url));

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

export interface Measured {
	exit: number | undefined;
	stdout: string;
	stderr: string;
	/** It did not end in time. */
	late: boolean;
	/** The most memory that it held. */
	megabytes: number;
	/** Of the processor. */
	seconds: number;
}

/** Answers with a text as JSON. */
export const jsonOf =
	(text: string, status = 200): Answering =>
	(_, response) => {
		response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
		response.end(text);
	};

/** Starts a service, for as long as `work` goes on. */
export async function withService<T>(answer: Answering, work: (url: string) => Promise<T>): Promise<T> {
	const server = createServer(answer);
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	try {
		return await work(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
	} finally {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
	}
}

/** Environment of a desk of its own. @param folder of everything it writes */
export const deskIn = (folder: string): Record<string, string> => ({
	PATH: process.env.PATH ?? "",
	HOME: folder,
	PURSER_CONFIG_DIR: folder,
	PURSER_STATE_DIR: folder,
	PURSER_TOKEN: "token-of-the-test",
	PURSER_NO_KEYRING: "1",
	PURSER_TIMEOUT: "300",
});

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

/** A run. @param seconds after which it is ended */
export async function measured(argv: readonly string[], answer: Answering, seconds: number, start: Start = {}): Promise<Measured> {
	const { files = {}, fill, env = {}, stdin } = start;
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const PEAK_FILE = join(folder, "peak");
	try {
		for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
		return await withService(answer, async (url) => {
			await writeProfile(folder, url);
			await fill?.(folder);
			const ran = await execa(program, words([...argv]), {
				env: { ...deskIn(folder), ...env, PEAK_FILE, NODE_OPTIONS: `--require ${preload}` },
				extendEnv: false,
				cwd: folder,
				reject: false,
				...(stdin === undefined ? { stdin: "ignore" } : { inputFile: stdin }),
				timeout: seconds * 1_000,
				killSignal: "SIGKILL",
				maxBuffer: 1e9,
			});
			const [peak, time] = (await readFile(PEAK_FILE, "utf8").catch(() => "Infinity Infinity")).split(" ").map(Number);
			const used = { megabytes: Number(peak) / 1024, seconds: Number(time) };
			return { exit: ran.exitCode, stdout: String(ran.stdout), stderr: String(ran.stderr), late: ran.timedOut, ...used };
		});
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
