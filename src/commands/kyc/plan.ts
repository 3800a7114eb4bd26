import * as z from "zod/mini";
import { purser, shownIn } from "../../api/advice.js";
import { optionals, typed } from "../../api/answer.js";
import { getCorporate } from "../../api/operations/corporate.js";
import { listRelated } from "../../api/operations/related.js";
import { withRecords } from "../../api/schema.js";
import { defineCommand } from "../../cli/command.js";
import type { Context } from "../../context.js";
import type { Advice } from "../../errors.js";
import { readOrWait, waitFields } from "../../http/wait.js";
import { isPlanDecided, type KycPlan, type KycState, kycPlan } from "../../onboarding/kyc/plan.js";
import { rootOf, uboThreshold } from "../../onboarding/records/read-ownership.js";
import { listRelatedOf, namePersons, warnIfPartial } from "../../onboarding/records/reading.js";
import { paragraph } from "../../onboarding/records/record.js";

const planned = () =>
	z.strictObject({
		...{ relatedId: z.optional(z.string()), name: z.string(), need: z.string(), because: z.array(z.string()), state: z.string() },
		...optionals(["kycStatus", "kycType", "kycReason", "email", "command"]),
	});

export default defineCommand({
	path: "kyc plan",
	summary: "Show who needs which KYC in a company, and their status",
	details:
		"Every UBO and every director needs a KYC; at least one director does it in full, with liveness checks, and documents are enough for the others. Whoever holds at least the threshold of shares through all layers counts as a UBO here, even if not marked.",
	examples: [
		{ run: "kyc plan crm-5002", note: "In full, documents only, none" },
		{ run: "kyc plan crm-5002 --wait", note: "Wait for every result: exit 0 validated, 5 somebody was declined, 8 not yet" },
		{ run: "kyc plan crm-5002 --json", note: "For a script" },
	],
	effect: "read",
	operations: [getCorporate.id, listRelated.id],
	input: z.strictObject({ ...listRelated.params.shape, ...waitFields() }),
	answer: () =>
		withRecords(
			z.strictObject({
				...{ corporateId: z.string(), people: z.array(planned()) },
				...{ warnings: z.array(z.string()), partial: z.optional(z.boolean()) },
			}),
			planned(),
		),
	async run(context, input) {
		const { corporateId } = input;
		const read = () => readPlan(context, corporateId);
		const { data: plan, late } = await readOrWait(context, input, "Waiting for every KYC to be decided", read, isPlanDecided);
		const shown = plan.people.map((person) => shownIn(person, ["command"], context.report.shown));
		const data = { ...plan, people: shown, warnings: plan.warnings.map(context.report.shown) };
		const isDeclined = input.wait && plan.people.some(({ state }) => state === "declined");
		return { data, lines: shown, next: nextAfter(plan.people, corporateId), exit: isDeclined ? "rejected" : late };
	},
	text: ({ people, warnings }, style) => {
		const paint = (state: KycState): string =>
			state === "done"
				? style.good(state)
				: state === "declined"
					? style.bad(state)
					: state === "not needed"
						? style.dim(state)
						: style.warn(state);
		const table = style.table(
			["id", "name", "KYC", "because", "state"],
			people.map(({ relatedId, name, need, because, state, kycReason }) => [
				relatedId ?? "",
				name,
				need === "full" ? style.bold("full") : need,
				because.join(", "),
				`${paint(state)}${kycReason === undefined ? "" : ` (${kycReason})`}`,
			]),
		);
		const lines = people.length === 0 ? "No related person is declared." : table;
		return [
			lines,
			...(warnings.length > 0 ? ["", ...warnings.flatMap((message) => paragraph(message, 2, style, `${style.warn("!")} `))] : []),
		].join("\n");
	},
});

async function readPlan(context: Context, corporateId: string): Promise<KycPlan & { partial?: true }> {
	const { profile } = await context.settings.read();
	const found = await listRelatedOf(context.service, corporateId);
	warnIfPartial(context, found, "the plan may miss some");
	if (found.complete) namePersons(context, corporateId, found.records);
	const root = await rootOf(context, context.service, corporateId, found.records);
	return { ...kycPlan(root, found.records, uboThreshold(profile)), ...(found.complete ? {} : { partial: true }) };
}

function nextAfter(people: readonly { state: KycState; command?: Advice }[], corporateId: string): Advice[] {
	const id = typed(corporateId, "CORPORATE");
	if (people.length === 0) return [purser`related add ${id}`];
	const open = people.filter(({ state }) => state === "to do" || state === "declined");
	if (open.length > 1) return [purser`kyc link --all --corporate-id ${id}`];
	const commands = people.flatMap(({ command }) => (command === undefined ? [] : [command]));
	return commands.length > 0 ? commands.slice(0, 4) : [purser`kyb status ${id}`];
}
