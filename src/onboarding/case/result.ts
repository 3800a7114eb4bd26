/**
 * What became of the cases of a run, or would become of them: as data, as an outcome, and for people.
 */
import { adviceText, failureInAnswer } from "../../api/advice.js";
import { formatJson } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import type { Context } from "../../context.js";
import { type Advice, type Failure, faultRows, type Kind, type PurserError } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import type { CaseStep, NotNamed, StepKind } from "./plan.js";

export type CaseError = Pick<Failure<string>, "code" | "message" | "why" | "fix" | "status" | "apiCode" | "details" | "intent"> & {
	kind: Kind;
};

interface CaseReport {
	file: string;
	externalId?: string;
	name?: string;
	corporateId?: string;
	/** They are left unchanged. */
	notNamed?: NotNamed[];
	error?: CaseError;
}

/** One file's plan, or why there is none. */
export interface CasePlan extends CaseReport {
	/** How many steps of each kind. */
	summary?: Record<CaseStep["action"], number>;
	steps?: CaseStep[];
}

/** The outcome of one step. */
export interface StepResult {
	what: StepKind | "email link" | "KYB" | "KYC link" | "phone code" | "phone";
	key: string;
	name: string;
	state: "created" | "updated" | "asked for" | "verified" | "left" | "blocked" | "failed" | "in doubt" | "not sent";
	id?: string;
	/** Names of the fields that were changed. */
	fields?: string[];
	why?: Advice;
	/** Of a KYB: the digest of the review that was read, or is to be read. */
	reviewed?: string;
	/** A KYC link, which the service gives once. */
	url?: string;
	expiresAt?: string;
}

/** The outcome of one case. `incomplete`: something waits for a person. */
export interface CaseRun extends CaseReport {
	accountOwnerId?: string;
	state: "applied" | "incomplete" | "failed" | "in doubt" | "not started";
	steps: StepResult[];
}

export interface CasesRun {
	cases: CaseRun[];
}

/** A failure as data in an answer. @param shown adds the profile to its commands */
export function caseError({ kind, failure }: PurserError, shown: Context["report"]["shown"]): CaseError {
	const { code, message, why, fix, status, apiCode, details, intent } = failureInAnswer(failure, shown);
	return { kind, code, message, why, fix, status, apiCode, details, intent };
}

/** The state of a case without a failure. */
export const caseState = (steps: readonly StepResult[]): CaseRun["state"] =>
	steps.some(({ state }) => state === "blocked") ? "incomplete" : "applied";

/** Whether a run changed anything of a case. */
export const hasChanged = ({ steps }: CaseRun): boolean => steps.some(isChange);

const isChange = ({ state }: StepResult): boolean => state === "created" || state === "updated" || state === "asked for";

/** A run that was stopped: `Stopped. Done: company created, 2 owners or directors created. Not done: KYB`. */
export function stoppedText(steps: readonly StepResult[]): string {
	const nouns: Partial<Record<StepResult["what"], string>> = {
		...{ corporate: "company", company: "owner or director", person: "owner or director", "email link": "verification email" },
	};
	const counted = (texts: readonly string[]): string =>
		[...new Set(texts)]
			.map((text) => [texts.filter((one) => one === text).length, text] as const)
			.map(([count, text]) => (count === 1 ? text : `${count} ${text.replace(/owner|director|link/g, "$&s")}`))
			.join(", ");
	const done = steps.filter(isChange).map(({ what, state }) => {
		const verb = what === "terms" ? "accepted" : state === "asked for" ? "requested" : state;
		return `${nouns[what] ?? what} ${verb}`;
	});
	const left = steps.filter(({ state }) => state === "not sent").map(({ what }) => nouns[what] ?? what);
	return `Stopped. Done: ${counted(done)}. Not done: ${counted(left)}`;
}

/** A KYB that a gate or a No holds back, or that was declined: what was declared before stands, and the exit code says what a person has to decide. */
const kybCodes: readonly string[] = ["KYB_HELD_BACK", "DECLINED_BY_OPERATOR", "KYB_DECLINED"];

/** The worst failure of a run; undefined where every case is applied. */
export function casesOutcome({ cases }: CasesRun): Kind | undefined {
	if (cases.some(({ state }) => state === "in doubt")) return "unknown";
	if (cases.some(({ error }) => error?.kind === "interrupted")) return "interrupted";
	if (cases.every(({ state }) => state === "applied")) return undefined;
	const [only] = cases as [CaseRun];
	if (cases.length > 1 || only.error === undefined) return "partial";
	return kybCodes.includes(only.error.code) || !hasChanged(only) ? only.error.kind : "partial";
}

/** Why not every case is applied: the error of a single case, else how many are not. */
export function casesFailure({ cases }: CasesRun): Failure<string> | undefined {
	const [only] = cases;
	if (cases.length === 1 && only?.error !== undefined) return only.error;
	return leftOver(cases.filter(({ state }) => state !== "applied").length, cases.length, "applied");
}

/** Why not every case is planned. */
export const plansFailure = (cases: readonly CasePlan[]): Failure<string> | undefined =>
	leftOver(cases.filter(({ error }) => error !== undefined).length, cases.length, "planned");

function leftOver(left: number, all: number, what: "applied" | "planned"): Failure<string> | undefined {
	if (left === 0) return undefined;
	return {
		code: `CASES_NOT_${what.toUpperCase()}`,
		message: `${left} of ${all} ${all === 1 ? "case is" : "cases are"} not ${what}`,
		fix: "See the steps and errors of each case in the answer, then run this again.",
	};
}

type CaseStyle = Pick<Style, "bold" | "dim" | "good" | "bad" | "warn" | "accent" | "time" | "localized">;

/** Plans like a diff: + create, ~ update, = unchanged, ! waits for a person. */
export function planText(plans: readonly CasePlan[], style: CaseStyle): string {
	const onePlan = (plan: CasePlan): string[] => {
		const { file, name, externalId, steps, summary, error } = plan;
		const head = style.bold([name, externalId === undefined ? undefined : `(${externalId})`].filter(Boolean).join(" ") || file);
		if (error !== undefined || steps === undefined) return [head, ...errorLines(error, style)];
		return [head, ...steps.flatMap((step) => stepLines(step, style)), ...notNamedLines(plan, style), "", countsText(summary)];
	};
	return plans.map((plan) => onePlan(plan).join("\n")).join("\n\n");
}

/** `4 to create, 1 to update, 0 unchanged`. */
export function countsText({ create, update, left, blocked }: CasePlan["summary"] = { create: 0, update: 0, left: 0, blocked: 0 }): string {
	const waiting = blocked > 0 ? [`${blocked} waiting for you`] : [];
	return [`${create} to create`, `${update} to update`, `${left} unchanged`, ...waiting].join(", ");
}

const actionMarks = { create: ["+", "good"], update: ["~", "warn"], blocked: ["!", "bad"], left: ["=", "dim"] } as const;

function stepLines({ action, what, name, id, changes, why }: CaseStep, style: CaseStyle): string[] {
	const [mark, paint] = actionMarks[action];
	return [
		`  ${style[paint](mark)} ${what} ${name}${id === undefined ? "" : style.dim(`  ${id}`)}`,
		...whyLines(why, style),
		...(action === "blocked" ? [] : changes).flatMap(({ field, from, to }) => [
			...(from === undefined ? [] : valueLines(field, from, style.bad("-"))),
			...valueLines(field, to, style.good("+")),
		]),
	];
}

/** Each member of an object on a line of its own. */
const valueLines = (field: string, one: unknown, mark: string): string[] =>
	isRecord(one)
		? Object.entries(one).flatMap(([name, inner]) => valueLines(`${field}.${name}`, inner, mark))
		: [`      ${mark} ${field}: ${typeof one === "string" ? one : formatJson(one)}`];

const whyLines = (why: Advice | undefined, style: CaseStyle): string[] =>
	why === undefined ? [] : [`      ${style.dim(style.localized(adviceText(why)))}`];

/** What is declared and not in the case: forgotten in the file, or declared by somebody else. */
const notNamedLines = ({ notNamed = [] }: CaseReport, style: CaseStyle): string[] =>
	notNamed.map(({ name = "without a name", id = "", holds }) => {
		const what = holds === undefined ? "also declared, not in the case: " : `still recorded, not in the case: ${holds}, held by `;
		return style.dim(`    ${what}${name} ${id}`);
	});

const caseMarks = { applied: "good", incomplete: "warn", failed: "bad", "in doubt": "bad", "not started": "dim" } as const;
const stepMarks: Readonly<Record<StepResult["state"], "good" | "warn" | "bad" | "dim">> = {
	...{ created: "good", updated: "good", "asked for": "good", verified: "good" },
	...{ left: "dim", blocked: "warn", failed: "bad", "in doubt": "bad", "not sent": "dim" },
};

/** A run: each case with its steps. */
export function runText({ cases }: CasesRun, style: CaseStyle): string {
	const parts = cases.map((run) => oneRun(run, style));
	const count = cases.filter(({ state }) => state === "applied").length;
	return [...parts, ...(cases.length < 2 ? [] : [style.bold(`${count} of ${cases.length} cases applied`)])].join("\n\n");
}

function oneRun(run: CaseRun, style: CaseStyle): string {
	const { file, name, externalId, state, steps, error } = run;
	const head = `${style.bold(name ?? file)}${externalId === undefined ? "" : ` (${externalId})`}: ${style[caseMarks[state]](state)}`;
	// Follow-ups are not part of the case, so those that were left out are shown with the reason.
	const changed = steps.filter(({ what, state }) => state !== "left" || what === "email link" || what === "KYB" || what === "KYC link");
	const left = steps.length - changed.length;
	const rest = left > 0 ? [style.dim(`  = ${left} unchanged`)] : [];
	return [
		head,
		...changed.flatMap((step) => resultLines(step, style)),
		...rest,
		...notNamedLines(run, style),
		...errorLines(error, style),
	].join("\n");
}

/** What a step with the state `asked for` did. */
const requested: Readonly<Record<string, readonly [done: string, what: string]>> = {
	"email link": ["sent", "verification email to"],
	KYB: ["requested", "KYB of"],
	"KYC link": ["created", "KYC link for"],
	"phone code": ["sent", "phone code to"],
};

function resultLines({ what, name, state, id, fields, why, url, expiresAt }: StepResult, style: CaseStyle): string[] {
	const isAccepted = what === "terms" && (state === "created" || state === "updated");
	const [word, about] = (state === "asked for" && requested[what]) || [isAccepted ? "accepted" : state, what];
	const end = expiresAt === undefined ? "" : style.dim(`  until ${style.time(expiresAt)}`);
	return [
		`  ${style[stepMarks[state]](word)} ${about} ${name}${fields === undefined ? "" : `: ${fields.join(", ")}`}${id === undefined ? "" : style.dim(`  ${id}`)}`,
		...(state === "created" || state === "failed" || state === "in doubt" ? [] : whyLines(why, style)),
		...(url === undefined ? [] : [`      ${style.accent(url)}${end}`]),
	];
}

function errorLines(error: CaseError | undefined, style: CaseStyle): string[] {
	if (error === undefined) return [];
	// Line breaks of an answer come as a visible character; here each line is a step of its own.
	const [next, ...further] = error.fix.split("\u240a");
	return [
		error.kind === "interrupted" || error.code === "DECLINED_BY_OPERATOR"
			? `  ${style.warn(error.message)}`
			: `  ${style.bad("Failed:")} ${error.message}`,
		...faultRows(error.details ?? []).map(({ where, message }) => `    ${where} ${message}`),
		...(error.why === undefined ? [] : [`    ${style.dim(style.localized(error.why))}`]),
		`  ${style.dim("Next:")} ${next}`,
		...further.map((step) => `        ${step}`),
	];
}
