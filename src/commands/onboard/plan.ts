import { purser, shownIn } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { flag } from "../../api/fields.js";
import { formatJson } from "../../api/json.js";
import { viewRelated } from "../../api/operations/related.js";
import { serviceOf } from "../../client/service.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { inspectCase } from "../../onboarding/case/apply.js";
import { type CaseFile, readCases, warnOfOwnership } from "../../onboarding/case/files.js";
import { newFinder } from "../../onboarding/case/find.js";
import { caseInput, filesOf, lookupOperations, lookupOptions } from "../../onboarding/case/input.js";
import { caseJsonSchema } from "../../onboarding/case/json-schema.js";
import { notNamed } from "../../onboarding/case/plan.js";
import { caseError } from "../../onboarding/case/result.js";
import { caseTemplate, schemaName } from "../../onboarding/case/template.js";
import { type CasePlan, planText, summaryOf } from "../../onboarding/case/text.js";
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
		printSchema: flag("Write the JSON Schema of a case, for editors"),
	}),
	run: async (context, input): Promise<Answered> => {
		if (input.printTemplate) return { cases: [], raw: caseTemplate(context.shipped(schemaName) ?? `./${schemaName}`) };
		if (input.printSchema) return { cases: [], raw: `${formatJson(caseJsonSchema(), 2)}\n` };
		const files = await readCases(context, filesOf(input));
		const finding = newFinder(context, serviceOf(context), lookupOptions(input), false);
		const cases: CasePlan[] = [];
		for (const file of files) cases.push(await planOne(context, finding, file, files.length));
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

async function planOne(
	context: Context,
	finding: ReturnType<typeof newFinder>,
	{ file, of, error }: CaseFile,
	count: number,
): Promise<CasePlan> {
	const named = { file, externalId: of?.corporate.externalId, name: of?.corporate.corporateName };
	try {
		if (of === undefined) throw error;
		await warnOfOwnership(context, of, file);
		const { found, steps } = await inspectCase(context, serviceOf(context), finding, of);
		const others = notNamed(found).map((record) => ({ id: viewRelated(record).id, name: viewRelated(record).name }));
		return {
			...named,
			corporateId: found.corporateId,
			summary: summaryOf(steps),
			steps: steps.map((step) => shownIn(step, ["why"], context.shown)),
			notNamed: others,
		};
	} catch (cause) {
		if (!(cause instanceof PurserError) || count === 1 || cause.kind === "interrupted") throw cause;
		return { ...named, error: caseError(cause, context.shown) };
	}
}
