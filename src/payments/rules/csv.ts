/**
 * Reads CSV as spreadsheet programs write it: comma, semicolon or tab, quotes, CRLF, a byte-order mark. The same reader serves a whole
 * text and a file that is read in pieces. Its bytes are UTF-8 with or without a byte-order mark, UTF-16 with one, or Windows-1252.
 */

import { isAscii } from "node:buffer";
import { PurserError } from "../../errors.js";
import type { Separator } from "../../system/disk/csv-line.js";

export interface CsvRecord {
	/** As a spreadsheet program numbers it, from 1: empty rows count, the lines within a cell do not, nor does a line that names the separator. */
	row: number;
	cells: string[];
}

export interface Table {
	/** Trimmed. */
	header: string[];
	rows: CsvRecord[];
}

/** Most characters of one record, so that an unclosed quote does not swallow the whole file. */
const maxRecordLength = 1024 * 1024;

/** Reads a whole text. Skips empty lines. */
export function readTable(text: string, name: string): Table {
	const reader = new CsvReader(name);
	const [head, ...rows] = [...reader.push(text), ...reader.end()];
	if (head === undefined) throw csvError(name, "row 1", "there is no header");
	const header = head.cells.map((cell) => cell.trim());
	for (const { row, cells } of rows)
		if (cells.length !== header.length) throw csvError(name, `row ${row}`, `${cells.length} cells, but the header has ${header.length}`);
	return { header, rows };
}

/** Reads records from a stream of text. Buffers at most one incomplete record. */
export class CsvReader {
	#rest = "";
	#row = 1;
	/** Known once the first line was read. */
	#separator: Separator | undefined;
	/** The line ending; with `\n`, a preceding carriage return belongs to it. */
	#ending: "\n" | "\r" = "\n";
	/** A cell in quotes, or what stands before the next separator. */
	#cell = /(?:)/y;

	constructor(private readonly name: string) {}

	push(piece: string): CsvRecord[] {
		const text = this.#rest + piece;
		// A carriage return at the end of a piece may be the first half of CRLF.
		const carry = text.endsWith("\r") ? "\r" : "";
		return this.#records(carry ? text.slice(0, -1) : text, carry, false);
	}

	end(): CsvRecord[] {
		return this.#records(this.#rest, "", true);
	}

	#records(text: string, carry: string, isEnd: boolean): CsvRecord[] {
		const records: CsvRecord[] = [];
		let at = 0;
		while (at < text.length) {
			const start = this.#separator === undefined ? this.#opening(text, at, isEnd) : at;
			if (start === undefined) break;
			at = start;
			// It was a blank line, or there is nothing behind the line that names the separator.
			if (this.#separator === undefined || at >= text.length) continue;
			const record = this.#record(text, at, isEnd);
			if (record === undefined) break;
			at = record.end;
			if (record.cells.length > 1 || record.cells[0] !== "") records.push({ row: this.#row, cells: record.cells });
			this.#row += 1;
		}
		this.#rest = text.slice(at) + carry;
		if (this.#rest.length > maxRecordLength)
			throw this.#error(`a record of more than ${maxRecordLength} characters; is a quote never closed?`);
		return records;
	}

	#error = (what: string): PurserError => csvError(this.name, `row ${this.#row}`, what);

	/**
	 * Detects the separator: the most frequent one in the first line outside quotes, or the one that a `sep=` line names. Skips a blank line.
	 */
	#opening(text: string, start: number, isEnd: boolean): number | undefined {
		const at = text[start] === "\ufeff" ? start + 1 : start;
		const end = endOfLine(text, at);
		if (end === undefined && !isEnd) return undefined;
		if (end !== undefined && text[end] === "\r" && text[end + 1] !== "\n") this.#ending = "\r";
		const line = text.slice(at, end ?? text.length);
		const next = (end ?? text.length) + (text.startsWith("\r\n", end) ? 2 : 1);
		if (isBlank(line)) {
			this.#row += 1;
			return next;
		}
		const named = /^"?sep=([,;\t])"?$/i.exec(line)?.[1];
		this.#separator = (named ?? separatorOf(line)) as Separator;
		this.#cell = new RegExp(`"([^"]*(?:""[^"]*)*)"|[^"${this.#separator}${this.#ending}]*`, "y");
		return named === undefined ? at : next;
	}

	/** @returns undefined where its end is not there yet */
	#record(text: string, start: number, isEnd: boolean): { cells: string[]; end: number } | undefined {
		const newline = text.indexOf(this.#ending, start);
		if (newline < 0 && !isEnd) return undefined;
		const end = newline < 0 ? text.length : newline;
		const line = text.slice(start, this.#ending === "\n" && end > start && text[end - 1] === "\r" ? end - 1 : end);
		// Most lines have no quotes.
		return line.includes('"') ? this.#quotedRecord(text, start, isEnd) : { cells: line.split(this.#separator as Separator), end: end + 1 };
	}

	#quotedRecord(text: string, start: number, isEnd: boolean): { cells: string[]; end: number } | undefined {
		const cells: string[] = [];
		for (let at = start; ; at += 1) {
			this.#cell.lastIndex = at;
			const [all, quoted] = this.#cell.exec(text) as unknown as [string, string?];
			at += all.length;
			const next = text[at];
			if (next === '"' && quoted === undefined && all !== "") throw this.#error("a quote is inside a cell that is not quoted");
			if ((next === undefined || next === '"') && !isEnd) return undefined;
			if (next === '"') throw this.#error("a quote is opened and never closed");
			const isReturn = this.#ending === "\n" && text.startsWith("\r\n", at);
			const isLast = isReturn || next === undefined || next === this.#ending;
			cells.push(quoted?.replaceAll('""', '"') ?? (isLast && this.#ending === "\n" ? all.replace(/\r$/, "") : all));
			if (isLast) return { cells, end: at + (isReturn ? 2 : 1) };
			if (next !== this.#separator) throw this.#error("text follows a closing quote");
		}
	}
}

/** Whether a line has no cell with anything in it, whatever its separator. */
const isBlank = (line: string): boolean => /^[\s,;]*$/.test(line);

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

function csvError(name: string, place: string, what: string, why?: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, ${place}: ${what}`,
		why,
		fix: "Correct the file, or export it again as CSV (UTF-8), and run this again.",
	});
}

/** @throws PurserError validation, if the bytes are a workbook or no text in the detected encoding */
export async function* textOf(source: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, name: string): AsyncGenerator<string> {
	const decoding = new Decoding(name);
	for await (const piece of source) yield decoding.next(piece);
	yield decoding.next();
}

type Decoder = InstanceType<typeof TextDecoder>;

const decisive = 4;

/**
 * Decodes a file. A byte-order mark says UTF-16; else the first letter outside ASCII decides between UTF-8 and Windows-1252, in which Excel
 * writes CSV that is not called UTF-8.
 */
class Decoding {
	#decoder: Decoder | undefined;
	#held: Uint8Array = new Uint8Array();
	#isBegun = false;
	#line = 1;

	constructor(private readonly name: string) {}

	/** @param piece undefined at the end */
	next(piece?: Uint8Array): string {
		const isEnd = piece === undefined;
		const bytes =
			this.#held.length === 0 && piece !== undefined
				? Buffer.from(piece.buffer, piece.byteOffset, piece.length)
				: Buffer.concat([this.#held, piece ?? new Uint8Array()]);
		this.#held = new Uint8Array();
		if (!this.#isBegun) {
			if (bytes.length < decisive && !isEnd) return this.#hold(bytes);
			this.#begin(bytes);
		}
		if (this.#decoder === undefined && !isAscii(bytes)) {
			const at = bytes.findIndex((byte) => byte > 0x7f);
			if (bytes.length - at < decisive && !isEnd) return this.#text(bytes.subarray(0, at), false) + this.#hold(bytes.subarray(at));
			this.#decoder = decoderFor(isUtf8Start(bytes.subarray(at)) ? "utf-8" : "windows-1252");
		}
		return this.#text(bytes, isEnd);
	}

	#hold(bytes: Uint8Array): string {
		this.#held = Uint8Array.from(bytes);
		return "";
	}

	#begin(bytes: Buffer): void {
		this.#isBegun = true;
		const start = bytes.subarray(0, decisive).toString("hex");
		// A ZIP archive or a compound file.
		if (start === "504b0304" || start === "d0cf11e0") throw isWorkbook(this.name);
		if (start.startsWith("fffe")) this.#decoder = decoderFor("utf-16le");
		if (start.startsWith("feff")) this.#decoder = decoderFor("utf-16be");
	}

	/** @param bytes ASCII alone as long as there is no decoder */
	#text(bytes: Buffer, isEnd: boolean): string {
		const decoder = this.#decoder ?? decoderFor("utf-8");
		const { encoding } = decoder;
		const refused = (before: string, what: string, why: string): PurserError =>
			csvError(this.name, `line ${this.#line + linesIn(before)}`, what, why);
		const invalid = "A letter is in another encoding";
		let text: string;
		try {
			text = decoder.decode(bytes, { stream: !isEnd });
		} catch {
			const good = new TextDecoder(encoding).decode(bytes).split("\ufffd", 1)[0] as string;
			throw refused(good, `is not valid ${encoding.toUpperCase()}`, invalid);
		}
		const nul = text.indexOf("\0");
		if (nul >= 0)
			throw refused(text.slice(0, nul), "contains a NUL character", "It is not a text file, or it is UTF-16 without a byte-order mark");
		// Windows-1252 has no letter for five bytes, so a file that has one is something else.
		const odd = encoding === "windows-1252" ? text.search(/[\u0080-\u009f]/) : -1;
		if (odd >= 0) throw refused(text.slice(0, odd), "is not valid UTF-8 or Windows-1252", invalid);
		this.#line += linesIn(text);
		return text;
	}
}

/** The mark of byte order is left in the text, whose reader takes it away. */
const decoderFor = (encoding: string): Decoder => new TextDecoder(encoding, { fatal: true, ignoreBOM: true });

/** Whether bytes begin with a letter of UTF-8, or with its beginning where the file ends within it. */
function isUtf8Start(bytes: Uint8Array): boolean {
	const lead = bytes[0] as number;
	try {
		decoderFor("utf-8").decode(bytes.subarray(0, lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4), { stream: true });
		return true;
	} catch {
		return false;
	}
}

function linesIn(text: string): number {
	const end = text.includes("\n") ? "\n" : "\r";
	let count = 0;
	for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1)) count += 1;
	return count;
}

function isWorkbook(name: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name} is a workbook (.xlsx, .xls or .ods), not CSV`,
		why: "A workbook stores other digits than it shows; CSV holds what you see",
		fix: "Open it in your spreadsheet program, save the sheet as CSV (UTF-8), and run this again with that file.",
	});
}
