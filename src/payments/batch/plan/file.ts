/**
 * Reads and writes a plan's file, which is passed on for approval and from which a batch is sent.
 */

import { advice, purser } from "../../../api/advice.js";
import { jsonDocument, parseJson } from "../../../api/json.js";
import { isDiskFull, troubleWords } from "../../../api/text/trouble.js";
import { PurserError } from "../../../errors.js";
import type { Approval, BatchPlan } from "../../../ports/batch-plan.js";
import type { Files } from "../../../ports/machine.js";
import { planFault } from "./shape.js";

export interface PlanFile {
	plan: BatchPlan;
	approvals: Approval[];
}

/** Largest plan file in bytes; it holds the id of every payee whose currency was looked up, up to a million. */
const maxBytes = 64 * 1024 * 1024;
/** What JSON of that size may hold: the values of a plan are longer than eight characters on average, and it nests few levels. */
const most = { values: 2_000_000, levels: 50 };

/** @throws PurserError usage, if it cannot be read, is a link, has an unknown version, or is no plan */
export async function readPlan(files: Pick<Files, "read" | "isLink">, path: string): Promise<PlanFile> {
	const read = await parsed(files, path);
	const version = read?.plan?.version;
	if (version !== undefined && version !== 1)
		throw unreadable(path, `it has version ${JSON.stringify(version)}, which this purser does not support`);
	const fault = planFault(read, "");
	if (fault === undefined) return read as PlanFile;
	const where = fault.slice(1);
	throw unreadable(path, `it is not a plan made by pay batch plan${where === "" ? "" : `: ${where} is not valid`}`);
}

async function parsed(files: Pick<Files, "read" | "isLink">, path: string): Promise<Partial<PlanFile> | undefined> {
	await refuseLink(files, path);
	let content: string;
	try {
		content = new TextDecoder("utf-8", { fatal: true }).decode(await files.read(path, maxBytes));
	} catch (cause) {
		throw unreadable(path, readErrorText(cause), cause);
	}
	try {
		// parseJson refuses duplicate keys, which different programs read differently.
		parseJson(content, most);
		return JSON.parse(content) as Partial<PlanFile>;
	} catch (cause) {
		const large = cause instanceof SyntaxError && /^More than \d+ (values|levels)/.test(cause.message);
		throw unreadable(path, large ? "it is too large for a plan" : "it is not JSON", cause, /\.json$/i.test(path) ? undefined : path);
	}
}

/**
 * Writes the plan atomically, readable only by its owner.
 * @throws PurserError usage, if the path is a link, or it cannot be written; unavailable, if the disk is full
 */
export async function writePlan(files: Pick<Files, "write" | "isLink">, path: string, file: PlanFile): Promise<void> {
	await refuseLink(files, path);
	try {
		await files.write(path, jsonDocument(file), 0o600);
	} catch (cause) {
		const { code } = (cause ?? {}) as { code?: unknown };
		if (typeof code !== "string" || !/^E[A-Z]+$/.test(code)) throw cause;
		throw new PurserError(isDiskFull(cause) ? "unavailable" : "usage", {
			code: "PLAN_UNWRITABLE",
			message: `The plan cannot be written to ${path}: ${systemWords[code] ?? code}; nothing was sent`,
			fix: "Make room there, or choose a folder that you can write to, and run it again.",
			cause,
		});
	}
}

const systemWords: Readonly<Record<string, string>> = {
	ENOENT: "it does not exist",
	EISDIR: "it is a folder",
	EACCES: "you have no permission",
	EPERM: "you have no permission",
	ENOSPC: "the disk is full",
	EDQUOT: "the disk is full",
	EROFS: "the disk cannot be written",
};

/** Describes a read error for people; invalid UTF-8 is a TypeError without a code. */
function readErrorText(cause: unknown): string {
	if (cause instanceof TypeError) return "it is not text";
	const { code } = (cause ?? {}) as { code?: string };
	return systemWords[code ?? ""] ?? troubleWords(cause) ?? "unknown";
}

async function refuseLink(files: Pick<Files, "isLink">, path: string): Promise<void> {
	if (await files.isLink(path)) throw unreadable(path, "it is a symbolic link, and its target can change");
}

/** @param file the path to plan from, if a file of payments was given instead of a plan */
function unreadable(path: string, why: string, cause?: unknown, file = "FILE"): PurserError {
	return new PurserError("usage", {
		code: "PLAN_UNREADABLE",
		message: `${path} cannot be used as the plan of a batch; nothing was sent`,
		why,
		fix: advice`Make one with: ${purser`pay batch plan ${{ path: file }}`}`,
		cause,
	});
}
