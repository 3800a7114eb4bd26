import * as z from "zod/mini";
import { purser, shownIn } from "../api/advice.js";
import { flag } from "../api/fields.js";
import { catalog } from "../api/operations/catalog.js";
import type { Check } from "../doctor/check.js";
import { type Visit, visit } from "../doctor/doctor.js";
import type { FoundOperation, ProbeReport } from "../doctor/probe.js";
import { answerWords } from "../doctor/provenance.js";
import { notTried } from "../doctor/verdict.js";
import type { Advice } from "../errors.js";
import type { ProbeAnswer } from "../ports/profiles.js";
import type { Style } from "../ports/style.js";
import { defineCommand } from "../shell/command.js";

export default defineCommand({
	path: "doctor",
	summary: "Check this machine, and with --probe what the service answers",
	details:
		"Looks at the configuration and who can change it, the journal and its anchor, the keyring, the clock, the proxy, versions and completion. Each line is ok, a warning, or a fault with how to mend it. Without --probe nothing is sent. --probe asks the service with GET alone, for records that do not exist, and compares each answer with that of a path which cannot exist: an operation answers as described, exists, is not there, or it cannot be told. A change is never tried. What is found is kept with the profile: purser api list shows it. Exit 0 also with warnings, 9 with a fault. --json is for a ticket: no secret is in it.",
	examples: [
		{ run: "doctor", note: "This machine; nothing is sent" },
		{ run: "doctor --probe", note: "The service too, with at most 40 GET requests" },
		{ run: "doctor --probe --json", note: "For a ticket" },
	],
	effect: "read",
	operations: catalog.filter(({ effect, auth }) => effect === "read" && auth !== "none").map(({ id }) => id),
	standalone: "optional",
	input: z.strictObject({
		probe: flag("Ask the service what it has: GET only, at most 40 requests, two a second"),
	}),
	outcomes: ["partial"],
	run: (context, { probe }) => visit(context, probe),
	written: (data, shown) => ({ ...data, checks: data.checks.map((one) => shownIn(one, ["mend"], shown)) }),
	text: (data, style) => {
		const parts = [
			checksText(data.checks, style),
			...(data.probe === undefined ? [] : [probeText(data.probe, style)]),
			closing(data, style),
		];
		return parts.join("\n\n");
	},
	table: (data, style) =>
		style.table(
			["state", "what", "found", "mend"],
			[
				...data.checks.map(({ check, state, found, mend }) => [
					state,
					check,
					found,
					mend === undefined ? "" : style.shown(mend).replaceAll("\n", " "),
				]),
				...(data.probe?.operations ?? []).map(({ operation, answer, evidence }) => [
					answerWords[answer],
					operation,
					evidence.join("; "),
					"",
				]),
			],
		),
	lines: (data) => [...data.checks, ...(data.probe?.operations ?? [])],
	outcome: ({ state }) => (state === "fault" ? "partial" : undefined),
	next: ({ state, probe, profile }, given) => {
		if (probe !== undefined) return state === "fault" ? [] : [purser`api list`];
		return state !== "fault" && profile !== null && !given.probe ? [{ ...purser`doctor --probe`, remark: "what the service answers" }] : [];
	},
});

/** Columns of the state and of the name before what was found. */
const [stateWidth, nameWidth] = [9, 15];

function checksText(checks: readonly Check[], style: Style): string {
	return checks
		.flatMap(({ check, state, found, mend }) => [...checkLines(check, state, found, style), ...mendLines(mend, style)])
		.join("\n");
}

function checkLines(check: string, state: Check["state"], found: string, style: Style): string[] {
	const colour = { ok: style.good, warning: style.warn, fault: style.bad }[state];
	const [first = "", ...more] = indented(style.localized(found), style);
	return [`${colour(state.padEnd(stateWidth))}${style.bold(check.padEnd(nameWidth))}${first.trimStart()}`, ...more];
}

/** A command is never broken: it is copied from there. */
const mendLines = (mend: Advice | undefined, style: Style): string[] =>
	mend === undefined
		? []
		: style
				.shown(mend)
				.split("\n")
				.map((line) => " ".repeat(stateWidth + nameWidth) + line);

const indented = (text: string, style: Style): string[] =>
	style.wrapped(text, Math.max(30, style.columns - stateWidth - nameWidth)).map((line) => " ".repeat(stateWidth + nameWidth) + line);

const answers: readonly ProbeAnswer[] = ["as-described", "exists", "not-there", "cannot-be-told"];

function probeText({ operations, requests, service, stopped }: ProbeReport, style: Style): string {
	const isTried = ({ evidence }: FoundOperation): boolean => !evidence.includes(notTried);
	const groups = answers.flatMap((answer) => {
		const members = operations.filter((one) => one.answer === answer && isTried(one));
		const title = answerWords[answer].replace(/^./, (first) => first.toUpperCase());
		return members.length === 0
			? []
			: [[style.bold(`${title} (${members.length})`), ...members.flatMap((one) => operationLines(one, style))].join("\n")];
	});
	const left = operations.filter((one) => !isTried(one)).length;
	return [
		`${service}: ${requests.length} ${requests.length === 1 ? "request" : "requests"}, GET only`,
		...groups,
		...(left === 0 ? [] : [`${left} more ${left === 1 ? "was" : "were"} not tried: the probe stopped ${stopped ?? ""}`]),
	].join("\n\n");
}

const operationWidth = catalog.reduce((widest, { id }) => Math.max(widest, id.length), 0) + 3;

/** Method and path are shown where somebody may have to correct them. */
function operationLines({ operation, method, path, answer, evidence }: FoundOperation, style: Style): string[] {
	const [first = "", ...more] = style.wrapped(evidence.join("; "), Math.max(30, style.columns - operationWidth - 2));
	const isFound = answer === "as-described" || answer === "exists";
	const margin = " ".repeat(operationWidth + 2);
	return [
		`  ${style.accent(operation.padEnd(operationWidth))}${first}`,
		...more.map((line) => margin + line),
		...(isFound ? [] : [style.dim(`    ${method} ${path}`)]),
	];
}

function closing({ checks }: Visit, style: Style): string {
	const count = (state: Check["state"]): number => checks.filter((one) => one.state === state).length;
	const [faults, warnings] = [count("fault"), count("warning")];
	const said = [
		...(faults > 0 ? [style.bad(`${faults} ${faults === 1 ? "fault" : "faults"}`)] : []),
		...(warnings > 0 ? [style.warn(`${warnings} ${warnings === 1 ? "warning" : "warnings"}`)] : []),
	];
	return said.length === 0 ? style.good("No faults.") : `${said.join(", ")}.`;
}
