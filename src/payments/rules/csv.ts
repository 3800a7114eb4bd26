/**
 * Reads CSV as spreadsheet programs write it: comma, semicolon or tab, quotes, CRLF, a byte-order mark. The same reader serves a whole
 * text and a file that is read in pieces. Its bytes are UTF-8 with or without a byte-order mark, or UTF-16 with one.
 */

import { PurserError } from "../../errors.js";
import type { Separator } from "../../system/disk/csv-line.js";

/** One record. `line` is the line it begins on, counted from 1. */
export interface CsvRecord {
	line: number;
	cells: string[];
}

export interface Table {
	/** Trimmed. */
	header: string[];
	rows: CsvRecord[];
}

/** Most characters of one record, so that an unclosed quote does not swallow the whole file. */
const maxRecordLength = 1024 * 1024;

/**
 * Reads a whole text. Skips empty lines.
 * @param name the file's name, for messages
 * @throws PurserError validation, naming the line: an unclosed or misplaced quote, a record with more or fewer cells than the header
 */
export function readTable(text: string, name: string): Table {
	const reader = new CsvReader(name);
	const [head, ...rows] = [...reader.push(text), ...reader.end()];
	if (head === undefined) throw csvError(name, 1, "there is no header line");
	const header = head.cells.map((cell) => cell.trim());
	for (const { line, cells } of rows)
		if (cells.length !== header.length) throw csvError(name, line, `${cells.length} cells, but the header has ${header.length}`);
	return { header, rows };
}

/** Reads records from a stream of text. Buffers at most one incomplete record. */
export class CsvReader {
	#rest = "";
	#line = 1;
	#first = true;
	#separator: Separator | undefined;
	/** The line ending; with `\n`, a preceding carriage return belongs to it. */
	#ending: "\n" | "\r" = "\n";

	constructor(private readonly name: string) {}

	/** The file's separator, known once the first line was read; a comma before that. */
	get separator(): Separator {
		return this.#separator ?? ",";
	}

	/** Returns the records that this piece completes, without empty lines. @throws PurserError validation */
	push(piece: string): CsvRecord[] {
		let text = this.#rest + piece;
		if (this.#first && text !== "") {
			this.#first = false;
			if (text.startsWith("\ufeff")) text = text.slice(1);
		}
		// A carriage return at the end of a piece may be the first half of CRLF.
		const carry = text.endsWith("\r") ? "\r" : "";
		return this.#records(carry ? text.slice(0, -1) : text, carry, false);
	}

	/** Returns the last record if the file does not end with a line ending. */
	end(): CsvRecord[] {
		return this.#records(this.#rest, "", true);
	}

	#records(text: string, carry: string, isEnd: boolean): CsvRecord[] {
		const records: CsvRecord[] = [];
		let at = 0;
		while (at < text.length) {
			if (this.#separator === undefined) {
				const start = this.#opening(text, at, isEnd);
				if (start === undefined) break;
				at = start;
				if (at >= text.length) break;
				// It was a blank line.
				if (this.#separator === undefined) continue;
			}
			const record = this.#record(text, at, isEnd);
			if (record === undefined) break;
			at = record.end;
			if (record.cells.length > 1 || record.cells[0] !== "") records.push({ line: this.#line, cells: record.cells });
			this.#line += record.lines;
		}
		this.#rest = text.slice(at) + carry;
		if (this.#rest.length > maxRecordLength)
			throw csvError(this.name, this.#line, `a record of more than ${maxRecordLength} characters; is a quote never closed?`);
		return records;
	}

	/**
	 * Detects the separator: the most frequent one in the first line outside quotes, or the one that a `sep=` line names. Skips a blank line.
	 */
	#opening(text: string, at: number, isEnd: boolean): number | undefined {
		const end = endOfLine(text, at);
		if (end === undefined && !isEnd) return undefined;
		if (end !== undefined && text[end] === "\r" && text[end + 1] !== "\n") this.#ending = "\r";
		const line = text.slice(at, end ?? text.length);
		const next = (end ?? text.length) + (text.startsWith("\r\n", end) ? 2 : 1);
		if (isBlank(line)) {
			this.#line += 1;
			return next;
		}
		const named = /^"?sep=([,;\t])"?$/i.exec(line)?.[1];
		this.#separator = (named ?? separatorOf(line)) as Separator;
		if (named === undefined) return at;
		this.#line += 1;
		return next;
	}

	#record(text: string, at: number, isEnd: boolean): { cells: string[]; end: number; lines: number } | undefined {
		const newline = text.indexOf(this.#ending, at);
		if (newline < 0 && !isEnd) return undefined;
		const next = newline < 0 ? text.length : newline;
		const end = this.#ending === "\n" && next > at && text[next - 1] === "\r" ? next - 1 : next;
		const line = text.slice(at, end);
		// Fast path: most lines have no quotes.
		if (!line.includes('"')) return { cells: line.split(this.separator), end: next + 1, lines: 1 };
		return this.#quotedRecord(text, at, isEnd);
	}

	#quotedRecord(text: string, start: number, isEnd: boolean): { cells: string[]; end: number; lines: number } | undefined {
		const cells: string[] = [];
		let lines = 1;
		for (let at = start; ; ) {
			const cell = text[at] === '"' ? this.#quoted(text, at, lines, isEnd) : this.#plain(text, at, lines);
			if (cell === undefined) return undefined;
			cells.push(cell.value);
			lines += cell.lines;
			const next = text[cell.end];
			if (next === undefined && !isEnd) return undefined;
			if (next === undefined || next === this.#ending) return { cells, end: cell.end + 1, lines };
			if (next === "\r" && text[cell.end + 1] === "\n") return { cells, end: cell.end + 2, lines };
			if (next !== this.separator) throw csvError(this.name, this.#line + lines - 1, "text follows a closing quote");
			at = cell.end + 1;
		}
	}

	#quoted(text: string, start: number, lines: number, isEnd: boolean): { value: string; end: number; lines: number } | undefined {
		for (let at = start + 1; ; at += 2) {
			at = text.indexOf('"', at);
			if (at < 0 && isEnd) throw csvError(this.name, this.#line + lines - 1, "a quote is opened and never closed");
			if (at < 0 || (at === text.length - 1 && !isEnd)) return undefined;
			if (text[at + 1] === '"') continue;
			const inside = text.slice(start + 1, at);
			return { value: inside.replaceAll('""', '"'), end: at + 1, lines: inside.split(/\r\n|\r|\n/).length - 1 };
		}
	}

	#plain(text: string, start: number, lines: number): { value: string; end: number; lines: number } {
		let end = start;
		for (; end < text.length && text[end] !== this.separator && text[end] !== this.#ending; end++) {
			if (text[end] === '"') throw csvError(this.name, this.#line + lines - 1, "a quote is inside a cell that is not quoted");
			if (text[end] === "\r" && text[end + 1] === "\n") break;
		}
		return { value: text.slice(start, end), end, lines: 0 };
	}
}

/** Whether a line has no cell with anything in it, whatever its separator. */
const isBlank = (line: string): boolean => /^[\s,;]*$/.test(line);

/** The index of the first line ending outside quotes. */
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

/** The error for a malformed CSV file; `line` counts from 1. */
export function csvError(name: string, line: number, what: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, line ${line}: ${what}`,
		fix: "Correct the file, or export it again as CSV (UTF-8), and run this again.",
	});
}

type Decoder = InstanceType<typeof TextDecoder>;

/** @throws PurserError validation, if the bytes are invalid in the detected encoding */
export async function* textOf(source: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
	let decoder: Decoder | undefined;
	let first: Uint8Array = new Uint8Array();
	let line = 1;
	const decode = (bytes: Uint8Array | undefined): string => {
		let text: string;
		try {
			text = (decoder as Decoder).decode(bytes, { stream: bytes !== undefined });
		} catch (cause) {
			const { encoding } = decoder as Decoder;
			const good = new TextDecoder(encoding).decode(bytes).split("\ufffd", 1)[0] as string;
			// A binary file usually has both faults; report the NUL, which says more.
			const zero = encoding === "utf-8" ? (bytes?.indexOf(0) ?? -1) : -1;
			if (bytes !== undefined && zero >= 0) throw withNul(name, line + linesIn(new TextDecoder().decode(bytes.subarray(0, zero))));
			throw unreadable(name, line + linesIn(good), encoding, cause);
		}
		const nul = text.indexOf("\0");
		if (nul >= 0) throw withNul(name, line + linesIn(text.slice(0, nul)));
		line += linesIn(text);
		return text;
	};
	for await (const piece of source) {
		if (decoder !== undefined) {
			yield decode(piece);
			continue;
		}
		first = Buffer.concat([first, piece]);
		if (first.length < 3) continue;
		decoder = decoderFor(first);
		yield decode(first);
	}
	if (decoder === undefined) {
		decoder = decoderFor(first);
		yield decode(first);
	}
	yield decode(undefined);
}

/** Chooses the encoding by the byte-order mark, which the decoder removes. */
function decoderFor([one, other]: Uint8Array): Decoder {
	const encoding = one === 0xff && other === 0xfe ? "utf-16le" : one === 0xfe && other === 0xff ? "utf-16be" : "utf-8";
	return new TextDecoder(encoding, { fatal: true });
}

/** Counts line feeds, or carriage returns if there are no line feeds. */
function linesIn(text: string): number {
	const end = text.includes("\n") ? "\n" : "\r";
	let count = 0;
	for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1)) count += 1;
	return count;
}

/** The error for a NUL character, which UTF-16 without a mark and binary files contain. */
function withNul(name: string, line: number): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, line ${line}: contains a NUL character`,
		why: "It is not a text file, or it is UTF-16 without a byte-order mark",
		fix: "Export it again as CSV UTF-8, and run this again.",
	});
}

function unreadable(name: string, line: number, encoding: string, cause: unknown): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, line ${line}: is not valid ${encoding.toUpperCase()}`,
		why: "A non-ASCII letter is in another encoding",
		fix: "Export it again as CSV UTF-8, and run this again.",
		cause,
	});
}
