/**
 * The flags of every command that sends a batch, and what they mean.
 */
import * as z from "zod/mini";
import { span } from "../../../api/fields.js";
import { quantityOf, secondsOf } from "../../../api/quantity.js";
import { field } from "../../../api/schema.js";
import { newJournalField } from "../../single/options.js";
import type { SendLimits } from "./send.js";

/** Rows that a crash may leave in doubt at most: more of them would make a batch faster only where each sync takes milliseconds. */
const mostOpen = 96;

export const limitFields = () => ({
	jobs: z._default(
		field(z.string().check(z.regex(/^([1-9]|[1-8]\d|9[0-6])$/, `must be a whole number from 1 to ${mostOpen}`)), {
			description: "Payments sent in parallel; fewer while the service is slow or asks for it",
			placeholder: "n",
		}),
		"16",
	),
	rate: z.optional(
		field(z.string().check(z.regex(/^[1-9]\d{0,4}$/, "must be a whole number from 1 to 99999")), {
			description: "Maximum number of payments a second",
			placeholder: "n",
		}),
	),
	stopAfter: z.optional(
		field(z.string().check(z.regex(/^[1-9]\d{0,6}$/, "must be a whole number from 1 to 9999999")), {
			description: "Maximum number of rows sent in this run",
			placeholder: "n",
		}),
	),
	waitOut: z.optional(
		span("How long to wait for a service that is busy or cannot be reached, like 30m or 2h; 5 minutes unless given", 604_800, "7200"),
	),
	newJournal: newJournalField(),
});

export function limitsOf(input: { jobs: string; rate?: string; stopAfter?: string; waitOut?: string }): SendLimits {
	return {
		jobs: quantityOf(input.jobs),
		rate: input.rate === undefined ? undefined : quantityOf(input.rate),
		stopAfter: input.stopAfter === undefined ? undefined : quantityOf(input.stopAfter),
		open: mostOpen,
		waitOut: input.waitOut === undefined ? undefined : (secondsOf(input.waitOut) as number) * 1_000,
	};
}

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
