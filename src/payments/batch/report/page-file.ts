/** The file of a report's page: where it may not be written, and what is said where it was not. */
import { dirname, join, resolve } from "node:path";
import { PurserError } from "../../../errors.js";
import type { BatchRecord } from "../../../ports/batches.js";
import { parts } from "./row.js";

/**
 * Refuses a page in the place of the batch's file, its plan or another file of the report, before anything is written.
 * @param named what the batch was named by: its number, or the path of its plan
 * @throws PurserError usage
 */
export function refuseClash(page: string, folder: string, named: string, { plan }: Pick<BatchRecord, "plan">): void {
	const reserved = [
		folder,
		...Object.keys(parts).map((name) => join(folder, `${name}.csv`)),
		join(folder, "report.json"),
		...(named === plan.batch ? [] : [named, join(dirname(named), plan.source)]),
		...(plan.source === "-" ? [] : [plan.source, `${plan.source}.plan.json`]),
	];
	const clash = reserved.find((path) => placeOf(path) === placeOf(page));
	if (clash === undefined) return;
	throw new PurserError("usage", {
		code: "PATH_CLASH",
		message: `${page} is ${clash === folder ? "the report's folder" : "a file of this batch"}, so the page cannot be written there; nothing was written`,
		fix: "Give --html another file, like batch.html.",
	});
}

/** Some disks do not tell capitals from small letters. */
const placeOf = (path: string): string => resolve(path).toLowerCase();

/** The error for a page that was not written, which says what was. */
export function unwrittenPage(error: unknown, folder: string): unknown {
	if (!(error instanceof PurserError)) return error;
	const { failure } = error;
	return new PurserError(error.kind, {
		...failure,
		message: `The report is complete in ${folder}, but its page was not written: ${failure.message}`,
		cause: error,
	});
}
