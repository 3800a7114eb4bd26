import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { flag } from "../../api/fields.js";
import { defineCommand } from "../../cli/command.js";
import type { Advice } from "../../errors.js";
import { planFile, readCases } from "../../onboarding/case/files.js";
import { newFinder } from "../../onboarding/case/find.js";
import { caseInput, filesOf, lookupOperations, lookupOptions } from "../../onboarding/case/input.js";
import { caseTemplate, schemaName } from "../../onboarding/case/template.js";
import { type CasePlan, planText } from "../../onboarding/case/text.js";

export default defineCommand({
	path: "onboard plan",
	summary: "Show what a case would create, update or leave unchanged, without sending anything",
	details:
		"A case is one company's onboarding in one file: the company, the account owner, persons, owning companies, who owns how much of whom, and which terms were accepted. What the service already has is found by externalId. Exit 9 where some of several cases could not be planned.",
	examples: [
		{ run: "onboard plan --print-template > case.yaml", note: "A case to fill in" },
		{ run: "onboard plan case.yaml", note: "What `purser onboard apply case.yaml` would do" },
		{ run: "onboard plan cases/a.yaml cases/b.yaml --json", note: "Several, for a script" },
	],
	effect: "read",
	operations: lookupOperations,
	input: caseInput({
		printTemplate: flag("Write an annotated case to fill in"),
	}),
	async run(context, input) {
		if (input.printTemplate) {
			const raw = caseTemplate(`./${schemaName}`);
			return { data: { cases: [] }, raw, written: { cases: [], raw } };
		}
		const files = await readCases(context, filesOf(input));
		const finding = newFinder(context, context.service, lookupOptions(input), false);
		const cases: CasePlan[] = [];
		for (const file of files) cases.push(await planFile(context, context.service, finding, file, files.length));
		const failed = cases.some(({ error }) => error !== undefined);
		return { data: { cases }, lines: cases, exit: failed ? "partial" : undefined, next: failed ? [] : nextAfter(cases, filesOf(input)) };
	},
	text: ({ cases }, style) => planText(cases, style),
});

function nextAfter(cases: readonly CasePlan[], files: readonly string[]): Advice[] {
	const idle = cases.every(({ summary }) => summary !== undefined && summary.create + summary.update === 0);
	if (!idle) return [purser`onboard apply ${files.map((path) => ({ path }))}`];
	return cases.slice(0, 3).map(({ corporateId }) => purser`corporate status ${typed(corporateId, "CORPORATE")}`);
}
