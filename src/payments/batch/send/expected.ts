/**
 * Flags for what a script expects of a plan; `checkExpected` compares the plan with them.
 */
import * as z from "zod/mini";
import { field } from "../../../api/schema.js";

/** The flags of commands that act on a plan without a person looking at it. */
export const expectFields = () => ({
	expectCount: z.optional(
		field(z.string().check(z.regex(/^\d{1,9}$/, "must be a number of rows")), {
			description: "Only if the plan has this many rows",
			placeholder: "n",
		}),
	),
	expectTotal: z.optional(
		field(
			z.array(field(z.string().check(z.regex(/^[A-Za-z?]{1,3}=\d+(\.\d+)?$/, "must be like EUR=18230.55")), { description: "Total" })),
			{
				description: "Only if these are the plan's totals, one per currency: EUR=18230.55",
				placeholder: "cur=amount",
			},
		),
	),
});
