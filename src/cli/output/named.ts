/**
 * Which records were taken for the names in an input, as a run says it.
 */
import type { OutputFormat } from "../../api/formats.js";
import { isRecord } from "../../api/schema.js";
import { sanitizeJson, sanitizeLine } from "../../api/text/sanitize.js";
import type { Named } from "../../ports/resolver.js";
import type { Style } from "../../ports/style.js";
import { wrapSentence } from "./wrap.js";

type Line = (text: string) => void;

/**
 * For people, on standard error: `CORPORATE "crm-5002": Example Florist (id)`.
 * @param shown how a person types an argument, such as `--from`, and the columns of the terminal; undefined where it is none
 */
export function showNamed(
	named: readonly Named[],
	line: Line,
	{ dim }: Pick<Style, "dim">,
	{ typed, columns }: { typed(argument: string): string; columns: number | undefined },
): void {
	for (const { argument, given, id, name } of named) {
		const found = `${typed(argument)} ${JSON.stringify(given)}: ${name === undefined ? id : `${name} (${id})`}`;
		line(dim(wrapSentence(sanitizeLine(found), columns, 2)));
	}
}

/** For programs: the answer with a key `resolved`, or, where it has no keys of its own, a line of JSON on standard error beside it. */
export function withNamed(answer: unknown, named: readonly Named[], { people, streams }: OutputFormat, line: Line): unknown {
	if (named.length === 0 || people) return answer;
	if (isRecord(answer) && !Object.hasOwn(answer, "resolved") && !streams) return { ...answer, resolved: named };
	line(sanitizeJson(JSON.stringify({ resolved: named })));
	return answer;
}
