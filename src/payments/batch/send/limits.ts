/**
 * The flags of every command that sends a batch, and what they mean.
 */
import * as z from "zod/mini";
import { span } from "../../../api/fields.js";
import { quantityOf, secondsOf } from "../../../api/quantity.js";
import { field } from "../../../api/schema.js";
import { PurserError } from "../../../errors.js";
import { newJournalField } from "../../single/options.js";
import type { SendLimits } from "./send.js";

const whole = (most: string) => z.string().check(z.regex(/^[1-9]\d{0,6}$/, `must be a whole number from 1 to ${most}`));

/** Defaults for the transfers in flight and for the rows that a crash may leave in doubt. */
const [defaultJobs, defaultOpen] = ["16", "96"];

export const limitFields = () => ({
	jobs: z._default(
		field(whole("256"), {
			description: "Payments sent in parallel; fewer while the service is slow or asks for it",
			placeholder: "n",
		}),
		defaultJobs,
	),
	rate: z.optional(field(whole("100000"), { description: "Maximum number of payments a second", placeholder: "n" })),
	stopAfter: z.optional(field(whole("9999999"), { description: "Maximum number of rows sent in this run", placeholder: "n" })),
	doubtLimit: z._default(
		field(whole("4096"), {
			description: "Maximum number of rows that a crash may leave in doubt",
			placeholder: "n",
		}),
		defaultOpen,
	),
	waitOut: z.optional(
		span("How long to wait for a service that is busy or cannot be reached, like 30m or 2h; 5 minutes unless given", 604_800, "7200"),
	),
	newJournal: newJournalField(),
});

/** @throws PurserError validation */
export function limitsOf(input: { jobs: string; rate?: string; stopAfter?: string; doubtLimit: string; waitOut?: string }): SendLimits {
	const faults = [...over("jobs", input.jobs, 256), ...over("doubtLimit", input.doubtLimit, 4_096), ...over("rate", input.rate, 100_000)];
	if (faults.length > 0)
		throw new PurserError("validation", {
			code: "INVALID_INPUT",
			message: "These limits are not valid; nothing was sent",
			fix: "Correct them and run the command again.",
			details: faults,
		});
	const open = quantityOf(input.doubtLimit);
	return {
		jobs: Math.min(quantityOf(input.jobs), open),
		rate: input.rate === undefined ? undefined : quantityOf(input.rate),
		stopAfter: input.stopAfter === undefined ? undefined : quantityOf(input.stopAfter),
		open,
		waitOut: input.waitOut === undefined ? undefined : (secondsOf(input.waitOut) as number) * 1_000,
	};
}

function over(field: string, text: string | undefined, most: number): { field: string; message: string }[] {
	return text !== undefined && quantityOf(text) > most ? [{ field, message: `is more than ${most}` }] : [];
}
