import type { ChildProcess } from "node:child_process";
import { isSea } from "node:sea";
import { sanitizeText } from "../api/text/sanitize.js";
import type { Processes, ProgramOptions } from "../ports/machine.js";

/** Sends a signal to a process, or to the group of a negative number. */
type Kill = (pid: number, signal: NodeJS.Signals) => void;

/**
 * Runs the program at `script` with the Node at `node`; a single executable is both.
 * @param tell writes to standard error
 */
export function processes(node: string, script: string, kill: Kill, tell: (text: string) => void): Processes {
	const words = (argv: readonly string[]): readonly string[] => (isSea() ? argv : [script, ...argv]);
	return {
		self: async (argv, { env, input }) => {
			const { spawn } = process.getBuiltinModule("node:child_process");
			return new Promise((resolve, reject) => {
				const child = spawn(node, words(argv), { env, stdio: "pipe" });
				let stdout = "";
				let stderr = "";
				let both = "";
				child.stdout.setEncoding("utf8").on("data", (part: string) => {
					stdout += part;
					both += part;
				});
				child.stderr.setEncoding("utf8").on("data", (part: string) => {
					stderr += part;
					both += part;
				});
				child.once("error", reject);
				child.once("close", (exit) => resolve({ exit: exit ?? 1, stdout, stderr, both }));
				child.stdin.on("error", () => {});
				child.stdin.end(input ?? "");
			});
		},
		program: (words, options) => program(words, options, kill, tell),
	};
}

/** Milliseconds in which a program that is told to end does so; then it is killed. */
const lastWords = 5_000;

/** Milliseconds after its end in which what it printed arrives; what it started may keep its output open for long. */
const lastOutput = 1_000;

async function program(
	[name, ...words]: readonly [string, ...string[]],
	options: ProgramOptions,
	kill: Kill,
	tell: (text: string) => void,
): Promise<string | undefined> {
	const { spawn } = process.getBuiltinModule("node:child_process");
	return new Promise((resolve) => {
		// A group of its own, which Ctrl-C at the terminal does not reach and which can be ended whole.
		const child = spawn(name, words, { stdio: "pipe", detached: true, windowsHide: true });
		// It may print the texts of the event that it is given, which are not this machine's.
		for (const output of [child.stdout, child.stderr])
			output.setEncoding("utf8").on("data", (part: string) => tell(sanitizeText(part.replaceAll("\r\n", "\n"))));
		let why: string | undefined;
		const end = (reason: string): void => {
			why ??= reason;
			signalGroup(child, "SIGTERM", kill);
			// Also what it has started itself: the group outlives its first process.
			setTimeout(() => signalGroup(child, "SIGKILL", kill), lastWords).unref();
		};
		const late = setTimeout(() => end(`it did not end within ${Math.round(options.limit / 1000)} s`), options.limit);
		const stopped = (): void => end("it was stopped with purser");
		options.signal?.addEventListener("abort", stopped, { once: true });
		const settle = (outcome: string | undefined): void => {
			clearTimeout(late);
			options.signal?.removeEventListener("abort", stopped);
			resolve(outcome);
		};
		child.once("error", (error: NodeJS.ErrnoException) => settle(`it could not be started (${error.code ?? "no reason given"})`));
		child.once("exit", (code, signal) => {
			const outcome = code === 0 ? undefined : (why ?? (code === null ? `it was ended by ${signal}` : `it ended with ${code}`));
			const silent = setTimeout(settle, lastOutput, outcome);
			child.once("close", () => {
				clearTimeout(silent);
				settle(outcome);
			});
		});
		// It need not read what it is given.
		child.stdin.on("error", () => {});
		child.stdin.end(options.input);
	});
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals, kill: Kill): void {
	try {
		if (child.pid !== undefined) kill(-child.pid, signal);
	} catch {
		// No such group: it has ended, or this system has none.
		child.kill(signal);
	}
}
