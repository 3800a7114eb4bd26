import { expect, test } from "vitest";
import * as z from "zod/mini";
import { check } from "../../src/api/check/check.js";
import { flag, plain } from "../../src/api/fields.js";
import { describe, field } from "../../src/api/schema.js";

test("a fault that the schema has no words for is told in ours", () => {
	const schema = z.strictObject({
		save: field(z.string().check(z.minLength(1)), { description: "A file" }),
		cases: field(z.array(plain("Case")).check(z.maxLength(2)), { description: "Cases" }),
	});
	expect(check(schema, { save: "", cases: ["a", "b", "c"] }).faults).toEqual([
		{ field: "save", message: "has 0 characters; at least 1 are needed" },
		{ field: "cases", message: "has 3 entries; at most 2 are allowed" },
	]);
});

test("a flag is off where it is not given, and neither asked for nor required", () => {
	const schema = z.strictObject({ force: flag("Replace the file") });
	expect(check(schema, {}).data).toEqual({ force: false });
	expect(check(schema, { force: true }).data).toEqual({ force: true });
	expect(describe(schema).fields).toMatchObject([
		{ name: "force", kind: "boolean", required: false, fallback: false, meta: { description: "Replace the file" } },
	]);
});
