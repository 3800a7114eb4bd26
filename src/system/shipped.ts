import { existsSync, readFileSync } from "node:fs";
import { getAsset, isSea } from "node:sea";

/**
 * The address of a file that is installed beside the program; undefined where it is not. A single executable has none: what lies in the
 * folder that it was put into is somebody else's.
 */
export function shippedFile(program: string, name: string): string | undefined {
	const file = new URL(name, program);
	return file.protocol === "file:" && !isSea() && existsSync(file) ? file.href : undefined;
}

/** The text of such a file, or of the single executable's asset of that name; undefined where the source itself runs. */
export async function shippedText(program: string, name: string): Promise<string | undefined> {
	const file = shippedFile(program, name);
	if (file !== undefined) return readFileSync(new URL(file), "utf8");
	try {
		return isSea() ? getAsset(name, "utf8") : undefined;
	} catch {
		return undefined;
	}
}
