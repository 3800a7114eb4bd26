/** What a report's page says of the batch itself: when it was sent, what was planned, who planned and approved it, and its settings. */
import { groupDigits } from "../../../api/amount.js";
import type { Cell, Section } from "../../../ports/page.js";
import { averageText, bounded, counted, durationText, most, secondsOf } from "./page-words.js";
import type { WrittenReport } from "./steps.js";

type Fact = readonly [label: string, value: Cell];

export function planSections(report: WrittenReport): Section[] {
	const { plan, batch } = report;
	const settings = Object.entries(plan.settings);
	return [
		{ title: "When it was sent", blocks: [{ kind: "facts", rows: sendingFacts(report) }] },
		{
			title: "What was planned and approved",
			blocks: [
				{
					kind: "facts",
					rows: [
						["Batch", batch],
						["File", plan.source === "-" ? "standard input" : bounded(plan.source, 200)],
						["Fingerprint of the file (SHA-256)", { code: plan.sourceDigest }],
						["Payments", groupDigits(plan.count)],
						["Fingerprint of the rows, in any order (SHA-256)", { code: plan.digest.rows }],
						["Fingerprint of the rows, in order (SHA-256)", { code: plan.digest.sequence }],
						["Fingerprint of the approval sheet (SHA-256)", plan.sheet && { code: plan.sheet.sha256 }],
						["Service", bounded(plan.origin, 300)],
						["Planned", { time: plan.planned }],
						["Planned by", personText(report.plannerName ?? plan.operator, plan.planner)],
						["Plan valid until", { time: plan.expires }],
						...despiteFacts(report),
						...approvalFacts(report),
					],
				},
				{
					kind: "text",
					tone: "quiet",
					text: "A fingerprint changes when a single character changes. The same payments in any order have the same first fingerprint of the rows, whatever the file is called; the second one, in order, is what is approved and sent.",
				},
			],
		},
		{
			title: "Settings that it was planned with",
			blocks: [
				settings.length === 0
					? { kind: "text", text: "No limits and no approval were set." }
					: { kind: "facts", rows: settings.slice(0, most.facts).map(([key, value]): Fact => [bounded(key, 60), bounded(value, 400)]) },
			],
		},
	];
}

function sendingFacts({ begun, sent, state }: WrittenReport): Fact[] {
	if (begun === undefined) return [["Started", state === "abandoned" ? "never; it was cancelled" : "not yet"]];
	const seconds = secondsOf(begun, sent.last);
	const operators = sent.operators.map((name) => bounded(name, 80)).join(", ");
	return [
		["Started", { time: begun }],
		["Last sent or answered", sent.last === undefined ? "nothing was sent" : { time: sent.last }],
		["How long", seconds === undefined ? undefined : `${durationText(seconds)}, with all pauses in between`],
		["Payments sent", groupDigits(sent.rows)],
		["On average", seconds === undefined ? undefined : averageText(sent.rows, seconds)],
		["Sent by", operators === "" ? undefined : operators],
	];
}

/** What the planner overrode, and why. */
function despiteFacts({ plan }: WrittenReport): Fact[] {
	if (plan.despite === undefined) return [];
	const { duplicates = 0, batches = [], reason } = plan.despite;
	const what = [
		...(duplicates > 0 ? [counted(duplicates, "possible duplicate")] : []),
		...(batches.length > 0 ? [`the same rows in batch ${bounded(batches.join(", "), 300)}`] : []),
	];
	return [
		["Planned although it has", what.join(", ")],
		["Reason", bounded(reason, 400)],
	];
}

function approvalFacts({ approvals, begun }: WrittenReport): Fact[] {
	if (approvals.length === 0) return [["Approved by", begun === undefined ? "nobody yet" : "nobody; none was needed when it was started"]];
	return [
		...approvals.slice(0, most.facts).flatMap(({ approver, key, at }): Fact[] => [
			["Approved by", personText(approver, key)],
			["Approved", { time: at }],
		]),
		...(approvals.length > most.facts ? [["More approvals", groupDigits(approvals.length - most.facts)] as const] : []),
	];
}

/** A person by the name that the profile has for the key, and by the key, which is what counts. */
function personText(name: string | undefined, key: string | undefined): string {
	if (key === undefined) return "someone without a key";
	return name === undefined ? `key ${bounded(key, 120)}` : `${bounded(name, 120)}, key ${bounded(key, 120)}`;
}
