import { parse, stringify } from "lossless-json";
import { sanitizeJson } from "./text/sanitize.js";
import { NotJson } from "./text/trouble.js";

const numberLiteral = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A JSON number as the text it was written in: `10.10` stays `10.10` from the keystroke to the wire and back, and never becomes a double.
 */
export class Decimal {
	readonly text: string;

	constructor(text: string) {
		if (!numberLiteral.test(text)) throw new RangeError(`not a JSON number: ${JSON.stringify(text)}`);
		this.text = text;
	}

	toString(): string {
		return this.text;
	}

	/** For plain JSON.stringify (a log, a snapshot). */
	toJSON(): string {
		return this.text;
	}
}

/** Any JSON value, with numbers as {@link Decimal}. */
export type Json = null | boolean | string | Decimal | Json[] | { [key: string]: Json };

/** Upper bounds of a JSON text; what is left out is unbounded. */
export interface JsonBounds {
	/** Objects and lists inside each other. */
	levels?: number;
	/** Values in all: objects, lists, texts, numbers and words. */
	values?: number;
	/** Members of one object. */
	members?: number;
	/** Characters of one number. */
	digits?: number;
}

/**
 * Parses JSON without losing a number's literal.
 * @throws NotJson when the text is not JSON, a key appears twice with different values, or it holds more than `bounds` allow
 */
export function parseJson(text: string, bounds: JsonBounds = {}): Json {
	const { digits = Infinity, values = Infinity } = bounds;
	if (text.length > 4 * values && separatorsIn(text) > 4 * values) throw new NotJson(`More than ${values} values`);
	const parseNumber = (literal: string): Decimal => {
		if (literal.length > digits) throw new NotJson(`A number of more than ${digits} characters`);
		return new Decimal(literal);
	};
	let value: Json;
	try {
		value = parse(text, undefined, { parseNumber }) as Json;
	} catch (cause) {
		if (cause instanceof SyntaxError) throw cause instanceof NotJson ? cause : notJson(text, cause);
		if (!(cause instanceof RangeError)) throw cause;
		throw new NotJson("Nested more deeply than can be read", { cause });
	}
	checkBounds(value, bounds);
	return value;
}

/** Counts the signs that values follow, those inside texts too: a text with several times too many is not worth the memory of reading it. */
function separatorsIn(text: string): number {
	let count = 0;
	for (const character of text) if (character === "," || character === "[" || character === "{") count += 1;
	return count;
}

function checkBounds(whole: Json, { levels = Infinity, values = Infinity, members = Infinity }: JsonBounds): void {
	let count = 0;
	const check = (value: Json, level: number): void => {
		count += 1;
		if (count > values) throw new NotJson(`More than ${values} values`);
		if (typeof value !== "object" || value === null || value instanceof Decimal) return;
		if (level === levels) throw new NotJson(`More than ${levels} levels`);
		const parts = Object.values(value);
		if (parts.length > members && !Array.isArray(value)) throw new NotJson(`More than ${members} members`);
		for (const part of parts) check(part, level + 1);
	};
	if (Math.min(levels, values, members) < Infinity) check(whole, 0);
}

/**
 * Writes a value as JSON text; a {@link Decimal} is written as the literal it carries. `undefined` members are left out.
 * @param indent spaces of indentation; 0 for one line.
 */
export function formatJson(value: unknown, indent = 0): string {
	const text = stringify(value, undefined, indent || undefined, [
		{ test: (part: unknown) => part instanceof Decimal, stringify: (part: unknown) => (part as Decimal).text },
	]);
	if (text === undefined) throw new TypeError("nothing to write as JSON");
	return text;
}

/** A document for a file, as {@link formatJson} writes it; what a terminal would act on is escaped. */
export const jsonDocument = (value: unknown): string => `${sanitizeJson(formatJson(value, 2))}\n`;

/**
 * Canonical JSON by RFC 8785, which is what gets signed: members in the order of their names' UTF-16 code units, no blanks, and strings and
 * numbers as `JSON.stringify` writes them. `undefined` members are left out.
 * @param value plain JSON: no {@link Decimal}
 */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const record = value as Record<string, unknown>;
	const names = Object.keys(record).filter((name) => record[name] !== undefined);
	// Without a comparison of one's own, names are compared by their UTF-16 code units.
	names.sort();
	return `{${names.map((name) => `${JSON.stringify(name)}:${canonicalJson(record[name])}`).join(",")}}`;
}

/** The parser's error in our words, which are for whoever wrote it, with the place. @param text what was parsed */
function notJson(text: string, cause: SyntaxError): NotJson {
	const words = cause.message.startsWith("Duplicate key") ? "a key appears twice with different values" : "something does not fit";
	const position = /at position (\d+)$/.exec(cause.message)?.[1];
	return new NotJson(
		`${words} ${position === undefined || Number(position) >= text.trimEnd().length ? "at its end" : placeIn(text, Number(position))}`,
		{ cause },
	);
}

/** `at line 3, column 7` */
export function placeIn(text: string, position: number): string {
	const before = text.slice(0, position).split("\n");
	return `at line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
}
