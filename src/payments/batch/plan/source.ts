/**
 * Checks that the file beside a plan is still the one it was made from.
 */

import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { advice, purser } from "../../../api/advice.js";
import { PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Files } from "../../../ports/machine.js";

/** Passes the pieces of a source through and hashes them. */
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

/**
 * Checks that the file beside the plan is unchanged. A missing file is no fault, because the rows are in the journal.
 * @throws PurserError guard
 */
export async function checkSource(files: Pick<Files, "stream">, planPath: string, plan: BatchPlan): Promise<void> {
	if (plan.source === "-") return;
	const path = join(dirname(planPath), plan.source);
	const { pieces, digest } = hashed(files.stream(path));
	try {
		for await (const _ of pieces);
	} catch (error) {
		const { code } = (error ?? {}) as { code?: unknown };
		if (code === "ENOENT") return;
		if (typeof code !== "string" || !/^E[A-Z]+$/.test(code)) throw error;
		throw new PurserError("guard", {
			code: "FILE_UNREADABLE",
			message: `${path} cannot be read (${code}), so nobody can tell whether it changed after it was planned; nothing was sent`,
			fix: advice`Make it readable, or move it away (the journal has the rows), and send again: ${purser`pay batch send ${{ path: planPath }}`}`,
			cause: error,
		});
	}
	if (digest() === plan.sourceDigest) return;
	throw new PurserError("guard", {
		code: "FILE_CHANGED",
		message: `${path} changed after it was planned; nothing was sent`,
		fix: advice`Plan it again: ${purser`pay batch plan ${{ path }}`}`,
	});
}
