/**
 * What the commands that work on case files have in common.
 */
import * as z from "zod/mini";
import { sameId } from "../../api/answer.js";
import { filePath, flag, plain, span } from "../../api/fields.js";
import { getCorporate, listCorporates, viewCorporate } from "../../api/operations/corporate.js";
import { getRelated, listRelated } from "../../api/operations/related.js";
import { getTerms } from "../../api/operations/terms.js";
import { secondsOf } from "../../api/quantity.js";
import { field } from "../../api/schema.js";
import { composed } from "../../api/text/lookalike.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import type { Holding } from "../ownership/ownership.js";
import { readCorporate } from "../records/reading.js";
import { readCases } from "./files.js";
import { type LookupOptions, newFinder } from "./find.js";
import { holdingsById } from "./ownership.js";

/** The operations by which a case is looked up. */
export const lookupOperations = [listCorporates.id, getCorporate.id, listRelated.id, getRelated.id, getTerms.id] as const;

/** Files as arguments or by --file, and how they are looked up; `more` are the command's own flags. */
export function caseInput<S extends z.core.$ZodShape>(more: S) {
	return z
		.strictObject({
			cases: z.optional(
				field(z.array(plain("Case file")).check(z.maxLength(1000)), {
					description: "Case files, YAML or JSON; - for standard input",
					positional: true,
					placeholder: "case",
				}),
			),
			file: z.optional(field(z.array(plain("Case file")), { description: "The same as an argument", placeholder: "case" })),
			new: flag("Create what is not found although the service cannot list, or lists one that looks the same"),
			settleAfter: z._default(
				span("Time within which a creation without an answer appears in the service's list, in seconds or like 2m", 9999, "30"),
				"30",
			),
			...more,
		})
		.check(
			z.superRefine((value, context) => {
				const given = value as { cases?: string[]; file?: string[]; printTemplate?: boolean; printSchema?: boolean };
				if (given.printTemplate || given.printSchema || filesOf(given).length > 0) return;
				context.addIssue({ code: "custom", path: ["cases"], message: "is required" });
			}),
		);
}

/** Every file given, in order. */
export function filesOf({ cases = [], file = [] }: { cases?: readonly string[]; file?: readonly string[] }): string[] {
	return [...cases, ...file];
}

/** How a case is looked up, from the command's input; `settleAfter` becomes milliseconds. */
export function lookupOptions(input: { new: boolean; settleAfter: string }): LookupOptions {
	return { isNew: input.new, settleAfter: (secondsOf(input.settleAfter) as number) * 1000 };
}

/** The flag of commands that compute who owns a company: a declaration takes one holding of a person, and the case has the others. */
export const caseField = () =>
	z.optional(
		filePath("Case file of the company: counts its shares too, where the service shows only one holding", { placeholder: "file" }),
	);

/**
 * The holdings of a company's case, by the ids of the service. Of several documents in the file, the company's own is taken.
 * @param file of {@link caseField}; without one there are none
 * @throws PurserError usage, where the file is the case of another company; validation, where it is no valid case
 */
export async function holdingsOfCase(
	context: Context,
	service: Service,
	corporateId: string,
	file: string | undefined,
): Promise<Holding[]> {
	if (file === undefined) return [];
	const cases = await readCases(context, [file]);
	const { externalId } = viewCorporate(await readCorporate(service, corporateId));
	const isOwn = (of: string): boolean => externalId === undefined || composed(of) === composed(externalId);
	const own = cases.find(({ of }) => of !== undefined && isOwn(of.corporate.externalId))?.of;
	const found = own && (await newFinder(context, service, { isNew: false, settleAfter: 0 }, false).find(own));
	if (own !== undefined && found?.corporateId !== undefined && sameId(found.corporateId, corporateId)) return holdingsById(own, found.ids);
	throw (
		cases.find(({ error }) => error !== undefined)?.error ??
		new PurserError("usage", {
			code: "ANOTHER_CASE",
			message: `${file} is not the case of this company${externalId === undefined ? "" : ` (${externalId})`}`,
			fix: "Name the company's own case file, or leave --case out.",
		})
	);
}
