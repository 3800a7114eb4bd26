import { expect, test } from "vitest";
import * as z from "zod/mini";
import { check } from "../../src/api/check/check.js";
import { flag } from "../../src/api/fields.js";
import { describe } from "../../src/api/schema.js";

test("a flag is off where it is not given, and neither asked for nor required", () => {
	const schema = z.strictObject({ force: flag("Replace the file") });
	expect(check(schema, {}).data).toEqual({ force: false });
	expect(check(schema, { force: true }).data).toEqual({ force: true });
	expect(describe(schema).fields).toMatchObject([
		{ name: "force", kind: "boolean", required: false, fallback: false, meta: { description: "Replace the file" } },
	]);
});
