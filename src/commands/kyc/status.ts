import * as z from "zod/mini";
import { advice, purser } from "../../api/advice.js";
import { type Received, typed } from "../../api/answer.js";
import { flag, id } from "../../api/fields.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { getRelated, listRelated, viewRelated } from "../../api/operations/related.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import type { SuggestedCommand } from "../../errors.js";
import { waitFor } from "../../http/wait/wait.js";
import { kycPlan, type PlannedKyc } from "../../onboarding/kyc/plan.js";
import { rootOf, uboThreshold } from "../../onboarding/records/read-ownership.js";
import { listRelatedOf, readRelated, warnIfPartial } from "../../onboarding/records/reading.js";
import { relatedSteps } from "../../onboarding/records/related-steps.js";
import { requireStatus, timeoutOf, waitFields, warnWithoutStatus } from "../../onboarding/records/waiting.js";
import type { Style } from "../../ports/style.js";

/** The final statuses. An unknown status is never taken for final. */
const finalStatuses: readonly (string | undefined)[] = ["VALIDATED", "DECLINED"];

/** Milliseconds between refreshes with --watch: a KYC takes minutes (specification 4, rule 5). */
const watchEvery = 5000;

const input = z
	.strictObject({
		corporateRelatedId: z.optional(getRelated.params.shape.corporateRelatedId),
		all: flag("Everybody in a company who needs a KYC"),
		corporateId: z.optional(id("corporate", "The company for --all; implies --all")),
		...waitFields(),
		watch: flag("Refresh until every status is final or Ctrl-C"),
	})
	.check(
		z.superRefine(({ all, corporateId, corporateRelatedId }, context) => {
			const wrong = (path: string, message: string): void => context.addIssue({ code: "custom", path: [path], message });
			if (!all && corporateRelatedId === undefined && corporateId === undefined) wrong("corporateRelatedId", "is required without --all");
			if (all && corporateId === undefined) wrong("corporateId", "is required with --all");
			if (all && corporateRelatedId !== undefined) wrong("corporateRelatedId", "cannot be combined with --all");
			if (!all && corporateRelatedId !== undefined && corporateId !== undefined) wrong("corporateId", "only works with --all");
		}),
	);

/** Everybody who needs a KYC or has done one. */
interface KycStatuses {
	corporateId: string;
	people: PlannedKyc[];
	/** Whether somebody may be missing: then it is never decided. */
	partial?: boolean;
}

type One = Received;
type Answered = { one: One } | { all: KycStatuses };

export default defineCommand({
	path: "kyc status",
	summary: "Show the KYC of a person, or of everybody in a company",
	examples: [
		{ run: "kyc status crm-5002/ada@example.com", note: "Check once" },
		{
			run: "kyc status crm-5002/ada@example.com --wait",
			note: "Wait for the result: exit 0 validated, 5 declined, 8 not yet",
		},
		{
			run: "kyc status --all --corporate-id crm-5002 --watch",
			note: "Keep everybody in view until all results are there",
		},
	],
	effect: "read",
	operations: [getRelated.id, listRelated.id, getCorporate.id],
	input,
	async run(context, { corporateId = "", corporateRelatedId, wait, waitTimeout }) {
		const look = (): Promise<{ done: boolean; data: One | KycStatuses }> =>
			corporateRelatedId === undefined ? lookAtAll(context, corporateId) : lookAtOne(context, corporateRelatedId);
		const label = corporateRelatedId === undefined ? "Waiting for every KYC to be decided" : "Waiting for the KYC to be decided";
		const awaited = corporateRelatedId === undefined ? "any" : [corporateRelatedId];
		const { data } = wait ? await waitFor(context, { timeout: timeoutOf(waitTimeout), label, awaited }, look) : await look();
		const answered = distinguish(data);
		const missing = missingStatusOf(answered);
		if (missing !== undefined && "one" in answered) requireStatus(missing, undefined, answered.one);
		// With --all, the statuses of the others are known, so they are shown.
		if (missing !== undefined) warnWithoutStatus(context, missing, undefined);
		return {
			data,
			lines: "all" in answered ? answered.all.people : [answered.one],
			next: "all" in answered ? overallStatus(answered.all).next : relatedSteps(answered.one, corporateRelatedId),
			exit: exitOf(answered, wait),
		};
	},
	text: (answered, style) => {
		const data = distinguish(answered);
		return "all" in data ? statusesText(data.all, style) : oneText(data.one, style);
	},
	watch: (answered, { watch }) => (watch && !decided(distinguish(answered)) ? watchEvery : undefined),
	outcomes: ["pending"],
});

async function lookAtOne(context: Context, corporateRelatedId: string): Promise<{ done: boolean; data: One }> {
	const data = await readRelated(context.service, corporateRelatedId);
	return { done: decided({ one: data }), data };
}

async function lookAtAll(context: Context, corporateId: string): Promise<{ done: boolean; data: KycStatuses }> {
	const { profile } = await context.settings.read();
	const found = await listRelatedOf(context.service, corporateId);
	warnIfPartial(context, found, "somebody may be missing");
	const root = await rootOf(context, context.service, corporateId, found.records);
	const { people } = kycPlan(root, found.records, uboThreshold(profile));
	// Every company has a director who does a KYC (specification 4, rule 5), so where nobody is known to need one the list is incomplete.
	const isNobodyKnown = people.every(({ because }) => because.length === 0);
	if (isNobodyKnown) context.report.warn("Nobody who is declared needs a KYC, and at least one director has to do one");
	const partial = !found.complete || isNobodyKnown;
	const data = {
		corporateId,
		...(partial ? { partial } : {}),
		people: people.filter(({ need, state }) => need !== "none" || state === "done"),
	};
	return { done: overallStatus(data).decided, data };
}

/** Tells the two kinds of answer apart: a record of the service has no list `people`. */
function distinguish(answered: One | KycStatuses): Answered {
	return Array.isArray(answered.people) && !("id" in answered) ? { all: answered as KycStatuses } : { one: answered as One };
}

/** Whose status is missing, for messages. A company has no KYC, and NOT_REQUIRED needs no status. */
function missingStatusOf(data: Answered): string | undefined {
	if ("all" in data) {
		const { withoutStatus } = overallStatus(data.all);
		if (withoutStatus.length === 0) return undefined;
		return withoutStatus.length === 1 ? "the KYC of one person" : `the KYCs of ${withoutStatus.length} persons`;
	}
	const { kycStatus, kycType, isCompany } = viewRelated(data.one);
	return kycStatus || kycType === "NOT_REQUIRED" || isCompany ? undefined : "the KYC";
}

function decided(data: Answered): boolean {
	if ("all" in data) return overallStatus(data.all).decided;
	const { kycStatus, kycType, isCompany } = viewRelated(data.one);
	// A company has no KYC: waiting for one would never end.
	return finalStatuses.includes(kycStatus) || kycType === "NOT_REQUIRED" || isCompany;
}

function oneText(record: One, style: Style): string {
	const view = viewRelated(record);
	const rows = style.pairs([
		[view.isCompany ? "Company" : "Person", view.name],
		["Id", view.id],
		["KYC", style.status(view.kycStatus)],
		["Type", kinds[view.kycType ?? ""] ?? view.kycType],
		["Reason", view.kycReason],
	]);
	return view.kycStatus === "DECLINED"
		? `${rows}\n\n${style.shown(advice`A new link for another try: ${purser`kyc link ${typed(view.id, "RELATED")}`}`)}`
		: rows;
}

const kinds: Readonly<Record<string, string>> = {
	FULL_KYC: "FULL_KYC (documents and liveness)",
	DOC_ONLY: "DOC_ONLY (documents only)",
	NOT_REQUIRED: "NOT_REQUIRED",
};

function exitOf(data: Answered, wait: boolean): "rejected" | "bug" | "pending" | undefined {
	const declined = "all" in data ? overallStatus(data.all).declined : viewRelated(data.one).kycStatus === "DECLINED";
	if (declined) return "rejected";
	if (missingStatusOf(data) !== undefined) return "bug";
	return wait && !decided(data) ? "pending" : undefined;
}

/** The status of all together. Pure. */
function overallStatus({ corporateId, people, partial }: KycStatuses): {
	decided: boolean;
	declined: boolean;
	/** Those without a status. */
	withoutStatus: PlannedKyc[];
	next: SuggestedCommand[];
} {
	const id = typed(corporateId, "CORPORATE");
	const decided = partial !== true && people.every(({ state }) => state === "done" || state === "declined");
	const withoutStatus = people.filter(({ kycStatus }) => !kycStatus);
	const declined = people.some(({ state }) => state === "declined");
	// There is nobody to wait for.
	if (people.length === 0) return { decided, declined: false, withoutStatus, next: [purser`related list ${id}`] };
	const missing = declined || people.some(({ state }) => state === "to do");
	if (missing) return { decided, declined, withoutStatus, next: [purser`kyc link --all --corporate-id ${id}`] };
	return {
		decided,
		declined,
		withoutStatus,
		next: [decided ? purser`kyb status ${id}` : purser`kyc status --all --corporate-id ${id} --wait`],
	};
}

/** How many are done, and a line for each. */
function statusesText({ people }: KycStatuses, style: Style): string {
	if (people.length === 0) return "Nobody declared for this company needs a KYC";
	const done = people.filter(({ state }) => state === "done").length;
	const head = `${done} of ${people.length} KYCs validated`;
	const table = style.table(
		["id", "name", "KYC", "status", "reason"],
		people.map(({ relatedId, name, need, kycStatus, kycReason }) => [
			relatedId ?? "",
			name,
			need,
			style.status(kycStatus),
			kycReason ?? "",
		]),
	);
	return `${done === people.length ? style.good(head) : style.bold(head)}\n\n${table}`;
}
