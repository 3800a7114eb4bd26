import * as z from "zod/mini";
import { describe, type Field, recordOf } from "../../api/schema.js";
import { countries, diallingCodes } from "../../api/values.js";
import type { AnyCommand, CommandList } from "../command.js";
import { type CommandSpec, type Contract, type FlagSpec, takesNumber } from "../contract.js";
import { type Flag, flagsOf, placeholderOf, takesSettings } from "../input/flags.js";
import { idKindOf } from "../input/id-kinds.js";
import { exitCodeRows, globalFlagSpecs, variableRows } from "./topics.js";

/** Every command as data, with what all of them share. Loads every command. */
export async function contractOf(commands: CommandList, version: string): Promise<Contract> {
	const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default));
	return {
		version,
		commands: loaded.map(commandSpecOf),
		dryRun: dryRunSpec(),
		globalFlags: globalFlagSpecs(),
		exitCodes: exitCodeRows(),
		variables: variableRows(),
		lists: { country: countries, "dialling-code": diallingCodes },
	};
}

export function commandSpecOf(command: AnyCommand): CommandSpec {
	const { path, summary, details, effect, operations } = command;
	const examples = Object.entries(command.examples).map(([run, note]) => ({ run, note }));
	const flags = [
		...flagsOf(command.input).map(flagSpec),
		...(describe(command.input).meta.document ? [file] : []),
		...(takesSettings(command) ? [setting] : []),
	];
	const answer = command.answer();
	const record = recordOf(answer);
	const isOther = record !== answer && describe(answer).kind !== "list";
	const namesRecords = flags.some(({ ids }) => ids !== undefined && ids !== "profile");
	return {
		...{ path, summary, details, examples, effect, operations },
		answer: jsonSchema(namesRecords ? withResolved(answer) : answer),
		...(isOther && { record: jsonSchema(record) }),
		flags,
	};
}

/** Where somebody was named by a name, an answer with members says to which id it was resolved. */
function withResolved(answer: z.ZodMiniType): z.ZodMiniType {
	if (answer instanceof z.ZodMiniUnion) return z.union(answer.def.options.map((one) => withResolved(one as z.ZodMiniType)));
	if (!(answer instanceof z.ZodMiniObject)) return answer;
	const named = { kind: z.string(), argument: z.string(), given: z.string(), id: z.string(), name: z.optional(z.string()) };
	return z.extend(answer, { resolved: z.optional(z.array(z.strictObject(named))) });
}

/** What the service adds to an answer passes through; of its own parts only the names are known, not that they are objects. */
function jsonSchema(schema: z.ZodMiniType): object {
	const { $schema: _, ...plain } = z.toJSONSchema(schema, {
		override: ({ jsonSchema, path }) => {
			if (path.includes("properties") && jsonSchema.properties !== undefined && jsonSchema.additionalProperties !== false)
				delete jsonSchema.type;
		},
	});
	return plain;
}

export function dryRunSpec(): object {
	const request = { operation: z.string(), method: z.string(), url: z.string(), headers: z.record(z.string(), z.string()) };
	return jsonSchema(
		z.strictObject({ dryRun: z.literal(true), requests: z.array(z.strictObject({ ...request, body: z.optional(z.unknown()) })) }),
	);
}

const file: FlagSpec = {
	...{ name: "--file", short: "-f", placeholder: "file", type: "text", required: "no", file: true },
	description: "Take the input from a JSON or YAML file, or - for standard input; flags win",
};

const setting: FlagSpec = {
	...{ name: "--set", placeholder: "path=value", type: "text", required: "no", repeated: true },
	description: "Set a field that has no flag",
};

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
