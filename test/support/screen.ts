/**
 * What a terminal shows after everything that a program wrote to it. Only the sequences that are known here are allowed: any other one is
 * an error, so nothing that a person would see can be overlooked.
 */
import { widthOf } from "../../src/shell/output/wrap.js";

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

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal sequences are what is read
const pieces = /\u001b\[([?0-9;]*)([@-~])|\u001b.|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]/gsu;

/** Rows of the terminal: the cursor cannot be moved above them. */
const height = 40;

/**
 * @param written all bytes of a session, as text
 * @throws Error where a sequence is unknown
 */
export function screenOf(written: string, columns: number): Screen {
	/** Each cell is a character with its combining marks; "" is the second half of a wide one. */
	const rows: string[][] = [[]];
	/** Rows that go on in the next one. */
	const joined = new Set<number>();
	const colours: string[] = [];
	const movements: string[] = [];
	let row = 0;
	let column = 0;
	const at = (wanted: number): string[] => {
		while (rows.length <= wanted) rows.push([]);
		return rows[wanted] as string[];
	};
	const eraseFrom = (first: number, start: number): void => {
		at(first).splice(start);
		joined.delete(first);
	};
	const move = (sequence: string, parameter: string, letter: string): void => {
		movements.push(sequence);
		const count = Number(parameter || "1");
		const top = Math.max(0, rows.length - height);
		if (letter === "A") row = Math.max(top, row - count);
		else if (letter === "B") row = Math.min(rows.length - 1, row + count);
		else if (letter === "C") column = Math.min(columns - 1, column + count);
		else if (letter === "D") column = Math.max(0, column - count);
		else if (letter === "G") column = count - 1;
		else if (letter === "K" && parameter === "2") eraseFrom(row, 0);
		else if (letter === "K" && (parameter === "" || parameter === "0")) eraseFrom(row, column);
		else if (letter === "J" && (parameter === "" || parameter === "0")) {
			eraseFrom(row, column);
			for (let below = row + 1; below < rows.length; below++) eraseFrom(below, 0);
		} else throw new Error(`this screen does not know ${JSON.stringify(sequence)}`);
	};
	const put = (character: string): void => {
		const width = widthOf(character);
		if (width === 0) {
			const cells = at(row);
			const last = Math.min(column, cells.length) - 1;
			if (last >= 0) cells[last] += character;
			return;
		}
		if (column + width > columns) {
			joined.add(row);
			row += 1;
			column = 0;
		}
		const cells = at(row);
		while (cells.length < column) cells.push(" ");
		cells.splice(column, width, character, ...(width === 2 ? [""] : []));
		column += width;
	};
	for (const [piece, parameter = "", letter] of written.matchAll(pieces)) {
		if (letter === "m") {
			if (parameter.split(";").some((code) => Number(code) >= 30)) colours.push(piece);
		} else if (letter === "h" || letter === "l") {
			// The cursor shown or hidden, a paste marked, a frame drawn at once.
			if (!["?25", "?2004", "?2026"].includes(parameter)) throw new Error(`this screen does not know ${JSON.stringify(piece)}`);
			movements.push(piece);
		} else if (letter !== undefined) move(piece, parameter, letter);
		else if (piece === "\n") {
			row += 1;
			at(row);
		} else if (piece === "\r") column = 0;
		else if (piece === "\b") column = Math.max(0, column - 1);
		else if (piece === "\u0007") continue;
		else if (piece < " " || piece.startsWith("\u001b")) throw new Error(`this screen does not know ${JSON.stringify(piece)}`);
		else put(piece);
	}
	const lines: string[] = [];
	const broken: string[] = [];
	for (let first = 0; first < rows.length; first++) {
		let text = (rows[first] as string[]).join("");
		const isBroken = joined.has(first);
		while (joined.has(first)) {
			first += 1;
			text += rows[first]?.join("") ?? "";
		}
		lines.push(text.trimEnd());
		if (isBroken) broken.push(text.trimEnd());
	}
	while (lines.at(-1) === "") lines.pop();
	return { lines, broken, colours, movements };
}
