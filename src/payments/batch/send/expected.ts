/**
 * What a script says that it expects of a plan; `checkExpected` holds the plan against it.
 */
import * as z from "zod/mini";
import { field } from "../../../api/schema.js";

/** Flags of every command that acts on a plan in the place of a person who has looked at it. */
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
