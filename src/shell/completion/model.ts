/**
 * What the completion scripts know: every command, its flags and their closed or known values.
 */
import { countries, diallingCodes } from "../../api/values.js";
import type { AnyCommand } from "../command.js";
import { type Flag, flagsOf } from "../flags.js";
import { globalFlags } from "../options.js";

export interface CompletedFlag {
	/** With dashes. */
	name: string;
	description: string;
	takesValue: boolean;
	values?: readonly string[];
	/** The value is a path. */
	file: boolean;
}

export interface CompletedCommand {
	path: string;
	summary: string;
	flags: readonly CompletedFlag[];
	/** Values of the positional argument, where they are closed. */
	values?: readonly string[];
}

export interface Model {
	commands: readonly CompletedCommand[];
	/** Every prefix of a path: the words that may follow, with what they mean. The root is "". */
	words: ReadonlyMap<string, readonly { word: string; summary: string }[]>;
	global: readonly CompletedFlag[];
}

/** Reads the commands into what a script needs. */
export function completionModel(commands: readonly AnyCommand[]): Model {
	const completed = commands.map(completedCommand);
	const words = new Map<string, { word: string; summary: string }[]>();
	for (const { path, summary } of completed) {
		const parts = path.split(" ");
		for (const [at, word] of parts.entries()) {
			const prefix = parts.slice(0, at).join(" ");
			const known = words.get(prefix) ?? [];
			const own = at === parts.length - 1;
			if (!known.some((one) => one.word === word)) known.push({ word, summary: own ? summary : word });
			words.set(prefix, known);
		}
	}
	return {
		commands: completed,
		words,
		global: [...globalFlags.map(globalFlag), { name: "--help", description: "Help for this command", takesValue: false, file: false }],
	};
}

function globalFlag(flag: (typeof globalFlags)[number]): CompletedFlag {
	return { name: `--${flag.name}`, description: flag.description, takesValue: flag.takesValue, values: flag.values, file: false };
}

function completedCommand(command: AnyCommand): CompletedCommand {
	const flags = flagsOf(command.input);
	const positional = flags.find((flag) => flag.positional);
	const document: CompletedFlag[] = command.document
		? [
				{ name: "--from", description: "JSON or YAML file, or -", takesValue: true, file: true },
				{ name: "--set", description: "path=value", takesValue: true, file: false },
				{ name: "--print-template", description: "Write a YAML file to fill in", takesValue: false, file: false },
			]
		: [];
	return {
		path: command.path,
		summary: command.summary,
		flags: [...flags.filter((flag) => !flag.positional).flatMap(completedFlag), ...document],
		values: positional ? valuesOf(positional) : undefined,
	};
}

function completedFlag(flag: Flag): CompletedFlag[] {
	const description = flag.field.meta.description;
	const boolean = flag.field.kind === "boolean";
	const made = {
		description,
		takesValue: !boolean,
		values: valuesOf(flag),
		file: /^(file|path|folder)$/.test(flag.field.meta.placeholder ?? ""),
	};
	if (!boolean) return [{ name: `--${flag.name}`, ...made }];
	return flag.field.fallback === true ? [{ name: `--no-${flag.name}`, ...made }] : [{ name: `--${flag.name}`, ...made }];
}

function valuesOf(flag: Flag): readonly string[] | undefined {
	const field = flag.repeated && flag.field.element ? flag.field.element : flag.field;
	if (field.choices) return field.choices;
	if (field.meta.choose === "country") return countries;
	if (field.meta.choose === "dialling-code") return diallingCodes;
	return field.meta.known;
}
