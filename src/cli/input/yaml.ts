/**
 * YAML, written, and read within bounds with numbers kept as they stand there. The library's own bound, `maxAliasCount`, holds only for
 * aliases inside aliases, so that one long list could be repeated without end; and its composer is quadratic in keys, errors and nesting.
 */
import {
	type Alias,
	Composer,
	type CreateNodeOptions,
	CST,
	Document,
	type DocumentOptions,
	isAlias,
	isMap,
	isScalar,
	isSeq,
	Lexer,
	type Node,
	Parser,
	type ScalarTag,
	type SchemaOptions,
	visit,
	type YAMLMap,
} from "yaml";
import { Decimal } from "../../api/json.js";
import { sanitizeLine, sanitizeText, yamlQuoted } from "../../api/text/sanitize.js";

/** Most values and keys of a document, with the content of an anchor counted once for each place where it stands. */
export const mostNodes = 100_000;
/** Most values and keys of a machine's description of a service, which is larger than what people write. */
export const mostNodesOfDescription = 2_000_000;
/** Most lists and objects inside each other. Nobody writes so many, and the parsers would take minutes to fail at more. */
export const mostLevels = 100;

/** That a text is larger than is read; the message is a sentence for people. */
export class BeyondBounds extends RangeError {
	override readonly name = "BeyondBounds";
}

/** That a text is no YAML; the message is for people. */
export class NotYaml extends SyntaxError {
	override readonly name = "NotYaml";
}

export const tooManyNodes = (most = mostNodes): BeyondBounds =>
	new BeyondBounds(`It has more than ${most.toLocaleString("en-US")} values and keys, with what anchors repeat`);

export const tooDeep = (): BeyondBounds => new BeyondBounds(`It nests more than ${mostLevels} levels`);

/**
 * The value of one document.
 * @param most values and keys; a description of a service may hold more, and names without a value
 * @throws BeyondBounds; NotYaml, whose message names the line
 */
export function parseYaml(text: string, most: number = mostNodes): unknown {
	const at = (offset: number): string => {
		const before = text.slice(0, offset).split("\n");
		return `at line ${before.length}, column ${(before.at(-1) as string).length + 1}`;
	};
	const document = composed(text, at, most);
	const targets = new Map<Alias, Node>();
	const anchors = new Map<string, Node>();
	visit(document, (_, node) => {
		if (isMap(node) && most === mostNodes) refuseBareNames(node, (offset) => text.slice(0, offset).split("\n").length);
		if (isAlias(node)) {
			const target = anchors.get(node.source);
			if (target === undefined) throw new NotYaml(`the alias *${node.source} has no anchor (&${node.source}) before it`);
			targets.set(node, target);
		} else if ((isMap(node) || isSeq(node) || isScalar(node)) && node.anchor !== undefined) anchors.set(node.anchor, node);
	});
	return new Values(targets, at, most).of(document.contents as Node | null, 0);
}

/**
 * The line of a value in a text that {@link parseYaml} reads, or that is JSON: of the name that leads to it, or of the nearest part of that
 * path which is there. Undefined for a text that is neither.
 */
export function lineFinder(text: string): (path: readonly string[]) => number | undefined {
	let document: Document.Parsed;
	try {
		document = composed(text, String, mostNodes);
	} catch {
		return () => undefined;
	}
	return (path) => {
		let node = document.contents as Node | null | undefined;
		let offset = 0;
		for (const name of path) {
			const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && (key.source ?? String(key.value)) === name) : undefined;
			const next = (isSeq(node) ? node.items[Number(name)] : pair?.value) as Node | null | undefined;
			const start = ((pair?.key ?? next) as Node | undefined)?.range?.[0];
			if (start === undefined) break;
			offset = start;
			node = next;
		}
		return text.slice(0, offset).split("\n").length;
	};
}

/** @throws BeyondBounds before much was built; NotYaml at the first fault */
function composed(text: string, at: (offset: number) => string, most: number): Document.Parsed {
	let document: Document.Parsed | undefined;
	// Keys that stand twice are found below: the library compares each with each.
	for (const one of new Composer({ version: "1.2", uniqueKeys: false }).compose(tokens(text, at, most), true, text.length)) {
		if (document !== undefined) throw new NotYaml(yamlFault("MULTIPLE_DOCS"));
		document = one;
	}
	const error = document?.errors[0];
	if (error !== undefined) throw new NotYaml(`${yamlFault(error.code)} ${at(error.pos[0])}`);
	return document as Document.Parsed;
}

/** Lexemes that a value or a key has at most, with a comma, a colon or a bracket around it. */
const mostLexemes = 3;
/** The library's time grows with their square. */
const mostDirectives = 10;
const silent: ReadonlySet<string | null> = new Set([null, "space", "newline", "comment"]);

/** What is counted here bounds the memory of a document while it is read; {@link Values} has the true count. */
function* tokens(text: string, at: (offset: number) => string, most: number): Generator<CST.Token> {
	const parser = new Parser();
	let [lexemes, directives] = [0, 0];
	for (const lexeme of new Lexer().lex(text)) {
		const type = CST.tokenType(lexeme);
		if (!silent.has(type)) lexemes += 1;
		if (lexemes > mostLexemes * most) throw tooManyNodes(most);
		if (type === "directive-line") directives += 1;
		if (directives > mostDirectives) throw new NotYaml(yamlFault("BAD_DIRECTIVE"));
		for (const token of parser.next(lexeme)) {
			if (token.type === "error") throw new NotYaml(`${yamlFault("UNEXPECTED_TOKEN")} ${at(token.offset)}`);
			yield token;
		}
		// The document itself, and an object that is begun at a key, are on the stack beside the levels.
		if (parser.stack.length > mostLevels + 4) throw tooDeep();
	}
	yield* parser.end();
}

/** Values of nodes, with anchors expanded and all of it counted. */
class Values {
	#nodes = 0;

	constructor(
		private readonly targets: ReadonlyMap<Alias, Node>,
		private readonly at: (offset: number) => string,
		private readonly most: number,
	) {}

	of(node: Node | null | undefined, level: number): unknown {
		if (isAlias(node)) return this.of(this.targets.get(node), level + 1);
		this.#count();
		if (isScalar(node)) return literal(node.value, node.source);
		if (level >= mostLevels && node) throw tooDeep();
		if (isSeq(node)) return node.items.map((item) => this.of(item as Node, level + 1));
		return isMap(node) ? this.#object(node, level) : null;
	}

	#object({ items }: YAMLMap, level: number): unknown {
		const names = new Set<string>();
		const members = items.map(({ key, value }): [string, unknown] => {
			const name = isScalar(key) ? (key.source ?? String(key.value)) : String(this.#scalar(key as Node));
			if (names.has(name)) throw new NotYaml(`the key ${JSON.stringify(name)} appears twice ${this.at((key as Node).range?.[0] ?? 0)}`);
			names.add(name);
			this.#count();
			return [name, this.of(value as Node | null, level + 1)];
		});
		return Object.fromEntries(members);
	}

	/** The text of a key that is an alias. */
	#scalar(key: Node): unknown {
		const target = isAlias(key) ? this.targets.get(key) : key;
		if (isScalar(target)) return target.source ?? target.value;
		throw new NotYaml(`${yamlFault("NON_STRING_KEY")} ${this.at(key?.range?.[0] ?? 0)}`);
	}

	#count(): void {
		this.#nodes += 1;
		if (this.#nodes > this.most) throw tooManyNodes(this.most);
	}
}

/**
 * In `{owned: corporate, percentage: 60,5}` YAML reads a name without a value where the writer meant a decimal.
 * @throws NotYaml with the name and its line
 */
function refuseBareNames({ flow, items }: YAMLMap, lineOf: (offset: number) => number): void {
	const bare = flow ? items.find(({ value }) => value === null) : undefined;
	if (bare === undefined) return;
	const { source, range } = bare.key as { source?: string; range?: [number, number, number] };
	const where = range ? ` at line ${lineOf(range[0])}` : "";
	throw new NotYaml(`"${source ?? ""}" has no value${where}; write decimals with a point, like 60.5`);
}

/** A number that JSON could hold becomes its literal; any other stays the text as typed (leading zeros, 0x10, .inf). */
function literal(value: unknown, source: string | undefined): unknown {
	if (typeof value !== "number" && typeof value !== "bigint") return value;
	const written = source ?? String(value);
	return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(written) ? new Decimal(written) : written;
}

/**
 * What is wrong with a YAML text, in our words by the library's code: its own are for programmers, and some name its functions.
 * What hardly anybody writes has the words of {@link yamlFault}.
 */
const yamlWords: Readonly<Record<string, string>> = {
	BAD_ALIAS: "an alias (*name) or an anchor (&name) is not written as one; text that begins with * or & needs quotes",
	BAD_DIRECTIVE: "a line that begins with % is not one that YAML knows",
	BAD_DQ_ESCAPE: "a text in double quotes has a backslash before a character that it cannot stand before",
	BAD_INDENT: "a line is not indented as it must be, or a bracket before it is not closed",
	BAD_SCALAR_START: "a text begins with a character that needs quotes around it",
	BLOCK_AS_IMPLICIT_KEY: "two keys stand on one line, or a text with a colon needs quotes",
	BLOCK_IN_FLOW: "lines with - or : stand inside brackets, where commas separate",
	MISSING_CHAR: "a character is missing: a closing quote or bracket, a comma, a colon, or the space after one",
	MULTILINE_IMPLICIT_KEY: "a key goes over several lines, or a colon is missing",
	MULTIPLE_DOCS: "it holds more than one document, but only one is read here",
	NON_STRING_KEY: "a key must be a text",
	TAB_AS_INDENT: "a line is indented by a tab; use spaces",
};

const yamlFault = (code: string): string => yamlWords[code] ?? "something stands here that does not fit";

/** Numbers keep their digits, whatever a double could hold. */
const decimalTag: ScalarTag = {
	tag: "tag:yaml.org,2002:float",
	default: true,
	identify: (value) => value instanceof Decimal,
	test: /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/,
	resolve: (text) => new Decimal(text),
	stringify: ({ value }) => String(value),
};

/** Text in which a terminal would act on something, its escapes in quotes. */
const hostileTag: ScalarTag = {
	tag: "tag:yaml.org,2002:str",
	default: true,
	identify: (value) => typeof value === "string" && sanitizeText(value) !== value,
	resolve: (text) => text,
	stringify: ({ value }) => yamlQuoted(String(value)),
};

const writing: DocumentOptions & SchemaOptions & CreateNodeOptions = {
	version: "1.2",
	aliasDuplicateObjects: false,
	customTags: (tags) => [decimalTag, hostileTag, ...tags],
};

/** A value as YAML; `parseYaml` reads the same value back. */
export function yamlText(value: unknown, comment: string): string {
	const document = new Document(value, writing);
	document.commentBefore = comment
		.split("\n")
		.map((line) => ` ${sanitizeLine(line)}`)
		.join("\n");
	return document.toString({ lineWidth: 0 });
}
