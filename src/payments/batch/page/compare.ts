/**
 * Compares a sheet with the plan that names it. The bytes are what counts: a sheet made anew could show something else than the one that a
 * person looked at.
 */

import { advice, purser } from "../../../api/advice.js";
import { sha256 } from "../../../api/digest.js";
import { troubleWords } from "../../../api/text/trouble.js";
import { type Advice, PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { Files } from "../../../ports/machine.js";

/** Bytes; a sheet of purser has at most a million. */
const mostRead = 16 * 1024 * 1024;

/**
 * @param path of the sheet that the approver looked at
 * @throws PurserError guard, if the plan has no sheet, or another one; usage, if it cannot be read or is a link
 */
export async function checkSheet(
	files: Pick<Files, "read" | "isLink" | "isSpecial">,
	{ batch, sheet }: Pick<BatchPlan, "batch" | "sheet">,
	path: string,
): Promise<void> {
	if (sheet === undefined)
		throw new PurserError("guard", {
			code: "SHEET_NOT_PLANNED",
			message: `The plan of batch ${batch} has no sheet, so ${path} was not made with it; nothing was signed`,
			fix: advice`Do not rely on that page. Have the file planned again with a sheet: ${purser`pay batch plan FILE --sheet SHEET.html`}`,
		});
	const found = sha256(await bytesOf(files, path));
	if (found === sheet.sha256) return;
	throw new PurserError("guard", {
		code: "SHEET_DIFFERENT",
		message: `${path} is not the sheet of batch ${batch}; nothing was signed`,
		why: `It was changed, or belongs to another plan: its SHA-256 is ${found}, and that of this plan's sheet ${sheet.sha256}`,
		fix: advice`Ask the planner for the sheet that was written with this plan, look at that one, and approve again. If it is lost, have the file planned again: ${purser`pay batch plan FILE --sheet SHEET.html`}`,
	});
}

async function bytesOf(files: Pick<Files, "read" | "isLink" | "isSpecial">, path: string): Promise<Uint8Array> {
	if (await files.isLink(path)) throw unreadable(path, "It is a symbolic link, and its target can change");
	if (await files.isSpecial(path)) throw unreadable(path, "It is a pipe or a device, and a sheet is a file");
	try {
		return await files.read(path, mostRead);
	} catch (cause) {
		throw unreadable(path, troubleWords(cause), cause);
	}
}

function unreadable(path: string, why: string | undefined, cause?: unknown): PurserError {
	return new PurserError("usage", {
		code: "SHEET_UNREADABLE",
		message: `The sheet ${path} cannot be read; nothing was signed`,
		why,
		fix: "Give the page that was written with the plan.",
		cause,
	});
}

/** The warning for a plan whose sheet was not compared; undefined if it has none. @param planPath as it was given */
export function notComparedWarning({ sheet }: Pick<BatchPlan, "sheet">, planPath: string): Advice | undefined {
	if (sheet === undefined) return undefined;
	return advice`This plan has a sheet, and it was not compared: a page that you looked at may show another plan. To compare it: ${purser`pay batch approve ${{ path: planPath }} --sheet SHEET.html`}`;
}
