import { countryName, shortNames } from "../../api/countries.js";
import type { Field } from "../../api/schema.js";
import { wordsOf } from "../../api/schema.js";
import { isIdOf, plainId } from "../../api/text/ids.js";
import { countries, diallingCodes } from "../../api/values.js";
import type { Context } from "../../context.js";
import type { Choice, Prompts } from "../../ports/terminal.js";
import type { AnyCommand } from "../command.js";
import { recordKindOf } from "./id-kinds.js";

interface Choosing {
	command: Pick<AnyCommand, "effect" | "operations">;
	into: Record<string, unknown>;
	context: Context;
	prompts: Prompts;
}

export async function choicesOf(field: Field, { command, into, context, prompts }: Choosing): Promise<readonly Choice[] | undefined> {
	if (field.meta.choose === "profile") return profileChoices(context);
	const kind = recordKindOf(field.name, field);
	// A command without operations asks the service nothing; batches are this machine's own.
	if (kind === undefined || (kind !== "batch" && command.operations.length === 0)) return knownChoices(field);
	const resolver = await context.names.resolver();
	const { ledgerFromId } = into;
	const ledgerId = isIdOf("ledger", ledgerFromId, await context.settings.ids()) ? ledgerFromId : undefined;
	const options = { payable: command.effect === "money", ledgerId };
	if (kind !== "related") return withoutTaken(await resolver.offer(kind, options), field, into);
	const { corporateId } = into;
	if (isIdOf("corporate", corporateId, await context.settings.ids())) return resolver.offer(kind, { corporateId });
	// A person belongs to a company: that is chosen first, unless there is but one.
	const companies = await resolver.offer("corporate", {});
	const company =
		companies.length > 1 ? await prompts.choose({ message: "Company", choices: companies, records: true }) : companies[0]?.value;
	if (company === undefined) return undefined;
	const [name] = companies.find(({ value }) => value === company)?.label.split(" · ") ?? [];
	const persons = await resolver.offer(kind, { corporateId: company });
	for (const { value } of persons) context.names.known.set(plainId(value), { company: name });
	return persons;
}

async function profileChoices({ config }: Context): Promise<Choice[]> {
	const profiles = await (await config.profiles()).list();
	return profiles.map(({ name, environment, baseUrl }) => ({ value: name, label: `${name} · ${environment}`, hint: baseUrl }));
}

/** A ledger is not offered for the credit side when it is the one that is debited. */
function withoutTaken(choices: readonly Choice[], { name }: Field, into: Record<string, unknown>): readonly Choice[] {
	return name === "ledgerToId" ? choices.filter(({ value }) => value !== into.ledgerFromId) : choices;
}

export async function knownChoices(field: Field): Promise<readonly Choice[] | undefined> {
	if (field.choices) return field.choices.map((value) => ({ value, label: value }));
	switch (field.meta.choose) {
		case "country":
			return countryChoices();
		case "dialling-code":
			return diallingCodes.map((code) => ({ value: code, label: `+${code}` }));
		case "industry":
			return field.meta.known?.map((value) => ({ value, label: wordsOf(value.replaceAll("_", " ")) }));
		default:
			return field.meta.known?.map((value) => ({ value, label: field.meta.labels?.[value] ?? value }));
	}
}

function countryChoices(): readonly Choice[] {
	return countries
		.map((code) => ({ value: code, label: countryName(code), hint: shortNames(code).join(" ") }))
		.sort((one, other) => one.label.localeCompare(other.label, "en"));
}
