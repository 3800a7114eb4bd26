import { parse, stringify } from "lossless-json";

/**
 * A JSON number as the text it was written in: `10.10` stays `10.10` from the keystroke to the wire and back, and never becomes a double.
 */
export class Decimal {
	readonly text: string;

	constructor(text: string) {
		if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new RangeError(`not a JSON number: ${JSON.stringify(text)}`);
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

/**
 * Parses JSON without losing a number's literal.
 * @throws SyntaxError when the text is not JSON, or a key stands twice with different values.
 */
export function parseJson(text: string): Json {
	return parse(text, undefined, { parseNumber: (literal) => new Decimal(literal) }) as Json;
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

/**
 * Canonical JSON by RFC 8785, which is what gets signed: members in the order of their names' UTF-16 code units, no blanks, and strings and
 * numbers as `JSON.stringify` writes them. `undefined` members are left out.
 * @param value plain JSON: no {@link Decimal}
 */
export function canonicalJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
	if (typeof value !== "object" || value === null) return JSON.stringify(value);
	const members = Object.entries(value).filter(([, part]) => part !== undefined);
	members.sort(([one], [other]) => (one < other ? -1 : 1));
	return `{${members.map(([name, part]) => `${JSON.stringify(name)}:${canonicalJson(part)}`).join(",")}}`;
}
