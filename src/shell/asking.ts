/**
 * Asks a person for the fields that are missing, in the order of the description.
 */
import { check, describe, type Field } from "../api/schema.js";
import { countries, diallingCodes, industries } from "../api/values.js";
import type { Choice, Context, Prompts } from "../context.js";
import type { AnyCommand } from "./command.js";
import { pick, put } from "./flags.js";

/**
 * Fills in `into` by prompts: what is required and absent, and, once something had to be asked, what is offered.
 * Nothing is asked when nothing required is missing.
 */
export async function askFor(command: AnyCommand, into: Record<string, unknown>, context: Context): Promise<void> {
	const shape = describe(command.input);
	if (!anyMissing(shape, into)) return;
	const prompts = await context.prompts();
	await askObject(shape, [], { command, into, context, prompts });
}

interface Round {
	command: AnyCommand;
	into: Record<string, unknown>;
	context: Context;
	prompts: Prompts;
}

function anyMissing(shape: Field, value: unknown): boolean {
	return (shape.fields ?? []).some((field) => {
		const part = pick(value, [field.name]);
		if (part === undefined) return field.required;
		return field.kind === "object" && anyMissing(field, part);
	});
}

async function askObject(shape: Field, path: readonly string[], round: Round): Promise<void> {
	for (const field of shape.fields ?? []) {
		const here = [...path, field.name];
		const present = pick(round.into, here) !== undefined;
		if (field.kind === "object") {
			if (field.required || present) await askObject(field, here, round);
			continue;
		}
		if (present || field.kind === "list" || field.kind === "json" || (!field.required && !field.meta.offer)) continue;
		const answer = await askField(field, here, round);
		if (answer !== undefined) put(round.into, here, answer);
	}
}

async function askField(field: Field, path: readonly string[], { command, into, context, prompts }: Round): Promise<unknown> {
	const label = titleOf(field, path);
	const optional = !field.required;
	if (field.kind === "boolean") return prompts.confirm({ message: label, fallback: field.fallback === true });
	const choices = await choicesOf(field, path, command, into, context);
	if (choices && choices.length > 0) {
		const answer = await prompts.choose({
			message: label,
			choices: optional ? [{ value: "", label: "(leave out)" }, ...choices] : choices,
			other: field.choices === undefined && field.meta.choose !== "dialling-code",
		});
		return answer === "" ? undefined : answer;
	}
	const answer = await prompts.text({
		message: optional ? `${label} (optional)` : label,
		check: (typed) => {
			if (typed === "") return optional ? undefined : "is required";
			const { faults } = check(field.schema, typed);
			return faults.length > 0 ? faults.map((fault) => fault.message).join("; ") : undefined;
		},
	});
	return answer === "" ? undefined : answer;
}

function titleOf(field: Field, path: readonly string[]): string {
	const of = path.length > 1 ? ` (${path.slice(0, -1).map(words).join(", ")})` : "";
	return `${(field.meta.description || words(field.name)).replace(/ \((0\.\.|ISO |required by).*\)$/, "")}${of}`;
}

function words(name: string): string {
	return name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
}

async function choicesOf(
	field: Field,
	path: readonly string[],
	command: AnyCommand,
	into: Record<string, unknown>,
	context: Context,
): Promise<readonly Choice[] | undefined> {
	const own = command.choices?.[path.join(".")];
	if (own) return own(context, into);
	if (field.choices) return field.choices.map((value) => ({ value, label: value }));
	switch (field.meta.choose) {
		case "country":
			return countryChoices();
		case "dialling-code":
			return diallingCodes.map((code) => ({ value: code, label: `+${code}` }));
		case "industry":
			return industries.map((value) => ({ value, label: words(value.replaceAll("_", " ")), hint: value }));
		default:
			return field.meta.known?.map((value) => ({ value, label: value }));
	}
}

async function countryChoices(): Promise<readonly Choice[]> {
	const { default: names } = await import("i18n-iso-countries");
	const { default: english } = await import("i18n-iso-countries/langs/en.json", { with: { type: "json" } });
	names.registerLocale(english);
	return countries
		.map((code) => ({ value: code, label: names.getName(code, "en") ?? code, hint: code }))
		.sort((one, other) => one.label.localeCompare(other.label, "en"));
}
