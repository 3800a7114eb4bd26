/**
 * Sends the answers: declares the case, then runs the remaining steps, each once.
 */
import { advice, purser } from "../../api/advice.js";
import { createCorporate, getDiligenceReview, requestKyb } from "../../api/operations/corporate.js";
import { createRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink, sendPhoneCode, verifyPhoneCode } from "../../api/operations/verification.js";
import type { Context } from "../../context.js";
import { type Kind, PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { unplacedInCase } from "../case/case.js";
import { applyCases, checkCase } from "../case/files.js";
import type { LookupOptions } from "../case/find.js";
import { newFinder } from "../case/find.js";
import { lookupOperations } from "../case/input.js";
import { acceptedTerms } from "../case/plan.js";
import { type CaseRun, caseState } from "../case/result.js";
import { aboutOpenCase } from "./about-case.js";
import { isAnswered, resumable } from "./asking.js";
import { caseOf, entityKeys } from "./case-of-answers.js";
import { type Draft, removeDraft, resumeCommand, saveState } from "./state.js";
import { markDone, runSteps } from "./steps.js";
import { collectAnswers, introduce, showTerms, writeCase } from "./wizard.js";

/** The operations that a wizard may call. */
export const wizardOperations = [
	...lookupOperations,
	createCorporate.id,
	createRelated.id,
	sendEmailLink.id,
	getDiligenceReview.id,
	requestKyb.id,
	getKycLink.id,
	sendPhoneCode.id,
	verifyPhoneCode.id,
] as const;

/** The result of a wizard. */
export interface WizardResult {
	/** The case file. */
	file: string;
	/** The command that repeats it. */
	command: string;
	/** False where only the file was written. */
	sent: boolean;
	/** The name of the draft, where it is kept. */
	draft?: string;
	run?: CaseRun;
}

const nothing = { sendEmailLink: false, requestKyb: false, kycLinks: false };

/**
 * Runs a wizard from its saved state to the end, then removes the state.
 * @throws PurserError of whatever stops it; the state is kept
 */
export async function runWizard(context: Context, service: Service, saved: Draft, options: LookupOptions): Promise<WizardResult> {
	try {
		await introduce(context, saved);
		await saveState(context, saved);
		if (!saved.done.includes("file")) {
			await showTerms(context, service, saved);
			const send = await collectAnswers(context, saved);
			const file = await writeCase(context, saved, !send);
			if (!send) return await end(context, saved, { file, command: commandOf(context, file, saved), sent: false });
			await markDone(context, saved, "file");
		}
		const file = await writeCase(context, saved);
		const run = await declare(context, service, saved, file, options);
		if (run.state === "applied" || run.state === "incomplete") {
			await runSteps(context, service, saved, run);
			run.state = caseState(run.steps);
			return await end(context, saved, { file, command: commandOf(context, file, saved), sent: true, run });
		}
		return { file, command: commandOf(context, file, saved), sent: true, draft: saved.name, run };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		if (!isAnswered(saved)) throw await withoutDraft(context, saved, error);
		const notDone = laterSteps(saved);
		if (error.kind === "interrupted") throw new PurserError("interrupted", { ...resumable(saved, error).failure, notDone });
		context.reporter.warn(`Your answers are saved; continue with \`${context.shown(resumeCommand(saved))}\``);
		throw new PurserError(error.kind, { ...error.failure, notDone, cause: error });
	}
}

/** What is asked for after the declaration and was not sent. */
function laterSteps({ answers, done }: Draft): string[] {
	const all = { email: "verification email", kyb: "KYB", kyc: "KYC links", phone: "phone code" };
	const hasPhone = answers["accountOwner.phone"] === true;
	return Object.entries(all).flatMap(([step, words]) =>
		done.includes(step) || answers[`ask.${step}`] === false || (step === "phone" && !hasPhone) ? [] : [words],
	);
}

/** A draft without an answer is of no use to anybody. */
async function withoutDraft(context: Context, saved: Draft, error: PurserError): Promise<PurserError> {
	await removeDraft(context, saved);
	if (error.kind !== "interrupted") return error;
	const { code } = error.failure;
	return new PurserError("interrupted", {
		code,
		message: "Stopped before the first answer; nothing is kept",
		fix: advice`Start again with \`${purser`onboard start`}\`.`,
	});
}

/** The same answers would be refused again, so the next run shows them first for correction. */
async function reopen(context: Context, saved: Draft, kind: Kind | undefined): Promise<void> {
	if (kind === undefined || !["rejected", "validation", "guard"].includes(kind) || !saved.done.includes("file")) return;
	saved.done = saved.done.filter((what) => what !== "file");
	Object.assign(saved.answers, entityKeys(saved.answers));
	await saveState(context, saved);
}

async function end(context: Context, saved: Draft, wizard: WizardResult): Promise<WizardResult> {
	await removeDraft(context, saved);
	return wizard;
}

/** Declares the case. Existing records are looked up first, so a repeated run creates nothing twice. */
async function declare(context: Context, service: Service, saved: Draft, file: string, options: LookupOptions): Promise<CaseRun> {
	const of = checkCase(context, caseOf(saved.answers), file, { lists: await context.lists(), unplaced: await unplacedInCase(context) });
	try {
		// In the run of the review this was asked there; a run that goes on after it asks for itself.
		await context.changes.permit(async () => aboutOpenCase(context, service, of, options, file), { terms: acceptedTerms(of) });
		const { cases } = await applyCases(context, service, newFinder(context, service, options, true), nothing, [{ file, of }]);
		const run = cases[0] as CaseRun;
		await reopen(context, saved, run.error?.kind);
		return run;
	} catch (error) {
		if (error instanceof PurserError) await reopen(context, saved, error.kind);
		throw error;
	}
}

function commandOf({ shown }: Context, file: string, { answers }: Draft): string {
	const flags = [
		...(answers["ask.email"] === true ? ["--send-email-link"] : []),
		...(answers["ask.kyb"] === true ? ["--request-kyb"] : []),
		...(answers["ask.kyc"] === true ? ["--kyc-links"] : []),
	];
	return shown(purser`onboard apply ${{ path: file }} ${flags}`);
}
