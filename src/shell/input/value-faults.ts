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

/** The error for something that was given twice. */
export function givenTwice(message: string, fix = "Give one of them."): PurserError {
	return new PurserError("usage", { code: "GIVEN_TWICE", message, fix });
}

export function usageFault(message: string, fix: Advice): PurserError {
	return new PurserError("usage", { code: "USAGE", message, fix });
}
