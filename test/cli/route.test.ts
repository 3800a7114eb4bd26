import { describe, expect, test } from "vitest";
import { route } from "../../src/cli/input/route.js";

const paths = ["corporate create", "corporate show", "demo", "sandbox simulate kyc", "sandbox simulate kyb", "sandbox serve"];

describe("which command is meant", () => {
	test.each([
		[["corporate", "create"], "corporate create", []],
		[["--profile", "corporate", "corporate", "show", "id"], "corporate show", ["--profile", "corporate", "id"]],
		[["corporate", "--json", "create", "--file", "f.yaml"], "corporate create", ["--json", "--file", "f.yaml"]],
		[["--color", "never", "demo"], "demo", ["--color", "never"]],
		[["--color", "demo"], "demo", ["--color"]],
		[["sandbox", "simulate", "kyc", "x"], "sandbox simulate kyc", ["x"]],
	])("%j", (argv, path, rest) => {
		expect(route(argv, paths)).toMatchObject({ path, rest, unknown: undefined });
	});

	test("a noun alone names no command", () => {
		expect(route(["sandbox", "simulate"], paths)).toMatchObject({ words: ["sandbox", "simulate"], path: undefined, unknown: undefined });
	});

	test("the first word that is part of no path is unknown", () => {
		expect(route(["corporate", "creat"], paths)).toMatchObject({ words: ["corporate"], path: undefined, unknown: "creat" });
	});

	test("help is asked for before -- only", () => {
		expect(route(["corporate", "show", "--help"], paths).help).toBe(true);
		expect(route(["corporate", "show", "--", "--help"], paths).help).toBe(false);
	});
});
