import { isDeepStrictEqual } from "node:util";
import { stringify } from "lossless-json";

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
 * Parses JSON (RFC 8259) without losing a number's literal.
 * @throws SyntaxError when the text is not JSON, a key stands twice with different values, or it holds more than `bounds` allow;
 * RangeError where it nests so deeply, without a bound, that the stack ends
 */
export function parseJson(text: string, bounds: JsonBounds = {}): Json {
	return new JsonReader(text, bounds).whole();
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

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

const words = [
	["true", true],
	["false", false],
	["null", null],
] as const;
/** The characters of a number. */
const numeric = /[-+.\deE]*/y;

/** V8 copies slices shorter than this; a longer slice keeps the whole text in memory. */
const shortestSlice = 13;

/**
 * Our own parser, because reading an answer must take bounded time and memory. `JSON.parse` loses number literals; the libraries that keep
 * them have no bounds, and build strings character by character, which takes thirty times the size of the answer.
 */
class JsonReader {
	#at = 0;
	#values = 0;
	readonly #most: Required<JsonBounds>;

	constructor(
		private readonly text: string,
		{ levels = Infinity, values = Infinity, members = Infinity, digits = Infinity }: JsonBounds,
	) {
		this.#most = { levels, values, members, digits };
	}

	whole(): Json {
		const value = this.#value(0);
		if (this.#at < this.text.length) throw this.#fault("Expected end of input");
		return value;
	}

	/** One value with the blanks around it. */
	#value(level: number): Json {
		this.#values += 1;
		if (this.#values > this.#most.values) throw this.#fault(`More than ${this.#most.values} values`);
		const value = this.#bare(this.#peek(), level);
		this.#peek();
		return value;
	}

	#bare(code: number, level: number): Json {
		if (code === quote) return this.#string();
		if (code === openBrace) return this.#object(level + 1);
		if (code === openBracket) return this.#list(level + 1);
		const word = words.find(([known]) => this.text.startsWith(known, this.#at));
		if (word === undefined) return this.#number();
		this.#at += word[0].length;
		return word[1];
	}

	#object(level: number): Json {
		this.#enter(level);
		const object: { [key: string]: Json } = {};
		for (let members = 0; !this.#ends(closeBrace, members, "Quoted object key or end of object '}'"); members++) {
			if (members === this.#most.members) throw this.#fault(`More than ${this.#most.members} members`);
			if (this.#peek() !== quote) throw this.#fault("Quoted object key expected");
			const key = this.#string();
			if (this.#peek() !== colon) throw this.#fault("Colon ':' expected after property name");
			this.#at += 1;
			this.#put(object, key, this.#value(level));
		}
		return object;
	}

	#put(object: { [key: string]: Json }, key: string, value: Json): void {
		if (Object.hasOwn(object, key)) {
			if (!isDeepStrictEqual(object[key], value)) throw this.#fault(`Duplicate key '${key.slice(0, 80)}'`);
		} else if (key === "__proto__") Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
		else object[key] = value;
	}

	#list(level: number): Json {
		this.#enter(level);
		const list: Json[] = [];
		while (!this.#ends(closeBracket, list.length, "Array item or end of array ']'")) list.push(this.#value(level));
		return list;
	}

	#enter(level: number): void {
		if (level > this.#most.levels) throw this.#fault(`More than ${this.#most.levels} levels`);
		this.#at += 1;
	}

	/** Whether an object or a list ends here; if not, skips the comma before its next part. */
	#ends(close: number, parts: number, expected: string): boolean {
		const code = this.#peek();
		if (code === close || (code === comma && parts > 0)) this.#at += 1;
		else if (Number.isNaN(code)) throw this.#fault(`${expected} expected`);
		else if (parts > 0) throw this.#fault("Comma ',' expected after value");
		return code === close;
	}

	#string(): string {
		const { text } = this;
		const start = this.#at;
		for (let at = start + 1; ; at++) {
			const code = text.charCodeAt(at);
			if (code === quote) {
				this.#at = at + 1;
				return at - start < shortestSlice && !text.slice(start, at).includes("\\")
					? text.slice(start + 1, at)
					: JSON.parse(text.slice(start, at + 1));
			}
			if (code === backslash) at += 1;
			// Control characters must be escaped; NaN is the end of the input.
			else if (!(code >= 0x20)) throw this.#fault("End of string '\"' expected", at);
		}
	}

	#number(): Decimal {
		numeric.lastIndex = this.#at;
		const literal = numeric.exec(this.text)?.[0] ?? "";
		if (literal === "") throw this.#fault("JSON value expected");
		if (literal.length > this.#most.digits) throw this.#fault(`A number of more than ${this.#most.digits} characters`);
		if (!numberLiteral.test(literal)) throw this.#fault(`Invalid number '${literal.slice(0, 40)}'`);
		this.#at += literal.length;
		return new Decimal(literal.length < shortestSlice ? literal : JSON.parse(`"${literal}"`));
	}

	/** The code of the next character that is no blank; NaN at the end. */
	#peek(): number {
		for (;;) {
			const code = this.text.charCodeAt(this.#at);
			if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
			this.#at += 1;
		}
	}

	#fault(what: string, at = this.#at): SyntaxError {
		const got = at < this.text.length ? `but got '${this.text[at]}'` : "but reached end of input";
		return new SyntaxError(`${what} ${got} at position ${at}`);
	}
}
