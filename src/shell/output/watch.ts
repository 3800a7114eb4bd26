/**
 * Commands that keep an answer up to date: run again and again, each answer in the place of the last.
 */

import type { OutputFormat } from "../../api/formats.js";
import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import type { AnyCommand } from "../command.js";
import { writeAnswer } from "./render.js";

interface Showing {
	format: OutputFormat;
	style(): Style;
	/** The screen is cleared before each answer; else they follow each other. */
	inPlace: boolean;
}

/** To the top left, and everything below it gone. */
const cleared = "\u001b[H\u001b[2J";

/** Milliseconds: no pause after a failure is longer, unless the usual one is. */
const longest = 5 * 60 * 1000;

/** A screen that does not change would else look like one that is stuck. */
const footer = ({ now, dim }: Style, seconds: number): string => {
	const [hours, minutes, rest] = [now.getHours(), now.getMinutes(), now.getSeconds()].map((part) => String(part).padStart(2, "0"));
	return `\n${dim(`Seen at ${hours}:${minutes}:${rest}, looked at again every ${seconds} s; Ctrl-C ends it`)}\n`;
};

/**
 * Runs a command as long as it asks for it. Pauses differ by a tenth, so that many who watch do not all look at once. A service
 * that cannot be reached just now is told and looked at again, after a pause twice as long each time.
 * @returns the last answer
 * @throws PurserError as the command does; interrupted on Ctrl-C
 */
export async function runAgain(command: AnyCommand, first: unknown, input: unknown, context: Context, showing: Showing): Promise<unknown> {
	const { format, style, inPlace } = showing;
	const { stdout } = context.terminal;
	let data = first;
	for (let failures = 0; ; ) {
		const usual = command.again?.(data, input);
		if (usual === undefined) return data;
		const pause = Math.max(usual, Math.min(longest, usual * 2 ** Math.min(failures, 20)));
		if (inPlace && format.people) await stdout.write(footer(style(), Math.round(pause / 1000)));
		await context.clock.sleep(Math.round(pause * (0.9 + context.random.fraction() * 0.2)));
		try {
			data = await command.run(context, input);
		} catch (error) {
			if (!(error instanceof PurserError) || error.kind !== "unavailable") throw error;
			context.reporter.warn(`${error.message}; looking again`);
			failures += 1;
			continue;
		}
		failures = 0;
		if (inPlace && format.people) await stdout.write(cleared);
		await writeAnswer(command, data, format, style(), stdout);
	}
}
