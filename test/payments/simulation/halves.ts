import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { programOf } from "../../support/program.js";

/**
 * Runs one half of the seeds as a bundled program, which is quicker than what is transformed for tests.
 * @returns empty where all is well: what failed, how to see it again, and what happened
 */
export async function failureIn(which: 0 | 1): Promise<string> {
	const { script, remove } = await programOf(new URL("./half.ts", import.meta.url));
	try {
		return (await promisify(execFile)(process.execPath, [script, String(which)])).stdout;
	} finally {
		await remove();
	}
}
