/**
 * The outcome of the cases of a run.
 */
import { failureInAnswer } from "../../api/advice.js";
import type { Context } from "../../context.js";
import { type Advice, type Failure, type Kind, PurserError } from "../../errors.js";
import { KybHeldBack } from "../kyb/gates.js";
import type { Review } from "../kyb/review.js";
import type { Twins } from "../twins/twin.js";
import type { CaseStep, StepKind } from "./plan.js";

export type CaseError = Pick<Failure<string>, "code" | "message" | "why" | "fix" | "status" | "apiCode" | "details" | "intent"> & {
	kind: Kind;
};

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
	/** The service did not say until when it is valid. */
	expiryAssumed?: true;
}

/** The outcome of one case. `incomplete`: something waits for a person. */
export interface CaseRun {
	file: string;
	externalId?: string;
	name?: string;
	corporateId?: string;
	accountOwnerId?: string;
	state: "applied" | "incomplete" | "failed" | "in doubt" | "not started";
	steps: StepResult[];
	/** Related entities that the case does not name: they are left unchanged. */
	notNamed?: { id?: string; name?: string }[];
	/** What exists more than once, because another run created it too. */
	twins?: readonly Twins[];
	error?: CaseError;
}

export interface CasesRun {
	cases: CaseRun[];
}

/** A step that was not begun. */
export function notStarted({ what, key, name, id, action, why }: CaseStep): StepResult {
	return { what, key, name, id, state: action === "left" || action === "blocked" ? action : "not sent", why };
}

/** A failure as data in an answer. @param shown adds the profile to its commands */
export function caseError({ kind, failure }: PurserError, shown: Context["report"]["shown"]): CaseError {
	const { code, message, why, fix, status, apiCode, details, intent } = failureInAnswer(failure, shown);
	return { kind, code, message, why, fix, status, apiCode, details, intent };
}

/** The state of a step that failed. */
export function stateAfter({ kind }: PurserError): StepResult["state"] {
	if (kind === "unknown") return "in doubt";
	return kind === "interrupted" || kind === "unavailable" ? "not sent" : "failed";
}

/** A change without an answer is not repeated blindly: the next run looks for it first, and the fix says so. */
export function repeatable(error: PurserError): PurserError {
	if (error.kind === "rejected" && error.failure.status === 409)
		return new PurserError("rejected", {
			...error.failure,
			why: error.failure.why ?? "A record like it exists already; another run may have created it a moment ago",
			fix: "Run this again: it goes on with the record that it finds.",
			cause: error,
		});
	if (error.kind !== "unknown") return error;
	const fix = "Run this again: it checks first whether this was created, and creates nothing twice.";
	return new PurserError("unknown", { ...error.failure, fix, cause: error });
}

/** The state of a case without a failure. */
export function caseState(steps: readonly StepResult[]): CaseRun["state"] {
	return steps.some(({ state }) => state === "blocked") ? "incomplete" : "applied";
}

/** A KYB that a gate holds back, or that was declined. */
const kybCodes: readonly string[] = ["KYB_HELD_BACK", "KYB_DECLINED"];

/** The worst failure of a run; undefined where every case is applied. */
export function casesOutcome({ cases }: CasesRun): Kind | undefined {
	if (cases.some(({ state }) => state === "in doubt")) return "unknown";
	if (cases.some(({ error }) => error?.kind === "interrupted")) return "interrupted";
	if (cases.every(({ state }) => state === "applied")) return undefined;
	const [only] = cases;
	// What was declared before stands, and the exit code says what a person has to decide.
	if (cases.length === 1 && only?.error !== undefined && kybCodes.includes(only.error.code)) return only.error.kind;
	return cases.length === 1 && only?.error !== undefined && !hasChanged(only) ? only.error.kind : "partial";
}

/** Why not every case is applied: the error of a single case, else how many are not. */
export function casesFailure({ cases }: CasesRun): Failure<string> | undefined {
	const [only] = cases;
	if (cases.length === 1 && only?.error !== undefined) return only.error;
	const left = cases.filter(({ state }) => state !== "applied").length;
	if (left === 0) return undefined;
	return {
		code: "CASES_NOT_APPLIED",
		message: `${left} of ${cases.length} ${cases.length === 1 ? "case is" : "cases are"} not applied`,
		fix: "See the steps and errors of each case in the answer, then run this again.",
	};
}

/** Whether a run changed anything of a case. */
function hasChanged({ steps }: CaseRun): boolean {
	return steps.some(({ state }) => state === "created" || state === "updated" || state === "asked for");
}

/**
 * A single case that failed before it changed anything is an error like any other. One in doubt may have changed something, so its report is
 * the answer, as it is of several.
 * @throws PurserError
 */
export function throwSingle({ cases }: CasesRun, errors: ReadonlyMap<CaseRun, PurserError>): void {
	const [only] = cases;
	if (cases.length !== 1 || only === undefined || only.state === "in doubt" || hasChanged(only)) return;
	const error = errors.get(only);
	// What is declared stands in the answer, with the digest of the review to read.
	if (error instanceof KybHeldBack && only.corporateId !== undefined) return;
	if (error !== undefined) throw error;
}

/** What became of a case. */
export interface AppliedCase {
	run: CaseRun;
	stopped?: PurserError;
	/** A review that is to be read before the KYB is requested, and what goes on once a person has. */
	unread?: { company: { id: string; name: string }; review: Review; resume(): Promise<AppliedCase> };
}
