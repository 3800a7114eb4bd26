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

/** A run. @param seconds after which it is ended; `files`: by name, what stands in the folder that it is started in */
export async function measured(
	argv: readonly string[],
	answer: Answering,
	{ seconds, files = {} }: { seconds: number; files?: Readonly<Record<string, string>> },
): Promise<Measured> {
	const folder = await mkdtemp(join(tmpdir(), "purser-test-"));
	const PEAK_FILE = join(folder, "peak");
	try {
		for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
		return await withService(answer, async (url) => {
			await writeProfile(folder, url);
			const ran = await execa(program, words([...argv]), {
				env: { ...deskIn(folder), PEAK_FILE, NODE_OPTIONS: `--require ${preload}` },
				extendEnv: false,
				cwd: folder,
				reject: false,
				stdin: "ignore",
				timeout: seconds * 1_000,
				killSignal: "SIGKILL",
				maxBuffer: 1e9,
			});
			const peak = await readFile(PEAK_FILE, "utf8").catch(() => "Infinity");
			return { exit: ran.exitCode, stdout: ran.stdout, stderr: ran.stderr, late: ran.timedOut, megabytes: Number(peak) / 1024 };
		});
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
