/**
 * What the commands that work on case files have in common.
 */
import * as z from "zod/mini";
import { flag, plain, span } from "../../api/fields.js";
import { getCorporate, listCorporates } from "../../api/operations/corporate.js";
import { getRelated, listRelated } from "../../api/operations/related.js";
import { getTerms } from "../../api/operations/terms.js";
import { secondsOf } from "../../api/quantity.js";
import { field } from "../../api/schema.js";
import type { LookupOptions } from "../records/lookup.js";

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
			file: z.optional(
				field(z.array(plain("Case file")), { description: "The same as an argument", placeholder: "case", formerly: "from" }),
			),
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
