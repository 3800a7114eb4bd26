import * as z from "zod/mini";
import { field } from "./schema.js";

/** Maximum number of records in a page. */
export const largestPage = 100;

/** Query fields of every list. Numbers travel as text. */
export const paging = () => ({
	page: z.optional(
		field(z.string().check(z.regex(/^\d{1,9}$/, "must be a whole number from 0")), {
			description: "Page, from 0",
			placeholder: "number",
		}),
	),
	pageSize: z.optional(
		field(
			z.string().check(
				z.superRefine((value, context) => {
					if (!/^\d{1,3}$/.test(value) || Number(value) < 1 || Number(value) > largestPage)
						context.addIssue({ code: "custom", message: `must be a whole number from 1 to ${largestPage}` });
				}),
			),
			{ description: `Records a page, at most ${largestPage}`, placeholder: "number" },
		),
	),
	sortDirection: z.optional(field(z.enum(["ASC", "DESC"]), { description: "Order" })),
});
