import { fstatSync, statSync, writeSync } from "node:fs";
import { sep } from "node:path";
import type { Readable } from "node:stream";
import type { Output } from "../ports/terminal.js";
import { tooLarge } from "../system/disk/bounded.js";
import { stoppedWaiting } from "./clock.js";

/**
 * An output over a real stream, which is made only when it is needed: for a terminal, and for what a file or a pipe does not take at
 * once. A reader that went away (EPIPE) is no error.
 */
export function writable(descriptor: 1 | 2, make: () => NodeJS.WriteStream, env: Readonly<Record<string, string | undefined>>): Output {
	const usual = widthOr(Number(env.COLUMNS), usualWidth);
	let closed = false;
	let made: NodeJS.WriteStream | undefined;
	const stream = (): NodeJS.WriteStream => {
		if (made !== undefined) return made;
		made = withWidth(make(), usual);
		made.on("error", () => {
			closed = true;
		});
		return made;
	};
	const isTerminal = mayBeTerminal(descriptor) && stream().isTTY === true;
	return {
		isClosed: () => closed,
		write: async (text) => {
			const rest = made === undefined ? writtenAtOnce(descriptor, text) : text;
			if (rest.length > 0 || made !== undefined) {
				await new Promise<void>((resolve) => {
					stream().write(rest, (fault) => {
						closed ||= Boolean(fault);
						resolve();
					});
				});
			}
		},
		isTerminal,
		get stream() {
			return stream();
		},
		get columns() {
			return isTerminal ? stream().columns : usual;
		},
		colours: isTerminal ? depth(stream().getColorDepth({ ...env, NO_COLOR: undefined, FORCE_COLOR: undefined })) : 0,
	};
}

/**
 * Writes to a file or a pipe without a stream: making the stream of a pipe loads `node:net`, more than a tenth of Tab's time.
 * @returns what was not written, for the stream: it waits for a pipe that is full, and reports an error
 */
function writtenAtOnce(descriptor: 1 | 2, text: string): Uint8Array {
	let rest = Buffer.from(text);
	try {
		while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
	} catch {
		// The stream meets the same error.
	}
	return rest;
}

/** Columns if there is no terminal or it does not report them, unless the variable COLUMNS says otherwise. */
const usualWidth = 80;

const widthOr = (columns: number | undefined, otherwise: number): number =>
	Number.isSafeInteger(columns) && (columns as number) > 0 ? (columns as number) : otherwise;

/**
 * Gives a terminal a usable width. Serial lines, containers and some CI services report 0 columns or none, and the libraries that draw
 * on the stream read its width themselves: at 0 columns a spinner writes endlessly.
 */
function withWidth(stream: NodeJS.WriteStream, usual: number): NodeJS.WriteStream {
	if (stream.isTTY !== true) return stream;
	const mend = (): void => {
		stream.columns = widthOr(stream.columns, usual);
	};
	mend();
	return stream.prependListener("resize", mend);
}

/** `os.devNull`, without loading node:os. */
const devNull = sep === "/" ? "/dev/null" : "\\\\.\\nul";

/** False for what is certainly no terminal: a file, a pipe, /dev/null. This is faster than making the stream and asking it. */
export function mayBeTerminal(descriptor: 0 | 1 | 2): boolean {
	try {
		const found = fstatSync(descriptor);
		return found.isCharacterDevice() && found.rdev !== statSync(devNull).rdev;
	} catch {
		return true;
	}
}

function depth(bits: number): 0 | 1 | 2 | 3 {
	if (bits >= 24) return 3;
	if (bits >= 8) return 2;
	return bits >= 4 ? 1 : 0;
}

/**
 * Reads a stream to its end.
 * @throws RangeError beyond `limit` bytes
 */
export async function readAll(stream: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
	const parts: Uint8Array[] = [];
	let length = 0;
	for await (const part of stream) {
		length += part.length;
		if (length > limit) throw tooLarge(limit);
		parts.push(part);
	}
	return Buffer.concat(parts);
}

/**
 * Passes on what a stream gives, and destroys it when the run is stopped.
 * @throws PurserError interrupted, or the stream's error
 */
export async function* untilStopped(stream: Readable, stop: AbortSignal): AsyncGenerator<Uint8Array> {
	const { addAbortSignal } = process.getBuiltinModule("node:stream");
	try {
		yield* addAbortSignal(stop, stream);
	} catch (cause) {
		throw stop.aborted ? stoppedWaiting(cause) : cause;
	}
}
