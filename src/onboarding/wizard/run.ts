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
import { unplacedInCase } from "../case/case.js";
import { checkCase } from "../case/files.js";
import { lookupOperations, newFinder } from "../case/find.js";
import { inspectCase } from "../case/inspect.js";
import { acceptedTerms, acceptsTerms } from "../case/plan.js";
import { type CaseRun, casesOutcome, runText } from "../case/result.js";
import { quietly } from "../records/reading.js";
import { isAnswered, resumable } from "./asking.js";
import { type Draft, nameOf, removeDraft, resumeCommand, saveDraft } from "./draft.js";
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

/** Runs a wizard, as the answer of a command. @throws PurserError as {@link runWizard} does */
export async function wizardAnswer(context: Context, saved: Draft) {
	const data = await runWizard(context, saved);
	return { data, exit: data.run && casesOutcome({ cases: [data.run] }), next: wizardNext(data) };
}

/**
 * Runs a wizard from its saved state to the end, then removes the state.
 * @throws PurserError of whatever stops it; the state is kept
 */
async function runWizard(context: Context, saved: Draft): Promise<WizardResult> {
	try {
		await introduce(context, saved);
		await saveDraft(context, saved);
		if (!saved.isWritten) {
			await showTerms(context, saved);
			const sends = await collectAnswers(context, saved);
			await writeCase(context, saved, !sends);
			if (!sends) return await end(context, saved, { sent: false });
			saved.isWritten = true;
			await saveDraft(context, saved);
		}
		const run = await send(context, saved);
		if (run.state === "applied" || run.state === "incomplete") return await end(context, saved, { sent: true, run });
		if (run.error?.kind === "interrupted") throw new PurserError("interrupted", { ...run.error, notDone: leftOf(saved, run) });
		return { ...commandOf(context, saved), sent: true, draft: nameOf(saved), run };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		const isStopped = error.kind === "interrupted";
		if (isAnswered(saved)) {
			if (isStopped) throw resumable(saved, error);
			context.report.warn(`Your answers are saved; continue with \`${context.report.shown(resumeCommand(saved))}\``);
			throw error;
		}
		// A draft without an answer is of no use to anybody.
		await removeDraft(context, saved);
		if (!isStopped) throw error;
		throw new PurserError("interrupted", {
			code: error.failure.code,
			message: "Stopped before the first answer; nothing is kept",
			fix: advice`Start again with \`${purser`onboard start`}\`.`,
		});
	}
}

/** What is requested once the case is declared, and was not. */
function leftOf({ answers }: Draft, { steps }: CaseRun): string[] {
	const requests = { "email link": "verification email", KYB: "KYB", "KYC link": "KYC links" } as const;
	if (answers[followUps] !== true) return [];
	const isDone = (kind: string): boolean => steps.some(({ what, state }) => what === kind && (state === "asked for" || state === "left"));
	return Object.entries(requests).flatMap(([kind, words]) => (isDone(kind) ? [] : [words]));
}

async function end(context: Context, saved: Draft, result: Pick<WizardResult, "sent" | "run">): Promise<WizardResult> {
	await removeDraft(context, saved);
	return { ...commandOf(context, saved), ...result };
}

/** The same answers would be refused again, so the next run shows them first for correction. */
async function reopen(context: Context, saved: Draft, kind: Kind | undefined): Promise<void> {
	if (kind === undefined || !["rejected", "validation", "guard"].includes(kind)) return;
	saved.isWritten = false;
	await saveDraft(context, saved);
}

/** Declares the case and requests what follows. Existing records are looked up first, so a repeated run creates nothing twice. */
async function send(context: Context, saved: Draft): Promise<CaseRun> {
	const file = String(saved.file);
	const of = checkCase(context, documentOf(saved), file, { unplaced: await unplacedInCase(context) });
	const all = saved.answers[followUps] === true;
	try {
		// In the run of the review this was asked there; a run that goes on after it asks for itself.
		const about = async (): Promise<About> => {
			// Applying warns of the same again.
			const quiet = quietly(context);
			const { steps } = await inspectCase(quiet, newFinder(quiet, false, false), of);
			// Of a case that was begun before, the terms may be accepted already.
			return { ...aboutCase(of, file), terms: acceptsTerms(steps) ? acceptedTerms(of) : [] };
		};
		await context.ask.change(about, { terms: acceptedTerms(of) });
		const requested = { sendEmailLink: all, requestKyb: all, kycLinks: all, goesOn: true };
		const { cases } = await applyCases(context, newFinder(context, false, true), requested, [{ file, of }]);
		const run = cases[0] as CaseRun;
		if (run.state === "failed") await reopen(context, saved, run.error?.kind);
		return run;
	} catch (error) {
		if (error instanceof PurserError) await reopen(context, saved, error.kind);
		throw error;
	}
}

function commandOf({ report }: Context, { file = "", answers }: Draft): Pick<WizardResult, "file" | "command"> {
	const flags = answers[followUps] === true ? ["--send-email-link", "--request-kyb", "--kyc-links"] : [];
	return { file, command: report.shown(purser`onboard apply ${{ path: file }} ${flags}`) };
}

type Style = Parameters<typeof runText>[1];

/** The run, the file, and the command that does the same again. */
export function wizardText({ file, command, sent, run }: WizardResult, style: Style): string {
	const head = run === undefined ? style.good("Case written; nothing was sent") : runText({ cases: [run] }, style);
	const same = sent ? "To repeat it, or after a change in the file" : "Send it";
	return [head, "", `Case file (personal data): ${file}`, `${same}: ${style.accent(command)}`].join("\n");
}

function wizardNext({ run, command, sent, draft }: WizardResult): Advice[] {
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
