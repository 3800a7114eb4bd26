import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { programOf } from "../../support/program.js";

/**
 * Runs a simulation as bundled programs, which are quicker than what is transformed for tests.
 * @returns what each of them printed
 */
export async function printed(program: URL, ...runs: (readonly number[])[]): Promise<string[]> {
	const { script, remove } = await programOf(program);
	const run = async (words: readonly number[]): Promise<string> =>
		(await promisify(execFile)(process.execPath, [script, ...words.map(String)], { maxBuffer: 2 ** 30 })).stdout;
	try {
		return await Promise.all(runs.map(run));
	} finally {
		await remove();
	}
}
