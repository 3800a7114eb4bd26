/**
 * Questions of which each is written once and answered by a line, for screen readers (ACCESSIBLE). The terminal itself takes the line, with
 * its own echo and editing, so nothing that was written is drawn again.
 */

import { widthOf } from "../output/wrap.js";

/** Asks until an answer passes. @returns undefined after too many tries */
export async function askPlainly(
	question: { message: string; fallback?: string; check?: (answer: string) => string | undefined; tries: number },
	{ line, write, columns }: { line(asked: string): Promise<string>; write(text: string): void; columns: number },
): Promise<string | undefined> {
	const { message, fallback, check, tries } = question;
	for (let tried = 0; tried < tries; tried += 1) {
		const asked = `${message}${fallback === undefined ? "" : ` (${fallback})`}:`;
		// Behind a long question the answer would be broken by the terminal.
		const isLong = widthOf(asked.split("\n").at(-1) as string) > columns / 2;
		const typed = (await line(isLong ? `${asked}\n` : `${asked} `)).trim();
		const answer = typed === "" && fallback !== undefined ? fallback : typed;
		const fault = check?.(answer);
		if (fault === undefined) return answer;
		write(`${fault.charAt(0).toUpperCase()}${fault.slice(1)}\n`);
	}
	return undefined;
}

/**
 * One line from a terminal that edits lines itself; further lines stay there for the next question.
 * @param on.ask writes the question, once the terminal takes lines
 * @throws whatever `on.ended` makes, where the signal or the end of the input comes first
 */
export function readTerminalLine(input: NodeJS.ReadStream, signal: AbortSignal, on: { ask(): void; ended(): unknown }): Promise<string> {
	return new Promise((resolve, reject) => {
		const stop = (): void => finish(() => reject(on.ended()));
		const take = (part: Buffer | string): void => finish(() => resolve(part.toString().replace(/[\r\n]+$/, "")));
		const finish = (settle: () => void): void => {
			input.off("data", take).off("end", stop).off("close", stop).pause();
			signal.removeEventListener("abort", stop);
			settle();
		};
		if (signal.aborted) return stop();
		// A question before may have taken single keys, and a Ctrl-C among those would stop nothing.
		input.setRawMode?.(false);
		signal.addEventListener("abort", stop, { once: true });
		input.on("data", take).on("end", stop).on("close", stop).resume();
		on.ask();
	});
}
