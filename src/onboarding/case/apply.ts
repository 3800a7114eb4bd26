/**
 * Applies one case: reads what exists, then creates and updates the rest in dependency order. The first failure stops it.
 */
import { textAt } from "../../api/answer.js";
import { viewCorporate } from "../../api/operations/corporate.js";
import { viewRelated } from "../../api/operations/related.js";
import { withoutClaim } from "../../api/text/claim.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { requestable } from "../kyb/check.js";
import { closedByOwnership, type GateWords, KybHeldBack, stillClosed } from "../kyb/gates.js";
import type { Holding } from "../ownership/ownership.js";
import { uboThreshold } from "../records/read-ownership.js";
import { ifOffered, listRelatedOf, readCorporate } from "../records/reading.js";
import { findTwins } from "../twins/look.js";
import { CreatedTwice, type Sought, soughtCorporate, soughtRelated, twinError } from "../twins/twin.js";
import { type Case, companyName, corporateKey, externalIdOf, ownerKey } from "./case.js";
import { refuseCreatedMeanwhile } from "./doubts.js";
import type { CaseRecords, Finder } from "./find.js";
import { blockedEmailLink, type FollowUps, heldBack, linkSteps, requestEmailLink, requestKybOnce, requestKycLinks } from "./follow-ups.js";
import { matchingOwner, nameOf } from "./match.js";
import { caseOwnership, holdingsById } from "./ownership.js";
import { type CaseStep, notNamed, notNamedRows, ownerUnknown, planCase, requestOf, type StepRequest, severalHoldings } from "./plan.js";
import { withoutRepeats } from "./repeats.js";
import { type AppliedCase, type CaseRun, caseError, caseState, notStarted, repeatable, type StepResult, stateAfter } from "./result.js";

/** Plans a case against the service's records. Only reads. */
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
 * @returns what became of each step, and the error that stopped it
 */
export async function applyCase(
	context: Context,
	service: Service,
	finder: Finder,
	followUps: FollowUps,
	of: Case,
	file: string,
): Promise<AppliedCase> {
	const run: CaseRun = { file, externalId: of.corporate.externalId, name: companyName(of), state: "failed", steps: [] };
	let since = 0;
	const followUp = (asked: FollowUps): Promise<void> => runFollowUps(context, service, asked, run, { since, more });
	let more: readonly Holding[] = [];
	const applied = await attempt(context, run, async () => {
		const { found, steps } = await inspectCase(context, service, finder, of);
		if (followUps.requestKyb) await refuseClosedGates(context, of, found, followUps);
		run.steps = steps.map(notStarted);
		run.notNamed = notNamedRows(found);
		await runSteps(context, service, of, found, steps, run);
		run.corporateId = found.ids.get(corporateKey);
		run.accountOwnerId = found.ids.get(ownerKey);
		since = found.since;
		more = holdingsById(of, found.ids);
		await followUp(followUps);
	});
	const { stopped } = applied;
	if (!(stopped instanceof KybHeldBack) || !stopped.asks || stopped.review === undefined) return applied;
	const { review, company } = stopped;
	const resume = (): Promise<AppliedCase> => {
		run.error = undefined;
		run.steps = run.steps.filter(({ what }) => what !== "KYB");
		return attempt(context, run, () => followUp({ ...followUps, reviewed: [review.sha256] }));
	};
	return { ...applied, unread: { company: { id: run.corporateId ?? "", name: company.name }, review, resume } };
}

async function attempt(context: Context, run: CaseRun, work: () => Promise<void>): Promise<AppliedCase> {
	try {
		await work();
		run.state = caseState(run.steps);
		return { run };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		if (error instanceof CreatedTwice) run.twins = error.twins;
		run.error = caseError(error, context.report.shown);
		run.state = error.kind === "unknown" ? "in doubt" : error instanceof KybHeldBack ? "incomplete" : "failed";
		return { run, stopped: error };
	}
}

/**
 * Checks the gates that the case alone decides, before anything is sent. Where the service has others whom the case does not name, they are
 * checked once everything is declared.
 * @throws KybHeldBack
 */
async function refuseClosedGates(context: Context, of: Case, found: CaseRecords, words: GateWords): Promise<void> {
	const { profile, dryRun } = await context.settings.read();
	if (dryRun || notNamed(found).length > 0 || !requestable.includes(viewCorporate(found.corporate ?? {}).kybStatus)) return;
	const closed = stillClosed(closedByOwnership(caseOwnership(of, uboThreshold(profile)).warnings, true), words);
	if (closed.length > 0) throw new KybHeldBack({ id: undefined, name: companyName(of) }, closed, undefined, false, true);
}

async function runSteps(context: Context, service: Service, of: Case, found: CaseRecords, steps: CaseStep[], run: CaseRun): Promise<void> {
	/** Keys of related entities that this run created, or found to be created by one without an answer. */
	const created = [...found.settled].filter((key) => key !== corporateKey && found.ids.has(key));
	if (found.settled.has(corporateKey) && found.corporateId !== undefined) await refuseTwins(context, service, of, found, [corporateKey]);
	for (const [place, step] of steps.entries()) {
		if (step.action !== "create" && step.action !== "update") continue;
		const result = run.steps[place] as StepResult;
		// The creation may not have named the account owner; nobody else is updated instead.
		if (step.action === "update" && step.key === ownerKey && !found.ids.has(ownerKey)) {
			Object.assign(result, { state: "blocked", why: ownerUnknown(found.corporateId) });
			continue;
		}
		await runStep(context, service, of, found, step, steps)
			.catch((error: unknown) => {
				if (!(error instanceof PurserError)) throw error;
				Object.assign(result, { state: stateAfter(error), why: withoutClaim(error.message) });
				throw repeatable(error);
			})
			.finally(() => {
				run.corporateId = found.ids.get(corporateKey);
			});
		noteDone(result, step, found.ids);
		if (result.state !== "created" || !found.ids.has(step.key)) continue;
		// Everything else builds on the company.
		if (step.what === "corporate") await refuseTwins(context, service, of, found, [corporateKey]);
		else if (step.what === "company" || step.what === "person") created.push(step.key);
	}
	nameHoldings(of, found.ids, steps, run.steps);
	await refuseTwins(context, service, of, found, created);
}

/** Looks once whether another run created the same at the same time. @throws CreatedTwice */
async function refuseTwins(context: Context, service: Service, of: Case, found: CaseRecords, keys: readonly string[]): Promise<void> {
	const sought = keys.map((key) => soughtAs(of, found, key));
	const twins = await findTwins(context, service, sought, found.ids.get(corporateKey) as string);
	if (twins.length > 0) throw twinError(twins);
}

/** By the end every id is known, and the command that declares several holdings can be typed as it stands. */
function nameHoldings(of: Case, ids: ReadonlyMap<string, string>, steps: readonly CaseStep[], results: readonly StepResult[]): void {
	for (const [place, { what, action, key, holding }] of steps.entries())
		if (what === "shares" && action === "blocked" && holding !== undefined && ids.has(key))
			Object.assign(results[place] as StepResult, { why: severalHoldings(of, key, ids) });
}

function noteDone(result: StepResult, { action, what, key, id, changes }: CaseStep, ids: ReadonlyMap<string, string>): void {
	result.state = action === "create" ? "created" : "updated";
	result.id = what === "terms" ? undefined : (ids.get(key) ?? id);
	if (action === "update") result.fields = changes.map(({ field }) => field);
}

async function runStep(
	context: Context,
	service: Service,
	of: Case,
	found: CaseRecords,
	step: CaseStep,
	steps: readonly CaseStep[],
): Promise<void> {
	const request = requestOf(of, step, steps, found.ids);
	if (request === undefined) return;
	if (step.action === "create" && !(await context.settings.read()).dryRun)
		await refuseCreatedMeanwhile(context, creationOf(request, found));
	const reply = await service.call(request.operation, request.input);
	noteCreatedId(found, step, reply);
	if (step.what === "corporate" && step.action === "create") await noteOwnerId(context, service, of, found, reply.data);
}

function creationOf({ operation, input }: StepRequest, { corporateId, since }: CaseRecords) {
	return { operation: operation.id, externalId: textAt(input.body, "externalId") ?? "", corporateId, since };
}

function noteCreatedId(found: CaseRecords, { action, key }: CaseStep, { id }: { id?: string }): void {
	if (action !== "create" || id === undefined) return;
	found.ids.set(key, id);
	if (key === corporateKey) found.corporateId = id;
}

async function noteOwnerId(context: Context, service: Service, of: Case, found: CaseRecords, data: unknown): Promise<void> {
	const corporateId = found.ids.get(corporateKey) as string;
	const owner =
		textAt(data, "accountOwnerId") ??
		textAt(await readCorporate(service, corporateId), "accountOwnerId") ??
		(await listedOwner(context, service, of, corporateId));
	if (owner !== undefined) found.ids.set(ownerKey, owner);
}

/** Finds the account owner as the next run would, so that follow-ups need not wait for it. */
async function listedOwner(context: Context, service: Service, of: Case, corporateId: string): Promise<string | undefined> {
	const listed = await ifOffered(context, "the account owner is unknown", () => listRelatedOf(service, corporateId));
	const record = listed?.complete ? matchingOwner(listed.records, of, undefined, () => undefined) : undefined;
	return record && viewRelated(record).id;
}

/** `since`: the newest change in the journal before this run; `more`: the holdings of the case, which a record may show in part. */
interface BeforeFollowUps {
	since: number;
	more: readonly Holding[];
}

async function runFollowUps(
	context: Context,
	service: Service,
	followUps: FollowUps,
	run: CaseRun,
	{ since, more }: BeforeFollowUps,
): Promise<void> {
	const { corporateId, accountOwnerId, steps } = run;
	if (corporateId === undefined) return;
	const address = steps.some(({ key, fields = [] }) => key === ownerKey && fields.includes("emailAddress"));
	if (followUps.sendEmailLink && !steps.some(({ what }) => what === "email link")) {
		// It may stand there from before the review was read.
		if (accountOwnerId === undefined) steps.push(blockedEmailLink(corporateId));
		else await ask(steps, "email link", () => requestEmailLink(context, service, accountOwnerId, { since, address }));
	}
	if (followUps.requestKyb)
		await ask(steps, "KYB", () => requestKybOnce(context, service, corporateId, { words: followUps, steps, again: true, more }));
	if (!followUps.kycLinks) return;
	const asked = await requestKycLinks(context, service, corporateId, steps, { more });
	for (const step of linkSteps(asked)) steps.push(step);
	const failed = asked.links.find(({ error }) => error !== undefined)?.error;
	if (failed !== undefined) throw new PurserError(failed.kind, failed);
}

/** A failed follow-up becomes a step too, so that the report shows what was not requested. */
async function ask(steps: StepResult[], what: StepResult["what"], work: () => Promise<StepResult>): Promise<void> {
	try {
		steps.push(await work());
	} catch (error) {
		if (error instanceof KybHeldBack) steps.push(heldBack(error));
		else if (error instanceof PurserError)
			steps.push({ what, key: "", name: "", state: error.kind === "unknown" ? "in doubt" : "failed", why: withoutClaim(error.message) });
		throw error;
	}
}

/** Ids by the keys of a case, and of whom the service listed before. */
interface Created {
	ids: ReadonlyMap<string, string>;
	known: ReadonlySet<string>;
}

/** A created record of a case, as another one of the same is looked for. */
function soughtAs(of: Case, { ids, known }: Created, key: string): Sought {
	const corporateId = ids.get(corporateKey) as string;
	const entity = [...of.companies, ...of.persons].find((one) => one.key === key);
	if (entity === undefined) return soughtCorporate(corporateId, of.corporate, known);
	const email = "emailAddress" in entity ? entity.emailAddress : undefined;
	const others = { has: (id: string) => known.has(id) || [...ids.values()].includes(id) };
	return soughtRelated(ids.get(key) as string, { externalId: externalIdOf(of, entity), name: nameOf(entity), email }, others);
}
