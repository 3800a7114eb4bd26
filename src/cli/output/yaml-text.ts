/**
 * Values written as YAML.
 */
import { type CreateNodeOptions, Document, type DocumentOptions, type ScalarTag, type SchemaOptions } from "yaml";
import { Decimal } from "../../api/json.js";
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
