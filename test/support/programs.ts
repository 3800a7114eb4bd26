/**
 * The programs of a test file: a copy of the built one for all of its tests, and those that some of them make; all are removed at its end.
 */
import { afterAll, beforeAll } from "vitest";
import { copyOfProgram, type Program } from "./driver.js";

export interface Programs {
	/** The copy; there once the tests run. */
	readonly built: Program;
	/** Has another removed at the end. */
	keep(program: Program): void;
}

/** To be called where the file's hooks may be set. */
export function programsOfFile(): Programs {
	const all: Program[] = [];
	beforeAll(async () => {
		all.push(await copyOfProgram());
	});
	afterAll(async () => {
		for (const one of all) await one.remove();
	});
	return {
		get built() {
			return all[0] as Program;
		},
		keep: (program) => void all.push(program),
	};
}
