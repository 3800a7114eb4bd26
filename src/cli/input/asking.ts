/**
 * Asks a person for the fields that are missing, in the order of the description, and shows the answers before they are sent.
 */
import { check, doubtAbout, doubtQuestion } from "../../api/check/check.js";
import { describe, type Field, isMissing, knownRemark, titleOf, wordsOf } from "../../api/schema.js";
import { futureFault } from "../../api/typed.js";
import type { Context } from "../../context.js";
import type { Named } from "../../ports/resolver.js";
import type { Choice, Prompts } from "../../ports/terminal.js";
import { declinedError } from "../ask/shown.js";
import type { AnyCommand } from "../command.js";
import { choicesOf } from "./choices.js";
import { setValue, valueIn } from "./flags.js";
import { recordKindOf } from "./id-kinds.js";

/**
 * Fills in `into` by prompts: what is required and missing, then what is offered. Asks nothing when nothing required is missing.
 * Several answers, which make up a record, are shown for correction, so that nothing is sent by the last Enter.
 * @param resolved the records that were named on the command line: the answers shown name them too
 * @throws PurserError guard, where a person cancels
 */
export async function askForMissing(
	command: AnyCommand,
	into: Record<string, unknown>,
	context: Context,
	resolved: readonly Named[] = [],
): Promise<void> {
	if (missing(command, into).size === 0) return;
	const prompts = await context.ask.prompts();
	const asking: Asking = { command, into, context, prompts, answers: new Map(), resolved };
	const shape = describe(command.input);
	await askObject(shape, [], asking);
	const { yes, dryRun } = context.settings.flags;
	// One answer is no record: whoever types the code of an SMS has nothing else to look at.
	if (command.effect === "write" && shape.meta.document && asking.answers.size > 1 && !yes && !dryRun) await review(shape, asking);
}

interface Asking {
	command: AnyCommand;
	into: Record<string, unknown>;
	context: Context;
	prompts: Prompts;
	/** What was answered to each question, as shown, by the field's dotted path; nothing for one that was left out. */
	answers: Map<string, string>;
	resolved: readonly Named[];
}

/** The paths still missing; what is required may depend on earlier answers (a company needs another name than a person). */
function missing(command: AnyCommand, into: Record<string, unknown>): ReadonlySet<string> {
	const absent = check(command.input, into).faults.filter(
		({ field, message }) => isMissing(message) && valueIn(into, field.split(".")) === undefined,
	);
	return new Set(absent.map(({ field }) => field));
}

async function askObject(shape: Field, path: readonly string[], asking: Asking): Promise<void> {
	for (const field of shape.fields ?? []) {
		const here = [...path, field.name];
		const dotted = here.join(".");
		const { unless } = field.meta;
		if (unless !== undefined && valueIn(asking.into, [...path, unless[0]]) === unless[1]) {
			forget(here, asking);
			continue;
		}
		const present = valueIn(asking.into, here) !== undefined;
		if (field.kind === "object") {
			if (field.required || present || (field.meta.offer && (await isWanted(field, here, asking)))) await askObject(field, here, asking);
			continue;
		}
		if (present || asking.answers.has(dotted) || field.kind === "list" || field.kind === "json") continue;
		const required = field.required || field.meta.offer === "answered" || missing(asking.command, asking.into).has(dotted);
		if (!required && !field.meta.offer) continue;
		await answerField(field, here, required, asking);
	}
}

/** Removes the answers to questions that a later answer made superfluous, such as the first name of what is a company. */
function forget(path: readonly string[], { answers, into }: Asking): void {
	const dotted = path.join(".");
	const asked = [...answers.keys()].filter((one) => one === dotted || one.startsWith(`${dotted}.`));
	for (const one of asked) answers.delete(one);
	if (asked.length > 0) remove(into, path);
}

/** Removes the value at a path. */
function remove(from: Record<string, unknown>, path: readonly string[]): void {
	const parent = valueIn({ root: from }, ["root", ...path.slice(0, -1)]);
	if (typeof parent === "object" && parent !== null) delete (parent as Record<string, unknown>)[path.at(-1) as string];
}

async function answerField(field: Field, path: readonly string[], required: boolean, asking: Asking, before?: unknown): Promise<void> {
	const [answer, shown] = await askField(field, path, required, asking, before);
	asking.answers.set(path.join("."), shown);
	if (answer !== undefined) setValue(asking.into, path, answer);
}

/** Asks once for an optional part, such as a phone. */
async function isWanted(field: Field, path: readonly string[], { prompts, answers }: Asking): Promise<boolean> {
	if (answers.has(path.join("."))) return false;
	const title = labelOf(field, path);
	const wanted = await prompts.confirm({ message: `Add ${title.charAt(0).toLowerCase()}${title.slice(1)}?`, fallback: false });
	answers.set(path.join("."), "");
	return wanted;
}

/** The answer, undefined where it is left out, and how it is shown. */
async function askField(
	field: Field,
	path: readonly string[],
	required: boolean,
	{ command, into, context, prompts }: Asking,
	before: unknown,
): Promise<[unknown, string]> {
	const label = labelOf(field, path);
	if (field.kind === "boolean") {
		const answer = await prompts.confirm({ message: label, fallback: (before ?? field.fallback) === true });
		return [answer, shownValue(answer)];
	}
	const canLeaveOut = !required && typeof before === "string";
	const ids = await context.settings.ids();
	const fault = (typed: string): string | undefined => {
		if (typed === "") return required ? "is required" : undefined;
		if (canLeaveOut && typed === leaveOut) return undefined;
		const { faults } = check(field.schema, typed, ids);
		return faults.length > 0 ? faults.map(({ message }) => message).join("; ") : futureFault(field, typed, context.clock.now());
	};
	const choices = await choicesOf(field, { command, into, context, prompts });
	const fallback = typeof before === "string" ? before : (field.fallback as string | undefined);
	if (choices && choices.length > 0) {
		const isOpen = field.meta.labels === undefined && field.meta.known !== undefined;
		const answer = await prompts.choose({
			message: isOpen ? `${label}${knownRemark(field, choices.length)}` : label,
			choices: required || field.fallback !== undefined ? choices : [{ value: "", label: "(skip)" }, ...choices],
			allowOther: isOpen,
			records: recordKindOf(field.name, field) !== undefined,
			fallback,
			check: fault,
		});
		return answer === "" ? [undefined, ""] : [answer, choices.find(({ value }) => value === answer)?.label ?? answer];
	}
	const message = `${label}${hintOf(field, required, canLeaveOut)}`;
	const answer = await textOf(prompts, { message, check: fault, ...(fallback === undefined ? {} : { fallback }) }, field);
	return answer === "" || (canLeaveOut && answer === leaveOut) ? [undefined, ""] : [answer, answer];
}

/** Asks until an answer about which there is a doubt is confirmed. */
async function textOf(prompts: Prompts, question: Parameters<Prompts["text"]>[0], field: Field): Promise<string> {
	for (;;) {
		const answer = await prompts.text(question);
		const doubt = doubtAbout(field, answer);
		if (doubt === undefined || (await prompts.confirm({ message: doubtQuestion(answer, doubt), fallback: false }))) return answer;
	}
}

/** The answer that removes an optional one given before. */
const leaveOut = "-";

/** The format, and whether the field may be left out. */
function hintOf({ meta }: Field, required: boolean, canLeaveOut: boolean): string {
	const optional = canLeaveOut ? `optional, ${leaveOut} leaves it out` : "optional";
	const hints = [...(meta.placeholder === "YYYY-MM-DD" ? [meta.placeholder] : []), ...(required ? [] : [optional])];
	return hints.length > 0 ? ` (${hints.join(", ")})` : "";
}

/** The title of a field, then the objects that it is part of. */
function labelOf(field: Field, path: readonly string[]): string {
	const parents = path.slice(0, -1).map((name) => wordsOf(name).replace(/ info$/, ""));
	return `${titleOf(field).replace(/ of a (company|person)$/, "")}${parents.length > 0 ? ` (${parents.join(", ")})` : ""}`;
}

/** A line of the review. */
interface Line {
	field: Field;
	path: readonly string[];
	required: boolean;
	label: string;
	shown: string;
}

const change = "change ";

/** Shows everything that was answered, and changes the lines that are picked, until that is right or cancelled. */
async function review(shape: Field, asking: Asking): Promise<void> {
	const { into, context, prompts, answers } = asking;
	const isLive = (await context.settings.read()).profile.environment === "live";
	for (;;) {
		const lines = linesOf(shape, [], asking);
		const texts = lines.map(({ label, shown }, at) => `${at + 1}. ${label}: ${shown}`);
		const choice = await prompts.choose({
			above: ["Everything so far:", ...texts],
			message: `Is everything correct? ${isLive ? "Go on" : "Send it"}, or pick a line to change`,
			choices: [
				{ value: "send", label: isLive ? "Go on" : "Send it now" },
				...lines.map(({ path }, at): Choice => ({ value: `${change}${path.join(".")}`, label: texts[at] as string })),
				{ value: "cancel", label: "Cancel, without sending" },
			],
			fallback: "send",
			sends: true,
		});
		if (choice === "send") return;
		const line = lines.find(({ path }) => choice === `${change}${path.join(".")}`);
		if (line === undefined) throw declinedError();
		const before = valueIn(into, line.path);
		remove(into, line.path);
		answers.delete(line.path.join("."));
		const required = line.required || missing(asking.command, into).has(line.path.join("."));
		await answerField(line.field, line.path, required, asking, before);
		// Another answer may call for other questions: a company has another name than a person.
		await askObject(shape, [], asking);
	}
}

/** Every value of the input, and every question that was left out. */
function linesOf(shape: Field, path: readonly string[], asking: Asking): Line[] {
	const { into, answers, resolved } = asking;
	return (shape.fields ?? []).flatMap((field): Line[] => {
		const here = [...path, field.name];
		const dotted = here.join(".");
		if (field.kind === "object") return valueIn(into, here) === undefined ? [] : linesOf(field, here, asking);
		const value = valueIn(into, here);
		if (value === undefined && !answers.has(dotted)) return [];
		if (field.kind === "list" || field.kind === "json" || (value !== undefined && value === field.fallback)) return [];
		const required = field.required || field.meta.offer === "answered";
		const label = labelOf(field, here).replace(/\?$/, "");
		const shown = value === undefined ? "(left out)" : answers.get(dotted) || shownValue(value, resolved);
		return [{ field, path: here, required, label, shown }];
	});
}

function shownValue(value: unknown, resolved: readonly Named[] = []): string {
	if (typeof value === "boolean") return value ? "yes" : "no";
	const name = resolved.find(({ id }) => id === value)?.name;
	return name === undefined ? String(value) : `${name} (${value})`;
}
