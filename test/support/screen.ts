/**
 * What a terminal shows after everything that a program wrote to it, by the terminal of xterm.js without a window.
 */
import xterm from "@xterm/headless";

export interface Screen {
	/** From the first line that was written to the last, without blanks at their ends. A line that the terminal broke is one line. */
	readonly lines: readonly string[];
	/** Lines that were wider than the terminal, so that the terminal broke them. */
	readonly broken: readonly string[];
	/** Sequences that give colours. Bold and dim are none. */
	readonly colours: readonly string[];
	/** Sequences that move the cursor or erase. */
	readonly movements: readonly string[];
}

/** Rows of the terminal: the cursor cannot be moved above them. */
const height = 40;

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are what is read
const sequences = /\u001b\[([?0-9;]*)([@-~])|\u001b./gsu;

/** @param written all bytes of a session, as text */
export async function screenOf(written: string, columns: number): Promise<Screen> {
	const terminal = new xterm.Terminal({ cols: columns, rows: height, scrollback: 10_000, allowProposedApi: true });
	await new Promise<void>((resolve) => terminal.write(written, resolve));
	const found = [...written.matchAll(sequences)];
	const isColour = ([, parameter = "", letter]: RegExpMatchArray): boolean =>
		letter === "m" && parameter.split(";").some((code) => Number(code) >= 30);
	const screen = {
		...linesOf(terminal),
		colours: found.filter(isColour).map(([sequence]) => sequence),
		movements: found.filter(([, , letter]) => letter !== "m").map(([sequence]) => sequence),
	};
	terminal.dispose();
	return screen;
}

function linesOf({ buffer }: xterm.Terminal): Pick<Screen, "lines" | "broken"> {
	const lines: string[] = [];
	const broken = new Set<number>();
	for (let at = 0; at < buffer.active.length; at++) {
		const line = buffer.active.getLine(at);
		const goesOn = buffer.active.getLine(at + 1)?.isWrapped ?? false;
		const text = line?.translateToString(!goesOn) ?? "";
		if (line?.isWrapped) lines[lines.length - 1] += text;
		else lines.push(text);
		if (goesOn) broken.add(lines.length - 1);
	}
	const trimmed = lines.map((line) => line.trimEnd());
	while (trimmed.at(-1) === "") trimmed.pop();
	return { lines: trimmed, broken: [...broken].map((at) => trimmed[at] as string) };
}
