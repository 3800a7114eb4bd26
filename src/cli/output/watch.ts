import type { Context } from "../../context.js";
import { PurserError } from "../../errors.js";
import type { Style } from "../../ports/style.js";
import type { Answer, AnyCommand } from "../command.js";
import { type Writing, writeAnswer } from "./render.js";

/** Moves the cursor to the top left and clears everything below it. */
const clearScreen = "\u001b[H\u001b[2J";

/** Whether a failure may be over at the next reading: the service does not answer, or another process keeps the journal locked. */
const passes = ({ kind, failure }: PurserError): boolean => kind === "unavailable" || failure.code === "JOURNAL_BUSY";

/** Without it, a screen that does not change looks stuck. */
const footer = ({ now, dim, clock }: Style, seconds: number): string => {
	return `\n${dim(`Updated ${clock(now)} · every ${seconds} s · Ctrl-C to stop`)}\n`;
};

/**
 * Runs a command for as long as it asks to be run again. Pauses differ by a tenth, so that many watching processes do not ask at the same moment.
 * After a failure that passes it warns and tries again.
 * @param inPlace the screen is cleared before each answer; otherwise the answers follow each other
 * @returns the last answer
 * @throws PurserError as the command does; interrupted on Ctrl-C
 */
export async function watch(
	command: AnyCommand,
	first: Answer<unknown>,
	input: unknown,
	context: Context,
	writing: Writing,
	inPlace: boolean,
): Promise<Answer<unknown>> {
	const { format, stdout, style } = writing;
	let answer = first;
	for (;;) {
		const pause = answer.again;
		if (pause === undefined) return answer;
		context.report.tellWarnings();
		if (inPlace && format.people) await stdout.write(footer(style, Math.round(pause / 1000)));
		await context.clock.sleep(Math.round(pause * (0.9 + context.random.fraction() * 0.2)));
		try {
			answer = await command.run(context, input);
		} catch (error) {
			if (!(error instanceof PurserError) || !passes(error)) throw error;
			context.report.warn(`${error.message}; trying again`);
			continue;
		}
		if (inPlace && format.people) await stdout.write(clearScreen);
		await writeAnswer(command, answer, writing);
	}
}
