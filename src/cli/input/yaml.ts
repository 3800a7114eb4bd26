/**
 * YAML, written, and read within bounds with numbers kept as they stand there. The library's own bound, `maxAliasCount`, holds only for
 * aliases inside aliases, so that one long list could be repeated without end; and its composer is quadratic in keys, errors and nesting.
 */
import {
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
	type YAMLMap,
} from "yaml";
import { Decimal, placeIn } from "../../api/json.js";
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
	const at = (offset: number): string => placeIn(text, offset);
	return new Values(at, most).of(composed(text, at, most).contents as Node | null, 0);
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
	readonly #anchors = new Map<string, Node>();

	constructor(
		private readonly at: (offset: number) => string,
		private readonly most: number,
	) {}

	of(node: Node | null | undefined, level: number): unknown {
		if (isAlias(node)) {
			const target = this.#anchors.get(node.source);
			if (target === undefined) throw new NotYaml(`the alias *${node.source} has no anchor (&${node.source}) before it`);
			return this.of(target, level + 1);
		}
		this.#count();
		if (node?.anchor !== undefined) {
			if ((this.#anchors.get(node.anchor) ?? node) !== node) throw new NotYaml(`the anchor &${node.anchor} appears twice`);
			this.#anchors.set(node.anchor, node);
		}
		if (isScalar(node)) return literal(node.value, node.source);
		if (level >= mostLevels && node) throw tooDeep();
		if (isSeq(node)) return node.items.map((item) => this.of(item as Node, level + 1));
		return isMap(node) ? this.#object(node, level) : null;
	}

	/** The library would compare each key with each. In `{owned: corporate, percentage: 60,5}` YAML reads a name without a value for a decimal. */
	#object({ flow, items }: YAMLMap, level: number): unknown {
		const names = new Set<string>();
		const members = items.map(({ key, value }): [string, unknown] => {
			const where = (): string => this.at((key as Node | null)?.range?.[0] ?? 0);
			if (!isScalar(key)) throw new NotYaml(`a key must be a text ${where()}`);
			const name = key.source ?? String(key.value);
			if (names.has(name)) throw new NotYaml(`the key ${JSON.stringify(name)} appears twice ${where()}`);
			if (flow && value === null && this.most === mostNodes)
				throw new NotYaml(`"${name}" has no value ${where()}; write decimals with a point, like 60.5`);
			names.add(name);
			this.#count();
			return [name, this.of(value as Node | null, level + 1)];
		});
		return Object.fromEntries(members);
	}

	#count(): void {
		this.#nodes += 1;
		if (this.#nodes > this.most) throw tooManyNodes(this.most);
	}
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
	BAD_INDENT: "a line is not indented as it must be, or a bracket before it is not closed",
	BLOCK_AS_IMPLICIT_KEY: "two keys stand on one line, or a text with a colon needs quotes",
	MISSING_CHAR: "a character is missing: a closing quote or bracket, a comma, a colon, or the space after one",
	MULTIPLE_DOCS: "it holds more than one document, but only one is read here",
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
