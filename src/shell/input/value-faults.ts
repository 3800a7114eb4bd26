/**
 * Errors about the values of flags.
 */
import { advice } from "../../api/advice.js";
import { type Advice, PurserError } from "../../errors.js";
import type { AnyCommand } from "../command.js";
import { helpOf } from "../names.js";
import { flagsOf } from "./flags.js";
import { globalFlags } from "./options.js";

/** `--json=true`, which other tools accept. @param message commander's */
export function valueTooMany(command: AnyCommand, message: string): PurserError | undefined {
	const name = /'--([a-z0-9.-]+)=/i.exec(message)?.[1];
	const own = flagsOf(command.input).some((flag) => flag.name === name && flag.field.kind === "boolean");
	if (name === undefined || !(own || globalFlags.some((flag) => flag.name === name && !flag.takesValue))) return undefined;
	return usageFault(
		`--${name} takes no value`,
		advice`Give ${own ? `--${name} for yes, --no-${name} for no` : `--${name} alone, or leave it out`}. See \`${helpOf(command)}\`.`,
	);
}

/** Names the values where they are few: `--wait` of most commands takes none, that of a checklist takes a status. */
export function valueMissing(command: AnyCommand, message: string): PurserError {
	const name = /--([a-z0-9.-]+)/i.exec(message)?.[1] ?? "";
	const values = flagsOf(command.input).find((flag) => flag.name === name)?.field.choices;
	return usageFault(
		`--${name} needs a value`,
		advice`${values === undefined ? "" : `Give one of ${values.join(", ")}. `}See \`${helpOf(command)}\`.`,
	);
}

/** @param message what was given twice, and that one is enough */
export function givenTwice(message: string, fix = "Give one of them."): PurserError {
	return new PurserError("usage", { code: "GIVEN_TWICE", message, fix });
}

export function usageFault(message: string, fix: Advice): PurserError {
	return new PurserError("usage", { code: "USAGE", message, fix });
}
