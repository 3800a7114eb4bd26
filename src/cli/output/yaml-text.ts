/**
 * Values written as YAML.
 */
import {
	type CreateNodeOptions,
	Document,
	type DocumentOptions,
	isMap,
	isScalar,
	isSeq,
	type Node,
	type Pair,
	parseDocument,
	type ScalarTag,
	type SchemaOptions,
	type YAMLMap,
	type YAMLSeq,
} from "yaml";
import { Decimal, jsonDocument } from "../../api/json.js";
import { isRecord } from "../../api/schema.js";
import { sanitizeLine, sanitizeText, yamlQuoted } from "../../api/text/sanitize.js";

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

/** Objects that are replaced as a whole: a member that is no longer there must go. */
const wholes: readonly string[] = ["legalType", "metadata"];

/**
 * One document with other values. Its comments, its order, and what the value does not have stay; where nothing differs, the text itself
 * comes back. Members of lists are the same where their `key` is, or their `owner` and `owned`.
 * @param text valid YAML of one object
 * @param json whether the text is JSON, and is to stay so
 */
export function yamlWith(text: string, value: Readonly<Record<string, unknown>>, json = false): string {
	const document = parseDocument(text, writing);
	if (json) return isMap(document.contents) && putObject(document, document.contents, value) ? jsonDocument(document.toJS()) : text;
	return isMap(document.contents) && putObject(document, document.contents, value)
		? document.toString({ lineWidth: 0, flowCollectionPadding: /\{ /.test(text) })
		: text;
}

/** @returns whether anything differed, as in the two functions below */
function putObject(document: Document, node: YAMLMap, value: Readonly<Record<string, unknown>>): boolean {
	let differs = false;
	for (const [name, part] of Object.entries(value)) {
		const pair = node.items.find(({ key }) => String(isScalar(key) ? key.value : key) === name);
		if (pair === undefined) node.add(document.createPair(name, part));
		if (pair === undefined || putValue(document, pair, name, part)) differs = true;
	}
	return differs;
}

function putValue(document: Document, pair: Pair, name: string, part: unknown): boolean {
	const old = pair.value as Node | null;
	if (isMap(old) && isRecord(part) && !wholes.includes(name)) return putObject(document, old, part);
	if (isSeq(old) && Array.isArray(part)) return putList(document, old, part);
	if (old !== null && plainText(old.toJS(document)) === plainText(part)) return false;
	const fresh = document.createNode(part);
	if (isScalar(old) && isScalar(fresh)) Object.assign(fresh, { comment: old.comment, commentBefore: old.commentBefore });
	pair.value = fresh;
	return true;
}

function putList(document: Document, node: YAMLSeq, parts: readonly unknown[]): boolean {
	let differs = false;
	for (const part of parts) {
		const same = node.items.find((item) => isMap(item) && isRecord(part) && nameOf(item.toJS(document)) === nameOf(part));
		if (same === undefined) node.add(document.createNode(part));
		if (same === undefined || putObject(document, same as YAMLMap, part as Record<string, unknown>)) differs = true;
	}
	return differs;
}

const nameOf = ({ key, owner, owned }: Record<string, unknown>): string => JSON.stringify([key, owner, owned]);

/** A value for comparison; YAML needs no quotes around a number, so that `33` and `"33"` are one. */
function plainText(value: unknown): string {
	return JSON.stringify(value);
}
