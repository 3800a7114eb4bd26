import { parseJson } from "../../api/json.js";
import { type Field, isRecord, placeholder, titleOf } from "../../api/schema.js";
import { fileNotRead, NotJson } from "../../api/text/trouble.js";
import type { Documents, Runtime } from "../../context.js";
import { type Advice, type Fault, PurserError } from "../../errors.js";
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
const mostOfDescription = 20 * 1024 * 1024;

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
	return filledIn(parseInput(bytes, name), name, bytes, shape);
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
	return parseInput(bytes, nameOf(source), mostNodesOfDescription, mend);
}

const nameOf = (source: string): string => (source === "-" ? "standard input" : source);

async function bytesOf(source: string, limit: number, { files, system }: From, fix = splitIt): Promise<Uint8Array> {
	const name = nameOf(source);
	try {
		return source === "-" ? await system.terminal.stdin.read(limit) : await files.read(source, limit);
	} catch (cause) {
		if (cause instanceof RangeError) throw tooLarge(name, cause.message, fix);
		throw fileNotRead(name, cause);
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

/** @throws PurserError validation, naming every field of a template that nobody filled in, with its line and its label */
function filledIn(document: unknown, name: string, bytes: Uint8Array, shape: Field): unknown {
	const paths = placeholdersIn(document);
	const [first] = paths;
	if (first === undefined) return document;
	const lineOf = lineFinder(textOf(bytes, name));
	const details = paths.map((path) => {
		const line = lineOf(path) ?? 1;
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
function labelsOf(path: readonly string[], shape: Field): Pick<Fault, "flag" | "heading"> {
	const fields: Field[] = [];
	for (const name of path) {
		const of = fields.at(-1)?.element ?? fields.at(-1) ?? shape;
		const field = of?.fields?.find((one) => one.name === name);
		if (field !== undefined) fields.push(field);
	}
	const last = fields.at(-1);
	if (last === undefined) return {};
	const own = fields.findLast(({ meta }) => meta.heading !== undefined)?.meta.heading;
	const heading = own ?? (fields.length > 1 ? titleOf(fields[0] as Field) : "Fields");
	return { flag: titleOf(last).replace(/ \([^()]*\)$/, ""), heading };
}

/**
 * The value of one document.
 * @param most values and keys
 * @throws PurserError usage, where the bytes are neither JSON nor YAML, or hold too much
 */
export function parseInput(bytes: Uint8Array, name: string, most: number = mostNodes, mend = "Correct it and run this again."): unknown {
	const text = textOf(bytes, name);
	try {
		return /^\s*[[{]/.test(text) ? parseEither(text, most) : parseYaml(text, most);
	} catch (cause) {
		const bounds = `At most ${most.toLocaleString("en-US")} values and keys and ${mostLevels} levels are read.`;
		if (cause instanceof BeyondBounds) throw tooLarge(name, cause.message, `Leave out what is not needed. ${bounds}`);
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
function parseEither(text: string, most: number): unknown {
	let value: unknown;
	try {
		value = parseJson(text);
	} catch (jsonError) {
		try {
			return parseYaml(text, most);
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
