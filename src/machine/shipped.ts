import { existsSync, readFileSync } from "node:fs";

/** The address of a file that is installed beside the program; undefined where it is not, as in a single executable. */
export function shippedFile(program: string, name: string): string | undefined {
	const file = new URL(name, program);
	return file.protocol === "file:" && existsSync(file) ? file.href : undefined;
}

/** The text of such a file, or of the single executable's asset of that name; undefined where the source itself runs. */
export async function shippedText(program: string, name: string): Promise<string | undefined> {
	const file = shippedFile(program, name);
	if (file !== undefined) return readFileSync(new URL(file), "utf8");
	const { getAsset, isSea } = await import("node:sea");
	try {
		return isSea() ? getAsset(name, "utf8") : undefined;
	} catch {
		return undefined;
	}
}
