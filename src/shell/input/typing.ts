/**
 * What a person's keyboard does around a question: what was typed before it, and the end of the input.
 */

/** Milliseconds in which what was typed earlier arrives; nobody reads a question and answers it faster. */
const arrival = 60;

const interrupt = 0x03;

/**
 * Throws away what was typed before a question stood there: an old "y" must not answer whether money leaves.
 * @returns false where Ctrl-C was among it
 */
export async function discardTyped(input: NodeJS.ReadStream): Promise<boolean> {
	if (!input.isTTY) return true;
	let goOn = true;
	const drop = (part: Buffer | string): void => {
		if (Buffer.from(part).includes(interrupt)) goOn = false;
	};
	// Raw: a line that is not finished yet arrives as well. The question that follows sets and resets the mode itself.
	input.setRawMode(true);
	input.on("data", drop).resume();
	await new Promise((resolve) => setTimeout(resolve, arrival));
	input.off("data", drop).pause();
	if (!goOn) input.setRawMode(false);
	return goOn;
}

/**
 * Calls `closed` when the input ends while a question is open: Ctrl-D, or a terminal that went away.
 * @returns ends the watching
 */
export function watchEnd(input: NodeJS.ReadStream, closed: () => void): () => void {
	// Ctrl-D on an empty line makes the reader of lines pause its input, after this; on any other line it deletes a character.
	const typed = (_text: unknown, key?: { ctrl?: boolean; name?: string }): void => {
		if (key?.ctrl && key.name === "d") setImmediate(() => input.isPaused() && closed());
	};
	input.on("keypress", typed).on("end", closed).on("close", closed);
	return () => void input.off("keypress", typed).off("end", closed).off("close", closed);
}
