/**
 * The wizard from the first question to the last request: answers, review, case file, declaration, then due diligence, KYB, KYC and phone.
 */
import { adviceText, purser } from "../../api/advice.js";
import { textAt } from "../../api/answer.js";
import { check } from "../../api/check/check.js";
import { jsonDocument } from "../../api/json.js";
import { getTerms } from "../../api/operations/terms.js";
import { withOptional } from "../../api/schema.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Service } from "../../ports/service.js";
import type { Choice } from "../../ports/terminal.js";
import { type Case, caseSchema, unplacedInCase } from "../case/case.js";
import { checkCase } from "../case/files.js";
import { ownershipNotes } from "../case/ownership.js";
import { acceptedTerms } from "../case/plan.js";
import { schemaLine, schemaName } from "../case/template.js";
import { saveDocument } from "../evidence/documents.js";
import { uboThreshold } from "../records/read-ownership.js";
import { aboutCase } from "./about-case.js";
import { askAgain, askAll, resumable } from "./asking.js";
import { caseOf } from "./case-of-answers.js";
import { type Question, questions, stepTitles } from "./questions.js";
import { companyOf, type Draft, resumeCommand, saveState } from "./state.js";

/** Names tried for the case file where one exists already. */
const maxNames = 99;

/** Explains how the wizard works and where the answers are saved. */
export async function introduce(context: Context, saved: Draft): Promise<void> {
	const count = questions(saved.answers).filter(({ id }) => saved.answers[id] !== undefined).length;
	await context.reporter.show(
		[
			count === 0 ? "Onboarding of a company in eight steps." : resumingText(saved, count),
			`< goes back, Ctrl-C stops, and \`${context.shown(resumeCommand(saved))}\` continues.`,
			"Answers are saved at once, readable by you only, until everything is done. They are in",
			saved.path,
			"",
		].join("\n"),
	);
}

function resumingText(saved: Draft, count: number): string {
	const name = companyOf(saved);
	return `Resuming${name === undefined ? "" : ` ${name}`} (${count} ${count === 1 ? "answer" : "answers"} saved).`;
}

/** Shows the latest terms, once (specification 1, step 1). */
export async function showTerms(context: Context, service: Service, saved: Draft): Promise<void> {
	if (saved.answers["terms.accepted"] !== undefined) return;
	const { data } = await service.call(getTerms, { query: {} });
	const version = textAt(data, "version");
	saved.answers["terms.version"] = version ?? null;
	if (version === undefined) saved.answers["terms.accepted"] = false;
	await context.reporter.show(
		`Terms ${version ?? "(the service names no version)"}: ${textAt(data, "downloadUrl") ?? "no address was given"}\n`,
	);
}

/** Asks everything, then shows it for correction. @returns true to send it, false to write the file only */
export async function collectAnswers(context: Context, saved: Draft): Promise<boolean> {
	const unplaced = await unplacedInCase(context);
	// What the service has no place for is left out, and nobody is asked for it.
	for (const { id } of questions(saved.answers))
		if ([...unplaced].some((name) => id === name || id.startsWith(`${name}.`))) saved.answers[id] = null;
	await askAll(context, saved);
	const schema = withOptional(caseSchema, unplaced);
	for (;;) {
		const { profile } = await context.settings();
		const choice = await reviewAnswers(context, saved, schema, ...remarksOn(saved, schema, uboThreshold(profile)));
		if (choice === "send") return true;
		if (choice === "file") return false;
		const question = questions(saved.answers).find(({ id }) => id === choice);
		if (question !== undefined) await askAgain(context, saved, question);
	}
}

/** Faults of the answers together, such as a key used twice; without faults, warnings such as a missing director. */
function remarksOn({ answers }: Draft, schema: typeof caseSchema, threshold: string): [faults: string[], notes: string[]] {
	const { faults, data } = check(schema, caseOf(answers));
	if (faults.length > 0) return [faults.map(({ field, message }) => `${field} ${message}`), []];
	return [[], ownershipNotes(data as Case, threshold)];
}

async function reviewAnswers(
	context: Context,
	saved: Draft,
	schema: typeof caseSchema,
	faults: readonly string[],
	notes: readonly string[],
): Promise<string> {
	const { answers } = saved;
	const lines = questions(answers).map((question): [Question, string] => [
		{ ...question, label: short(question.label) },
		shown(question, answers[question.id]),
	]);
	const text = lines.flatMap(([{ label, step, about }, answer], at) => {
		const before = lines[at - 1]?.[0];
		return [
			...(step === before?.step ? [] : [`  ${stepTitles[step - 1]}`]),
			...(about === undefined || about === before?.about ? [] : [`    ${about}`]),
			`${String(at + 1).padStart(7)}. ${label}: ${answer}`,
		];
	});
	await context.reporter.show(
		["", "Everything so far:", ...text, ...faults.map((fault) => `To correct: ${fault}`), ...notes.map((note) => `Note: ${note}`), ""].join(
			"\n",
		),
	);
	const edits = lines.map(
		([{ id, label, about }, answer], at): Choice => ({ value: id, label: `${at + 1}. ${label}: ${answer}`, hint: about }),
	);
	try {
		if (faults.length > 0) {
			const prompts = await context.prompts();
			return await prompts.choose({ message: "Not yet right: pick a line to change", choices: edits });
		}
		const of = check(schema, caseOf(answers)).data as Case;
		return await context.changes.review(
			{
				message: "Is everything correct? Send it, or pick a line to change",
				choices: [{ value: "file", label: "Write the case file without sending" }, ...edits],
				otherwise: "file",
				title: async () => aboutCase(of).title,
			},
			{ terms: acceptedTerms(of) },
		);
	} catch (error) {
		if (error instanceof PurserError && error.kind === "interrupted") throw resumable(saved, error);
		throw error;
	}
}

/** A label without the list at its end, to fit a line. */
const short = (label: string): string => (label.length > 70 ? label.replace(/ \([^()]*\)$/, "") : label);

function shown({ choices }: Question, answer: string | boolean | null | undefined): string {
	if (answer === undefined || answer === null) return "(left out)";
	if (typeof answer === "boolean") return answer ? "yes" : "no";
	return choices?.find(({ value }) => value === answer)?.label ?? answer;
}

/**
 * Writes the case file, once for the same answers; an existing file is not replaced, the next free name is taken.
 * @param warns whether what is odd about the case is warned about; sending it does so as well
 * @returns its path
 */
export async function writeCase(context: Context, saved: Draft, warns = false): Promise<string> {
	if (saved.file !== undefined && saved.done.includes("file")) return saved.file;
	const document = caseOf(saved.answers);
	const wanted = String(saved.answers.file);
	checkCase(context, document, wanted, { warns, lists: await context.lists(), unplaced: await unplacedInCase(context) });
	if (saved.file !== undefined && (await hasContent(context, saved.file, await textOf(context, document, saved.file)))) return saved.file;
	for (let count = 1; ; count += 1) {
		const path = count === 1 ? wanted : wanted.replace(/(\.[^./\\]+)?$/, `-${count}$1`);
		try {
			await saveDocument(context, path, new TextEncoder().encode(await textOf(context, document, path)), false);
			saved.file = path;
			await saveState(context, saved);
			return path;
		} catch (error) {
			if (!(error instanceof PurserError) || error.failure.code !== "FILE_EXISTS" || count >= maxNames) throw error;
		}
	}
}

/** As JSON, or as YAML that begins with the command that applies the file. */
async function textOf(context: Context, document: Record<string, unknown>, path: string): Promise<string> {
	if (/\.json$/i.test(path)) return jsonDocument(document);
	const comment = `${schemaLine}./${schemaName}\nWritten by \`purser onboard start\`. It holds personal data. ${adviceText(purser`onboard apply ${{ path }}`)}`;
	return context.documents.yaml(document, comment);
}

async function hasContent(context: Context, path: string, text: string): Promise<boolean> {
	try {
		return new TextDecoder().decode(await context.files.read(path, new TextEncoder().encode(text).length)) === text;
	} catch {
		return false;
	}
}
