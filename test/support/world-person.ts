/**
 * The person at the prompts of a world: answers in their order, and notes what was asked.
 */
import { PurserError } from "../../src/errors.js";
import type { Prompts } from "../../src/ports/terminal.js";
import type { Asked, RunOptions, World } from "./world.js";

/** Where answers come from: one by one, or from somebody who is asked. `^C` stops as at a terminal. */
interface Source {
	answers: NonNullable<RunOptions["answers"]>[number][];
	person: RunOptions["person"];
}

/** @param tell receives why a check refused an answer */
export function promptsOf(world: World, { answers, person }: Source, tell: (line: string) => void): Prompts {
	const next = (asked: Asked): string | boolean | (() => Promise<boolean>) => {
		world.asked.push(asked);
		const answer = person === undefined ? answers.shift() : person(asked);
		if (answer === undefined) throw new Error(`no answer left for: ${asked.message}`);
		return answer;
	};
	const interrupted = <A>(answer: A): A => {
		if (answer === "^C")
			throw new PurserError("interrupted", { code: "INTERRUPTED", message: "Stopped", fix: "Run the same command to continue." });
		return answer;
	};
	const checked = async (kind: "text" | "secret", message: string, check?: (answer: string) => string | undefined): Promise<string> => {
		for (;;) {
			const answer = String(interrupted(next({ kind, message })));
			const fault = check?.(answer);
			if (fault === undefined) return answer;
			tell(`${fault}\n`);
		}
	};
	return {
		text: ({ message, check }) => checked("text", message, check),
		secret: ({ message, check }) => checked("secret", message, check),
		confirm: async ({ message }) => {
			const answer = interrupted(next({ kind: "confirm", message }));
			return (typeof answer === "function" ? await answer() : answer) === true;
		},
		choose: async ({ message, choices, above, fallback }) =>
			String(interrupted(next({ kind: "choose", message, choices, above, fallback }))),
	};
}
