/**
 * What a schema finds wrong with a value, in our words. A fault that a field describes itself never comes here.
 */
import type * as z from "zod/mini";

/** What is counted of a value. */
const nouns: Readonly<Record<string, readonly [one: string, several: string]>> = {
	array: ["entry", "entries"],
	string: ["character", "characters"],
};

function bound({ origin }: z.core.$ZodIssueTooBig | z.core.$ZodIssueTooSmall, side: "most" | "least", limit: number | bigint): string {
	const noun = nouns[origin];
	return `must ${noun === undefined ? "be" : "have"} at ${side} ${limit.toLocaleString("en-US")}${noun === undefined ? "" : ` ${limit === 1 ? noun[0] : noun[1]}`}`;
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
