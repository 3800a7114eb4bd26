/** What a person types to a command about a batch: its number or the path of its plan, and the limits of sending; and what a team's journal has of it. */

import * as z from "zod/mini";
import { advice, purser } from "../../../api/advice.js";
import { plain } from "../../../api/fields.js";
import { quantityOf } from "../../../api/quantity.js";
import { field } from "../../../api/schema.js";
import type { Context } from "../../../context.js";
import { type Advice, PurserError } from "../../../errors.js";
import type { BatchPlan } from "../../../ports/batch-plan.js";
import type { BatchRecord, TeamApprovals, TeamPlan } from "../../../ports/batches.js";
import { newJournalField } from "../../single/options.js";
import { isSamePlan, recordedBatch } from "../plan/check.js";
import { type PlanFile, readPlan } from "../plan/file.js";
import type { SendLimits } from "./pace.js";

export const batchField = () => plain("The batch: its number, or its plan", { positional: true, placeholder: "batch" });

const isNumber = (name: string): boolean => /^[1-9]\d{0,14}$/.test(name);

export const planField = () =>
	plain("The plan that `pay batch plan` wrote; in a team's journal also the batch's number", { positional: true, placeholder: "plan" });

/** What second persons say in a team's journal. @param fix what to do where it is a file on this machine @throws PurserError usage, then */
export async function teamApprovals(context: Context, fix: Advice): Promise<TeamApprovals> {
	const { profile } = await context.settings.read();
	const { team } = await context.journal.batches(profile);
	if (team !== undefined) return team;
	throw new PurserError("usage", {
		code: "NO_TEAM",
		message: `The journal of profile ${profile.name} is a file on this machine, where approvals are kept in the plan's file`,
		fix,
	});
}

/**
 * What a team's journal has of this very plan; undefined without a team, where its journal has another one of that number, and where the journal
 * of this machine cannot be used: whoever approves needs none.
 * @throws PurserError unavailable or auth, where a team's cannot be reached
 */
export async function teamPlanOf(context: Context, plan: BatchPlan): Promise<TeamPlan | undefined> {
	const { profile } = await context.settings.read();
	try {
		const found = await (await context.journal.batches(profile)).team?.of(plan.batch);
		return found && isSamePlan(plan, found) ? found : undefined;
	} catch (error) {
		if (error instanceof PurserError && error.kind === "usage") return undefined;
		throw error;
	}
}

/** A plan by its file, or by its number in a team's journal, with the approvals in both. `path`: of its file */
export async function planNamed(
	context: Context,
	named: string,
	to: "approve" | "send",
): Promise<PlanFile & { path?: string; team?: TeamPlan }> {
	if (isNumber(named)) {
		const found = await (await teamApprovals(context, advice`Name the plan's file: ${purser`pay batch ${to} PLAN`}`)).of(named);
		if (found === undefined) throw unknownBatch(named, (await context.settings.read()).profile.name);
		return { plan: found.plan, approvals: [...found.approvals], team: found };
	}
	const { plan, approvals } = await readPlan(context.files, named);
	const team = await teamPlanOf(context, plan);
	return { plan, approvals: [...approvals, ...(team?.approvals ?? [])], path: named, ...(team && { team }) };
}

export async function batchNamed(context: Context, name: string): Promise<BatchRecord> {
	const { profile } = await context.settings.read();
	const plan = isNumber(name) ? undefined : (await readPlan(context.files, name)).plan;
	const number = plan?.batch ?? name;
	const record = await (await context.journal.batches(profile)).show(number);
	if (plan !== undefined) return recordedBatch(plan, record, profile);
	if (record === undefined) throw unknownBatch(number, profile.name);
	return record;
}

/** Where the plan of a batch that was not begun is: as it was named, else by its usual name; undefined where none or another one is there. */
export async function planPathOf(
	{ files }: Pick<Context, "files">,
	record: BatchRecord,
	named: string,
): Promise<{ planPath?: string | undefined }> {
	if (record.state !== "planned") return {};
	if (!isNumber(named)) return { planPath: named };
	const usual = `${record.plan.source}.plan.json`;
	const found = await readPlan(files, usual).catch(() => undefined);
	return { planPath: found && isSamePlan(found.plan, record) ? usual : undefined };
}

function unknownBatch(number: string, profile: string): PurserError {
	return new PurserError("usage", {
		code: "BATCH_UNKNOWN",
		message: `There is no batch ${JSON.stringify(number)} in the journal of profile ${profile}`,
		fix: advice`List them: ${purser`pay batch list`}`,
	});
}

/** Rows that a crash may leave in doubt at most: more of them would make a batch faster only where each sync takes milliseconds. */
const mostOpen = 96;

export const limitFields = () => ({
	jobs: z._default(
		field(z.string().check(z.regex(/^([1-9]|[1-8]\d|9[0-6])$/, `must be a whole number from 1 to ${mostOpen}`)), {
			description: "Payments sent in parallel; fewer while the service asks for it",
			placeholder: "n",
		}),
		"16",
	),
	stopAfter: z.optional(
		field(z.string().check(z.regex(/^[1-9]\d{0,6}$/, "must be a whole number from 1 to 9999999")), {
			description: "Maximum number of rows sent in this run",
			placeholder: "n",
		}),
	),
	newJournal: newJournalField(),
});

export function limitsOf(input: { jobs: string; stopAfter?: string }): SendLimits {
	return {
		jobs: quantityOf(input.jobs),
		stopAfter: input.stopAfter === undefined ? undefined : quantityOf(input.stopAfter),
		open: mostOpen,
	};
}

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
