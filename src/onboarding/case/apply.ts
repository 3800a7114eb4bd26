/**
 * Applies cases, one after another: reads what exists, then creates and updates the rest in dependency order. The first failure stops a case;
 * a failed case does not stop the others.
 */
import { shownIn, withoutClaim } from "../../api/advice.js";
import { createdOwner } from "../../api/operations/corporate.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import { KybHeldBack } from "../kyb/gates.js";
import { type Case, companyName, corporateKey, ownerKey } from "./case.js";
import type { CaseFile } from "./files.js";
import type { CaseRecords, Finder } from "./find.js";
import { type FollowUps, runFollowUps } from "./follow-ups.js";
import { inspectCase } from "./inspect.js";
import { type CaseStep, notNamed, ownerUnknown, requestOf, severalHoldings } from "./plan.js";
import { type CaseRun, type CasesRun, caseError, caseState, hasChanged, type StepResult, stoppedText } from "./result.js";

/** Failures after which the other cases are not started: they would fail too, or the person stopped the run. */
const stoppingKinds: readonly string[] = ["interrupted", "auth", "bug"];

/**
 * Applies every case. A failed one does not stop the others; Ctrl-C and a refused login do.
 * @throws PurserError of a single case that changed nothing: it is an error like any other. One in doubt may have changed something, so its
 * report is the answer, as it is of several
 */
export async function applyCases(context: Context, finder: Finder, followUps: FollowUps, files: readonly CaseFile[]): Promise<CasesRun> {
	const cases: CaseRun[] = [];
	let ended = false;
	for (const [place, { file, of, error }] of files.entries()) {
		const name = of && companyName(of);
		const run: CaseRun = { file, externalId: of?.corporate.externalId, name, state: "not started", steps: [] };
		cases.push(run);
		const label = files.length === 1 ? `${name}` : `${place + 1} of ${files.length}: ${name}`;
		try {
			if (of === undefined) throw error;
			if (ended) continue;
			await context.report.during(label, () => declare(context, finder, of, run));
			// Not while a spinner turns: a person may be asked about the review.
			await runFollowUps(context, followUps, run);
			run.state = caseState(run.steps);
		} catch (stopped) {
			if (!(stopped instanceof PurserError)) throw stopped;
			run.error = caseError(stopped, context.report.shown);
			run.state = stopped.kind === "unknown" ? "in doubt" : stopped instanceof KybHeldBack ? "incomplete" : "failed";
			if (files.length === 1 && !isReport(run, stopped)) throw stopped;
			if (stopped.kind === "interrupted" && hasChanged(run)) run.error.message = stoppedText(run.steps);
			ended ||= stoppingKinds.includes(stopped.kind);
		}
	}
	return { cases: cases.map((run) => ({ ...run, steps: run.steps.map((step) => shownIn(step, ["why"], context.report.shown)) })) };
}

/** Whether a case that was stopped has done something that is to be told. What is declared is, with the digest of the review to read. */
const isReport = (run: CaseRun, stopped: PurserError): boolean =>
	run.state === "in doubt" || hasChanged(run) || (stopped instanceof KybHeldBack && run.corporateId !== undefined);

/** Declares a case. @param run receives what became of each step */
async function declare(context: Context, finder: Finder, of: Case, run: CaseRun): Promise<void> {
	const { found, steps } = await inspectCase(context, finder, of);
	run.steps = steps.map(({ what, key, name, id, action, why }) => {
		const state = action === "left" || action === "blocked" ? action : "not sent";
		return { what, key, name, id, state, why };
	});
	run.notNamed = notNamed(of, found, steps);
	for (const [place, step] of steps.entries()) {
		if (step.action !== "create" && step.action !== "update") continue;
		await runStep({ context, of, found, steps }, step, run.steps[place] as StepResult).finally(() => {
			run.corporateId = found.ids.get(corporateKey);
		});
	}
	// By now every id is known, and the command that declares several holdings can be typed as it stands.
	for (const [place, { what, action, key }] of steps.entries())
		if (what === "shares" && action === "blocked" && found.ids.has(key))
			Object.assign(run.steps[place] as StepResult, { why: severalHoldings(of, key, found.ids) });
	run.corporateId = found.ids.get(corporateKey);
	run.accountOwnerId = found.ids.get(ownerKey);
}

/** A case that is declared. */
interface Declaration {
	context: Context;
	of: Case;
	found: CaseRecords;
	steps: readonly CaseStep[];
}

/** @param result receives what became of it */
async function runStep(declaration: Declaration, step: CaseStep, result: StepResult): Promise<void> {
	const { found } = declaration;
	const { action, what, key } = step;
	// The creation may not have named the account owner; nobody else is updated instead.
	if (action === "update" && key === ownerKey && !found.ids.has(ownerKey)) {
		Object.assign(result, { state: "blocked", why: ownerUnknown(found.corporateId) });
		return;
	}
	try {
		await sendStep(declaration, step);
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		const isUnsent = error.kind === "interrupted" || error.kind === "unavailable";
		const state = error.kind === "unknown" ? "in doubt" : isUnsent ? "not sent" : "failed";
		Object.assign(result, { state, why: withoutClaim(error.message) });
		throw repeatable(error);
	}
	result.state = action === "create" ? "created" : "updated";
	result.id = what === "terms" ? undefined : (found.ids.get(key) ?? step.id);
	if (action === "update") result.fields = step.changes.map(({ field }) => field);
}

/** A change without an answer is not repeated blindly: the next run looks for it first, and the fix says so. */
function repeatable(error: PurserError): PurserError {
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

async function sendStep({ context, of, found, steps }: Declaration, step: CaseStep): Promise<void> {
	const { ids } = found;
	const request = requestOf(of, step, steps, ids);
	if (request === undefined) return;
	const { operation, input } = request;
	const reply = await context.service.call(operation, input);
	const { id } = reply;
	if (step.action === "update" || id === undefined) return;
	ids.set(step.key, id);
	if (step.what !== "corporate") return;
	found.corporateId = id;
	// Without it in the answer, the next run finds the account owner.
	const owner = createdOwner(reply, (await context.settings.read()).profile.mapping?.ids);
	if (owner !== undefined) ids.set(ownerKey, owner);
}
