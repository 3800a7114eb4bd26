/**
 * A batch as a person names it: by its number, or by its plan.
 */
import { plain } from "../../api/fields.js";
import type { BatchRecord } from "../../batches.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { readPlan } from "./plan-file.js";
import { noteBatches } from "./seen.js";

/** The argument of every command about one batch. */
export const batchField = () => plain("The batch: its number, or its plan", { positional: true, placeholder: "batch" });

/** @throws PurserError usage, where there is none */
export async function batchNamed(context: Context, name: string): Promise<BatchRecord> {
	const { profile } = await context.settings();
	const number = /^[1-9]\d{0,14}$/.test(name) ? name : (await readPlan(context.files, name)).plan.batch;
	const record = await (await context.batches(profile)).show(number);
	if (record) {
		noteBatches(context.seen, profile, [record.plan]);
		return record;
	}
	throw new PurserError("usage", {
		code: "BATCH_UNKNOWN",
		message: `There is no batch ${JSON.stringify(number)} in the journal of profile ${profile.name}`,
		fix: "See which there are: purser pay batch list",
	});
}
