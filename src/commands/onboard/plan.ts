import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { flag } from "../../api/fields.js";
import { formatJson } from "../../api/json.js";
import { serviceOf } from "../../client/service.js";
import { PurserError } from "../../errors.js";
import { readCases } from "../../onboarding/case/files.js";
import { newFinder } from "../../onboarding/case/find.js";
import { caseInput, filesOf, lookupOperations, lookupOptions } from "../../onboarding/case/input.js";
import { planFile } from "../../onboarding/case/preview.js";
import { caseJsonSchema, caseTemplate, schemaName } from "../../onboarding/case/template.js";
import { type CasePlan, planText } from "../../onboarding/case/text.js";
import { withSchemaFlag, writeSchema } from "../../onboarding/wizard/schema-file.js";
import { defineCommand } from "../../shell/command.js";

type Answered = { cases: CasePlan[]; raw?: string };

export default defineCommand({
	path: "onboard plan",
	summary: "Show what a case would create, update or leave unchanged, without sending anything",
	details:
		"A case is one company's onboarding in one file: the company, the account owner, persons, owning companies, who owns how much of whom, and which terms were accepted. What the service already has is found by externalId.",
	examples: [
		{ run: "onboard plan --print-template > case.yaml", note: "A case to fill in" },
		{ run: "onboard plan case.yaml", note: "What `purser onboard apply case.yaml` would do" },
		{ run: "onboard plan cases/a.yaml cases/b.yaml --json", note: "Several, for a script" },
	],
	effect: "read",
	standalone: true,
	operations: lookupOperations,
	input: caseInput({
		printTemplate: flag("Write an annotated case to fill in"),
		withSchema: withSchemaFlag(),
		printSchema: flag("Write the JSON Schema of a case, for editors"),
	}),
	run: async (context, input): Promise<Answered> => {
		if (input.withSchema && !input.printTemplate)
			throw new PurserError("usage", {
				code: "USAGE",
				message: "--with-schema only works with --print-template",
				fix: advice`Add --print-template, or write the schema alone: ${purser`onboard schema`} > ${schemaName}`,
			});
		if (input.withSchema) await writeSchema(context, schemaName);
		if (input.printTemplate) return { cases: [], raw: caseTemplate(`./${schemaName}`) };
		if (input.printSchema) return { cases: [], raw: `${formatJson(caseJsonSchema(), 2)}\n` };
		const files = await readCases(context, filesOf(input));
		const finding = newFinder(context, serviceOf(context), lookupOptions(input), false);
		const cases: CasePlan[] = [];
		for (const file of files) cases.push(await planFile(context, serviceOf(context), finding, file, files.length));
		return { cases };
	},
	text: ({ cases }, style) => planText(cases, style),
	raw: ({ raw }) => raw,
	lines: ({ cases }) => cases,
	next: ({ cases, raw }, input) => {
		if (raw !== undefined || cases.some(({ error }) => error !== undefined)) return [];
		const idle = cases.every(({ summary }) => summary !== undefined && summary.create + summary.update === 0);
		if (!idle) return [purser`onboard apply ${filesOf(input).map((path) => ({ path }))}`];
		return cases.slice(0, 3).map(({ corporateId }) => purser`corporate status ${typed(corporateId, "CORPORATE")}`);
	},
	outcomes: ["partial"],
	outcome: ({ cases }) => (cases.some(({ error }) => error !== undefined) ? "partial" : undefined),
});
