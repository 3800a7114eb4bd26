/**
 * Commands that keep an answer up to date: run again and again, each answer in the place of the last.
 */
import type { Context } from "../context.js";
import { PurserError } from "../errors.js";
import type { AnyCommand, Style } from "./command.js";
import type { Format } from "./options.js";
import { writeAnswer } from "./render.js";

interface Showing {
	format: Format;
	style(): Style;
	/** The screen is cleared before each answer; else they follow each other. */
	inPlace: boolean;
}

/** To the top left, and everything below it gone. */
const cleared = "\u001b[H\u001b[2J";

/**
 * Runs a command as long as it asks for it. A service that cannot be reached just now is told and looked at again.
 * @returns the last answer
 * @throws PurserError as the command does; interrupted on Ctrl-C
 */
export async function runAgain(command: AnyCommand, first: unknown, input: unknown, context: Context, showing: Showing): Promise<unknown> {
	const { format, style, inPlace } = showing;
	const { stdout } = context.terminal;
	let data = first;
	for (;;) {
		const pause = command.again?.(data, input);
		if (pause === undefined) return data;
		await context.clock.sleep(pause);
		try {
			data = await command.run(context, input);
		} catch (error) {
			if (!(error instanceof PurserError) || error.kind !== "unavailable") throw error;
			context.say.warn(`${error.message}; looking again`);
			continue;
		}
		if (inPlace && format === "text") await stdout.write(cleared);
		await writeAnswer(command, data, format, style(), stdout);
	}
}
