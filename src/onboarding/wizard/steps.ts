/**
 * The steps of the wizard after the declaration (specification 1): each once, each may be left for later.
 */

import { viewRelated } from "../../api/operations/related.js";
import { sendPhoneCode, verifyPhoneCode } from "../../api/operations/verification.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { blockedEmailLink, heldBack, linkSteps, requestEmailLink, requestKybOnce, requestKycLinks } from "../case/follow-ups.js";
import { ownerUnknown } from "../case/plan.js";
import { type CaseRun, caseError, type StepResult } from "../case/result.js";
import { KybHeldBack } from "../kyb/gates.js";
import { type Review, readReview, reviewLines } from "../kyb/review.js";
import type { LinkRow } from "../kyc/links.js";
import { kycPlan } from "../kyc/plan.js";
import { rootOf, uboThreshold } from "../records/read-ownership.js";
import { ifOffered, listRelatedOf, readRelated } from "../records/reading.js";
import { askAll } from "./asking.js";
import { type Draft, saveDraft } from "./draft.js";
import { type Question, stepTitles } from "./questions.js";

/** Number of tries that the service allows for a code. */
const maxCodes = 5;

/** A running wizard. */
interface WizardRun {
	context: Context;
	service: Service;
	saved: Draft;
	run: CaseRun;
	corporateId: string;
	ownerId: string | undefined;
}

/** Marks a step as finished, so that it is not repeated. */
export async function markDone(context: Context, saved: Draft, what: string): Promise<void> {
	saved.done.push(what);
	await saveDraft(context, saved);
}

/** Runs email, review, KYB, KYC and phone. @throws PurserError of whatever stops it; finished steps are saved */
export async function runSteps(context: Context, service: Service, saved: Draft, run: CaseRun): Promise<void> {
	const { corporateId, accountOwnerId: ownerId } = run;
	if (corporateId === undefined) return;
	const wizard: WizardRun = { context, service, saved, run, corporateId, ownerId };
	await emailStep(wizard);
	const review = saved.done.includes("kyb") ? undefined : await showReview(wizard);
	// A Yes is about the review that was shown before it.
	if (review !== undefined && saved.reviewed !== review.sha256) {
		delete saved.said["ask.kyb"];
		saved.reviewed = review.sha256;
	}
	const right = review === undefined ? "" : ": the review above is right";
	if (await isWanted(wizard, { id: "ask.kyb", step: 6, label: `Request the KYB from the compliance team now${right}`, fallback: true }))
		await once(wizard, "kyb", async () => [await kybStep(wizard, review)]);
	await kycStep(wizard);
	await phoneStep(wizard);
}

async function once({ context, saved, run }: WizardRun, what: string, work: () => Promise<StepResult[]>): Promise<void> {
	if (saved.done.includes(what)) return;
	for (const step of await work()) run.steps.push(step);
	await markDone(context, saved, what);
}

async function isWanted({ context, saved }: WizardRun, question: Pick<Question, "id" | "step" | "label" | "fallback">, announced?: number) {
	const { id } = question;
	await askAll(context, saved, new Map(), () => [{ ...question, kind: "yes", required: true }], announced);
	return saved.said[id] === true;
}

const heading = (step: number): string => `\nStep ${step} of 8: ${stepTitles[step - 1]}\n`;

async function emailStep(wizard: WizardRun): Promise<void> {
	const { context, service, saved, ownerId } = wizard;
	if (saved.said["ask.email"] !== true) return;
	if (ownerId === undefined) {
		wizard.run.steps.push(blockedEmailLink(wizard.corporateId));
		return;
	}
	await once(wizard, "email", async () => [await requestEmailLink(context, ownerId)]);
	await context.report.show(heading(3));
	const owner = await ifOffered(context, "whether the email is verified is not known", () => readRelated(service, ownerId));
	if (owner === undefined) return;
	const { email = "the account owner", emailVerified } = viewRelated(owner);
	await context.report.show(
		emailVerified ? `${email} is verified.\n` : `The link was sent to ${email}, but it has not been opened yet. It can be opened later.\n`,
	);
}

/** The service's view of the company, before the compliance team sees it (specification 1, step 5). */
async function showReview({ context, service, corporateId }: WizardRun): Promise<Review | undefined> {
	const review = await readReview(context, service, corporateId);
	if (review === undefined) return undefined;
	await context.report.show([heading(5).trimEnd(), ...reviewLines(context, corporateId, review), ""].join("\n"));
	return review;
}

/** Requests the KYB. A closed gate leaves it to the operator, and the other steps go on. */
async function kybStep({ context, corporateId, run }: WizardRun, review: Review | undefined): Promise<StepResult> {
	try {
		const words = { reviewed: review === undefined ? [] : [review.sha256] };
		return await requestKybOnce(context, corporateId, { words, steps: run.steps, again: false });
	} catch (error) {
		if (!(error instanceof KybHeldBack)) throw error;
		run.error = caseError(error, context.report.shown);
		return heldBack(error);
	}
}

async function kycStep(wizard: WizardRun): Promise<void> {
	const { context, corporateId, saved } = wizard;
	if (saved.said["ask.kyc"] === undefined) {
		await context.report.show(heading(7));
		await showPlan(wizard);
	}
	if (!(await isWanted(wizard, { id: "ask.kyc", step: 7, label: "Create the KYC links of everybody who needs one", fallback: true }, 7)))
		return;
	await once(wizard, "kyc", async () => {
		// The service gives a link once, so it is shown before anything can fail.
		const show = async ({ name, url }: LinkRow): Promise<boolean> => {
			await context.report.show(`KYC link of ${name}: ${url}\n`);
			return context.system.terminal.stdout.isClosed?.() !== true;
		};
		return linkSteps(await requestKycLinks(context, corporateId, wizard.run.steps, { kept: show }));
	});
}

/** Shows who needs which KYC, and why (specification 4, rule 5). */
async function showPlan({ context, service, corporateId }: WizardRun): Promise<void> {
	const { profile } = await context.settings.read();
	const listed = await ifOffered(context, "who needs which KYC is not shown", () => listRelatedOf(service, corporateId));
	if (listed === undefined) return;
	const { people } = kycPlan(await rootOf(context, service, corporateId, listed.records), listed.records, uboThreshold(profile));
	const lines = people
		.filter(({ need }) => need !== "none")
		.map(
			({ name, need, because }) => `  ${name}: ${need === "full" ? "in full, with liveness" : "documents only"} (${because.join(", ")})`,
		);
	await context.report.show([lines.length > 0 ? "Who needs a KYC:" : "Nobody who is declared needs a KYC.", ...lines, ""].join("\n"));
}

async function phoneStep(wizard: WizardRun): Promise<void> {
	const { context, service, saved, ownerId } = wizard;
	if (ownerId === undefined) {
		await context.report.show(`${heading(8)}Skipped: ${context.report.shown(ownerUnknown(wizard.corporateId))}\n`);
		return;
	}
	if (saved.case.accountOwner.phone === undefined) {
		await context.report.show(`${heading(8)}Skipped: no phone number was given. It is optional: purser related update ${ownerId} --help\n`);
		return;
	}
	const question = { id: "ask.phone", step: 8, label: "Send the account owner the verification code by SMS now", fallback: false };
	if (!(await isWanted(wizard, question))) return;
	const { firstName, lastName } = saved.case.accountOwner;
	const name = `${firstName} ${lastName}`;
	const step = { what: "phone code" as const, key: "accountOwner", name, id: ownerId };
	await once(wizard, "phone", async () => {
		await service.call(sendPhoneCode, { body: { relatedPhysicalPersonId: ownerId } });
		return [{ ...step, state: "asked for" }];
	});
	if (saved.done.includes("phone-code")) return;
	if (await verifyPhone(wizard, ownerId)) wizard.run.steps.push({ ...step, what: "phone", state: "verified" });
	await markDone(context, saved, "phone-code");
}

/** Asks for the code until it is accepted, left for later, or tried as often as the service allows. */
async function verifyPhone({ context, service }: WizardRun, ownerId: string): Promise<boolean> {
	const { profile } = await context.settings.read();
	const prompts = await context.ask.prompts();
	const hint = profile.environment === "sandbox" ? "; in a sandbox it is 123456" : "";
	const check = (typed: string): string | undefined =>
		/^\d{6}$|^$/.test(typed.trim()) ? undefined : "must be the six digits of the SMS, or nothing";
	for (let tries = 0; tries < maxCodes; tries += 1) {
		const code = (await prompts.text({ message: `The code of the SMS (Enter leaves it for later${hint})`, check })).trim();
		if (code === "") return false;
		try {
			await service.call(verifyPhoneCode, { body: { relatedPhysicalPersonId: ownerId, code } });
			return true;
		} catch (error) {
			if (!(error instanceof PurserError) || error.failure.apiCode !== "INVALID_PHONE_CODE") throw error;
			await context.report.show("The service refused that code.\n");
		}
	}
	return false;
}
