/**
 * Lists of values that a profile completes: read from files, checked and bounded.
 */
import * as z from "zod/mini";
import { type Lists, listedPattern, listNames } from "../api/check/lists.js";
import { flag, plain } from "../api/fields.js";
import { parseJson } from "../api/json.js";
import { field } from "../api/schema.js";
import { troubleWords } from "../api/text/trouble.js";
import type { Context } from "../context.js";
import { type Fault, PurserError } from "../errors.js";

/** Bytes of a file, and values of a list. */
const [mostBytes, mostValues] = [1024 * 1024, 5_000];

const names = listNames.join(", ");

/** The flags of the command that changes the lists. */
export const valueFlags = () => ({
	values: z._default(
		field(z.array(plain("list=@FILE", { placeholder: "list=@file" })), {
			description: `Values of a list, ${names}, from a file with one a line, or a JSON list`,
		}),
		[],
	),
	complete: flag("The lists of --values are complete: any other value is refused"),
	removeValues: z._default(
		field(z.array(plain("list", { placeholder: "list" })), { description: "A list that goes back to what purser knows itself" }),
		[],
	),
});

interface Given {
	values: readonly string[];
	complete: boolean;
	removeValues: readonly string[];
}

/**
 * The resulting lists with all their faults.
 * @returns `values`: undefined where there are none
 * @throws PurserError usage, where a file cannot be read
 */
export async function changedValues(
	context: Pick<Context, "files">,
	before: Lists | undefined,
	{ values, complete, removeValues }: Given,
): Promise<{ values?: Lists; faults: Fault[] }> {
	const lists = new Map(Object.entries(before ?? {}));
	const faults: Fault[] = [];
	for (const name of removeValues)
		if (!lists.delete(name)) faults.push({ field: "removeValues", message: `there are no values of ${JSON.stringify(name)}` });
	if (complete && values.length === 0) faults.push({ field: "complete", message: "only works with --values" });
	const given = new Set(removeValues);
	for (const text of values) {
		const [, name = "", file = ""] = /^([^=]*)=@(.+)$/s.exec(text) ?? [];
		const fault = faultOf(name, file, given);
		given.add(name);
		if (fault !== undefined) {
			faults.push({ field: "values", message: fault });
			continue;
		}
		const { found, wrong } = valuesIn(name, await textOf(context, file));
		if (wrong === undefined) lists.set(name, { values: found, ...(complete ? { complete } : {}) });
		else faults.push({ field: "values", message: `${file} ${wrong}` });
	}
	return { ...(lists.size > 0 ? { values: Object.fromEntries(lists) } : {}), faults };
}

function faultOf(name: string, file: string, given: ReadonlySet<string>): string | undefined {
	if (file === "") return "must be a list and a file, like industry=@FILE";
	if (!listNames.includes(name)) return `there is no list ${JSON.stringify(name)}; there are ${names}`;
	return given.has(name) ? `${name} is given twice` : undefined;
}

async function textOf({ files }: Pick<Context, "files">, file: string): Promise<string> {
	try {
		return new TextDecoder("utf-8", { fatal: true }).decode(await files.read(file, mostBytes));
	} catch (cause) {
		throw new PurserError("usage", {
			code: "INPUT_UNREADABLE",
			message: `Cannot read ${file}; the profile is unchanged`,
			why: troubleWords(cause),
			fix: "Check the path: the file has one value a line, or a JSON list.",
			cause,
		});
	}
}

/** The values of a file: a JSON list, else one a line, without empty lines and those that begin with "#". */
function valuesIn(list: string, text: string): { found: string[]; wrong?: string } {
	let entries: unknown[];
	try {
		const lines = () => text.split(/\r?\n/).map((line) => line.trim());
		const read = text.trimStart().startsWith("[") ? parseJson(text) : lines().filter((line) => line !== "" && !line.startsWith("#"));
		entries = Array.isArray(read) ? read : [read];
	} catch (error) {
		return { found: [], wrong: `is not a JSON list: ${troubleWords(error) ?? "it cannot be read"}` };
	}
	const pattern = listedPattern(list);
	const odd = entries.find((value) => typeof value !== "string" || !pattern.test(value));
	if (odd !== undefined) return { found: [], wrong: `has ${JSON.stringify(String(odd)).slice(0, 80)}, which is no value of ${list}` };
	const found = [...new Set(entries as string[])];
	if (found.length === 0) return { found, wrong: "has no values" };
	if (found.length <= mostValues) return { found };
	return { found, wrong: `has ${found.length.toLocaleString("en-US")} values; at most ${mostValues.toLocaleString("en-US")} are allowed` };
}
