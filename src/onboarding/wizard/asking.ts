/**
 * Asks the wizard's questions in turn: the state is saved after every answer, `<` goes back.
 */
import { advice, purser } from "../../api/advice.js";
import { check } from "../../api/check/check.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Choice, Prompts } from "../../ports/terminal.js";
import { type Draft, nameOf, resumeCommand, saveDraft } from "./draft.js";
import { type Answer, answerTo, keepAnswer, type Question, questions, stepTitles, tidy } from "./questions.js";

/** The answer that goes back one question. */
const back = "<";
/** The answer that removes an optional answer given before. */
const leaveOut = "-";

/** Answers from before going back, offered again. */
type Before = Map<string, Answer>;

/**
 * Asks every open question.
 * @throws PurserError interrupted on Ctrl-C, saying how to resume
 */
export async function askAll(context: Context, saved: Draft, before: Before = new Map()): Promise<void> {
	const prompts = await context.ask.prompts();
	let step: number | undefined;
	let about: string | undefined;
	for (;;) {
		const all = questions(saved);
		const at = all.findIndex((one) => answerTo(saved, one) === undefined);
		const question = all[at];
		if (question === undefined) return;
		if (question.step !== step) {
			step = question.step;
			await context.report.show(`\nStep ${step} of ${stepTitles.length}: ${stepTitles[step - 1]}\n`);
		}
		if (question.about !== about) {
			about = question.about;
			if (about !== undefined) await context.report.show(`\n${about}\n`);
		}
		const answer = await askOne(context, saved, prompts, question, before.get(question.id));
		const previous = all[at - 1];
		if (answer !== back) keep(context, saved, question, answer);
		else if (previous === undefined) await context.report.show("This is the first question.\n");
		else {
			before.set(previous.id, answerTo(saved, previous) as Answer);
			keepAnswer(saved, previous, undefined);
		}
		await saveDraft(context, saved);
	}
}

function keep(context: Context, saved: Draft, question: Question, answer: Answer): void {
	keepAnswer(saved, question, answer);
	if (question.id === "terms.accepted" && answer === true)
		saved.case.terms = { ...saved.case.terms, version: saved.terms, acceptedAt: context.clock.now().toISOString() };
	tidy(saved);
}

/** Asks the question of one line of the review again. */
export async function askAgain(context: Context, saved: Draft, question: Question): Promise<void> {
	const before: Before = new Map([[question.id, answerTo(saved, question) as Answer]]);
	const answer = await askOne(context, saved, await context.ask.prompts(), question, before.get(question.id));
	if (answer === back) return;
	keep(context, saved, question, answer);
	await saveDraft(context, saved);
	await askAll(context, saved, before);
}

async function askOne(context: Context, saved: Draft, prompts: Prompts, question: Question, before: Answer | undefined): Promise<Answer> {
	try {
		return await answerOf(context, prompts, question, before);
	} catch (error) {
		const isOver = error instanceof PurserError && (error.kind === "interrupted" || error.failure.code === "TOO_MANY_TRIES");
		throw isOver ? resumable(saved, error) : error;
	}
}

async function answerOf(context: Context, prompts: Prompts, question: Question, before: Answer | undefined): Promise<Answer> {
	const { label, kind, required, field } = question;
	if (kind === "yes") return yesNo(prompts, question, before);
	const given = typeof before === "string" ? before : typeof question.fallback === "string" ? question.fallback : undefined;
	const choices = question.choices ?? (field && (await context.files.documents.choices(field)));
	const fault = (typed: string): string | undefined => faultOf(question, typed);
	if (choices !== undefined && choices.length > 0) {
		const answer = await prompts.choose({
			message: label,
			choices: withBack(choices, required || question.choices !== undefined, given),
			// Some values are known, and others may be given.
			allowOther: field?.meta.known !== undefined,
			fallback: given,
			check: fault,
		});
		return answer === "" ? null : answer;
	}
	const message = withRemarks(question, typeof before === "string");
	const answer = (await prompts.text({ message, check: fault, fallback: given })).trim();
	return answer === "" || (!required && answer === leaveOut) ? null : answer;
}

/** The label with the form and how it is left out, in brackets that it may already end with. */
function withRemarks({ label, required, field, remark = "optional" }: Question, isAnswered: boolean): string {
	const form = field?.meta.placeholder === "YYYY-MM-DD" ? "YYYY-MM-DD" : field?.fields && `like ${field.meta.example}`;
	const left = isAnswered ? `optional, ${leaveOut} leaves it out` : remark;
	const remarks = [form, required ? undefined : left].filter((one) => one !== undefined).join(", ");
	return remarks === "" ? label : label.endsWith(")") ? `${label.slice(0, -1)}; ${remarks})` : `${label} (${remarks})`;
}

/** The previous answer comes first, so that Enter repeats it. */
function withBack(choices: readonly Choice[], required: boolean, given: string | undefined): Choice[] {
	const first = choices.filter(({ value }) => value === given);
	const rest = choices.filter(({ value }) => value !== given);
	return [...first, ...(required ? [] : [{ value: "", label: "(skip)" }]), ...rest, { value: back, label: "< back" }];
}

async function yesNo(prompts: Prompts, { label, fallback }: Question, before: Answer | undefined): Promise<Answer> {
	const usual = typeof before === "boolean" ? before : fallback === true;
	const choices = [
		{ value: "yes", label: "Yes" },
		{ value: "no", label: "No" },
		{ value: back, label: "< back" },
	];
	const answer = await prompts.choose({ message: `${label}?`, choices, fallback: usual ? "yes" : "no" });
	return answer === back ? back : answer === "yes";
}

function faultOf({ required, field, kind }: Question, typed: string): string | undefined {
	const text = typed.trim();
	if (text === back) return undefined;
	if (text === "") return required && kind !== "choice" ? "is required" : undefined;
	if (!required && text === leaveOut) return undefined;
	if (field === undefined || kind !== "field") return undefined;
	const { faults } = check(field.schema, text);
	return faults.length > 0 ? faults.map(({ message }) => message).join("; ") : undefined;
}

/** Whether any question is answered. */
export const isAnswered = (saved: Draft): boolean => questions(saved).some((one) => answerTo(saved, one) !== undefined);

/** The end of the questions, by a stop or after too many tries, saying where the answers are and how to resume. */
export function resumable(saved: Draft, error: PurserError): PurserError {
	return new PurserError(error.kind, {
		...error.failure,
		message: "Stopped; every answer so far is saved",
		why: error.kind === "interrupted" ? undefined : error.message,
		fix: advice`Continue with \`${resumeCommand(saved)}\`; \`${purser`onboard discard ${nameOf(saved)}`}\` removes the answers.`,
	});
}
