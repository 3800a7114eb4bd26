/**
 * What a schema finds wrong with a value, in our words. A fault that a field describes itself never comes here.
 */
import type * as z from "zod/mini";

const nouns: Readonly<Record<string, readonly [one: string, several: string]>> = {
	array: ["entry", "entries"],
	string: ["character", "characters"],
};

/** What counts of a value, where something is counted: its entries, its characters. */
function countOf(input: unknown): number | undefined {
	if (typeof input === "string") return [...input].length;
	return Array.isArray(input) ? input.length : undefined;
}

/** `has 501 entries; at most 500 are allowed`, or of a number `must be at most 500`. */
function bound(issue: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, side: "most" | "least", limit: number | bigint): string {
	const noun = nouns[issue.origin];
	const allowed = `at ${side} ${limit.toLocaleString("en-US")}`;
	if (noun === undefined)
		return `must be ${issue.inclusive === false ? (side === "most" ? "less than" : "more than") : `at ${side}`} ${limit}`;
	const count = countOf(issue.input);
	if (count === undefined) return `may have ${allowed} ${noun[1]}`;
	return `has ${count.toLocaleString("en-US")} ${count === 1 ? noun[0] : noun[1]}; ${allowed} ${side === "most" ? "are allowed" : "are needed"}`;
}

/** The words of the codes that our schemas can have. */
const words: { [C in z.core.$ZodIssue["code"]]?: (issue: Extract<z.core.$ZodIssue, { code: C }>) => string } = {
	invalid_type: ({ expected }) => `must be ${kindWord(expected)}`,
	too_big: (issue) => bound(issue, "most", issue.maximum),
	too_small: (issue) => bound(issue, "least", issue.minimum),
	invalid_format: () => "is not written in the form that it must have",
	unrecognized_keys: ({ keys }) => `has what the description does not know: ${keys.join(", ")}`,
	invalid_union: () => "has none of the forms that it may have",
	invalid_key: () => "has a name that is not allowed",
	invalid_value: ({ values }) => `must be one of ${values.map(String).join(", ")}`,
};

/** What an issue says where nobody has other words for it. */
export function issueWords(issue: z.core.$ZodRawIssue): string {
	const say = words[issue.code as keyof typeof words] as ((given: unknown) => string) | undefined;
	return say?.(issue) ?? "is not valid";
}

/** A kind of value with its article: `a list`, `an object`, `text`. */
export function kindWord(kind: string): string {
	const name = ({ array: "list", string: "text", record: "JSON object", int: "whole number" } as Record<string, string>)[kind] ?? kind;
	if (name === "text") return name;
	return /^[aeiou]/.test(name) ? `an ${name}` : `a ${name}`;
}
