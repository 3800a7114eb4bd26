/**
 * What a draft fills in of three services, held against the mapping that a person has completed: nothing of it may be wrong.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { checkAgainst } from "../../src/mapping/check.js";
import { readOpenApi } from "../../src/mapping/document.js";
import { draftMapping } from "../../src/mapping/draft.js";
import { mappingFaults } from "../../src/mapping/faults.js";
import { open, readMapping } from "../../src/mapping/file.js";

interface Entry {
	send: string;
	fields?: unknown;
	constants?: unknown;
	answer?: { fields?: unknown };
}
type Operations = Record<string, Entry | string>;

const read = (name: string): unknown => parse(readFileSync(join(import.meta.dirname, "documents", name), "utf8"), { merge: true });

/** Each value that is written somewhere: its place, its form and each of its values. */
function entriesOf(operations: Operations): Map<string, unknown> {
	const found = new Map<string, unknown>();
	const take = (key: string, value: unknown): void => {
		if (typeof value !== "object" || value === null || Array.isArray(value)) found.set(key.replace(/ at$/, ""), value);
		else for (const [name, part] of Object.entries(value)) take(`${key} ${name}`, part);
	};
	for (const [id, entry] of Object.entries(operations)) {
		if (typeof entry === "string") found.set(`${id} send`, entry);
		else take(id, { send: entry.send, fields: entry.fields ?? {}, constants: entry.constants ?? {}, answer: entry.answer?.fields ?? {} });
	}
	return found;
}

test.each([
	["harbour", { open: 20, values: 10, filled: 205, beside: 42 }],
	["quay", { open: 43, values: 4, filled: 99, beside: 9 }],
	["pier", { open: 43, values: 6, filled: 124, beside: 0 }],
])("%s: so much is open, so much filled in, and nothing that is filled in is wrong", (name, counts) => {
	const drafted = entriesOf((parse(draftMapping(readOpenApi(read(`${name}.yaml`)))) as { operations: Operations }).operations);
	const right = entriesOf((read(`${name}.mapping.yaml`) as { operations: Operations }).operations);
	const sends = (key: string): boolean => drafted.get(`${key.split(" ")[0]} send`) === right.get(`${key.split(" ")[0]} send`);
	const filled = [...drafted].filter(([, value]) => value !== open);
	// A field that the completed mapping leaves out has no answer there; one without a form there is written as ours is.
	const isKnown = (key: string): boolean => right.has(key) || (key.endsWith(" form") && right.has(key.slice(0, -5)));
	const wrong = filled.filter(([key, value]) => !sends(key) || (isKnown(key) && right.get(key) !== value));
	expect(wrong).toEqual([]);
	const opened = [...drafted].filter(([, value]) => value === open).map(([key]) => key);
	expect({
		open: opened.filter((key) => !key.includes(" values")).length,
		values: new Set(opened.filter((key) => key.includes(" values")).map((key) => key.split(" values")[0])).size,
		filled: filled.length,
		beside: filled.filter(([key]) => !isKnown(key)).length,
	}).toEqual(counts);
});

test.each(["harbour", "quay"])("%s: the completed mapping has no fault against its document", (name) => {
	const { mapping, faults } = readMapping(read(`${name}.mapping.yaml`));
	if (mapping === undefined) throw new Error("no mapping");
	const found = [...faults, ...mappingFaults(mapping), ...checkAgainst(mapping, readOpenApi(read(`${name}.yaml`)))];
	expect(found.map(({ path, message }) => `${path.join(".")} ${message}`)).toEqual([]);
});
