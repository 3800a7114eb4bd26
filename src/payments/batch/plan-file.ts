/**
 * The plan as a file: what is sent around to be looked at and approved, and what sending starts from.
 */
import { parseJson } from "../../api/json.js";
import type { Approval, BatchPlan } from "../../batches.js";
import type { Files } from "../../context.js";
import { PurserError } from "../../errors.js";
import { planFault } from "./plan-shape.js";

export interface PlanFile {
	plan: BatchPlan;
	approvals: Approval[];
}

/** Bytes of a plan file; a plan of thousands of ledgers stays far below. */
const largest = 16 * 1024 * 1024;

/** @throws PurserError usage, where it cannot be read, is a link, is of an unknown version, or is no plan */
export async function readPlan(files: Pick<Files, "read" | "isLink">, path: string): Promise<PlanFile> {
	const read = await parsed(files, path);
	const version = read?.plan?.version;
	if (version !== undefined && version !== 1)
		throw unreadable(path, `it is of version ${JSON.stringify(version)}, which this purser does not know`);
	const fault = planFault(read, "");
	if (fault === undefined) return read as PlanFile;
	const where = fault.slice(1);
	throw unreadable(path, `it is not a plan of pay batch plan${where === "" ? "" : `: ${where} is not as it must be`}`);
}

async function parsed(files: Pick<Files, "read" | "isLink">, path: string): Promise<Partial<PlanFile> | undefined> {
	await refuseLink(files, path);
	let content: string;
	try {
		content = new TextDecoder("utf-8", { fatal: true }).decode(await files.read(path, largest));
	} catch (cause) {
		throw unreadable(path, cause instanceof Error ? cause.message : "unknown", cause);
	}
	try {
		// Two values under one name would be read one way by one program and another way by the next: this refuses them.
		parseJson(content);
		return JSON.parse(content) as Partial<PlanFile>;
	} catch (cause) {
		throw unreadable(path, "it is not JSON", cause);
	}
}

/**
 * Writes it whole, readable by its owner alone.
 * @throws PurserError usage, where a link stands in its place
 */
export async function writePlan(files: Pick<Files, "write" | "isLink">, path: string, file: PlanFile): Promise<void> {
	await refuseLink(files, path);
	await files.write(path, `${JSON.stringify(file, null, 2)}\n`, 0o600);
}

async function refuseLink(files: Pick<Files, "isLink">, path: string): Promise<void> {
	if (await files.isLink(path)) throw unreadable(path, "it is a symbolic link, and what it points to may be another file tomorrow");
}

function unreadable(path: string, why: string, cause?: unknown): PurserError {
	return new PurserError("usage", {
		code: "PLAN_UNREADABLE",
		message: `${path} cannot be used as the plan of a batch; nothing was sent`,
		why,
		fix: "Make one with: purser pay batch plan FILE",
		cause,
	});
}
