/**
 * The keyboard around a question: what was typed before it, and the end of the input.
 */

/** Milliseconds within which earlier keystrokes arrive; nobody reads and answers a question faster. */
const arrivalTime = 60;

const ctrlC = 0x03;

/**
 * Throws away what was typed before the question was shown: an old "y" must not answer whether money leaves.
 * @returns false where Ctrl-C was among it
 */
export async function discardTyped(input: NodeJS.ReadStream): Promise<boolean> {
	if (!input.isTTY) return true;
	let isUninterrupted = true;
	const drop = (part: Buffer | string): void => {
		if (Buffer.from(part).includes(ctrlC)) isUninterrupted = false;
	};
	// Raw mode delivers an unfinished line too. The question that follows sets and resets the mode itself.
	input.setRawMode(true);
	input.on("data", drop).resume();
	await new Promise((resolve) => setTimeout(resolve, arrivalTime));
	input.off("data", drop).pause();
	if (!isUninterrupted) input.setRawMode(false);
	return isUninterrupted;
}

/**
 * Calls `closed` when the input ends while a question is open: Ctrl-D, or a terminal that went away.
 * @returns stops watching
 */
export function watchEnd(input: NodeJS.ReadStream, closed: () => void): () => void {
	// On an empty line, Ctrl-D makes readline pause its input, after this event; on any other line it deletes a character.
	const typed = (_text: unknown, key?: { ctrl?: boolean; name?: string }): void => {
		if (key?.ctrl && key.name === "d") setImmediate(() => input.isPaused() && closed());
	};
	input.on("keypress", typed).on("end", closed).on("close", closed);
	return () => void input.off("keypress", typed).off("end", closed).off("close", closed);
}
