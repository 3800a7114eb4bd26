/**
 * What a draft fills in of three services, held against the mapping that a person has completed: nothing of it may be wrong.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { readMappingFile } from "../../src/commands/families/mapping-file.js";
import type { Context } from "../../src/context.js";
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
	["harbour", { open: 21, values: 12, filled: 221, beside: 52 }],
	["quay", { open: 41, values: 4, filled: 101, beside: 9 }],
	["pier", { open: 43, values: 8, filled: 136, beside: 0 }],
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
	expect(found.filter(({ isRemark }) => !isRemark).map(({ path, message }) => `${path.join(".")} ${message}`)).toEqual([]);
});

test("what has to be given each time is a remark behind the faults, and the file can be used with it", async () => {
	const text = {
		...{ purser: "mapping", version: 1, idempotency: { key: "header Idempotency-Key" } },
		operations: { "related.create": { send: "POST /businesses/{business_id}/people", fields: { corporateId: "path business_id" } } },
	};
	const { fields } = text.operations["related.create"];
	Object.assign(fields, {
		firstName: "body /first_name",
		lastName: "body /last_name",
		emailAddress: "body /email",
		"set.roles": "body /roles",
	});
	const faultsWith = async (more: object) => {
		const value = { ...text, operations: { "related.create": { ...text.operations["related.create"], fields: { ...fields, ...more } } } };
		const documents = {
			readWithLines: async () => ({ value, lineOf: () => 1 }),
			readDescription: async () => ({ value: read("harbour.yaml") }),
		};
		const { faults, remarks, mapping } = await readMappingFile({ files: { documents } } as unknown as Context, "a.yaml", "harbour.yaml");
		expect(mapping).toBeDefined();
		return [...faults.map(({ message }) => message), ...remarks.map(({ message }) => `remark: ${message}`)];
	};
	const remarks = ["first_name", "last_name", "email", "roles"].map(
		(name) => `remark: body /${name} is required, and may be left out here: it must be given each time`,
	);
	expect(await faultsWith({})).toEqual(["have no body /date_of_birth, and the document requires it", ...remarks]);
	expect(await faultsWith({ "set.date_of_birth": "body /date_of_birth" })).toEqual([
		...remarks,
		"remark: body /date_of_birth is required, and may be left out here: it must be given each time",
	]);
});
