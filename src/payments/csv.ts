/**
 * Separated values as spreadsheet programs write them: comma, semicolon or tab, quotes, CRLF, a byte-order mark.
 */
import { PurserError } from "../errors.js";

export interface Table {
	/** As written, spaces at the ends left out. */
	header: string[];
	/** One record each, with the line it begins on, from 1. */
	rows: { line: number; cells: string[] }[];
}

/**
 * Reads a text whole. Empty lines are left out; every record has as many cells as the header.
 * @param name of the file, for messages
 * @throws PurserError validation, naming the line: a quote left open or in the wrong place, a record of another length
 */
export function readTable(text: string, name: string): Table {
	const separator = separatorOf(text);
	const records = [...recordsOf(text.replace(/^\ufeff/, ""), separator, name)];
	const [head, ...rows] = records;
	if (head === undefined) throw broken(name, 1, "there is no header line");
	const header = head.cells.map((cell) => cell.trim());
	for (const { line, cells } of rows)
		if (cells.length !== header.length) throw broken(name, line, `${cells.length} cells, but the header has ${header.length}`);
	return { header, rows };
}

/** The one of comma, semicolon and tab that stands most often in the first line outside quotes. */
function separatorOf(text: string): string {
	const [first = ""] = text.replace(/"(?:[^"]|"")*"/g, "").split(/\r?\n/, 1);
	const counts = [",", ";", "\t"].map((separator) => ({ separator, count: first.split(separator).length }));
	return counts.reduce((most, one) => (one.count > most.count ? one : most)).separator;
}

function* recordsOf(text: string, separator: string, name: string): Generator<{ line: number; cells: string[] }> {
	const special = new RegExp(`["\\r\\n${separator === "\t" ? "\\t" : separator}]`, "g");
	let line = 1;
	for (let at = 0; at < text.length; ) {
		const start = line;
		const cells: string[] = [];
		for (let open = true; open; ) {
			const cell = text[at] === '"' ? quoted(text, at, name, line) : plain(text, at, special, name, line);
			cells.push(cell.value);
			line += cell.lines;
			open = text[cell.end] === separator;
			at = open ? cell.end + 1 : nextLine(text, cell.end, name, line);
		}
		line += 1;
		if (cells.length > 1 || cells[0] !== "") yield { line: start, cells };
	}
}

/** Where the line after this one begins: a record ends with a line end, or with the text. */
function nextLine(text: string, end: number, name: string, line: number): number {
	const next = text[end];
	if (next === "\r" && text[end + 1] === "\n") return end + 2;
	if (next === undefined || next === "\n" || next === "\r") return end + 1;
	throw broken(name, line, "text follows a closing quote");
}

interface Cell {
	value: string;
	/** Where it ends, and how many lines it went down. */
	end: number;
	lines: number;
}

function quoted(text: string, start: number, name: string, line: number): Cell {
	for (let at = start + 1; ; at += 2) {
		at = text.indexOf('"', at);
		if (at < 0) throw broken(name, line, "a quote is opened and never closed");
		if (text[at + 1] === '"') continue;
		const inside = text.slice(start + 1, at);
		return { value: inside.replaceAll('""', '"'), end: at + 1, lines: inside.split("\n").length - 1 };
	}
}

function plain(text: string, start: number, special: RegExp, name: string, line: number): Cell {
	special.lastIndex = start;
	const found = special.exec(text);
	const end = found?.index ?? text.length;
	if (found?.[0] === '"') throw broken(name, line, "a quote stands within a cell that is not quoted");
	return { value: text.slice(start, end), end, lines: 0 };
}

function broken(name: string, line: number, what: string): PurserError {
	return new PurserError("validation", {
		code: "FILE_UNREADABLE",
		message: `${name}, line ${line}: ${what}`,
		fix: "Correct the file, or export it again as CSV (UTF-8), and run this again.",
	});
}
