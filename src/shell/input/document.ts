/**
 * Input from a file or standard input, as JSON or YAML, with numbers kept as they were written.
 */
import { Document, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, visit, type YAMLMap } from "yaml";
import { Decimal, parseJson } from "../../api/json.js";
import { PurserError } from "../../errors.js";
import type { Files } from "../../ports/machine.js";
import type { Terminal } from "../../ports/terminal.js";

/** Of an input document. */
const maxBytes = 8 * 1024 * 1024;

/**
 * Reads `--from FILE` or `--from -`.
 * @throws PurserError usage, where it cannot be read or is neither JSON nor YAML
 */
export async function readDocument(source: string, files: Files, stdin: Terminal["stdin"]): Promise<unknown> {
	const name = source === "-" ? "standard input" : source;
	let bytes: Uint8Array;
	try {
		bytes = source === "-" ? await stdin.read(maxBytes) : await files.read(source, maxBytes);
	} catch (cause) {
		throw new PurserError("usage", {
			code: "INPUT_UNREADABLE",
			message: `Cannot read ${name}`,
			why: readFailure(cause),
			fix: "Check the path; - stands for standard input.",
			cause,
		});
	}
	return parseInput(bytes, name);
}

/** The system's codes in plain words. */
const readFailures: Readonly<Record<string, string>> = {
	ENOENT: "There is no such file",
	EISDIR: "It is a folder, not a file",
	EACCES: "You may not read it",
	EPERM: "You may not read it",
};

function readFailure(cause: unknown): string | undefined {
	if (!(cause instanceof Error)) return undefined;
	if (cause instanceof RangeError) return `It has more than ${maxBytes / 1024 / 1024} MiB`;
	return readFailures[(cause as NodeJS.ErrnoException).code ?? ""] ?? cause.message;
}

/** A value as YAML; {@link readDocument} reads the same value back. */
export function yamlText(value: unknown, comment: string): string {
	const document = new Document(value, { version: "1.2", aliasDuplicateObjects: false });
	document.commentBefore = comment
		.split("\n")
		.map((line) => ` ${line}`)
		.join("\n");
	return document.toString({ lineWidth: 0 });
}

/** Nobody writes so many opening brackets in a row, and the parsers would take minutes to fail at a file of them. */
const maxDepth = 100;
const tooDeep = new RegExp(`(?:[[{]\\s{0,9}){${maxDepth}}`);

/** @throws PurserError usage, where the bytes are neither JSON nor YAML */
export function parseInput(bytes: Uint8Array, name: string): unknown {
	const text = textOf(bytes, name);
	try {
		if (tooDeep.test(text)) throw new RangeError(`It nests ${maxDepth} brackets`);
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
			message: `${name} is not UTF-8 text`,
			why: "Some bytes are not valid UTF-8: it has another encoding, such as Latin-1, or is not text",
			fix: "Save it as UTF-8 and run this again.",
			cause,
		});
	}
}

/** Text that looks like JSON may be YAML's flow form; where it is neither, the JSON error is reported. */
function parseEither(text: string): unknown {
	try {
		return parseJson(text);
	} catch (jsonError) {
		try {
			return parseYaml(text);
		} catch {
			throw jsonError;
		}
	}
}

function parseYaml(text: string): unknown {
	const lineCounter = new LineCounter();
	const document = parseDocument(text, { version: "1.2", uniqueKeys: true, lineCounter });
	if (document.errors[0]) throw document.errors[0];
	visit(document, { Map: (_, map) => refuseBareNames(map, lineCounter) });
	// toJS bounds the expansion of aliases; the values come from the nodes, which keep numbers as they were written.
	document.toJS({ maxAliasCount: 100, mapAsMap: true });
	return toValue(document.contents as Node | null, document);
}

function toValue(node: Node | null | undefined, document: ReturnType<typeof parseDocument>): unknown {
	if (!node) return null;
	if (isScalar(node)) return literal(node.value, node.source);
	if (isSeq(node)) return node.items.map((item) => toValue(item as Node, document));
	if (isMap(node))
		return Object.fromEntries(
			node.items.map((pair) => [
				String(isScalar(pair.key) ? (pair.key.source ?? pair.key.value) : pair.key),
				toValue(pair.value as Node | null, document),
			]),
		);
	return toValue((node as unknown as { resolve(of: unknown): Node }).resolve(document), document);
}

/**
 * In `{owned: corporate, percentage: 60,5}` YAML reads a name without a value where the writer meant a decimal.
 * @throws RangeError with the name and its line
 */
function refuseBareNames({ flow, items }: YAMLMap, lines: LineCounter): void {
	const bare = flow ? items.find(({ value }) => value === null) : undefined;
	if (bare === undefined) return;
	const { source, range } = bare.key as { source?: string; range?: [number, number, number] };
	const where = range ? ` at line ${lines.linePos(range[0]).line}` : "";
	throw new RangeError(`"${source ?? ""}" has no value${where}; write decimals with a point, like 60.5`);
}

/** A number that JSON could hold becomes its literal; any other stays the text as typed (leading zeros, 0x10, .inf). */
function literal(value: unknown, source: string | undefined): unknown {
	if (typeof value !== "number" && typeof value !== "bigint") return value;
	const written = source ?? String(value);
	return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(written) ? new Decimal(written) : written;
}
