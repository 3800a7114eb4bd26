/**
 * The plan as a file: what is sent around to be looked at and approved, and what sending starts from.
 */
import { parseJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import type { BatchPlan } from "../../batches.js";
import type { Files } from "../../context.js";
import { PurserError } from "../../errors.js";

/** A signature over a plan by a second person. */
export interface Approval {
	/** The approver's public key. */
	key: string;
	/** RFC 3339 UTC. */
	at: string;
	/** Over the plan and the time. */
	signature: string;
}

export interface PlanFile {
	plan: BatchPlan;
	approvals: Approval[];
}

/** Bytes of a plan file; a plan of thousands of ledgers stays far below. */
const largest = 16 * 1024 * 1024;

/** @throws PurserError usage, where it cannot be read or is no plan */
export async function readPlan(files: Pick<Files, "read">, path: string): Promise<PlanFile> {
	let text: string;
	try {
		text = new TextDecoder("utf-8", { fatal: true }).decode(await files.read(path, largest));
	} catch (cause) {
		throw unreadable(path, cause instanceof Error ? cause.message : "unknown", cause);
	}
	const read = parsed(text);
	if (!isRecord(read) || !isRecord(read.plan) || !Array.isArray(read.approvals))
		throw unreadable(path, "it is not a plan of pay batch plan");
	const { plan, approvals } = JSON.parse(text) as PlanFile;
	if (plan.version !== 1) throw unreadable(path, `it is of version ${JSON.stringify(plan.version)}, which this purser does not know`);
	return { plan, approvals };
}

function parsed(text: string): unknown {
	try {
		return parseJson(text);
	} catch {
		return undefined;
	}
}

/** Writes it, readable by its owner alone. */
export async function writePlan(files: Pick<Files, "write">, path: string, file: PlanFile): Promise<void> {
	await files.write(path, `${JSON.stringify(file, null, 2)}\n`, 0o600);
}

function unreadable(path: string, why: string, cause?: unknown): PurserError {
	return new PurserError("usage", {
		code: "PLAN_UNREADABLE",
		message: `${path} cannot be read as a plan; nothing was sent`,
		why,
		fix: "Make one with: purser pay batch plan FILE",
		cause,
	});
}
