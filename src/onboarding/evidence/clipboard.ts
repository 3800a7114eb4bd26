/**
 * Text for the clipboard, and its confirmation.
 */
import type { Context } from "../../context.js";

export interface Copied {
	/** The program, or `OSC 52` for the terminal; absent where nothing was copied. */
	with?: string;
	/** Why nothing was copied. */
	why?: string;
}

/** Copies, except in CI. Never fails. */
export async function copyText(context: Context, text: string): Promise<Copied> {
	const { CI } = context.env;
	if (CI !== undefined && CI !== "" && CI !== "0" && CI !== "false") return { why: "this runs in CI, where nothing is ever copied" };
	const program = await context.clipboard(text);
	return program === undefined ? { why: "no clipboard can be reached from here" } : { with: program };
}

/** The confirmation. @param what `The links`, `The link` */
export function copiedLine(what: string, { with: program, why }: Copied, instead: string): string {
	if (program === undefined) return `${what} not copied: ${why}. ${instead}`;
	if (program === "OSC 52")
		return `${what} sent to the terminal to copy (OSC 52); a terminal that does not allow it ignores that. ${instead}`;
	return `${what} copied to the clipboard (${program})`;
}
