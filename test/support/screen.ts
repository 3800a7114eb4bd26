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

/** The cells of a terminal, and where its cursor is. */
class Cells {
	/** Each cell is a character with its combining marks; "" is the second half of a wide one. */
	readonly rows: string[][] = [[]];
	/** Rows that go on in the next one. */
	readonly joined = new Set<number>();
	row = 0;
	column = 0;

	constructor(private readonly columns: number) {}

	private at(wanted: number): string[] {
		while (this.rows.length <= wanted) this.rows.push([]);
		return this.rows[wanted] as string[];
	}

	private eraseFrom(row: number, column: number): void {
		this.at(row).splice(column);
		this.joined.delete(row);
	}

	/** What a sequence does, by its letter. @param count undefined where it has none */
	readonly moves: Readonly<Record<string, (count: number | undefined) => void>> = {
		A: (count = 1) => {
			this.row = Math.max(0, this.rows.length - height, this.row - count);
		},
		B: (count = 1) => {
			this.row = Math.min(this.rows.length - 1, this.row + count);
		},
		C: (count = 1) => {
			this.column = Math.min(this.columns - 1, this.column + count);
		},
		D: (count = 1) => {
			this.column = Math.max(0, this.column - count);
		},
		G: (count = 1) => {
			this.column = count - 1;
		},
		K: (what = 0) => {
			if (what === 1) throw new Error("this screen does not know how to erase a line's beginning");
			this.eraseFrom(this.row, what === 2 ? 0 : this.column);
		},
		J: (what = 0) => {
			if (what !== 0) throw new Error("this screen does not know how to erase what is above");
			this.eraseFrom(this.row, this.column);
			for (let below = this.row + 1; below < this.rows.length; below++) this.eraseFrom(below, 0);
		},
	};

	readonly controls: Readonly<Record<string, () => void>> = {
		"\n": () => {
			this.row += 1;
			this.at(this.row);
		},
		"\r": () => {
			this.column = 0;
		},
		"\b": () => {
			this.column = Math.max(0, this.column - 1);
		},
		"\u0007": () => {},
	};

	put(character: string): void {
		const width = widthOf(character);
		if (width === 0) {
			const cells = this.at(this.row);
			const last = Math.min(this.column, cells.length) - 1;
			if (last >= 0) cells[last] += character;
			return;
		}
		if (this.column + width > this.columns) {
			this.joined.add(this.row);
			this.row += 1;
			this.column = 0;
		}
		const cells = this.at(this.row);
		while (cells.length < this.column) cells.push(" ");
		cells.splice(this.column, width, character, ...(width === 2 ? [""] : []));
		this.column += width;
	}
}

/** Sequences without a parameter of use: the cursor shown or hidden, a paste marked, a frame drawn at once. */
const modes = ["?25", "?2004", "?2026"];

/**
 * @param written all bytes of a session, as text
 * @throws Error where a sequence is unknown
 */
export function screenOf(written: string, columns: number): Screen {
	const cells = new Cells(columns);
	const colours: string[] = [];
	const movements: string[] = [];
	for (const [piece, parameter = "", letter] of written.matchAll(pieces)) {
		if (letter === undefined) write(cells, piece);
		else if (letter === "m") colours.push(...(isColour(parameter) ? [piece] : []));
		else {
			movements.push(piece);
			if (!(/[hl]/.test(letter) && modes.includes(parameter))) move(cells, piece, parameter, letter);
		}
	}
	return { ...linesOf(cells), colours, movements };
}

const isColour = (parameter: string): boolean => parameter.split(";").some((code) => Number(code) >= 30);

function write(cells: Cells, piece: string): void {
	const isShown = piece >= " " && piece !== "\u007f";
	const does = isShown ? () => cells.put(piece) : cells.controls[piece];
	if (does === undefined) throw unknown(piece);
	does();
}

function move(cells: Cells, piece: string, parameter: string, letter: string): void {
	const does = cells.moves[letter];
	if (does === undefined || !/^\d*$/.test(parameter)) throw unknown(piece);
	does(parameter === "" ? undefined : Number(parameter));
}

const unknown = (piece: string): Error => new Error(`this screen does not know ${JSON.stringify(piece)}`);

function linesOf({ rows, joined }: Cells): Pick<Screen, "lines" | "broken"> {
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
	return { lines, broken };
}
