import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { serviceOf } from "../../client/service.js";
import type { Context } from "../../context.js";
import { caseField, holdingsOfCase, lookupOperations } from "../../onboarding/case/input.js";
import { type Ownership, ownershipOf } from "../../onboarding/ownership/ownership.js";
import { drawTree } from "../../onboarding/ownership/tree.js";
import { paragraph } from "../../onboarding/records/paragraph.js";
import { readOwnership, uboThreshold } from "../../onboarding/records/read-ownership.js";
import { ifOffered, listRelatedOf, readCorporate, warnIfPartial } from "../../onboarding/records/reading.js";
import { defineCommand } from "../../shell/command.js";

/** Maximum number of related entities in one tree. */
const maxEntities = 10_000;

export default defineCommand({
	path: "related tree",
	summary: "Draw who owns a company, through every layer",
	details:
		"Shows direct and effective shares and warns about shares over 100 %, circles, unmarked owners at or above the threshold, shares without a declared owner, and missing directors. With --case, the shares of the company's case file count beside what the service shows. The threshold is the profile's setting ubo-threshold: 25, or 10 for an extended-UBO corporate.",
	examples: [
		{ run: "related tree crm-5002", note: "The tree with its warnings" },
		{ run: "related tree crm-5002 --case case.yaml", note: "With every holding of the case, where the service shows only one of a person" },
		{ run: "related tree crm-5002 --json", note: "Nodes, edges, effective shares and warnings" },
	],
	effect: "read",
	operations: lookupOperations,
	input: z.strictObject({ ...listRelated.params.shape, case: caseField() }),
	run: readTree,
	text: (ownership, style) => {
		const { warnings } = ownership;
		const tree = drawTree(ownership, style);
		if (warnings.length === 0) return tree;
		return [
			tree,
			"",
			style.bold("Warnings"),
			...warnings.flatMap(({ message }) => paragraph(message, 4, style, `  ${style.warn("!")} `)),
		].join("\n");
	},
	next: ({ warnings }, { corporateId, case: file }) => {
		const id = typed(corporateId, "CORPORATE");
		const unmarked = warnings.find(({ code }) => code === "UBO_NOT_MARKED")?.parties[0];
		const missing = warnings.some(({ code }) => code === "OWNER_NOT_DECLARED" || code === "NO_DIRECTOR");
		return [
			...(unmarked === undefined ? [] : [purser`related update ${typed(unmarked, "RELATED")} --is-ubo`]),
			...(missing ? [purser`related add ${id}`] : []),
			file === undefined ? purser`kyc plan ${id}` : purser`kyc plan ${id} --case ${{ path: file }}`,
		];
	},
});

async function readTree(context: Context, { corporateId, case: file }: { corporateId: string; case?: string }): Promise<Ownership> {
	const { profile } = await context.settings();
	const corporate = await ifOffered(context, "the company's name is not shown", () => readCorporate(serviceOf(context), corporateId));
	const listed = await listRelatedOf(serviceOf(context), corporateId, maxEntities);
	warnIfPartial(context, listed, "the shares may be incomplete");
	const more = await holdingsOfCase(context, serviceOf(context), corporateId, file);
	const root = { id: corporateId, name: viewCorporate(corporate ?? {}).name ?? corporateId };
	const { parties, holdings } = readOwnership(root, listed.records, more);
	return ownershipOf(root, parties, holdings, uboThreshold(profile));
}
