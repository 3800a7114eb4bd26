/**
 * The built program, as its users start it: `bin/purser.js` with this Node, or the program that PURSER_TEST_PROGRAM names
 * (the single executable: `npm run test:exe`).
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Session, terminal } from "./terminal.js";

const named = process.env.PURSER_TEST_PROGRAM;
const script = fileURLToPath(new URL("../../bin/purser.js", import.meta.url));

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
