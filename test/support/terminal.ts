/**
 * A real process in a pseudo-terminal: what a person would see and type.
 */
import type { Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type IPty, spawn } from "@lydell/node-pty";

export interface Session {
	/** Everything written so far, without colours and cursor movements. */
	readonly screen: string;
	/** Everything written so far, colours and cursor movements among it. */
	readonly raw: string;
	/** Characters written so far, colours and cursor movements among them. */
	readonly written: number;
	/** Resolves when the text has appeared after what earlier waits have seen. */
	sees(text: string | RegExp): Promise<void>;
	type(text: string): void;
	/** Types a line and Enter. */
	answer(text: string): void;
	readonly exit: Promise<number>;
	/** The exit code of a program that should end now; one that does not is killed, and what it showed is the error. */
	ends(): Promise<number>;
	kill(signal?: string): void;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are what is taken out
const sequences = /\u001b\[[0-9;?]*[ -/]*[@-~]|\u001b\][^\u0007]*\u0007|\u001b[=>78]|[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g;

/** Milliseconds after which a text no longer counts as late, even on a busy machine. */
const longestWait = 120_000;

/** Starts a program in a terminal of 40 lines, and of 100 columns by default. */
export function terminal(program: string, argv: readonly string[], env: Record<string, string>, cols = 100): Session {
	const pty: IPty = spawn(program, [...argv], { name: "xterm-256color", cols, rows: 40, env });
	let [raw, consumed, ended] = ["", 0, false];
	const exit = new Promise<number>((resolve) => {
		pty.onExit(({ exitCode, signal }) => {
			ended = true;
			resolve(signal ? 128 + signal : exitCode);
		});
	});
	pty.onData((part) => {
		raw += part;
	});
	readToTheEnd(pty, () => raw.length);
	const plain = (): string => raw.replace(sequences, "").replace(/\r/g, "");
	return {
		get screen() {
			return plain();
		},
		get raw() {
			return raw;
		},
		get written() {
			return raw.length;
		},
		sees: async (text) => {
			for (const start = performance.now(); ; await pause(10)) {
				const isLast = ended;
				const rest = plain().slice(consumed);
				const found = typeof text === "string" ? { index: rest.indexOf(text), 0: text } : (text.exec(rest) ?? { index: -1, 0: "" });
				consumed += found.index < 0 ? 0 : found.index + found[0].length;
				if (found.index >= 0) return;
				if (isLast) throw new Error(`ended without ${String(text)}:\n${rest}`);
				if (performance.now() - start > longestWait) throw new Error(`did not see ${String(text)} in:\n${rest}`);
			}
		},
		type: (text) => pty.write(text),
		answer: (text) => pty.write(`${text}\r`),
		exit,
		ends: async () => {
			const code = await Promise.race([exit, pause(longestWait, undefined, { ref: false })]);
			if (code !== undefined) return code;
			pty.kill("SIGKILL");
			throw new Error(`it did not end:\n${plain()}`);
		},
		kill: (signal) => pty.kill(signal),
	};
}

/**
 * The library closes a terminal 200 milliseconds after its program has ended, which on a busy machine is before what the program wrote last was
 * read. So it is closed once a turn of the event loop brought nothing more.
 */
function readToTheEnd(pty: IPty, read: () => number): void {
	const { _socket: socket } = pty as unknown as { _socket: Socket };
	const destroy = socket.destroy.bind(socket);
	socket.destroy = () => {
		let before = -1;
		const turn = (): void => {
			if (read() === before) return void destroy();
			before = read();
			setImmediate(turn);
		};
		setImmediate(turn);
		return socket;
	};
}
