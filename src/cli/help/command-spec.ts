/**
 * A command as plain data.
 */
import { describe, type Field } from "../../api/schema.js";
import { countries, diallingCodes } from "../../api/values.js";
import type { AnyCommand, CommandList } from "../command.js";
import { type CommandSpec, type Contract, type FlagSpec, takesNumber } from "../contract.js";
import { type Flag, flagsOf, placeholderOf } from "../input/flags.js";
import { idKindOf } from "../input/id-kinds.js";
import { exitCodeRows, globalFlagSpecs, variableRows } from "./topics.js";

/** Every command as data, with what all of them share. Loads every command. */
export async function contractOf(commands: CommandList, version: string): Promise<Contract> {
	const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default));
	return {
		version,
		commands: loaded.map(commandSpecOf),
		globalFlags: globalFlagSpecs(),
		exitCodes: exitCodeRows(),
		variables: variableRows(),
		lists: { country: countries, "dialling-code": diallingCodes },
	};
}

/** One command as data. */
export function commandSpecOf(command: AnyCommand): CommandSpec {
	const { path, summary, details, examples, effect, operations } = command;
	const flags = [...flagsOf(command.input).map(flagSpec), ...(describe(command.input).meta.document ? document : [])];
	return { path, summary, details, examples, effect, operations, flags };
}

const document: readonly FlagSpec[] = [
	{
		name: "--file",
		short: "-f",
		placeholder: "file",
		description: "Take the input from a JSON or YAML file, or - for standard input; flags win",
		type: "text",
		required: "no",
		file: true,
	},
	{
		name: "--set",
		placeholder: "path=value",
		description: "Set a field that has no flag",
		type: "text",
		required: "no",
		repeated: true,
	},
	{ name: "--print-template", description: "Write an annotated YAML file to fill in", type: "boolean", required: "no" },
];

function flagSpec(flag: Flag): FlagSpec {
	const { field } = flag;
	const inner = flag.repeated && field.element ? field.element : field;
	const { description } = field.meta;
	const { required, source } = flag;
	const type = takesNumber(field.meta.placeholder) ? "number" : inner.kind;
	const shared = { type, required, source, ...(flag.repeated ? { repeated: true as const } : {}) };
	if (field.kind === "boolean" && !flag.positional)
		return field.fallback === true
			? { ...shared, name: `--no-${flag.name}`, description: `Do not ${description.charAt(0).toLowerCase()}${description.slice(1)}` }
			: { ...shared, name: `--${flag.name}`, description };
	const placeholder = placeholderOf(flag);
	return {
		...shared,
		...(flag.positional ? { name: placeholder.toUpperCase(), argument: true } : { name: `--${flag.name}` }),
		alias: field.meta.alias && `--${field.meta.alias}`,
		placeholder,
		description,
		...valuesOfField(inner),
		fallback: field.fallback === undefined || typeof field.fallback === "object" ? undefined : String(field.fallback),
		file: /^(file(\.[a-z]+)?|path|folder|plan|case)$/.test(field.meta.placeholder ?? "") || undefined,
		ids: idKindOf(flag, inner),
	};
}

function valuesOfField({ choices, meta }: Field): Pick<FlagSpec, "choices" | "known" | "list"> {
	if (meta.choose === "country" || meta.choose === "dialling-code") return { list: meta.choose };
	return { choices, known: meta.known };
}
