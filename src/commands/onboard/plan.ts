import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { fitting, flag } from "../../api/fields.js";
import { withRecords } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import type { Advice } from "../../errors.js";
import { caseArguments, isNewField, readCases } from "../../onboarding/case/files.js";
import { lookupOperations } from "../../onboarding/case/find.js";
import { planCases } from "../../onboarding/case/inspect.js";
import { type CasePlan, plansFailure, planText } from "../../onboarding/case/result.js";
import { caseTemplate } from "../../onboarding/case/template.js";
import { caseResult } from "../families/answers.js";

export default defineCommand({
	path: "onboard plan",
	summary: "Show what a case would create, update or leave unchanged, without sending anything",
	details:
		"A case is one company's onboarding in one file: the company, the account owner, persons, owning companies, who owns how much of whom, and which terms were accepted. What the service already has is found by externalId. Exit 9 where some of several cases could not be planned.",
	examples: {
		"onboard plan --print-template > case.yaml": "A case to fill in",
		"onboard plan case.yaml": "What `purser onboard apply case.yaml` would do",
		"onboard plan cases/a.yaml cases/b.yaml --json": "Several, for a script",
	},
	operations: lookupOperations,
	input: fitting(
		z.strictObject({
			cases: z.optional(caseArguments()),
			new: isNewField(),
			printTemplate: flag("Write an annotated case to fill in"),
		}),
		({ cases, printTemplate }) => [cases === undefined && !printTemplate && ["cases", "is required"]],
	),
	answer: () => withRecords(z.strictObject({ cases: z.array(caseResult()), raw: z.optional(z.string()) }), caseResult()),
	async run(context, { cases: files = [], printTemplate, new: isNew }) {
		if (printTemplate) return { data: { cases: [] }, raw: caseTemplate, written: { cases: [], raw: caseTemplate } };
		const cases = await planCases(context, isNew, await readCases(context, files));
		const failure = plansFailure(cases);
		return { data: { cases }, lines: cases, exit: failure && "partial", failure, next: failure ? [] : nextAfter(cases, files) };
	},
	text: ({ cases }, style) => planText(cases, style),
});

function nextAfter(cases: readonly CasePlan[], files: readonly string[]): Advice[] {
	const idle = cases.every(({ summary }) => summary !== undefined && summary.create + summary.update === 0);
	if (!idle) return [purser`onboard apply ${files.map((path) => ({ path }))}`];
	return cases.slice(0, 3).map(({ corporateId }) => purser`corporate status ${typed(corporateId, "CORPORATE")}`);
}
