/**
 * Reads and writes a plan's file, which is passed on for approval and from which a batch is sent, and compares the file of payments that it
 * was made from.
 */

import { createHash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { jsonDocument, parseJson } from "../../../api/json.js";
import { fileNotWritten, troubleWords } from "../../../api/text/trouble.js";
import { PurserError } from "../../../errors.js";
import type { Approval, BatchPlan } from "../../../ports/batch-plan.js";
import type { Files, Processes } from "../../../ports/machine.js";

export interface PlanFile {
	plan: BatchPlan;
	approvals: Approval[];
}

/** Largest plan file in bytes; it holds a total for every debited ledger, of which a file may name very many. */
const maxBytes = 64 * 1024 * 1024;
/** What JSON of that size may hold: the values of a plan are longer than eight characters on average, and it nests few levels. */
const most = { values: 2_000_000, levels: 50 };

const text = z.string();
const count = z.int().check(z.minimum(0), z.maximum(1e15));
const amount = text.check(z.regex(/^\d{1,30}(\.\d{1,30})?$/));
const sha256 = text.check(z.regex(/^[0-9a-f]{64}$/));
const time = text.check(z.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/));
const list = <T extends z.ZodMiniType>(item: T, most = 1_000_000) => z.array(item).check(z.maxLength(most));

/** Strict, because an unknown field could change the meaning of the plan. */
const planFile = z.strictObject({
	plan: z.strictObject({
		version: z.literal(1),
		batch: text.check(z.regex(/^[1-9]\d{0,14}$/)),
		installation: text,
		profile: text,
		environment: z.enum(["sandbox", "live"]),
		origin: text,
		source: text,
		sourceDigest: sha256,
		count,
		digest: z.strictObject({ rows: sha256, sequence: sha256 }),
		totals: list(z.strictObject({ ledgerFromId: text, currency: z.optional(text), rows: count, amount })),
		largest: list(z.strictObject({ currency: z.optional(text), amount })),
		settings: z.record(text, text),
		duplicates: z.strictObject({ inside: count, earlier: count }),
		despite: z.optional(z.strictObject({ duplicates: count, reason: text })),
		planned: time,
		expires: time,
		planner: z.optional(text),
		operator: z.optional(text),
		signature: z.optional(text),
		sheet: z.optional(z.strictObject({ sha256 })),
	}),
	approvals: list(z.strictObject({ approver: z.optional(text), key: text, at: time, signature: text }), 100),
});

/** @throws PurserError usage, if it cannot be read, is a link, has an unknown version, or is no plan */
export async function readPlan(files: Pick<Files, "read" | "isLink">, path: string): Promise<PlanFile> {
	const read = await parsed(files, path);
	const version = read?.plan?.version;
	if (version !== undefined && version !== 1)
		throw unreadable(path, `it has version ${JSON.stringify(version)}, which this purser does not support`);
	const [issue] = planFile.safeParse(read).error?.issues ?? [];
	if (issue === undefined) return read as PlanFile;
	const where = [...issue.path, ...(issue.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [])].join(".");
	throw unreadable(path, `it is not a plan made by pay batch plan${where === "" ? "" : `: ${where} is not valid`}`);
}

async function parsed(files: Pick<Files, "read" | "isLink">, path: string): Promise<Partial<PlanFile> | undefined> {
	await refuseLink(files, path);
	const bytes = files.read(path, maxBytes).then((read) => new TextDecoder("utf-8", { fatal: true }).decode(read));
	const content = await bytes.catch((cause: unknown) => {
		throw unreadable(path, troubleWords(cause) ?? "It is not text in UTF-8", cause);
	});
	try {
		// parseJson refuses duplicate keys, which different programs read differently.
		parseJson(content, most);
		return JSON.parse(content) as Partial<PlanFile>;
	} catch (cause) {
		const large = cause instanceof SyntaxError && /^More than \d+ (values|levels)/.test(cause.message);
		throw unreadable(path, large ? "it is too large for a plan" : "it is not JSON", cause, /\.json$/i.test(path) ? undefined : path);
	}
}

/** Writes the plan atomically, readable only by its owner. @param keepsGroup and by the group with which the one that is there is shared */
export async function writePlan(files: Pick<Files, "write" | "isLink">, path: string, file: PlanFile, keepsGroup = false): Promise<void> {
	await refuseLink(files, path);
	try {
		await files.write(path, jsonDocument(file), 0o600, keepsGroup);
	} catch (cause) {
		if (cause instanceof PurserError) throw cause;
		throw fileNotWritten(path, cause, `The plan ${path}`);
	}
}

/** Lets a group of the system read these files: only its own programs know it by its name. @throws PurserError usage, if they do not let it */
export async function shareFiles({ program }: Pick<Processes, "program">, group: string, paths: readonly string[]): Promise<void> {
	for (const [name, value] of [["chgrp", group] as const, ["chmod", "640"] as const]) {
		const why = await program([name, "--", value, ...paths], { input: "", limit: 10_000 });
		if (why === undefined) continue;
		throw new PurserError("usage", {
			code: "PLAN_NOT_SHARED",
			message: `The plan could not be shared with the group ${group}; nothing was planned`,
			why: `${name}: ${why}`,
			fix: "Name a group of this system that you belong to, or leave --share out.",
		});
	}
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

/** Whether the system says that a file cannot be read or written. */
export function systemError(error: unknown): boolean {
	const { code } = (error ?? {}) as { code?: unknown };
	return !(error instanceof PurserError) && typeof code === "string" && /^E[A-Z]+$/.test(code);
}

export const pageOfPlan = (planPath: string): string => `${planPath.replace(/\.json$/i, "")}.html`;

export const isSamePath = (one: string, other: string): boolean => resolve(one) === resolve(other);

export function hashed(source: AsyncIterable<Uint8Array>): { pieces: AsyncIterable<Uint8Array>; digest(): string } {
	const hash = createHash("sha256");
	async function* pieces(): AsyncGenerator<Uint8Array> {
		for await (const piece of source) {
			hash.update(piece);
			yield piece;
		}
	}
	return { pieces: pieces(), digest: () => hash.digest("hex") };
}

/** Checks that the file beside the plan is unchanged. One that cannot be read is no fault, because the rows are in the journal. */
export async function checkSource(files: Pick<Files, "stream">, planPath: string, plan: BatchPlan): Promise<void> {
	if (plan.source === "-") return;
	const path = join(dirname(planPath), plan.source);
	const { pieces, digest } = hashed(files.stream(path));
	try {
		for await (const _ of pieces);
	} catch (error) {
		if (systemError(error)) return;
		throw error;
	}
	if (digest() === plan.sourceDigest) return;
	throw new PurserError("guard", {
		code: "FILE_CHANGED",
		message: `${path} changed after it was planned; nothing was sent`,
		fix: advice`Plan it again: ${purser`pay batch plan ${{ path }}`}`,
	});
}
