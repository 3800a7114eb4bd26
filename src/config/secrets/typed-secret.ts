/**
 * A secret typed by a person or read from standard input; never taken from a flag, never shown.
 */
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";

/** Maximum size of a secret, in bytes. */
const limit = 64 * 1024;

/** What is wrong with a secret, without quoting it; undefined where nothing is. */
export function secretFault(secret: string): string | undefined {
	if (secret === "") return "is empty";
	return /\p{Cc}/u.test(secret) ? "has a line break or a control character in it" : undefined;
}

/**
 * The secret on standard input, without the line break at its end.
 * @param name what it is: `password`
 * @throws PurserError usage; interrupted
 */
export async function secretFromInput(context: Context, name: string): Promise<string> {
	let text: string;
	try {
		text = new TextDecoder("utf-8", { fatal: true }).decode(await context.system.terminal.stdin.read(limit)).replace(/\r?\n$/, "");
	} catch (cause) {
		if (cause instanceof PurserError) throw cause;
		throw unusable(name, cause instanceof RangeError ? "is too long: at most 64 KB are read" : "cannot be read", cause);
	}
	const fault = secretFault(text);
	if (fault) throw unusable(name, fault);
	return text;
}

/** Nothing that is typed is shown. */
export async function secretFromPerson(context: Context, message: string): Promise<string> {
	return (await context.ask.prompts()).secret({ message, check: secretFault });
}

function unusable(name: string, why: string, cause?: unknown): PurserError {
	return new PurserError("usage", {
		code: "SECRET_UNUSABLE",
		message: `The ${name} on standard input ${why}`,
		fix: 'Send it as one line: printf %s "$SECRET" | and the same command.',
		// The cause itself may quote what was read.
		cause: cause instanceof Error ? cause.name : undefined,
	});
}
