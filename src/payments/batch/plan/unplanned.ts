/**
 * The errors for a file that was not planned.
 */

import { advice, purser, quotedPath } from "../../../api/advice.js";
import { isDiskFull } from "../../../api/text/trouble.js";
import { type Fault, PurserError } from "../../../errors.js";
import type { FaultFile } from "./fault-file.js";

interface Unplanned {
	/** A path, or `-`. */
	file: string;
	/** Where faults are written. */
	faultsTo: string;
	/** The mapping of columns, and the values given for all rows. */
	map: readonly string[];
	given: Readonly<Record<string, string | undefined>>;
}

/** @param reported the faults that the error lists @param all number of rows of the file */
export function faulty(input: Unplanned, { count, rows }: FaultFile, reported: readonly Fault[], all: number): PurserError {
	const more = count > reported.length ? `; the first ${reported.length} are shown here` : "";
	const flags = input.map.length > 0 || Object.keys(input.given).length > 0 ? " with the same flags" : "";
	return new PurserError("validation", {
		code: "ROWS_INVALID",
		message: `${rows} of ${all} rows cannot be paid (${count} ${count === 1 ? "error" : "errors"}${more}); nothing was planned or sent`,
		why: `all of them, next to their rows: ${input.faultsTo} (row 1 is the first payment)`,
		fix: advice`Correct the rows in the file and plan it again${flags}: ${purser`pay batch plan ${{ path: input.file }}`}`,
		details: [...reported],
	});
}

/** The error for a file with only a header. */
export function noRows(file: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_EMPTY",
		message: `${file === "-" ? "Standard input" : file} has no rows; nothing was planned`,
		fix: "Write one line for each payment below the header: ledgerFromId,beneficiaryId,amount,reference",
	});
}

/** The error for a file with nothing in it. */
export function empty(name: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_EMPTY",
		message: `${name} is empty`,
		fix: "Write a header line and one line for each payment: ledgerFromId,beneficiaryId,amount,reference",
	});
}

/** The error for JSON that is not one object a line. @param list whether it is a list, and not one object */
export function notLines(name: string, list: boolean): PurserError {
	const path = name === "standard input" ? undefined : name;
	const lines = `one JSON object per line: jq -c '${list ? ".[]" : "."}' ${path === undefined ? "" : `${quotedPath(path)} `}> payments.jsonl`;
	const send = path === undefined ? purser`pay batch send PLAN` : purser`pay batch send ${{ path }}`;
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name} is one JSON ${list ? "list" : "object on many lines"}, but payments are read one per line`,
		fix: list ? `Write ${lines}` : advice`If it is a plan already: ${send}. Else: write ${lines}`,
	});
}

/** The error for a line that is no payment, but something else. */
export function tooLong(name: string, line: number): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, line ${line}: too long for a payment`,
		fix: "Write one JSON object per line.",
	});
}

const words: Readonly<Record<string, string>> = {
	ENOENT: "is not there",
	EISDIR: "is a folder",
	EACCES: "is not readable by you",
	EPERM: "is not readable by you",
};

/** Turns a system error about the file or the fault file into a usage error; other errors are returned unchanged. */
export function namedError(error: unknown, { file, faultsTo }: Pick<Unplanned, "file" | "faultsTo">): unknown {
	const { code, syscall, path = file } = (error ?? {}) as { code?: unknown; syscall?: unknown; path?: unknown };
	if (error instanceof PurserError || typeof code !== "string" || !/^E[A-Z]+$/.test(code)) return error;
	if (path !== file || syscall === "write" || syscall === "fsync")
		return new PurserError(isDiskFull(error) ? "unavailable" : "usage", {
			code: "REPORT_UNWRITABLE",
			message: `Some rows have errors, and ${faultsTo} cannot be written (${isDiskFull(error) ? "the disk is full" : code}); nothing was planned`,
			fix: "Make room there, or copy the file to a folder that you may write to, and plan that copy.",
			cause: error,
		});
	return new PurserError("usage", {
		code: "FILE_UNREADABLE",
		message: `${file} ${words[code] ?? `cannot be read (${code})`}; nothing was planned`,
		fix: "Give an existing file, or - for standard input.",
		cause: error,
	});
}
