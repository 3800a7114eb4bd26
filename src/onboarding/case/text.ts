/**
 * Plans and runs of cases for people.
 */
import { adviceText } from "../../api/advice.js";
import { formatJson } from "../../api/json.js";
import { assumedWords } from "../../api/text/duration.js";
import type { Style } from "../../ports/style.js";
import type { Change } from "./compare.js";
import type { CaseStep } from "./plan.js";
import type { CaseError, CaseRun, CasesRun, StepResult } from "./result.js";

type CaseStyle = Pick<Style, "bold" | "dim" | "good" | "bad" | "warn" | "accent" | "time" | "localized" | "table">;

/** One file's plan, or why there is none. */
export interface CasePlan {
	file: string;
	externalId?: string;
	name?: string;
	corporateId?: string;
	/** How many steps of each kind. */
	summary?: { create: number; update: number; left: number; blocked: number };
	steps?: CaseStep[];
	/** Related entities that the case does not name: they are left unchanged. */
	notNamed?: { id?: string; name?: string }[];
	error?: CaseError;
}

/** How many steps of each kind. */
export function summaryOf(steps: readonly CaseStep[]): NonNullable<CasePlan["summary"]> {
	const count = (action: CaseStep["action"]): number => steps.filter((step) => step.action === action).length;
	return { create: count("create"), update: count("update"), left: count("left"), blocked: count("blocked") };
}

/** Plans like a diff: + create, ~ update, = unchanged, ! waits for a person. */
export function planText(plans: readonly CasePlan[], style: CaseStyle): string {
	return plans.map((plan) => onePlan(plan, style)).join("\n\n");
}

function onePlan({ file, name, externalId, steps, summary, notNamed, error }: CasePlan, style: CaseStyle): string {
	const head = style.bold([name, externalId === undefined ? undefined : `(${externalId})`].filter(Boolean).join(" ") || file);
	if (error !== undefined || steps === undefined) return [head, ...errorLines(error, style)].join("\n");
	const lines = steps.flatMap((step) => stepLines(step, style));
	return [head, ...lines, ...notNamedLines(notNamed, style), "", countsText(summary)].join("\n");
}

/** Who is declared and not in the case: forgotten in the file, or declared by somebody else. */
function notNamedLines(others: CasePlan["notNamed"] = [], style: CaseStyle): string[] {
	return others.map(({ name, id }) => style.dim(`    also declared, not in the case: ${name ?? "without a name"} ${id ?? ""}`));
}

/** `4 to create, 1 to update, 0 unchanged`. */
export function countsText({ create, update, left, blocked }: CasePlan["summary"] = { create: 0, update: 0, left: 0, blocked: 0 }): string {
	const waiting = blocked > 0 ? [`${blocked} waiting for you`] : [];
	return [`${create} to create`, `${update} to update`, `${left} unchanged`, ...waiting].join(", ");
}

function stepLines(step: CaseStep, style: CaseStyle): string[] {
	const { action, what, name, id, changes, why } = step;
	const label = `${what} ${name}${id === undefined ? "" : style.dim(`  ${id}`)}`;
	const note = why === undefined ? [] : [`      ${style.dim(style.localized(adviceText(why)))}`];
	switch (action) {
		case "create":
			return [`  ${style.good("+")} ${label}`, ...note, ...changes.map((change) => `      ${style.good("+")} ${line(change)}`)];
		case "update":
			return [`  ${style.warn("~")} ${label}`, ...note, ...changes.flatMap((change) => changeLines(change, style))];
		case "blocked":
			return [`  ${style.bad("!")} ${label}`, `      ${style.localized(adviceText(why ?? ""))}`];
		case "left":
			return [`  ${style.dim("=")} ${label}`, ...note];
	}
}

function changeLines({ field, from, to }: Change, style: CaseStyle): string[] {
	const added = `      ${style.good("+")} ${field}: ${shown(to)}`;
	return from === undefined ? [added] : [`      ${style.bad("-")} ${field}: ${shown(from)}`, added];
}

const line = ({ field, to }: Change): string => `${field}: ${shown(to)}`;

const shown = (value: unknown): string => (typeof value === "string" ? value : formatJson(value));

const caseMarks = { applied: "good", incomplete: "warn", failed: "bad", "in doubt": "bad", "not started": "dim" } as const;
const stepMarks: Readonly<Record<StepResult["state"], "good" | "warn" | "bad" | "dim">> = {
	created: "good",
	updated: "good",
	"asked for": "good",
	verified: "good",
	left: "dim",
	blocked: "warn",
	failed: "bad",
	"in doubt": "bad",
	"not sent": "dim",
};

/** A run: each case with its steps; several cases end with a summary. */
export function runText({ cases }: CasesRun, style: CaseStyle): string {
	const parts = cases.map((run) => oneRun(run, style));
	if (cases.length < 2) return parts.join("\n\n");
	const table = style.table(
		["case", "state", "company"],
		cases.map(({ file, name, state, corporateId }) => [name ?? file, style[caseMarks[state]](state), corporateId ?? ""]),
	);
	const count = cases.filter(({ state }) => state === "applied").length;
	return [...parts, `${style.bold(`${count} of ${cases.length} cases applied`)}\n${table}`].join("\n\n");
}

function oneRun({ file, name, externalId, state, steps, notNamed, error }: CaseRun, style: CaseStyle): string {
	const head = `${style.bold(name ?? file)}${externalId === undefined ? "" : ` (${externalId})`}: ${style[caseMarks[state]](state)}`;
	// Follow-ups are not part of the case, so those that were left out are shown with the reason.
	const changed = steps.filter(({ what, state }) => state !== "left" || what === "email link" || what === "KYB" || what === "KYC link");
	const left = steps.length - changed.length;
	const lines = changed.flatMap((step) => resultLines(step, style));
	const rest = left > 0 ? [style.dim(`  = ${left} unchanged`)] : [];
	return [head, ...lines, ...rest, ...notNamedLines(notNamed, style), ...errorLines(error, style)].join("\n");
}

function resultLines({ what, name, state, id, fields, why, url, expiresAt, expiryAssumed }: StepResult, style: CaseStyle): string[] {
	const head = `  ${headOf(what, state, style)} ${name}${fields === undefined ? "" : `: ${fields.join(", ")}`}${id === undefined ? "" : style.dim(`  ${id}`)}`;
	return [
		head,
		...(why === undefined || state === "created" || state === "failed" || state === "in doubt"
			? []
			: [`      ${style.dim(style.localized(adviceText(why)))}`]),
		...(url === undefined
			? []
			: [
					`      ${style.accent(url)}${expiresAt === undefined ? "" : style.dim(`  until ${style.time(expiresAt)}${assumedWords(expiryAssumed)}`)}`,
				]),
	];
}

/** What a step with the state `asked for` did. */
const requested: Readonly<Record<string, readonly [done: string, what: string]>> = {
	"email link": ["sent", "verification email to"],
	KYB: ["requested", "KYB of"],
	"KYC link": ["created", "KYC link for"],
	"phone code": ["sent", "phone code to"],
};

function headOf(what: StepResult["what"], state: StepResult["state"], style: CaseStyle): string {
	const accepted = what === "terms" && (state === "created" || state === "updated");
	const [word, about] = (state === "asked for" && requested[what]) || [accepted ? "accepted" : state, what];
	return `${style[stepMarks[state]](word)} ${about}`;
}

function errorLines(error: CaseError | undefined, style: CaseStyle): string[] {
	if (error === undefined) return [];
	// Line breaks of an answer come as a visible character; here each line is a step of its own.
	const [next, ...further] = error.fix.split("\u240a");
	const details = (error.details ?? []).map(({ field, message }) => `    ${field} ${message}`);
	return [
		error.kind === "interrupted" ? `  ${style.warn(error.message)}` : `  ${style.bad("Failed:")} ${error.message}`,
		...details,
		...(error.why === undefined ? [] : [`    ${style.dim(style.localized(error.why))}`]),
		`  ${style.dim("Next:")} ${next}`,
		...further.map((step) => `        ${step}`),
	];
}
