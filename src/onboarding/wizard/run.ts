/**
 * The wizard from its draft to the end: everything is asked, the case is declared, and what follows is requested, each once.
 */
import { advice, purser } from "../../api/advice.js";
import { typed } from "../../api/answer.js";
import { createCorporate, getDiligenceReview, requestKyb } from "../../api/operations/corporate.js";
import { createRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink } from "../../api/operations/verification.js";
import type { Context } from "../../context.js";
import { type Advice, type Kind, PurserError } from "../../errors.js";
import type { About } from "../../ports/changes.js";
import { applyCases } from "../case/apply.js";
import { type Case, unplacedInCase } from "../case/case.js";
import { checkCase } from "../case/files.js";
import { lookupOperations, newFinder } from "../case/find.js";
import { blockedEmailLink, heldBack, linkSteps, requestEmailLink, requestKybOnce, requestKycLinks } from "../case/follow-ups.js";
import { inspectCase } from "../case/inspect.js";
import { acceptedTerms, acceptsTerms } from "../case/plan.js";
import { type CaseRun, caseError, caseState, casesOutcome, runText, type StepResult } from "../case/result.js";
import { KybHeldBack } from "../kyb/gates.js";
import type { LinkRow } from "../kyc/links.js";
import { quietly } from "../records/reading.js";
import { isAnswered, resumable } from "./asking.js";
import { type Draft, removeDraft, resumeCommand, saveDraft } from "./draft.js";
import { followUps } from "./questions.js";
import { aboutCase, collectAnswers, documentOf, introduce, showTerms, writeCase } from "./wizard.js";

/** The operations that a wizard may call. */
export const wizardOperations = [
	...lookupOperations,
	createCorporate.id,
	createRelated.id,
	sendEmailLink.id,
	getDiligenceReview.id,
	requestKyb.id,
	getKycLink.id,
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

/** How a wizard looks for existing records: in doubt it asks. */
const lookup = { isNew: false, settleAfter: 30_000 };
const nothing = { sendEmailLink: false, requestKyb: false, kycLinks: false };

/**
 * Runs a wizard from its saved state to the end, then removes the state.
 * @throws PurserError of whatever stops it; the state is kept
 */
export async function runWizard(context: Context, saved: Draft): Promise<WizardResult> {
	try {
		await introduce(context, saved);
		await saveDraft(context, saved);
		if (!saved.done.includes("file")) {
			await showTerms(context, saved);
			const send = await collectAnswers(context, saved);
			const file = await writeCase(context, saved, !send);
			if (!send) return await end(context, saved, { file, command: commandOf(context, file, saved), sent: false });
			await markDone(context, saved, "file");
		}
		const file = String(saved.file);
		const run = await declare(context, saved, file);
		if (run.state === "applied" || run.state === "incomplete") {
			await request(context, saved, run);
			run.state = caseState(run.steps);
			return await end(context, saved, { file, command: commandOf(context, file, saved), sent: true, run });
		}
		return { file, command: commandOf(context, file, saved), sent: true, draft: saved.name, run };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		if (!isAnswered(saved)) throw await withoutDraft(context, saved, error);
		const notDone = laterSteps(saved);
		if (error.kind === "interrupted") throw new PurserError("interrupted", { ...resumable(saved, error).failure, notDone });
		context.report.warn(`Your answers are saved; continue with \`${context.report.shown(resumeCommand(saved))}\``);
		throw new PurserError(error.kind, { ...error.failure, notDone, cause: error });
	}
}

/** What is requested once the case is declared, each once, in the words of what was not done. */
const requests = { email: "verification email", kyb: "KYB", kyc: "KYC links" } as const;

function laterSteps({ answers, done }: Draft): string[] {
	return Object.entries(requests).flatMap(([what, words]) => (done.includes(what) || answers[followUps] === false ? [] : [words]));
}

async function markDone(context: Context, saved: Draft, what: string): Promise<void> {
	saved.done.push(what);
	await saveDraft(context, saved);
}

/** @throws PurserError of whatever stops it; what is finished is saved */
async function request(context: Context, saved: Draft, run: CaseRun): Promise<void> {
	const { corporateId, accountOwnerId: ownerId } = run;
	if (corporateId === undefined || saved.answers[followUps] !== true) return;
	const once = async (what: keyof typeof requests, work: () => Promise<StepResult[]>): Promise<void> => {
		if (saved.done.includes(what)) return;
		for (const step of await work()) run.steps.push(step);
		await markDone(context, saved, what);
	};
	await once("email", async () => [ownerId === undefined ? blockedEmailLink(corporateId) : await requestEmailLink(context, ownerId)]);
	await once("kyb", async () => [await requestReviewed(context, corporateId, run)]);
	await once("kyc", async () => {
		// The service gives a link once, so it is shown before anything can fail.
		const shownAlready = async ({ name, url }: LinkRow): Promise<boolean> => {
			await context.report.show(`KYC link of ${name}: ${url}\n`);
			return context.system.terminal.stdout.isClosed?.() !== true;
		};
		return linkSteps(await requestKycLinks(context, corporateId, run.steps, { shownAlready }));
	});
}

/** Requests the KYB once the person has read the review. A closed gate leaves it to the operator, and the rest goes on. */
async function requestReviewed(context: Context, corporateId: string, run: CaseRun): Promise<StepResult> {
	try {
		return await requestKybOnce(context, corporateId, { words: {}, steps: run.steps, again: true });
	} catch (error) {
		if (!(error instanceof KybHeldBack)) throw error;
		run.error = caseError(error, context.report.shown);
		return heldBack(error);
	}
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
	await saveDraft(context, saved);
}

async function end(context: Context, saved: Draft, wizard: WizardResult): Promise<WizardResult> {
	await removeDraft(context, saved);
	return wizard;
}

/** Declares the case. Existing records are looked up first, so a repeated run creates nothing twice. */
async function declare(context: Context, saved: Draft, file: string): Promise<CaseRun> {
	const of = checkCase(context, documentOf(saved), file, { unplaced: await unplacedInCase(context) });
	try {
		// In the run of the review this was asked there; a run that goes on after it asks for itself.
		await context.ask.change(async () => aboutOpenCase(context, of, file), { terms: acceptedTerms(of) });
		const { cases } = await applyCases(context, newFinder(context, lookup, true), nothing, [{ file, of }]);
		const run = cases[0] as CaseRun;
		await reopen(context, saved, run.error?.kind);
		return run;
	} catch (error) {
		if (error instanceof PurserError) await reopen(context, saved, error.kind);
		throw error;
	}
}

function commandOf({ report }: Context, file: string, { answers }: Draft): string {
	const flags = answers[followUps] === true ? ["--send-email-link", "--request-kyb", "--kyc-links"] : [];
	return report.shown(purser`onboard apply ${{ path: file }} ${flags}`);
}

/** What a case that was begun before still creates: its terms may be accepted already. */
async function aboutOpenCase(context: Context, of: Case, file: string): Promise<About> {
	// Applying warns of the same again.
	const quiet = quietly(context);
	const { steps } = await inspectCase(quiet, newFinder(quiet, lookup, false), of);
	return { ...aboutCase(of, file), terms: acceptsTerms(steps) ? acceptedTerms(of) : [] };
}

type Style = Parameters<typeof runText>[1];

/** The run, the file, and the command that does the same again. */
export function wizardText({ file, command, sent, run }: WizardResult, style: Style): string {
	const head = run === undefined ? style.good("Case written; nothing was sent") : runText({ cases: [run] }, style);
	const same = sent ? "To repeat it, or after a change in the file" : "Send it";
	return [head, "", `Case file (personal data): ${file}`, `${same}: ${style.accent(command)}`].join("\n");
}

/** The outcome for the exit code: that of the case; none where only the file was written. */
export function wizardOutcome({ run }: WizardResult): Kind | undefined {
	return run === undefined ? undefined : casesOutcome({ cases: [run] });
}

/** The next commands. */
export function wizardNext({ run, command, sent, draft }: WizardResult): Advice[] {
	if (!sent) return [command];
	if (run?.state !== "applied" && run?.state !== "incomplete") return [purser`onboard resume ${draft}`];
	return [purser`corporate status ${typed(run.corporateId, "CORPORATE")}`];
}

/** @throws PurserError usage, where nobody can be asked */
export function requireTerminal({ interactive, dryRun }: { interactive: boolean; dryRun: boolean }): void {
	if (interactive && !dryRun) return;
	throw new PurserError("usage", {
		code: "NEEDS_A_TERMINAL",
		message: dryRun ? "A wizard has no dry run: it shows everything before it sends" : "This asks questions and needs a terminal",
		fix: advice`Write a case file (${purser`onboard plan --print-template`} > case.yaml), look with \`${purser`onboard plan case.yaml`}\`, then \`${purser`onboard apply case.yaml`}\`.`,
	});
}
