/**
 * Separated values as spreadsheet programs write them: comma, semicolon or tab, quotes, CRLF, a byte-order mark. One reader, for a
 * text that is there whole and for a file that comes in pieces.
 */
import type { Separator } from "../../disk/csv-line.js";
import { PurserError } from "../../errors.js";

/** One record, with the line it begins on, from 1. */
export interface CsvRecord {
	line: number;
	cells: string[];
}

export interface Table {
	/** As written, spaces at the ends left out. */
	header: string[];
	rows: CsvRecord[];
}

/** Characters of one record: a quote that is never closed must not swallow the file. */
const longest = 1024 * 1024;

/**
 * Reads a text whole. Empty lines are left out; every record has as many cells as the header.
 * @param name of the file, for messages
 * @throws PurserError validation, naming the line: a quote left open or in the wrong place, a record of another length
 */
export function readTable(text: string, name: string): Table {
	const reader = new CsvReader(name);
	const [head, ...rows] = [...reader.push(text), ...reader.end()];
	if (head === undefined) throw broken(name, 1, "there is no header line");
	const header = head.cells.map((cell) => cell.trim());
	for (const { line, cells } of rows)
		if (cells.length !== header.length) throw broken(name, line, `${cells.length} cells, but the header has ${header.length}`);
	return { header, rows };
}

/** Reads records as the text comes; what it keeps is at most one record that is not whole yet. */
export class CsvReader {
	#rest = "";
	#line = 1;
	#first = true;
	#separator: Separator | undefined;
	/** What ends a line; a carriage return before a line feed belongs to the end. */
	#ending: "\n" | "\r" = "\n";

	constructor(private readonly name: string) {}

	/** The one in use, once the first line was read. */
	get separator(): Separator {
		return this.#separator ?? ",";
	}

	/** The records that are whole with this piece; empty lines are left out. @throws PurserError validation */
	push(piece: string): CsvRecord[] {
		let text = this.#rest + piece;
		if (this.#first && text !== "") {
			this.#first = false;
			if (text.startsWith("\ufeff")) text = text.slice(1);
		}
		// A carriage return at the end may be the first half of a line's end.
		const held = text.endsWith("\r") ? "\r" : "";
		return this.#records(held ? text.slice(0, -1) : text, held, false);
	}

	/** The last record, where the file does not end with a line's end. */
	end(): CsvRecord[] {
		return this.#records(this.#rest, "", true);
	}

	#records(text: string, held: string, last: boolean): CsvRecord[] {
		const found: CsvRecord[] = [];
		let at = 0;
		while (at < text.length) {
			if (this.#separator === undefined) {
				const start = this.#opening(text, at, last);
				if (start === undefined) break;
				at = start;
				if (at >= text.length) break;
			}
			const record = this.#record(text, at, last);
			if (record === undefined) break;
			at = record.end;
			if (record.cells.length > 1 || record.cells[0] !== "") found.push({ line: this.#line, cells: record.cells });
			this.#line += record.lines;
		}
		this.#rest = text.slice(at) + held;
		if (this.#rest.length > longest)
			throw broken(this.name, this.#line, `a record of more than ${longest} characters; is a quote never closed?`);
		return found;
	}

	/** Finds the separator: the one that stands most often in the first line outside quotes, or the one that `sep=` names. */
	#opening(text: string, at: number, last: boolean): number | undefined {
		const end = endOfLine(text, at);
		if (end === undefined && !last) return undefined;
		if (end !== undefined && text[end] === "\r" && text[end + 1] !== "\n") this.#ending = "\r";
		const line = text.slice(at, end ?? text.length);
		const named = /^"?sep=([,;\t])"?$/i.exec(line)?.[1];
		this.#separator = (named ?? separatorOf(line)) as Separator;
		if (named === undefined) return at;
		this.#line += 1;
		return (end ?? text.length) + (text.startsWith("\r\n", end) ? 2 : 1);
	}

	#record(text: string, at: number, last: boolean): { cells: string[]; end: number; lines: number } | undefined {
		const newline = text.indexOf(this.#ending, at);
		if (newline < 0 && !last) return undefined;
		const next = newline < 0 ? text.length : newline;
		const end = this.#ending === "\n" && next > at && text[next - 1] === "\r" ? next - 1 : next;
		const line = text.slice(at, end);
		// Nearly every line has no quote at all.
		if (!line.includes('"')) return { cells: line.split(this.separator), end: next + 1, lines: 1 };
		return this.#quotedRecord(text, at, last);
	}

	#quotedRecord(text: string, start: number, last: boolean): { cells: string[]; end: number; lines: number } | undefined {
		const cells: string[] = [];
		let lines = 1;
		for (let at = start; ; ) {
			const cell = text[at] === '"' ? this.#quoted(text, at, lines, last) : this.#plain(text, at, lines);
			if (cell === undefined) return undefined;
			cells.push(cell.value);
			lines += cell.lines;
			const next = text[cell.end];
			if (next === undefined && !last) return undefined;
			if (next === undefined || next === this.#ending) return { cells, end: cell.end + 1, lines };
			if (next === "\r" && text[cell.end + 1] === "\n") return { cells, end: cell.end + 2, lines };
			if (next !== this.separator) throw broken(this.name, this.#line + lines - 1, "text follows a closing quote");
			at = cell.end + 1;
		}
	}

	#quoted(text: string, start: number, lines: number, last: boolean): { value: string; end: number; lines: number } | undefined {
		for (let at = start + 1; ; at += 2) {
			at = text.indexOf('"', at);
			if (at < 0 && last) throw broken(this.name, this.#line + lines - 1, "a quote is opened and never closed");
			if (at < 0 || (at === text.length - 1 && !last)) return undefined;
			if (text[at + 1] === '"') continue;
			const inside = text.slice(start + 1, at);
			return { value: inside.replaceAll('""', '"'), end: at + 1, lines: inside.split(/\r\n|\r|\n/).length - 1 };
		}
	}

	#plain(text: string, start: number, lines: number): { value: string; end: number; lines: number } {
		let end = start;
		for (; end < text.length && text[end] !== this.separator && text[end] !== this.#ending; end++) {
			if (text[end] === '"') throw broken(this.name, this.#line + lines - 1, "a quote stands within a cell that is not quoted");
			if (text[end] === "\r" && text[end + 1] === "\n") break;
		}
		return { value: text.slice(start, end), end, lines: 0 };
	}
}

/** Where the first line ends that is not inside quotes. */
function endOfLine(text: string, start: number): number | undefined {
	let quoted = false;
	for (let at = start; at < text.length; at++) {
		if (text[at] === '"') quoted = !quoted;
		else if ((text[at] === "\n" || text[at] === "\r") && !quoted) return at;
	}
	return undefined;
}

function separatorOf(line: string): Separator {
	const bare = line.replace(/"(?:[^"]|"")*"/g, "");
	const counts = ([",", ";", "\t"] as const).map((separator) => ({ separator, count: bare.split(separator).length }));
	return counts.reduce((most, one) => (one.count > most.count ? one : most)).separator;
}

/** That a file is no CSV; `line` counts from 1. */
export function broken(name: string, line: number, what: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, line ${line}: ${what}`,
		fix: "Correct the file, or export it again as CSV (UTF-8), and run this again.",
	});
}
