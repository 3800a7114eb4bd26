import { z } from "zod";
import { field } from "./schema.js";

/** Most records a page may carry. */
export const largestPage = 100;

/** Query fields of every list. Numbers travel as text. */
export const paging = () => ({
	page: field(z.string().regex(/^\d{1,9}$/, "must be a whole number from 0"), {
		description: "Page, from 0",
		placeholder: "number",
	}).optional(),
	pageSize: field(
		z.string().superRefine((value, context) => {
			if (!/^\d{1,3}$/.test(value) || Number(value) < 1 || Number(value) > largestPage)
				context.addIssue({ code: "custom", message: `must be a whole number from 1 to ${largestPage}` });
		}),
		{ description: `Records a page, at most ${largestPage}`, placeholder: "number" },
	).optional(),
	sortDirection: field(z.enum(["ASC", "DESC"]), { description: "Order" }).optional(),
});
