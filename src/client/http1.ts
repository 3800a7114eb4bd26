/**
 * HTTP/1.1 for one request and its one answer: the bytes of a request, and an answer from its bytes (RFC 9112). Stricter than a
 * parser that must get along with the whole web: what is not as the standard has it is no answer, for an answer says whether money
 * moved. Node's own costs a payment more time than all of the journal does (`src/README.md`); `test/client/http1` holds this to it.
 */
import type { WireRequest } from "../ports/wire.js";

/** Most bytes of a head, of a chunk's size, or of the trailers: Node's own limit. */
const longestLines = 16 * 1024;

/** Bytes that are no answer of HTTP. */
class NotHttp extends Error {
	override readonly name = "NotHttp";
	/** Begins as those of Node's parser do. */
	readonly code: string;

	constructor(what: string) {
		super(`not HTTP: ${what}`);
		this.code = `HPE_${what.toUpperCase().replaceAll(/[ -]/g, "_")}`;
	}
}

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** A chunk's size; extensions are allowed, and say nothing. */
const chunkLine =
	/^([0-9A-Fa-f]{1,8})(?:;[!#$%&'*+\-.^_`|~0-9A-Za-z]+(?:=(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+|"[\t\x20\x21\x23-\x5b\x5d-\x7e\x80-\xff]*"))?)*$/;
const text = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * A request as it stands on the wire. It asks for the connection to be closed after the answer.
 * @param target absolute; @throws TypeError for a header that cannot stand in a request
 */
export function requestBytes(target: URL, { method, headers, body }: WireRequest): Uint8Array {
	const lines = [`${method} ${target.pathname}${target.search} HTTP/1.1`];
	for (const [name, value] of Object.entries({ host: target.host, connection: "close", ...headers, ...lengthOf(method, body) })) {
		if (!token.test(name) || !text.test(value)) throw new TypeError(`the header ${JSON.stringify(name)} cannot be sent`);
		lines.push(`${name}: ${value}`);
	}
	const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
	return body === undefined ? head : Buffer.concat([head, body]);
}

/** A change always says how long its body is, also where it has none. */
function lengthOf(method: string, body: Uint8Array | undefined): Record<string, string> {
	if (body !== undefined) return { "content-length": String(body.length) };
	return method === "GET" || method === "DELETE" ? {} : { "content-length": "0" };
}

/** Is told of an answer while it comes. */
export interface Listener {
	/** Of the final answer, never of an interim one (1xx). Names in lower case; values of a name that stands more than once are one list. */
	head(status: number, headers: Readonly<Record<string, string>>): void;
	data(chunk: Uint8Array): void;
}

type Part = "status" | "fields" | "sized" | "chunk size" | "chunk" | "chunk end" | "trailers" | "until close" | "whole";

/** Reads one answer to a request that is no HEAD. */
export class AnswerReader {
	#part: Part = "status";
	/** The line that has not ended yet, and how much of {@link longestLines} is used. */
	#line = "";
	#lines = 0;
	#status = 0;
	#fields = new Map<string, string>();
	/** Bytes that the body, or its chunk, still has. */
	#left = 0;

	constructor(private readonly listener: Listener) {}

	/** The answer is there to its last byte. */
	get isWhole(): boolean {
		return this.#part === "whole";
	}

	/**
	 * Takes bytes as they come.
	 * @throws Error with a code `HPE_…` where they are no answer, or more than one: nothing may be given after that
	 */
	push(bytes: Uint8Array): void {
		let at = 0;
		while (at < bytes.length && !this.isWhole) {
			const inBody = this.#part === "sized" || this.#part === "chunk" || this.#part === "until close";
			at = inBody ? this.#takeBody(bytes, at) : this.#takeLine(bytes, at);
		}
		// Line ends too many are nothing; anything else makes one doubt where the answer ended.
		if (bytes.subarray(at).some((byte) => byte !== 0x0d && byte !== 0x0a)) throw new NotHttp("data after the end");
	}

	/** The other side has nothing more to say. An answer that told no length is whole then; what else is not whole never will be. */
	end(): void {
		if (this.#part === "until close") this.#part = "whole";
	}

	#takeBody(bytes: Uint8Array, at: number): number {
		const end = this.#part === "until close" ? bytes.length : Math.min(bytes.length, at + this.#left);
		this.listener.data(bytes.subarray(at, end));
		if (this.#part === "until close") return end;
		this.#left -= end - at;
		if (this.#left === 0) this.#part = this.#part === "sized" ? "whole" : "chunk end";
		return end;
	}

	/** Up to the end of a line, or of what came. */
	#takeLine(bytes: Uint8Array, at: number): number {
		const found = bytes.indexOf(0x0a, at);
		const end = found < 0 ? bytes.length : found + 1;
		this.#lines += end - at;
		if (this.#lines > longestLines) throw new NotHttp("header overflow");
		this.#line += Buffer.from(bytes.subarray(at, end)).toString("latin1");
		if (found < 0) return end;
		if (!this.#line.endsWith("\r\n")) throw new NotHttp("line without its end");
		const line = this.#line.slice(0, -2);
		this.#line = "";
		this.#understand(line);
		return end;
	}

	#understand(line: string): void {
		if (this.#part === "status") this.#statusLine(line);
		else if (this.#part === "chunk size") this.#chunkSize(line);
		else if (this.#part === "chunk end") this.#chunkEnd(line);
		else if (line !== "") this.#field(line);
		else if (this.#part === "trailers") this.#part = "whole";
		else this.#headEnd();
	}

	#statusLine(line: string): void {
		const [, status] = /^HTTP\/1\.[01] ([1-9]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/.exec(line) ?? [];
		if (status === undefined) throw new NotHttp("invalid status line");
		this.#status = Number(status);
		this.#fields = new Map();
		this.#part = "fields";
	}

	/** Of trailers only the form counts. */
	#field(line: string): void {
		const colon = line.indexOf(":");
		const name = line.slice(0, colon).toLowerCase();
		const value = line.slice(colon + 1).replace(/^[\t ]+|[\t ]+$/g, "");
		if (colon < 0 || !token.test(name) || !text.test(value)) throw new NotHttp("invalid header");
		if (this.#part === "trailers") return;
		const before = this.#fields.get(name);
		if (before !== undefined && (name === "content-length" || name === "transfer-encoding")) throw new NotHttp(`repeated ${name}`);
		this.#fields.set(name, before === undefined ? value : `${before}, ${value}`);
	}

	#headEnd(): void {
		this.#lines = 0;
		// An interim answer says nothing; the one that counts follows. Another protocol was not asked for.
		if (this.#status === 101) throw new NotHttp("another protocol");
		this.#part = this.#status < 200 ? "status" : this.#bodyOf(this.#status, this.#fields);
		if (this.#part !== "status") this.listener.head(this.#status, Object.fromEntries(this.#fields));
	}

	/** How the body ends (RFC 9112, 6.3); what tells of it in two ways, or in a way that is not this one's, is refused. */
	#bodyOf(status: number, fields: ReadonlyMap<string, string>): Part {
		const [length, coding] = [fields.get("content-length"), fields.get("transfer-encoding")];
		if (length !== undefined && (coding !== undefined || !/^\d{1,15}$/.test(length))) throw new NotHttp("invalid content-length");
		if (coding !== undefined && coding.toLowerCase() !== "chunked") throw new NotHttp("invalid transfer-encoding");
		if (status === 204 || status === 304) return "whole";
		if (coding !== undefined) return "chunk size";
		if (length === undefined) return "until close";
		this.#left = Number(length);
		return this.#left === 0 ? "whole" : "sized";
	}

	#chunkSize(line: string): void {
		const [, size] = chunkLine.exec(line) ?? [];
		if (size === undefined) throw new NotHttp("invalid chunk size");
		this.#lines = 0;
		this.#left = Number.parseInt(size, 16);
		this.#part = this.#left === 0 ? "trailers" : "chunk";
	}

	#chunkEnd(line: string): void {
		if (line !== "") throw new NotHttp("chunk without its end");
		this.#lines = 0;
		this.#part = "chunk size";
	}
}
