/**
 * The wizard until everything is answered: the terms, the questions, the review, and the case file.
 */
import { adviceText, purser } from "../../api/advice.js";
import { textAt } from "../../api/answer.js";
import { check } from "../../api/check/check.js";
import { countryName } from "../../api/countries.js";
import { getTerms } from "../../api/operations/terms.js";
import { withOptional } from "../../api/schema.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { About } from "../../ports/changes.js";
import type { Choice } from "../../ports/terminal.js";
import { type Case, caseSchema, companyName, nameOf, unplacedInCase } from "../case/case.js";
import { checkCase, ownershipNotes } from "../case/files.js";
import { acceptedTerms } from "../case/plan.js";
import { caseText } from "../case/template.js";
import { saveDocument } from "../evidence/documents.js";
import { uboThreshold } from "../records/read-ownership.js";
import { paragraph } from "../records/record.js";
import { askAgain, askAll, resumable } from "./asking.js";
import { companyOf, type Draft, resumeCommand, saveDraft } from "./draft.js";
import { type Answer, answerTo, followUps, keepAnswer, type Question, questions, stepTitles } from "./questions.js";

/** Names tried for the case file where one exists already. */
const maxNames = 99;

/** Explains how the wizard works, once. */
export async function introduce(context: Context, saved: Draft): Promise<void> {
	const count = questions(saved).filter((one) => answerTo(saved, one) !== undefined).length;
	const resume = context.report.shown(resumeCommand(saved));
	const first = `Onboarding of a company in ${stepTitles.length} steps. Each answer is saved at once, readable by you only.\n< goes back, Ctrl-C stops, and \`${resume}\` continues.\n`;
	const name = companyOf(saved);
	const again = `Resuming${name === undefined ? "" : ` ${name}`} (${count} ${count === 1 ? "answer" : "answers"} saved).\n`;
	await context.report.show(count === 0 ? first : again);
}

/** Shows the latest terms, once (specification 1, step 1). */
export async function showTerms(context: Context, saved: Draft): Promise<void> {
	if (saved.answers["terms.accepted"] !== undefined) return;
	const { data } = await context.service.call(getTerms, { query: {} });
	const version = textAt(data, "version");
	saved.terms = version;
	if (version === undefined) saved.answers["terms.accepted"] = false;
	await context.report.show(
		`Terms ${version ?? "(the service names no version)"}: ${textAt(data, "downloadUrl") ?? "no address was given"}\n`,
	);
}

/** Asks everything, then shows it for correction. @returns true to send it, false to write the file only */
export async function collectAnswers(context: Context, saved: Draft): Promise<boolean> {
	const unplaced = await unplacedInCase(context);
	// What the service has no place for is left out, and nobody is asked for it.
	for (const question of questions(saved))
		if ([...unplaced].some((name) => question.id === name || question.id.startsWith(`${name}.`))) keepAnswer(saved, question, null);
	await askAll(context, saved);
	const schema = withOptional(caseSchema, unplaced);
	for (;;) {
		const choice = await reviewAnswers(context, saved, schema);
		if (choice === "send") return true;
		if (choice === "file") return false;
		const question = questions(saved).find(({ id }) => id === choice);
		if (question !== undefined) await askAgain(context, saved, question);
	}
}

async function reviewAnswers(context: Context, saved: Draft, schema: typeof caseSchema): Promise<string> {
	const { profile } = await context.settings.read();
	// Faults of the answers together, such as a key used twice; without faults, warnings such as a missing director.
	const { faults, data: of } = check(schema, documentOf(saved));
	const notes = of === undefined ? [] : ownershipNotes(of, uboThreshold(profile));
	const remarks = [...faults.map(({ field, message }) => `To correct: ${field} ${message}`), ...notes.map((note) => `Note: ${note}`)];
	await context.report.part(summary(saved, remarks.slice(0, maxRemarks)), (rows, style) =>
		["", ...rows.flatMap((words) => paragraph(words, 4, style, "  ")), ""].join("\n"),
	);
	const edits = questions(saved).map((question, at): Choice => {
		const { id, label, about } = question;
		return { value: id, label: `${at + 1}. ${label}: ${shown(question, answerTo(saved, question))}`, hint: about };
	});
	try {
		if (of === undefined) {
			const prompts = await context.ask.prompts();
			return await prompts.choose({ message: "Not yet right: pick a line to change", choices: edits });
		}
		return await context.ask.review(
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

/** Faults and notes of a review, and owners and directors in it: more do not fit on a screen beside the rest. */
const maxRemarks = 4;
const maxEntities = 6;

/** What was answered, a row for each record: what is missing first, what only this tool needs last. */
function summary(saved: Draft, remarks: readonly string[]): string[] {
	const { corporate, terms } = saved.case;
	const [given, missing] = [new Map<string, string[]>(), new Map<string, string[]>()];
	// What only this tool needs stands last, and the shares say of what they are.
	const told = questions(saved).filter(({ about, id }) => about !== undefined && id !== "corporate.externalId" && !id.endsWith(".owned"));
	for (const question of told) {
		const heading = question.about?.replace(/:.*/, "") as string;
		const answer = answerTo(saved, question);
		if (answer) given.set(heading, wordsAfter(given.get(heading) ?? [], question, answer));
		else if (answer === null && question.remark === undefined)
			missing.set(heading, [
				...(missing.get(heading) ?? []),
				question.label
					.replace(/[;,(].*/, "")
					.trim()
					.toLowerCase(),
			]);
	}
	const left = [...missing].map(([heading, labels]) => `${labels.join(", ")} (${heading.toLowerCase()})`);
	if (terms === undefined) left.unshift("acceptance of the terms");
	const rows = [...given].map(([heading, words]) => `${heading}: ${words.join(" · ")}`);
	const more = rows.length - 2 - maxEntities;
	const accepted = terms === undefined ? [] : [`terms ${saved.terms} accepted by ${terms.acceptedBy}`];
	const then = saved.answers[followUps] === true ? ["then the verification email, the KYB and the KYC links"] : [];
	return [
		...(left.length === 0 ? [] : [`Left out: ${left.join("; ")}`]),
		...remarks,
		...rows.slice(0, 2 + maxEntities),
		...(more > 0 ? [`… and ${more} more owners and directors, in the list below`] : []),
		[`Reference ${corporate.externalId}`, ...accepted, ...then].join(" · "),
	];
}

/** The last name goes behind the first one. */
function wordsAfter(before: readonly string[], question: Question, answer: Answer): string[] {
	const text = `${shown(question, answer)}${question.unit ?? ""}`;
	return question.id.endsWith(".lastName") ? [`${before[0]} ${text}`] : [...before, text];
}

function shown({ choices, field }: Question, answer: Answer | undefined): string {
	if (answer === undefined || answer === null) return choices?.find(({ value }) => value === "")?.label ?? "(left out)";
	if (typeof answer === "boolean") return answer ? "yes" : "no";
	return choices?.find(({ value }) => value === answer)?.label ?? (field?.meta.choose === "country" ? countryName(answer) : answer);
}

/** The case as a document, as in a case file: its keys come first. */
export function documentOf({ case: { corporate, accountOwner, companies, persons, ownership, terms } }: Draft): Record<string, unknown> {
	const lists = {
		companies: companies.map(({ key, ...fields }) => ({ key, ...fields })),
		persons: persons.map(({ key, ...fields }) => ({ key, ...fields })),
		ownership,
	};
	return {
		version: "1",
		// The address is required, its fields are not.
		corporate: { ...corporate, registeredAddress: corporate.registeredAddress ?? {} },
		accountOwner,
		...Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)),
		...(terms === undefined ? {} : { terms }),
	};
}

/** What is created, for the question before it: the follow-ups are asked about one by one later. */
export function aboutCase({ corporate, accountOwner, persons, companies }: Case, file?: string): About {
	const names = [...persons.map(nameOf), ...companies.map(({ corporateName }) => corporateName)];
	return {
		title: `Onboard ${companyName({ corporate })}`,
		rows: [
			["Company", companyName({ corporate })],
			["Account owner", [nameOf(accountOwner), accountOwner.emailAddress].join(" · ")],
			["Owners and directors", names.length === 0 ? undefined : names.join(", ")],
			["Case file", file],
		],
	};
}

/**
 * Writes the case file, once for the same case; an existing file is not replaced, the next free name is taken.
 * @param warns whether what is odd about the case is warned about; sending it does so as well
 * @returns its path
 */
export async function writeCase(context: Context, saved: Draft, warns: boolean): Promise<string> {
	const document = documentOf(saved);
	const { externalId = "case" } = saved.case.corporate;
	const wanted = saved.file ?? `case-${String(externalId).replace(/[^A-Za-z0-9_-]+/g, "-")}.yaml`;
	checkCase(context, document, wanted, { warns, unplaced: await unplacedInCase(context) });
	for (let count = 1; ; count += 1) {
		const path = count === 1 ? wanted : wanted.replace(/(\.[^./\\]+)?$/, `-${count}$1`);
		const comment = `Written by \`purser onboard start\`. It holds personal data. ${adviceText(purser`onboard apply ${{ path }}`)}`;
		const text = await caseText(context, document, comment, path);
		try {
			if (!(await hasContent(context, path, text))) await saveDocument(context, path, new TextEncoder().encode(text));
			saved.file = path;
			await saveDraft(context, saved);
			return path;
		} catch (error) {
			if (!(error instanceof PurserError) || error.failure.code !== "FILE_EXISTS" || count >= maxNames) throw error;
		}
	}
}

async function hasContent(context: Context, path: string, text: string): Promise<boolean> {
	try {
		return new TextDecoder().decode(await context.files.read(path, new TextEncoder().encode(text).length)) === text;
	} catch {
		return false;
	}
}
