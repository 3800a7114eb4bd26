/**
 * Everything of the commands that is plain data: what help, completion and the reference are made of. The build writes it
 * down once, so that none of them loads a command. `purser --help --json` prints it.
 */
import type { Effect } from "../api/operation.js";
import type { FieldKind, Source } from "../api/schema.js";
import type { CachedKind } from "../ports/completion-cache.js";
import type { Example } from "./command.js";

/** A list of values that many flags share: by name, so that it stands once. */
export type ListName = "country" | "dialling-code";

/** What an id names: known from earlier answers, see `completion/ids.ts`. */
export type IdKind = CachedKind | "profile";

/** A flag, or an argument, as it is typed and shown. */
export interface FlagSpec {
	/** `--amount`, `--no-allow-fast-payment`; an argument's word in capitals. */
	name: string;
	argument?: true;
	/** Stands for the value; absent where none is taken. */
	placeholder?: string;
	description: string;
	type: FieldKind;
	/** `with-parent`: once another flag of the same object is given. */
	required: "no" | "with-parent" | "always";
	repeated?: true;
	/** Anything else is refused. */
	choices?: readonly string[];
	/** Others pass, with a warning. */
	known?: readonly string[];
	/** Choices (of `choices` or `known`) that stand in the contract's `lists`. */
	list?: ListName;
	fallback?: string;
	/** Of a field of the service: where it is known from. */
	source?: Source;
	/** The value is a path. */
	file?: true;
	ids?: IdKind;
}

export interface CommandSpec {
	path: string;
	summary: string;
	details?: string;
	examples: readonly Example[];
	effect: Effect;
	/** Ids of the operations it calls. */
	operations: readonly string[];
	/** In the order of the input; arguments among them. */
	flags: readonly FlagSpec[];
	/** The exit codes it may end with beside 0, by kind. */
	exits: readonly { exit: number; kind: string }[];
}

export interface Contract {
	version: string;
	commands: readonly CommandSpec[];
	/** Of every command, in the form of its own. */
	globalFlags: readonly FlagSpec[];
	exitCodes: readonly { exit: number; kind: string; when: string; again: string }[];
	variables: readonly { name: string; meaning: string }[];
	lists: Readonly<Record<ListName, readonly string[]>>;
}

/** Whole numbers are text within the tool; whoever types one gives a number. */
export function isNumber(placeholder: string | undefined): boolean {
	return /^(n|number|seconds)$/.test(placeholder ?? "");
}

/** The values a flag completes with, where they are known beforehand. */
export function valuesOf(flag: FlagSpec, lists: Contract["lists"]): readonly string[] | undefined {
	return flag.list ? lists[flag.list] : (flag.choices ?? flag.known);
}
