import { parseJson } from "../../api/json.js";
import { type Field, isRecord, placeholder, titleOf } from "../../api/schema.js";
import { NotJson, troubleWords } from "../../api/text/trouble.js";
import type { Documents, Runtime } from "../../context.js";
import { type Advice, type Fault, PurserError } from "../../errors.js";
import { boundWords } from "../../system/disk/bounded.js";
import {
	BeyondBounds,
	lineFinder,
	mostLevels,
	mostNodes,
	mostNodesOfDescription,
	NotYaml,
	parseYaml,
	tooDeep,
	tooManyNodes,
} from "./yaml.js";

const mostOfDocument = 1024 * 1024;
const mostOfFile = 64 * 1024 * 1024;
const mostOfDescription = 20 * 1024 * 1024;
const mostDocuments = 1_000;
const mostNodesOfFile = 1_000_000;

const splitIt = "Split it into smaller ones and run this again.";

type From = Pick<Runtime, "files" | "system">;

/**
 * Reads `--file FILE` or `--file -`.
 * @throws PurserError usage, where it cannot be read, is too large, or is neither JSON nor YAML; validation, where it is a template not
 * filled in
 */
export async function readDocument(source: string, from: From, shape: Field): Promise<unknown> {
	const name = nameOf(source);
	const bytes = await bytesOf(source, mostOfDocument, from);
	return filledIn(parseInput(bytes, name), { name, bytes, shape });
}

/** The same for a file that is told about line by line. @returns its value, and the line of each path in it */
export async function readWithLines(source: string, from: From): ReturnType<Documents["readWithLines"]> {
	const name = nameOf(source);
	const bytes = await bytesOf(source, mostOfDocument, from);
	return { value: parseInput(bytes, name), lineOf: lineFinder(textOf(bytes, name)) };
}

/** The same for a machine's description of a service, which is larger than what people write. */
export async function readDescription(source: string, from: From): Promise<unknown> {
	const bytes = await bytesOf(source, mostOfDescription, from, "Ask for one with the operations of companies and payments alone.");
	const mend = "Fetch it again, whole: it may be cut off. Then run this again.";
	return parseInput(bytes, nameOf(source), 0, mostNodesOfDescription, mend);
}

/**
 * The documents of a file, which YAML separates by lines of `---`; empty ones are left out, where there are others.
 * @throws PurserError usage, where it cannot be read, or is too large
 */
export async function readDocuments(source: string, from: From, shape?: Field): ReturnType<Documents["readAll"]> {
	const name = nameOf(source);
	const bytes = await bytesOf(source, mostOfFile, from);
	const places = placesOf(bytes, name);
	const nameAt = (place: number): string => (places.length === 1 ? name : `${name}#${place + 1}`);
	let nodes = 0;
	return places.map(({ from, to }, place) => ({
		name: nameAt(place),
		read: () => {
			if (to - from > mostOfDocument) throw tooLarge(name, documentWords(to - from, linesBefore(bytes, from) + 1), splitIt);
			const [part, above] = [bytes.subarray(from, to), linesBefore(bytes, from)];
			const value = parseInput(part, name, above);
			nodes += nodesIn(value);
			if (nodes > mostNodesOfFile)
				throw tooLarge(name, `Its documents have more than ${grouped(mostNodesOfFile)} values and keys`, splitIt);
			return filledIn(value, { name: nameAt(place), bytes: part, above, shape });
		},
	}));
}

const nameOf = (source: string): string => (source === "-" ? "standard input" : source);

const grouped = (count: number): string => count.toLocaleString("en-US");

function documentWords(bytes: number, line: number): string {
	return `The document at line ${line} has ${grouped(bytes)} bytes, and a document may have at most ${boundWords(mostOfDocument)}`;
}

async function bytesOf(source: string, limit: number, { files, system }: From, fix = splitIt): Promise<Uint8Array> {
	const name = nameOf(source);
	try {
		return source === "-" ? await system.terminal.stdin.read(limit) : await files.read(source, limit);
	} catch (cause) {
		if (cause instanceof RangeError) throw tooLarge(name, cause.message, fix);
		throw new PurserError("usage", {
			code: "INPUT_UNREADABLE",
			message: `Cannot read ${name}`,
			why: troubleWords(cause),
			fix: "Check the path; - stands for standard input.",
			cause,
		});
	}
}

function tooLarge(name: string, why: string, fix: Advice): PurserError {
	return new PurserError("usage", { code: "INPUT_TOO_LARGE", message: `${name} is too large; nothing was sent`, why, fix });
}

/** The paths at which a document still has the placeholder, alone or inside a text. */
function placeholdersIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
	if (typeof value === "string") return value.includes(placeholder) ? [path] : [];
	if (Array.isArray(value)) return value.flatMap((one, at) => placeholdersIn(one, [...path, String(at)]));
	if (!isRecord(value)) return [];
	return Object.entries(value).flatMap(([name, one]) => placeholdersIn(one, [...path, name]));
}

interface Read {
	name: string;
	bytes: Uint8Array;
	above?: number;
	shape?: Field;
}

/** @throws PurserError validation, naming every field of a template that nobody filled in, with its line and its label */
function filledIn(document: unknown, { name, bytes, above = 0, shape }: Read): unknown {
	const paths = placeholdersIn(document);
	const [first] = paths;
	if (first === undefined) return document;
	const lineOf = lineFinder(textOf(bytes, name));
	const details = paths.map((path) => {
		const line = (lineOf(path) ?? 1) + above;
		return { field: path.join("."), line, message: "is not filled in yet", ...labelsOf(path, shape) };
	});
	const many = details.length > 1 ? `${details.length} fields, first` : "1 field,";
	throw new PurserError("validation", {
		code: "TEMPLATE_NOT_EDITED",
		message: `${name}: Not filled in yet: ${many} at line ${details[0]?.line} (${first.join(".")}); nothing was sent`,
		fix: `Write a value for each ${placeholder}, or delete the lines that are optional, and run this again.`,
		details,
	});
}

/** What a question calls a field, and the heading over it: its own, or that of the part which it stands in. */
function labelsOf(path: readonly string[], shape: Field | undefined): Pick<Fault, "flag" | "heading"> {
	const fields: Field[] = [];
	for (const name of path) {
		const of = fields.at(-1)?.element ?? fields.at(-1) ?? shape;
		const field = of?.fields?.find((one) => one.name === name);
		if (field !== undefined) fields.push(field);
	}
	const last = fields.at(-1);
	if (last === undefined) return {};
	const heading = fields.findLast(({ meta }) => meta.heading !== undefined)?.meta.heading;
	return {
		flag: titleOf(last).replace(/ \([^()]*\)$/, ""),
		heading: heading ?? (fields.length > 1 ? titleOf(fields[0] as Field) : "Fields"),
	};
}

interface Place {
	from: number;
	to: number;
}

/** Nothing else may stand at the start of a line as `---` does, not even in a text. */
function placesOf(bytes: Uint8Array, name: string): Place[] {
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
	const places: Place[] = [];
	let from = 0;
	for (let next = 0, marks = 0; next < buffer.length; ) {
		const mark = buffer.indexOf("\n---", next);
		const to = mark < 0 ? buffer.length : mark + 1;
		next = mark < 0 ? buffer.length : mark + 4;
		if (mark >= 0 && ![undefined, 0x20, 0x09, 0x0a, 0x0d].includes(buffer[next])) continue;
		marks += 1;
		if (marks > mostDocuments)
			throw tooLarge(name, `It has more than ${grouped(mostDocuments)} documents`, "Split it into smaller files and run this again.");
		// A larger one is not looked into: it is refused when it is read.
		const kind = to - from > mostOfDocument ? "content" : kindOf(buffer.toString("latin1", from, to));
		if (kind === "content") places.push({ from, to });
		// Directives belong to the document after the mark.
		if (kind !== "directives") from = to;
	}
	return places.length > 0 ? places : [{ from: 0, to: bytes.length }];
}

function kindOf(text: string): "content" | "directives" | "empty" {
	if (/^(?![ \t\r]*(?:#.*)?$|%|(?:---|\.\.\.)[ \t\r]*(?:#.*)?$)./m.test(text)) return "content";
	return /^%/m.test(text) ? "directives" : "empty";
}

function linesBefore(bytes: Uint8Array, end: number): number {
	let lines = 0;
	for (let at = bytes.indexOf(0x0a); at >= 0 && at < end; at = bytes.indexOf(0x0a, at + 1)) lines += 1;
	return lines;
}

/**
 * The value of one document.
 * @param above lines before it in its file
 * @param most values and keys
 * @throws PurserError usage, where the bytes are neither JSON nor YAML, or hold too much
 */
export function parseInput(
	bytes: Uint8Array,
	name: string,
	above = 0,
	most: number = mostNodes,
	mend = "Correct it and run this again, or write a template to start from with --print-template.",
): unknown {
	const text = textOf(bytes, name);
	try {
		return /^\s*[[{]/.test(text) ? parseEither(text, above, most) : parseYaml(text, above, most);
	} catch (cause) {
		if (cause instanceof BeyondBounds)
			throw tooLarge(
				name,
				cause.message,
				`Leave out what is not needed. At most ${grouped(most)} values and keys and ${mostLevels} levels are read.`,
			);
		throw new PurserError("usage", {
			code: "INPUT_UNREADABLE",
			message: `${name} is neither JSON nor YAML`,
			why: cause instanceof NotYaml || cause instanceof NotJson ? sentence(cause.message) : undefined,
			fix: mend,
			cause,
		});
	}
}

const sentence = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

function textOf(bytes: Uint8Array, name: string): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "INPUT_UNREADABLE",
			message: `${name} is not UTF-8 text`,
			why: "Some bytes are not valid UTF-8: it has another encoding, such as Latin-1, or is not text",
			fix: "Save it as UTF-8 and run this again.",
			cause,
		});
	}
}

/** Text that looks like JSON may be YAML's flow form; where it is neither, the JSON error is reported. */
function parseEither(text: string, above: number, most: number): unknown {
	let value: unknown;
	try {
		value = parseJson(text);
	} catch (jsonError) {
		try {
			return parseYaml(text, above, most);
		} catch (error) {
			throw error instanceof BeyondBounds ? error : jsonError;
		}
	}
	if (nodesIn(value) > most) throw tooManyNodes(most);
	return value;
}

/** @throws BeyondBounds */
function nodesIn(value: unknown, level = 0): number {
	if (!Array.isArray(value) && !isRecord(value)) return 1;
	if (level >= mostLevels) throw tooDeep();
	if (Array.isArray(value)) return value.reduce((sum: number, part) => sum + nodesIn(part, level + 1), 1);
	return Object.values(value).reduce((sum: number, part) => sum + 1 + nodesIn(part, level + 1), 1);
}
