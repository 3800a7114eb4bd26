import { check } from "../../api/check/check.js";
import { describe, type Field, isMissing, titleOf, wordsOf } from "../../api/schema.js";
import type { Context } from "../../context.js";
import type { Prompts } from "../../ports/terminal.js";
import type { AnyCommand } from "../command.js";
import { choicesOf } from "./choices.js";
import { setValue, valueIn } from "./flags.js";
import { recordKindOf } from "./id-kinds.js";

/**
 * Fills in `into` by prompts: what is required and missing, then what is offered. Asks nothing when nothing required is missing.
 * @returns how many questions were asked
 */
export async function askForMissing(command: AnyCommand, into: Record<string, unknown>, context: Context): Promise<number> {
	if (missing(command, into).size === 0) return 0;
	const asking: Asking = { command, into, context, prompts: await context.ask.prompts(), asked: new Set() };
	await askObject(describe(command.input), [], asking);
	return asking.asked.size;
}

interface Asking {
	command: AnyCommand;
	into: Record<string, unknown>;
	context: Context;
	prompts: Prompts;
	asked: Set<string>;
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
		if (unless !== undefined && valueIn(asking.into, [...path, unless[0]]) === unless[1]) continue;
		const present = valueIn(asking.into, here) !== undefined;
		// A phone is typed as one text; where a part of it is given, the other part is asked for.
		if (field.kind === "object" && (present || field.meta.read === undefined)) {
			if (field.required || present || (field.meta.offer && (await isWanted(field, here, asking)))) await askObject(field, here, asking);
			continue;
		}
		if (present || field.kind === "list" || field.kind === "json") continue;
		const required = field.required || field.meta.offer === "answered" || missing(asking.command, asking.into).has(dotted);
		if (!required && !field.meta.offer) continue;
		asking.asked.add(dotted);
		const answer = await askField(field, here, required, asking);
		if (answer !== undefined) setValue(asking.into, here, answer);
	}
}

async function isWanted(field: Field, path: readonly string[], { prompts, asked }: Asking): Promise<boolean> {
	asked.add(path.join("."));
	const title = labelOf(field, path);
	return prompts.confirm({ message: `Add ${title.charAt(0).toLowerCase()}${title.slice(1)}?`, fallback: false });
}

async function askField(
	field: Field,
	path: readonly string[],
	required: boolean,
	{ command, into, context, prompts }: Asking,
): Promise<unknown> {
	const label = labelOf(field, path);
	if (field.kind === "boolean") return prompts.confirm({ message: label, fallback: field.fallback === true });
	const ids = await context.settings.ids();
	const fault = (typed: string): string | undefined => {
		if (typed === "") return required ? "is required" : undefined;
		const { faults } = check(field.schema, typed, ids);
		return faults.length > 0 ? faults.map(({ message }) => message).join("; ") : undefined;
	};
	const choices = await choicesOf(field, { command, into, context, prompts });
	const fallback = field.fallback as string | undefined;
	if (choices && choices.length > 0) {
		const isOpen = field.meta.labels === undefined && field.meta.known !== undefined;
		const answer = await prompts.choose({
			message: label,
			choices: required || field.fallback !== undefined ? choices : [{ value: "", label: "(skip)" }, ...choices],
			allowOther: isOpen,
			records: recordKindOf(field.name, field) !== undefined,
			fallback,
			check: fault,
		});
		return answer === "" ? undefined : answer;
	}
	const message = `${label}${hintOf(field, required)}`;
	const answer = await prompts.text({ message, check: fault, ...(fallback === undefined ? {} : { fallback }) });
	return answer === "" ? undefined : answer;
}

/** The format, and whether the field may be left out. */
function hintOf({ meta }: Field, required: boolean): string {
	const form = meta.placeholder === "YYYY-MM-DD" ? [meta.placeholder] : meta.read && meta.example ? [`like ${meta.example}`] : [];
	const hints = [...form, ...(required ? [] : ["optional"])];
	return hints.length > 0 ? ` (${hints.join(", ")})` : "";
}

function labelOf(field: Field, path: readonly string[]): string {
	const parents = path.slice(0, -1).map((name) => wordsOf(name).replace(/ info$/, ""));
	return `${titleOf(field)}${parents.length > 0 ? ` (${parents.join(", ")})` : ""}`;
}
