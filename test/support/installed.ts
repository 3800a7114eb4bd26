/**
 * Programs that tests drive. PURSER_TEST_REQUIRE names those that must be here (`bash zsh fish chromium`); another that is missing is skipped,
 * and the run says so.
 */
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

const required = (process.env.PURSER_TEST_REQUIRE ?? "").split(/[\s,]+/);

export function isProgram(path: string): boolean {
	try {
		accessSync(path, constants.X_OK);
		return true;
	} catch {
		return false;
	}
}

/** The first program of the PATH with one of these names. @throws Error where there is none and must be */
export function installed(names: readonly string[], what: string): string | undefined {
	const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
	const found = names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isProgram);
	if (found !== undefined) return found;
	const [name = ""] = names;
	if (required.includes(name)) throw new Error(`${name} is not installed here, and PURSER_TEST_REQUIRE demands it`);
	process.stderr.write(`skipped: ${what} in ${name}, which is not installed here\n`);
	return undefined;
}
