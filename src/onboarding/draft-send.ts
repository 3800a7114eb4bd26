/**
 * What the wizard does with the answers: declares the case, then goes through the steps that are left, each once.
 */
import { getDiligenceReview } from "../api/corporate.js";
import { sendPhoneCode } from "../api/related.js";
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import { askEmail, askKyb, askKycLinks, linkStep } from "./case-asks.js";
import { applyCases, checkCase } from "./case-files.js";
import { finder } from "./case-find.js";
import { type CaseRun, type StepResult, stateOf } from "./case-result.js";
import type { Client, LookOptions } from "./case-service.js";
import { type Draft, removeDraft, saveDraft } from "./draft.js";
import { askAll, resumable } from "./draft-asking.js";
import { caseOf } from "./draft-case.js";
import type { Question } from "./draft-questions.js";
import { answersOf, introduce, showTerms, writeCase } from "./draft-wizard.js";
import { ifOffered } from "./lenient.js";
import { readPage } from "./page-text.js";

/** How a wizard ended. */
export interface Wizard {
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
export async function finish(context: Context, client: Client, draft: Draft, options: LookOptions): Promise<Wizard> {
	try {
		await introduce(context, draft);
		await saveDraft(context, draft);
		if (!draft.done.includes("file")) {
			await showTerms(context, client, draft);
			const send = await answersOf(context, draft);
			const file = await writeCase(context, draft);
			if (!send) return await end(context, { file, command: commandOf(file, draft), sent: false });
			await mark(context, draft, "file");
		}
		const file = await writeCase(context, draft);
		const run = await declare(context, client, draft, file, options);
		if (run.state === "applied" || run.state === "incomplete") {
			await goOn(context, client, draft, run);
			run.state = stateOf(run.steps);
			return await end(context, { file, command: commandOf(file, draft), sent: true, run });
		}
		return { file, command: commandOf(file, draft), sent: true, run };
	} catch (error) {
		if (!(error instanceof PurserError)) throw error;
		if (error.kind === "interrupted") throw await resumable(context, error);
		context.say.warn("Your answers are kept; go on with `purser onboard resume`");
		throw error;
	}
}

async function end(context: Context, wizard: Wizard): Promise<Wizard> {
	await removeDraft(context);
	return wizard;
}

async function mark(context: Context, draft: Draft, what: string): Promise<void> {
	draft.done.push(what);
	await saveDraft(context, draft);
}

/** Declares the case. It looks first, so that a repeated run makes nothing twice. */
async function declare(context: Context, client: Client, draft: Draft, file: string, options: LookOptions): Promise<CaseRun> {
	const of = checkCase(context, caseOf(draft.answers), file);
	const { cases } = await applyCases(context, client, finder(context, client, options, true), nothing, [{ file, of }]);
	return cases[0] as CaseRun;
}

async function goOn(context: Context, client: Client, draft: Draft, run: CaseRun): Promise<void> {
	const { corporateId, accountOwnerId } = run;
	if (corporateId === undefined) return;
	const once = async (what: string, work: () => Promise<StepResult[]>): Promise<void> => {
		if (draft.done.includes(what)) return;
		run.steps.push(...(await work()));
		await mark(context, draft, what);
	};
	if (draft.answers["ask.email"] === true && accountOwnerId !== undefined)
		await once("email", async () => [await askEmail(context, client, accountOwnerId)]);
	if (!draft.done.includes("kyb")) await showReview(context, client, corporateId);
	if (await wanted(context, draft, "ask.kyb", 6, "Ask the compliance team for the KYB verification now", true))
		await once("kyb", async () => [await askKyb(context, client, corporateId)]);
	if (await wanted(context, draft, "ask.kyc", 7, "Get the KYC links of everybody who needs one", true))
		await once("kyc", async () => {
			const steps = (await askKycLinks(context, client, corporateId)).map(linkStep);
			// A link is given once: it is shown before anything else can go wrong.
			for (const { name, url } of steps) if (url !== undefined) await context.say.show(`KYC link of ${name}: ${url}\n`);
			return steps;
		});
	if (draft.answers["accountOwner.phone"] !== true || accountOwnerId === undefined) return;
	if (await wanted(context, draft, "ask.phone", 8, "Send the account owner the verification code by SMS now", false))
		await once("phone", async () => {
			await client.call(context, sendPhoneCode, { body: { relatedPhysicalPersonId: accountOwnerId } });
			return [{ what: "phone code", key: "accountOwner", name: "the account owner", state: "asked for", id: accountOwnerId }];
		});
}

async function wanted(context: Context, draft: Draft, id: string, step: number, label: string, fallback: boolean): Promise<boolean> {
	const question: Question = { id, step, label, kind: "yes", required: true, fallback };
	await askAll(context, draft, new Map(), () => [question]);
	return draft.answers[id] === true;
}

/** The service's own view of the company, before the compliance team sees it (specification 1, step 5). */
async function showReview(context: Context, client: Client, corporateId: string): Promise<void> {
	const reply = await ifOffered(context, "the due-diligence review is not shown", () =>
		client.call(context, getDiligenceReview, { params: { corporateId } }),
	);
	if (reply === undefined) return;
	const page = reply.contentType === "text/html" || reply.contentType === "application/xhtml+xml";
	const lines = page
		? readPage(reply.bytes).lines
		: [`The service answered with ${reply.contentType}: see purser corporate review ${corporateId}`];
	await context.say.show(["", "Step 5 of 8: Due-diligence review", ...lines, ""].join("\n"));
}

function commandOf(file: string, { answers }: Draft): string {
	const flags = [
		answers["ask.email"] === true ? " --send-email-link" : "",
		answers["ask.kyb"] === true ? " --request-kyb" : "",
		answers["ask.kyc"] === true ? " --kyc-links" : "",
	];
	return `purser onboard apply ${/^[A-Za-z0-9_./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`}${flags.join("")}`;
}
