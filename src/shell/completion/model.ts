/**
 * What the completion scripts know: every command, its flags and their closed or known values.
 */
import { type Contract, type FlagSheet, type IdKind, type Sheet, valuesOf } from "../contract.js";

export interface CompletedFlag {
	/** With dashes. */
	name: string;
	description: string;
	takesValue: boolean;
	values?: readonly string[];
	/** The value is a path. */
	file: boolean;
	/** The value is an id that earlier answers may have shown. */
	ids?: IdKind;
}

export interface CompletedCommand {
	path: string;
	summary: string;
	flags: readonly CompletedFlag[];
	/** Values of the positional argument, where they are closed. */
	values?: readonly string[];
	/** The positional argument is such an id. */
	ids?: IdKind;
	/** The positional argument is a path. */
	file: boolean;
}

export interface Model {
	commands: readonly CompletedCommand[];
	/** Every prefix of a path: the words that may follow, with what they mean. The root is "". */
	words: ReadonlyMap<string, readonly { word: string; summary: string }[]>;
	global: readonly CompletedFlag[];
}

/** Reads the commands into what a script needs. */
export function completionModel({ commands, globalFlags, lists }: Contract): Model {
	const completed = commands.map((sheet) => completedCommand(sheet, lists));
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
		global: globalFlags.map((flag) => completedFlag(flag, lists)),
	};
}

function completedCommand({ path, summary, flags }: Sheet, lists: Contract["lists"]): CompletedCommand {
	const argument = flags.find((flag) => flag.argument);
	return {
		path,
		summary,
		flags: flags.filter((flag) => !flag.argument).map((flag) => completedFlag(flag, lists)),
		values: argument && valuesOf(argument, lists),
		ids: argument?.ids,
		file: argument?.file ?? false,
	};
}

function completedFlag(flag: FlagSheet, lists: Contract["lists"]): CompletedFlag {
	const { name, description, placeholder, file = false, ids } = flag;
	return { name, description, takesValue: placeholder !== undefined, values: valuesOf(flag, lists), file, ids };
}
