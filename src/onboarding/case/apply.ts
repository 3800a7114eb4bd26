/**
 * Applies one case: looks first, then makes what is missing in the order in which it can be made. The first failure stops it.
 */
import { textAt } from "../../api/answer.js";
import { viewRelated } from "../../api/operations/related.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { ifOffered, listRelatedOf, readCorporate } from "../records/reading.js";
import { type Case, corporateKey, ownerKey } from "./case.js";
import { refuseCreatedMeanwhile } from "./doubts.js";
import type { CaseRecords, Finder } from "./find.js";
import { type FollowUps, linkSteps, requestEmailLink, requestKybOnce, requestKycLinks } from "./follow-ups.js";
import { matchingOwner } from "./owner.js";
import { type CaseStep, ownerUnknown, planCase } from "./plan.js";
import { withoutRepeats } from "./repeats.js";
import { requestOf, type StepRequest } from "./request.js";
import { type CaseRun, caseError, caseState, notStarted, type StepResult } from "./result.js";

/** The plan of a case, and what the service has of it. Nothing is sent but reads. */
export async function inspectCase(
	context: Context,
	service: Service,
	finder: Finder,
	of: Case,
): Promise<{ found: CaseRecords; steps: CaseStep[] }> {
	const found = await finder.find(of);
	return { found, steps: await withoutRepeats(context, service, of, found, planCase(of, found)) };
}

/**
 * Applies a case.
 * @returns how it went, and the error that stopped it
 */
export async function applyCase(
	context: Context,
	service: Service,
	finder: Finder,
	asks: FollowUps,
	of: Case,
	file: string,
): Promise<{ run: CaseRun; stopped?: PurserError }> {
	const run: CaseRun = { file, externalId: of.corporate.externalId, name: of.corporate.corporateName, state: "failed", steps: [] };
	try {
		const { found, steps } = await inspectCase(context, service, finder, of);
		run.steps = steps.map(notStarted);
		await doSteps(context, service, of, found, steps, run);
		run.corporateId = found.ids.get(corporateKey);
		run.accountOwnerId = found.ids.get(ownerKey);
		await doAsks(context, service, asks, run, found.since);
		run.state = caseState(run.steps);
		return { run };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		run.error = caseError(error, context.shown);
		run.state = error.kind === "unknown" ? "in doubt" : "failed";
		return { run, stopped: error };
	}
}

async function doSteps(context: Context, service: Service, of: Case, found: CaseRecords, steps: CaseStep[], run: CaseRun): Promise<void> {
	for (const [place, step] of steps.entries()) {
		if (step.action !== "create" && step.action !== "update") continue;
		const result = run.steps[place] as StepResult;
		// A creation may have told nobody who the account owner is; nobody else is changed in that place.
		if (step.action === "update" && step.key === ownerKey && !found.ids.has(ownerKey)) {
			Object.assign(result, { state: "blocked", why: ownerUnknown(found.corporateId) });
			continue;
		}
		try {
			await doStep(context, service, of, found, step, steps);
		} catch (error) {
			if (!(error instanceof PurserError)) throw error;
			Object.assign(result, { state: stateAfter(error), why: error.message });
			throw repeatable(error);
		} finally {
			run.corporateId = found.ids.get(corporateKey);
		}
		result.state = step.action === "create" ? "created" : "updated";
		result.id = step.what === "terms" ? undefined : (found.ids.get(step.key) ?? step.id);
		if (step.action === "update") result.fields = step.changes.map(({ field }) => field);
	}
}

function stateAfter({ kind }: PurserError): StepResult["state"] {
	if (kind === "unknown") return "in doubt";
	return kind === "interrupted" || kind === "unavailable" ? "not sent" : "failed";
}

/** A single change that got no answer must not be repeated unseen; a case looks for it first. */
function repeatable(error: PurserError): PurserError {
	if (error.kind !== "unknown") return error;
	const fix = "Run this again: it looks first whether this was made, and makes nothing twice.";
	return new PurserError("unknown", { ...error.failure, fix, cause: error });
}

async function doStep(
	context: Context,
	service: Service,
	of: Case,
	found: CaseRecords,
	step: CaseStep,
	steps: readonly CaseStep[],
): Promise<void> {
	const request = requestOf(of, step, steps, found.ids);
	if (request === undefined) return;
	if (step.action === "create" && !(await context.settings()).dryRun) await refuseCreatedMeanwhile(context, creationOf(request, found));
	const reply = await service.call(request.operation, request.input);
	learn(found, step, reply);
	if (step.what === "corporate" && step.action === "create") await learnOwner(context, service, of, found, reply.data);
}

function creationOf({ operation, input }: StepRequest, { corporateId, since }: CaseRecords) {
	return { operation: operation.id, externalId: textAt(input.body, "externalId") ?? "", corporateId, since };
}

function learn(found: CaseRecords, { action, key }: CaseStep, { id }: { id?: string }): void {
	if (action !== "create" || id === undefined) return;
	found.ids.set(key, id);
	if (key === corporateKey) found.corporateId = id;
}

async function learnOwner(context: Context, service: Service, of: Case, found: CaseRecords, data: unknown): Promise<void> {
	const told = textAt(data, "accountOwnerId");
	const corporateId = found.ids.get(corporateKey) as string;
	const owner =
		told ?? textAt(await readCorporate(service, corporateId), "accountOwnerId") ?? (await listedOwner(context, service, of, corporateId));
	if (owner !== undefined) found.ids.set(ownerKey, owner);
}

/** As the next run would find it: what is asked of the account owner need not wait for that run. */
async function listedOwner(context: Context, service: Service, of: Case, corporateId: string): Promise<string | undefined> {
	const listed = await ifOffered(context, "who the account owner is is not known", () => listRelatedOf(service, corporateId));
	const record = listed?.complete ? matchingOwner(listed.records, of, undefined, () => undefined) : undefined;
	return record && viewRelated(record).id;
}

async function doAsks(context: Context, service: Service, asks: FollowUps, run: CaseRun, since: number): Promise<void> {
	const { corporateId, accountOwnerId, steps } = run;
	if (corporateId === undefined) return;
	const address = steps.some(({ key, fields = [] }) => key === ownerKey && fields.includes("emailAddress"));
	if (asks.sendEmailLink) {
		if (accountOwnerId === undefined) steps.push(blockedEmailLink(corporateId));
		else await ask(steps, "email link", () => requestEmailLink(context, service, accountOwnerId, { since, address }));
	}
	if (asks.requestKyb) await ask(steps, "KYB", () => requestKybOnce(context, service, corporateId));
	if (!asks.kycLinks) return;
	const asked = await requestKycLinks(context, service, corporateId, steps);
	steps.push(...linkSteps(asked));
	const failed = asked.links.find(({ error }) => error !== undefined)?.error;
	if (failed !== undefined) throw new PurserError(failed.kind, failed);
}

/** The email link of an account owner whom nobody knows. */
export function blockedEmailLink(corporateId: string): StepResult {
	return { what: "email link", key: ownerKey, name: "the account owner", state: "blocked", why: ownerUnknown(corporateId) };
}

/** A request that fails is a step of its own, so that it is seen what was not asked for. */
async function ask(steps: StepResult[], what: StepResult["what"], work: () => Promise<StepResult>): Promise<void> {
	try {
		steps.push(await work());
	} catch (error) {
		if (error instanceof PurserError)
			steps.push({ what, key: "", name: "", state: error.kind === "unknown" ? "in doubt" : "failed", why: error.message });
		throw error;
	}
}
