import { existsSync } from "node:fs";

/** The address of a file that is installed beside the program; undefined where it is not, as in a single executable. */
export function shipped(program: string, name: string): string | undefined {
	const file = new URL(name, program);
	return file.protocol === "file:" && existsSync(file) ? file.href : undefined;
}
