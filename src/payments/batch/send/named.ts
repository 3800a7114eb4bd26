/**
 * Finds a batch by what a person typed: its number, or the path of its plan.
 */
import { advice, purser } from "../../../api/advice.js";
import { plain } from "../../../api/fields.js";
import { canonicalJson } from "../../../api/json.js";
import type { Context } from "../../../context.js";
import { PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRecord } from "../../../ports/batches.js";
import type { CompletionCache } from "../../../ports/completion-cache.js";
import type { Profile } from "../../../ports/profiles.js";
import { readPlan } from "../plan/file.js";

/** The argument of every command about one batch. */
export const batchField = () => plain("The batch: its number, or its plan", { positional: true, placeholder: "batch" });

/** @throws PurserError usage, if there is none; guard, if the plan is of another batch with this number */
export async function batchNamed(context: Context, name: string): Promise<BatchRecord> {
	const { profile } = await context.settings.read();
	const plan = /^[1-9]\d{0,14}$/.test(name) ? undefined : (await readPlan(context.files, name)).plan;
	const number = plan?.batch ?? name;
	const record = await (await context.journal.batches(profile)).show(number);
	if (record) {
		if (plan !== undefined && canonicalJson(plan) !== canonicalJson(record.plan)) throw otherPlan(name, number, profile.name);
		noteBatches(context.names.seen, profile, [record.plan]);
		return record;
	}
	throw new PurserError("usage", {
		code: "BATCH_UNKNOWN",
		message: `There is no batch ${JSON.stringify(number)} in the journal of profile ${profile.name}`,
		fix: advice`List them: ${purser`pay batch list`}`,
	});
}

/**
 * The path of the plan of a batch that nobody has begun: as it was named, or beside its file here. Undefined where it was written elsewhere,
 * and once the batch is begun, because its number is enough then.
 */
export async function planPathOf(context: Context, named: string, { plan, state }: BatchRecord): Promise<string | undefined> {
	if (state !== "planned") return undefined;
	if (named !== plan.batch) return named;
	if (plan.source === "-") return undefined;
	const path = `${plan.source}.plan.json`;
	try {
		const found = await readPlan(context.files, path);
		return canonicalJson(found.plan) === canonicalJson(plan) ? path : undefined;
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		return undefined;
	}
}

/** The error for a plan of another journal: each numbers its batches from 1, so an equal number proves nothing. */
function otherPlan(path: string, number: string, profile: string): PurserError {
	return new PurserError("guard", {
		code: "PLAN_FOREIGN",
		message: `${path} is not the plan of batch ${number} in the journal of profile ${profile}; nothing was done`,
		why: "It was planned on another machine or for another profile, or it was changed since",
		fix: advice`Use the profile that it was planned for (--profile NAME). If you mean this profile's own batch, give its number: ${purser`pay batch status ${number}`}`,
	});
}

/** Notes batches for completion: number, date and count, but no data of a row. */
export function noteBatches(
	cache: Pick<CompletionCache, "note">,
	profile: Profile,
	plans: readonly Pick<BatchPlan, "batch" | "planned" | "count">[],
): void {
	// Completion offers the record noted last first.
	const oldestFirst = [...plans].sort((one, other) => one.batch.length - other.batch.length || (one.batch < other.batch ? -1 : 1));
	cache.note(
		profile,
		oldestFirst.map(({ batch, planned, count }) => ({ kind: "batch", id: batch, name: `${planned.slice(0, 10)}, ${count} transfers` })),
	);
}
