/**
 * Input from a file or standard input, as JSON or YAML, with numbers kept as they were written.
 */
import { Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit, type YAMLMap } from "yaml";
import { Decimal, parseJson } from "../../api/json.js";
import { PurserError } from "../../errors.js";
import type { Files } from "../../ports/machine.js";
import type { Terminal } from "../../ports/terminal.js";

/** Most bytes of an input document. */
const limit = 8 * 1024 * 1024;

/**
 * Reads `--from FILE` or `--from -`.
 * @throws PurserError usage, where it cannot be read or is neither JSON nor YAML
 */
export async function readDocument(source: string, files: Files, stdin: Terminal["stdin"]): Promise<unknown> {
	const name = source === "-" ? "standard input" : source;
	let bytes: Uint8Array;
	try {
		bytes = source === "-" ? await stdin.read(limit) : await files.read(source, limit);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "INPUT_UNREADABLE",
			message: `Cannot read ${name}`,
			why: whyUnread(cause),
			fix: "Check the path; - stands for standard input.",
			cause,
		});
	}
	return parseInput(bytes, name);
}

/** What the system's codes mean to whoever typed the path. */
const unread: Readonly<Record<string, string>> = {
	ENOENT: "There is no such file",
	EISDIR: "It is a folder, not a file",
	EACCES: "You may not read it",
	EPERM: "You may not read it",
};

function whyUnread(cause: unknown): string | undefined {
	if (!(cause instanceof Error)) return undefined;
	if (cause instanceof RangeError) return `It has more than ${limit / 1024 / 1024} MiB`;
	return unread[(cause as NodeJS.ErrnoException).code ?? ""] ?? cause.message;
}

/** A value as YAML, read back by {@link readDocument} as the same. Texts that look like something else are quoted. */
export function yamlText(value: unknown, comment: string): string {
	const document = new Document(value, { version: "1.2", aliasDuplicateObjects: false });
	document.commentBefore = comment
		.split("\n")
		.map((line) => ` ${line}`)
		.join("\n");
	return document.toString({ lineWidth: 0 });
}

/** Brackets that open one after the other: nothing a person writes, and the parsers would take minutes to fail at a file of them. */
const deepest = 100;
const tooDeep = new RegExp(`(?:[[{]\\s{0,9}){${deepest}}`);

/** @throws PurserError usage, where the bytes are neither JSON nor YAML */
export function parseInput(bytes: Uint8Array, name: string): unknown {
	const text = textOf(bytes, name);
	try {
		if (tooDeep.test(text)) throw new RangeError(`It opens ${deepest} brackets one inside the other`);
		return /^\s*[[{]/.test(text) ? parseEither(text) : parseYaml(text);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "INPUT_UNREADABLE",
			message: `${name} is neither JSON nor YAML`,
			why: cause instanceof Error ? (cause.message.split("\n")[0] as string).replace(/:$/, "") : undefined,
			fix: "Correct it and run this again, or write a template to start from with --print-template.",
			cause,
		});
	}
}

function textOf(bytes: Uint8Array, name: string): string {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "INPUT_UNREADABLE",
			message: `${name} is not a text in UTF-8`,
			why: "It has bytes that UTF-8 does not have: it is of another encoding, such as Latin-1, or no text",
			fix: "Save it as UTF-8 and run this again.",
			cause,
		});
	}
}

/** A JSON-looking text may still be YAML's flow form; the JSON fault is told when it is neither. */
function parseEither(text: string): unknown {
	try {
		return parseJson(text);
	} catch (fault) {
		try {
			return parseYaml(text);
		} catch {
			throw fault;
		}
	}
}

function parseYaml(text: string): unknown {
	const lineCounter = new LineCounter();
	const document = parseDocument(text, { version: "1.2", uniqueKeys: true, lineCounter });
	if (document.errors[0]) throw document.errors[0];
	visit(document, { Map: (_, map) => refuseBareNames(map, lineCounter) });
	// Aliases are resolved by toJS with a bound on their expansion; numbers are then taken from their source instead.
	document.toJS({ maxAliasCount: 100, mapAsMap: true });
	return plain(document.contents as Node | null, document);
}

function plain(node: Node | null | undefined, document: ReturnType<typeof parseDocument>): unknown {
	if (!node) return null;
	if (isScalar(node)) return literal(node.value, node.source);
	if (isSeq(node)) return node.items.map((item) => plain(item as Node, document));
	if (isMap(node))
		return Object.fromEntries(
			node.items.map((pair) => [
				String(isScalar(pair.key) ? (pair.key.source ?? pair.key.value) : pair.key),
				plain(pair.value as Node | null, document),
			]),
		);
	return plain((node as unknown as { resolve(of: unknown): Node }).resolve(document), document);
}

/**
 * `{owned: corporate, percentage: 60,5}` is a name without a value to YAML, and the other half of a decimal to whoever wrote it.
 * @throws RangeError naming it and its line
 */
function refuseBareNames({ flow, items }: YAMLMap, lines: LineCounter): void {
	const bare = flow ? items.find(({ value }) => value === null) : undefined;
	if (bare === undefined) return;
	const { source, range } = bare.key as { source?: string; range?: [number, number, number] };
	const where = range ? ` at line ${lines.linePos(range[0]).line}` : "";
	throw new RangeError(`"${source ?? ""}" has no value${where}; the decimals of a number stand behind a point, like 60.5`);
}

/** A number becomes its literal where JSON has such a number, the text as typed otherwise (leading zeros, 0x10, .inf). */
function literal(value: unknown, source: string | undefined): unknown {
	if (typeof value !== "number" && typeof value !== "bigint") return value;
	const written = source ?? String(value);
	return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(written) ? new Decimal(written) : written;
}
