import * as z from "zod/mini";
import { purser } from "../../api/advice.js";
import { sameId, typed } from "../../api/answer.js";
import { filePath, flag } from "../../api/fields.js";
import { getCorporate, viewCorporate } from "../../api/operations/corporate.js";
import { getRelated, listRelated, viewRelated } from "../../api/operations/related.js";
import { placeholder } from "../../api/schema.js";
import { type Answer, defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { caseOfCompany, type ExportedCase, type LiveCompany } from "../../onboarding/export/document.js";
import { caseText, caseToWrite, earlierCase, writeCaseFile } from "../../onboarding/export/write-case.js";
import { ifOffered, listRelatedOf, readCorporate, readRelated, warnIfPartial } from "../../onboarding/records/reading.js";

interface Exported extends Omit<ExportedCase, "document"> {
	corporateId: string;
	name?: string;
	/** The case as data. */
	case: Record<string, unknown>;
	savedTo?: string;
	state?: "new" | "unchanged" | "changed";
	/** Nothing was written. */
	dryRun?: boolean;
	/** The file's text, where it is not saved. */
	yaml?: string;
}

export default defineCommand({
	path: "onboard export",
	summary: "Write a live company as a case file",
	details:
		"What the service tells of the company, its account owner, persons, owning companies and shares. Applying the file changes nothing until you change it. What the service does not tell is left out, and a comment in the file says so. Statuses, verifications and links are no part of a case.",
	examples: [
		{ run: "onboard export 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f > case.yaml", note: "Then `purser onboard plan case.yaml`: nothing to do" },
		{ run: "onboard export 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --save case.yaml", note: "Readable by you only" },
		{
			run: "onboard export 3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f --save case.yaml --force",
			note: "Bring an earlier file up to date; its comments and order stay",
		},
	],
	effect: "read",
	operations: [getCorporate.id, listRelated.id, getRelated.id],
	input: z.strictObject({
		...getCorporate.params.shape,
		save: z.optional(filePath("Write it to this file, readable by you only; - or nothing: standard output", { placeholder: "file" })),
		force: flag("Update the file where it is a case of this company; its comments, order and notes stay"),
	}),
	async run(context, { corporateId, save, force }): Promise<Answer<Exported>> {
		const live = await readCompany(context, corporateId);
		const path = save === "-" ? undefined : save;
		const earlier = path === undefined ? undefined : await earlierCase(context, path);
		const { document, leftOut, missing } = caseOfCompany(live, earlier?.of);
		if (missing.length > 0) warnOfMissing(context, corporateId, missing);
		const exported: Exported = { corporateId, name: viewCorporate(live.corporate).name, case: document, leftOut, missing };
		const { profile } = await context.settings.read();
		const comment = [
			`Written by \`purser onboard export\` at ${context.clock.now().toISOString()} from ${new URL(profile.baseUrl).host}. It holds personal data.`,
			"Applying it changes nothing until a value is changed.",
			...(leftOut.length === 0 ? [] : ["Left out:", ...leftOut.map((one) => `- ${one.replace(/\s+/g, " ")}`)]),
		].join("\n");
		const fresh = () => caseText(context, document, comment, path);
		if (path === undefined) {
			const yaml = await fresh();
			return { data: { ...exported, yaml }, raw: yaml };
		}
		const file = await caseToWrite(context, path, document, earlier, fresh);
		if (file.state === "changed" && !force)
			throw new PurserError("guard", {
				code: "FILE_EXISTS",
				message: `${path} exists already with other values and was left as it is`,
				fix: "Choose another file, or add --force to update it; its comments and order stay.",
			});
		const { dryRun } = context.settings.flags;
		if (!dryRun) await writeCaseFile(context, file);
		return {
			data: { ...exported, ...(dryRun ? { dryRun } : {}), savedTo: path, state: file.state },
			next: dryRun ? [] : [purser`onboard plan ${{ path }}`],
		};
	},
	text: ({ name, corporateId, savedTo, state, leftOut, dryRun }, style) =>
		[
			style.good(
				`${state === "new" ? "Case file written" : state === "changed" ? "Case file updated" : "The file is up to date"}${dryRunRemark(dryRun)}`,
			),
			style.pairs([
				["Company", name],
				["Id", corporateId],
				["File", savedTo],
				["Left out", leftOut.length === 0 ? undefined : `${leftOut.length} remarks, in the file's first lines`],
			]),
		].join("\n\n"),
});

const dryRunRemark = (dryRun: boolean | undefined): string => (dryRun ? " (a dry run: nothing was written)" : "");

/** Reads the company. Without a list of related entities, the account owner is read by the id in the company's record. */
async function readCompany(context: Context, corporateId: string): Promise<LiveCompany> {
	const service = context.service;
	const corporate = await readCorporate(service, corporateId);
	const listed = await ifOffered(context, "only the company and its account owner are written", () => listRelatedOf(service, corporateId));
	warnIfPartial(context, listed, "the case lacks the others");
	const related = [...(listed?.records ?? [])];
	const ownerId = typeof corporate.accountOwnerId === "string" ? corporate.accountOwnerId : undefined;
	if (ownerId !== undefined && !related.some((record) => sameId(viewRelated(record).id, ownerId)))
		related.push(await readRelated(service, ownerId));
	return { corporateId, corporate, related };
}

function warnOfMissing(context: Context, corporateId: string, missing: readonly string[]): void {
	context.report.warn(
		`The service does not tell what a case must have: ${missing.join(", ")}. The case says ${placeholder} there and cannot be applied until you write it`,
	);
	if (!missing.includes("corporate.externalId")) return;
	const update = context.report.shown(purser`corporate update ${typed(corporateId, "CORPORATE")} --external-id REFERENCE`);
	context.report.warn(`The company has no externalId, by which a case finds it. Give it one, then export again: ${update}`);
}
