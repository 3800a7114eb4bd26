/**
 * Asks a person for the fields that are missing, in the order of the description.
 */
import { check, describe, type Field, isMissing } from "../../api/schema.js";
import { titleOf, wordsOf } from "../../api/titles.js";
import { countries, diallingCodes, industries } from "../../api/values.js";
import type { Context } from "../../context.js";
import type { Choice, Prompts } from "../../ports/terminal.js";
import type { AnyCommand } from "../command.js";
import { setValue, valueIn } from "./flags.js";

/**
 * Fills in `into` by prompts: what is required and missing, then what is offered. Asks nothing when nothing required is missing.
 */
export async function askForMissing(command: AnyCommand, into: Record<string, unknown>, context: Context): Promise<void> {
	if (missing(command, into).size === 0) return;
	await askObject(describe(command.input), [], { command, into, context, prompts: await context.prompts() });
}

interface Asking {
	command: AnyCommand;
	into: Record<string, unknown>;
	context: Context;
	prompts: Prompts;
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
		const present = valueIn(asking.into, here) !== undefined;
		if (field.kind === "object") {
			if (field.required || present || (field.meta.offer && (await isWanted(field, here, asking)))) await askObject(field, here, asking);
			continue;
		}
		if (present || field.kind === "list" || field.kind === "json") continue;
		const required = field.required || missing(asking.command, asking.into).has(here.join("."));
		if (!required && !field.meta.offer) continue;
		const answer = await askField(field, here, required, asking);
		if (answer !== undefined) setValue(asking.into, here, answer);
	}
}

function isWanted(field: Field, path: readonly string[], { prompts }: Asking): Promise<boolean> {
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
	const fault = (typed: string): string | undefined => {
		if (typed === "") return required ? "is required" : undefined;
		const { faults } = check(field.schema, typed);
		return faults.length > 0 ? faults.map(({ message }) => message).join("; ") : undefined;
	};
	const own = command.choices?.[path.join(".")];
	const choices = own ? await own(context, into) : await knownChoices(field);
	const answer =
		choices && choices.length > 0
			? await prompts.choose({
					message: label,
					choices: required || field.fallback !== undefined ? choices : [{ value: "", label: "(skip)" }, ...choices],
					allowOther: field.meta.known !== undefined,
					fallback: field.fallback as string | undefined,
					check: fault,
				})
			: await prompts.text({ message: `${label}${hintOf(field, required)}`, check: fault });
	return answer === "" ? undefined : answer;
}

/** The format, and whether the field may be left out. */
function hintOf({ meta }: Field, required: boolean): string {
	const hints = [...(meta.placeholder === "YYYY-MM-DD" ? [meta.placeholder] : []), ...(required ? [] : ["optional"])];
	return hints.length > 0 ? ` (${hints.join(", ")})` : "";
}

/** The title of a field, then the objects that it is part of. */
function labelOf(field: Field, path: readonly string[]): string {
	const parents = path.slice(0, -1).map((name) => wordsOf(name).replace(/ info$/, ""));
	return `${titleOf(field)}${parents.length > 0 ? ` (${parents.join(", ")})` : ""}`;
}

/** The choices that a field's description gives. */
export async function knownChoices(field: Field): Promise<readonly Choice[] | undefined> {
	if (field.choices) return field.choices.map((value) => ({ value, label: value }));
	switch (field.meta.choose) {
		case "country":
			return countryChoices();
		case "dialling-code":
			return diallingCodes.map((code) => ({ value: code, label: `+${code}` }));
		case "industry":
			return industries.map((value) => ({ value, label: wordsOf(value.replaceAll("_", " ")) }));
		default:
			return field.meta.known?.map((value) => ({ value, label: value }));
	}
}

async function countryChoices(): Promise<readonly Choice[]> {
	const { default: names } = await import("i18n-iso-countries/index.js");
	const { default: english } = await import("i18n-iso-countries/langs/en.json", { with: { type: "json" } });
	names.registerLocale(english);
	return countries
		.map((code) => ({ value: code, label: names.getName(code, "en") ?? code, hint: code }))
		.sort((one, other) => one.label.localeCompare(other.label, "en"));
}
