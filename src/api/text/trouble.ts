/**
 * Why something of this machine failed, in our words: a file, a folder, a port. The system's words and those of libraries are for programmers.
 */
import { PurserError } from "../../errors.js";

/** That a text is no JSON; the message is for people. */
export class NotJson extends SyntaxError {}

/** By the system's code. */
const systemWords: Readonly<Record<string, string>> = {
	EACCES: "You have no permission to use it",
	EADDRINUSE: "Another program uses that port",
	EADDRNOTAVAIL: "This machine does not have that address",
	EDQUOT: "The disk is full",
	EIO: "The disk did not work",
	EISDIR: "It is a folder, not a file",
	ENOENT: "There is no such file or folder",
	ENOSPC: "The disk is full",
	ENOTDIR: "A part of the path is a file, not a folder",
	EPERM: "You have no permission to use it",
	EROFS: "The disk cannot be written",
};

/** Whether a file could not be written because there is no room. */
export function isDiskFull(cause: unknown): boolean {
	const { code } = (cause ?? {}) as { code?: unknown };
	return code === "ENOSPC" || code === "EDQUOT";
}

/** Errors of ours whose message is a sentence for people. */
const ownNames: readonly string[] = ["BeyondBounds", "InvalidFile"];

/** @returns undefined where no words help */
export function troubleWords(cause: unknown): string | undefined {
	if (cause instanceof PurserError || cause instanceof NotJson) return cause.message;
	if (!(cause instanceof Error)) return undefined;
	const { code } = cause as { code?: unknown };
	if (typeof code === "string") {
		if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") return "It is not text in UTF-8";
		return systemWords[code] ?? `The system said ${code}`;
	}
	if (ownNames.includes(cause.name)) return cause.message;
	// The bounds of files are ours; those of the engine have other beginnings.
	return cause instanceof RangeError && !/^(Invalid|Maximum) /.test(cause.message) ? cause.message : undefined;
}

/**
 * The error for something that was to be written before anything is sent, where the disk is full: it can be run again once there is room.
 * @param what as the beginning of a sentence
 * @returns undefined where something else is wrong
 */
export function diskFull(what: string, cause: unknown): PurserError | undefined {
	if (!isDiskFull(cause)) return undefined;
	return new PurserError("unavailable", {
		code: "DISK_FULL",
		message: `${what} cannot be written: the disk is full`,
		fix: "Make room on that disk, then run this again.",
		cause,
	});
}

/**
 * The error for a file of the configuration that cannot be used.
 * @param what as the beginning of a sentence
 */
export function inaccessible(code: string, what: string, did: "read" | "written" | "removed", cause: unknown): PurserError {
	const { code: system } = (cause ?? {}) as { code?: unknown };
	const otherwise = new PurserError("usage", {
		code,
		message: `${what} cannot be ${did}${typeof system === "string" ? ` (${system})` : ""}`,
		fix: "Give yourself permission to read and write it and its folder, or set another folder in PURSER_CONFIG_DIR",
		cause,
	});
	return diskFull(what, cause) ?? otherwise;
}

/**
 * The error for a file that a person asked for and that cannot be written.
 * @param what the file, as the beginning of a sentence
 */
export function fileNotWritten(path: string, cause: unknown, what = path): PurserError {
	const otherwise = new PurserError("usage", {
		code: "FILE_NOT_WRITTEN",
		message: `Cannot write ${path}`,
		why: troubleWords(cause),
		fix: "Check that the folder exists and that you may write there.",
		cause,
	});
	return diskFull(what, cause) ?? otherwise;
}

/** The error for a file that a person named and that cannot be read. @param name its path, or `standard input` */
export function fileNotRead(name: string, cause: unknown): PurserError {
	const fix = "Check the path; where a command reads it, - stands for standard input.";
	return new PurserError("usage", {
		code: "FILE_UNREADABLE",
		message: `Cannot read ${name}; nothing was done`,
		why: troubleWords(cause),
		fix,
		cause,
	});
}
