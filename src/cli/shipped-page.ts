import type { Outside } from "../context.js";
import { PurserError } from "../errors.js";

/**
 * The text of a file that is installed with the program.
 * @param path from the root of the package
 * @throws PurserError usage, where it was not installed
 */
export async function shippedPage(path: string, { system }: Pick<Outside, "system">): Promise<string> {
	const text = await system.shippedText(`../${path}`);
	if (text !== undefined) return text;
	throw new PurserError("usage", {
		code: "NO_PAGES",
		message: `This file is not installed with this program: ${path}`,
		fix: "Read it where you got purser from.",
	});
}
