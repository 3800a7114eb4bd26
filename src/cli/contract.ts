/**
 * The commands as plain data, from which help, completion and the reference are made. The build writes it to a file, so that none of
 * these has to load a command. `purser --help --json` prints it.
 */
import type { Effect } from "../api/operation.js";
import type { FieldKind, Source } from "../api/schema.js";
import type { RecordKind } from "../ports/resolver.js";

/** A list of values that many flags share, stored once under its name. */
export type ListName = "country" | "dialling-code";

export type IdKind = RecordKind | "profile";

export interface FlagSpec {
	/** `--amount`, `--no-allow-fast-payment`; an argument's name in capitals. */
	name: string;
	short?: string;
	/** Another name of it: `--from`. */
	alias?: string;
	argument?: true;
	/** The name of the value; absent where the flag takes none. */
	placeholder?: string;
	description: string;
	type: FieldKind;
	/** `with-parent`: once another flag of the same object is given. */
	required: "no" | "with-parent" | "always";
	repeated?: true;
	choices?: readonly string[];
	/** Other values are accepted with a warning. */
	known?: readonly string[];
	/** The choices (of `choices` or `known`) are in the contract's `lists`. */
	list?: ListName;
	fallback?: string;
	/** Where a field of the service is known from. */
	source?: Source;
	file?: true;
	ids?: IdKind;
}

export interface CommandSpec {
	path: string;
	summary: string;
	details?: string;
	examples: readonly { run: string; note: string }[];
	effect: Effect;
	operations: readonly string[];
	/**
	 * A JSON Schema of what `--json` writes; `record`: of one line of ndjson, whose members are the columns of csv, where that is not the same.
	 * Only in the contract for programs.
	 */
	answer?: object;
	record?: object;
	flags: readonly FlagSpec[];
}

export interface Contract {
	version: string;
	commands: readonly CommandSpec[];
	/** What a change answers to --dry-run, as a JSON Schema. */
	dryRun: object;
	globalFlags: readonly FlagSpec[];
	exitCodes: readonly { exit: number; kind: string; when: string; again: string }[];
	variables: readonly { name: string; meaning: string }[];
	lists: Readonly<Record<ListName, readonly string[]>>;
}

/** Whole numbers are text inside the tool, but numbers to whoever types them. */
export function takesNumber(placeholder: string | undefined): boolean {
	return /^(n|number|seconds)$/.test(placeholder ?? "");
}

export function valuesOf(flag: FlagSpec, lists: Contract["lists"]): readonly string[] | undefined {
	return flag.list ? lists[flag.list] : (flag.choices ?? flag.known);
}
