/**
 * What is wrong with a YAML text, in our words: the library's are for programmers, and some name its own functions.
 */

/** By the library's code. */
export const yamlWords: Readonly<Record<string, string>> = {
	ALIAS_PROPS: "an alias (*name) cannot have an anchor or a tag",
	BAD_ALIAS: "an alias (*name) or an anchor (&name) is not written as one; text that begins with * or & needs quotes",
	BAD_COLLECTION_TYPE: "a tag (!…) says another kind than what stands there",
	BAD_DIRECTIVE: "a line that begins with % is not one that YAML knows",
	BAD_DQ_ESCAPE: "a text in double quotes has a backslash before a character that it cannot stand before",
	BAD_INDENT: "a line is not indented as it must be, or a bracket before it is not closed",
	BAD_PROP_ORDER: "an anchor or a tag stands in the wrong place",
	BAD_SCALAR_START: "a text begins with a character that needs quotes around it",
	BLOCK_AS_IMPLICIT_KEY: "two keys stand on one line, or a text with a colon needs quotes",
	BLOCK_IN_FLOW: "lines with - or : stand inside brackets, where commas separate",
	DUPLICATE_KEY: "a key appears twice",
	IMPOSSIBLE: "something stands here that does not fit",
	KEY_OVER_1024_CHARS: "a key has more than 1,024 characters",
	MISSING_CHAR: "a character is missing: a closing quote or bracket, a comma, a colon, or the space after one",
	MULTILINE_IMPLICIT_KEY: "a key goes over several lines, or a colon is missing",
	MULTIPLE_ANCHORS: "a value has several anchors (&name)",
	MULTIPLE_DOCS: "it holds more than one document, but only one is read here",
	MULTIPLE_TAGS: "a value has several tags (!…)",
	NON_STRING_KEY: "a key must be a text",
	RESOURCE_EXHAUSTION: "it nests more deeply than can be read",
	TAB_AS_INDENT: "a line is indented by a tab; use spaces",
	TAG_RESOLVE_FAILED: "a value has a tag (!…) that does not fit it",
	UNEXPECTED_TOKEN: "something stands here that does not fit",
};

/** The words of a code. */
export const yamlFault = (code: string): string => yamlWords[code] ?? "something stands here that does not fit";
