/**
 * Errors about the values of flags.
 */
import { advice } from "../../api/advice.js";
import { type Advice, PurserError } from "../../errors.js";
import type { AnyCommand } from "../command.js";
import { helpOf } from "../names.js";
import { flagsOf } from "./flags.js";
import { globalFlags } from "./options.js";

/**
 * The error for a value that a flag does not take, such as `--json=true`, which other tools accept.
 * @param message commander's
 * @returns undefined where the message is about something else
 */
export function unexpectedValue(command: AnyCommand, message: string): PurserError | undefined {
	const name = /'--([a-z0-9.-]+)=/i.exec(message)?.[1];
	const own = flagsOf(command.input).some((flag) => flag.name === name && flag.field.kind === "boolean");
	if (name === undefined || !(own || globalFlags.some((flag) => flag.name === name && !flag.takesValue))) return undefined;
	return usageFault(
		`--${name} takes no value`,
		advice`Give ${own ? `--${name} for yes, --no-${name} for no` : `--${name} alone, or leave it out`}. See \`${helpOf(command)}\`.`,
	);
}

/** The error for a flag without its value. It lists the possible values: `--wait` takes none in most commands, and a status in others. */
export function missingValue(command: AnyCommand, message: string): PurserError {
	const name = /--([a-z0-9.-]+)/i.exec(message)?.[1] ?? "";
	const values = flagsOf(command.input).find((flag) => flag.name === name)?.field.choices;
	return usageFault(
		`--${name} needs a value`,
		advice`${values === undefined ? "" : `Give one of ${values.join(", ")}. `}See \`${helpOf(command)}\`.`,
	);
}

/**
 * What is wrong with a command line, in our words.
 * @param code the parser's
 * @param message the parser's, for the name that it has in quotes
 */
export function commandLineWords(code: string, message: string): string {
	const [, name] = /'(.*?)'(?=\s|$)/s.exec(message) ?? [];
	if (code === "commander.unknownOption") return `Unknown option '${name ?? ""}'`;
	if (code === "commander.excessArguments") return "There are more arguments than the command takes";
	if (code === "commander.missingArgument") return `The argument ${name ?? ""} is missing`;
	if (code === "commander.invalidArgument") return `The value of ${name ?? "a flag"} cannot be used`;
	if (code === "commander.conflictingOption") return "Two flags contradict each other";
	return "The command line cannot be read";
}

/** The flags that are written almost so, as a question. */
export function similarFlags(message: string): string | undefined {
	const names = /\(Did you mean .*\)$/s.exec(message)?.[0].match(/--?[a-zA-Z][\w.-]*/g) ?? [];
	if (names.length === 0) return undefined;
	return `Did you mean ${names.length === 1 ? "" : "one of "}${names.join(", ")}?`;
}

/** The error for something that was given twice. */
export function givenTwice(message: string, fix = "Give one of them."): PurserError {
	return new PurserError("usage", { code: "GIVEN_TWICE", message, fix });
}

export function usageFault(message: string, fix: Advice): PurserError {
	return new PurserError("usage", { code: "USAGE", message, fix });
}

/** Maximum number of fields of each kind that the first line of an error names. */
const maxNamed = 3;

/** @param fields each with whether it is missing */
export function wrongText(fields: readonly (readonly [string, boolean])[]): string {
	const said = (missing: boolean, what: string): string => {
		const names = [...new Set(fields.filter((one) => one[1] === missing).map(([name]) => name))];
		const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
		return names.length === 0 ? "" : `${names.slice(0, maxNamed).join(", ")}${more} ${names.length === 1 ? "is" : "are"} ${what}`;
	};
	return [said(false, "not valid"), said(true, "missing")].filter(Boolean).join("; ");
}
