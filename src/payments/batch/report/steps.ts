/** What to do after a report. */
import { purser } from "../../../api/advice.js";
import type { SuggestedCommand } from "../../../errors.js";
import { nextSteps } from "../send/text.js";
import type { BatchReport } from "./report.js";

/** A report as the command answers it: in a dry run there is no folder. A batch of a sandbox that is gone can only be closed. */
export type WrittenReport = BatchReport & { folder?: string; planPath?: string; earlierSandbox?: true };

/** Commands to suggest, the most urgent first, with the report's own files where they help. */
export function stepsAfter({ folder, ...report }: WrittenReport): SuggestedCommand[] {
	const { parts, state } = report;
	const steps = nextSteps(report).filter(({ words }) => words[2] !== "report");
	const planned = folder === undefined ? [] : state === "abandoned" ? ([parts.refused, parts.unsent] as const) : ([parts.refused] as const);
	// A doubt comes first: what it is about may have been paid.
	const [settle, others] = [steps.filter(({ words }) => words[1] === "settle"), steps.filter(({ words }) => words[1] !== "settle")];
	return [
		...settle,
		...planned.flatMap(({ file, rows }) => (rows > 0 ? [purser`pay batch plan ${{ path: `${folder}/${file}` }}`] : [])),
		...others,
	];
}
