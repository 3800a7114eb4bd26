/**
 * What the wizard does with the answers: declares the case, then goes through the steps that are left, each once.
 */
import { purser } from "../../api/advice.js";
import { createCorporate, getDiligenceReview, requestKyb } from "../../api/operations/corporate.js";
import { createRelated } from "../../api/operations/related.js";
import { getKycLink, sendEmailLink, sendPhoneCode, verifyPhoneCode } from "../../api/operations/verification.js";
import type { Context } from "../../context.js";
import { type Kind, PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import { applyCases, checkCase } from "../case/files.js";
import { newFinder } from "../case/find.js";
import { lookupOperations } from "../case/input.js";
import { type CaseRun, caseState } from "../case/result.js";
import type { LookupOptions } from "../records/lookup.js";
import { resumable } from "./asking.js";
import { caseOf, keptKeys } from "./case-of-answers.js";
import { onboardCommand, removeState, saveState, type WizardState } from "./state.js";
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

/** How a wizard ended. */
export interface WizardResult {
	/** The case file. */
	file: string;
	/** Does the same again. */
	command: string;
	/** False where only the file was written. */
	sent: boolean;
	run?: CaseRun;
}

const nothing = { sendEmailLink: false, requestKyb: false, kycLinks: false };

/**
 * Goes through a draft from where it stands to its end, and removes it then.
 * @throws PurserError of whatever stops it; the draft is kept
 */
export async function runWizard(context: Context, service: Service, draft: WizardState, options: LookupOptions): Promise<WizardResult> {
	try {
		await introduce(context, draft);
		await saveState(context, draft);
		if (!draft.done.includes("file")) {
			await showTerms(context, service, draft);
			const send = await collectAnswers(context, draft);
			const file = await writeCase(context, draft);
			if (!send) return await end(context, { file, command: commandOf(context, file, draft), sent: false });
			await markDone(context, draft, "file");
		}
		const file = await writeCase(context, draft);
		const run = await declare(context, service, draft, file, options);
		if (run.state === "applied" || run.state === "incomplete") {
			await runSteps(context, service, draft, run);
			run.state = caseState(run.steps);
			return await end(context, { file, command: commandOf(context, file, draft), sent: true, run });
		}
		return { file, command: commandOf(context, file, draft), sent: true, run };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		if (error.kind === "interrupted") throw await resumable(context, error);
		context.reporter.warn(`Your answers are kept; go on with \`${onboardCommand(context, "resume")}\``);
		throw error;
	}
}

/** What was refused is refused again as long as the answers are the same: the next run shows them first, and each can be changed. */
async function reopen(context: Context, draft: WizardState, kind: Kind | undefined): Promise<void> {
	if (kind === undefined || !["rejected", "validation", "guard"].includes(kind) || !draft.done.includes("file")) return;
	draft.done = draft.done.filter((what) => what !== "file");
	Object.assign(draft.answers, keptKeys(draft.answers));
	await saveState(context, draft);
}

async function end(context: Context, wizard: WizardResult): Promise<WizardResult> {
	await removeState(context);
	return wizard;
}

/** Declares the case. It looks first, so that a repeated run makes nothing twice. */
async function declare(context: Context, service: Service, draft: WizardState, file: string, options: LookupOptions): Promise<CaseRun> {
	const of = checkCase(context, caseOf(draft.answers), file);
	try {
		const { cases } = await applyCases(context, service, newFinder(context, service, options, true), nothing, [{ file, of }]);
		const run = cases[0] as CaseRun;
		await reopen(context, draft, run.error?.kind);
		return run;
	} catch (error) {
		if (error instanceof PurserError) await reopen(context, draft, error.kind);
		throw error;
	}
}

function commandOf({ shown }: Context, file: string, { answers }: WizardState): string {
	const flags = [
		...(answers["ask.email"] === true ? ["--send-email-link"] : []),
		...(answers["ask.kyb"] === true ? ["--request-kyb"] : []),
		...(answers["ask.kyc"] === true ? ["--kyc-links"] : []),
	];
	return shown(purser`onboard apply ${{ path: file }} ${flags}`);
}
