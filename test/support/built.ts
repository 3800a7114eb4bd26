/**
 * The built program, as its users start it: `bin/purser.js` with this Node, or the program that PURSER_TEST_PROGRAM names
 * (the single executable: `npm run test:exe`).
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { type Session, terminal } from "./terminal.js";

const named = process.env.PURSER_TEST_PROGRAM;
/** The script of the built program. */
export const script = fileURLToPath(new URL("../../bin/purser.js", import.meta.url));

/** Milliseconds after which a run counts as hanging, even on a busy machine. */
export const longestRun = 600_000;

/** What is started. */
export const program = named === undefined || named === "" ? process.execPath : resolve(named);

/** The words it is started with: the arguments, after the script where there is one. */
export const words = (argv: readonly string[]): string[] => (program === process.execPath ? [script, ...argv] : [...argv]);

/** The same as a shell's line. */
export const programLine = program === process.execPath ? `node ${script}` : program;

/** Starts it in a pseudo-terminal. @param before a command of the shell that the terminal is made ready with */
export const programTerminal = (argv: readonly string[], env: Record<string, string>, cols?: number, before?: string): Session =>
	before === undefined
		? terminal(program, words(argv), env, cols)
		: terminal("sh", ["-c", `${before}; exec "$@"`, "sh", program, ...words(argv)], env, cols);

/** An environment whose configuration and state are kept in the folder, without CI, colours or a profile of the machine's own. */
export const environment = (folder: string): Record<string, string> => ({
	PATH: process.env.PATH ?? "",
	HOME: folder,
	TERM: "xterm-256color",
	TZ: "UTC",
	PURSER_CONFIG_DIR: join(folder, "config"),
	PURSER_STATE_DIR: join(folder, "state"),
	PURSER_NO_KEYRING: "1",
	// Newer versions of Node keep compiled code in the home folder.
	NODE_DISABLE_COMPILE_CACHE: "1",
});

/** A folder for one test. */
export async function ownFolder(prefix = "purser-test-"): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), prefix));
	onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }));
	return folder;
}
