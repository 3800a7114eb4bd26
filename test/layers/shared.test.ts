/**
 * Most files of the tests share a process (`.config/vitest.js`): none of them may change what the next one would find changed.
 */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const { alone } = (await import(new URL("../../.config/vitest.js", import.meta.url).href)) as { alone: readonly string[] };
const tests = fileURLToPath(new URL("../", import.meta.url));
/** Those that have a process to themselves. */
const own = alone.map((file) => file.replace(/^test\//, ""));

/** What replaces a module, the clock, a variable or a function for the whole process, or switches something on in it. */
const changing =
	/\bvi\.(?:mock|doMock|stub\w+|useFakeTimers|spyOn|setSystemTime)\(|\bprocess\.(?:chdir|umask)\(|\bprocess\.env(?:\.\w+|\[[^\]]+\])\s*=[^=]|\bdelete process\.env|\bsetFlagsFromString\(|\bglobalThis(?:\.\w+|\[[^\]]+\])\s*=[^=]/;

test("what changes the process is seen", () => {
	const lines = ['vi.mock("node:fs")', 'vi.stubEnv("A", "1")', "vi.useFakeTimers()", 'process.env.TZ = "UTC"', "process.env[name] = value"];
	const others = ["delete process.env.TZ", 'process.chdir("/")', 'setFlagsFromString("--expose-gc")', "globalThis.fetch = other"];
	for (const line of [...lines, ...others]) expect(line).toMatch(changing);
});

test("a file that changes its process has one to itself", () => {
	const files = readdirSync(tests, { recursive: true, encoding: "utf8" })
		.map((name) => name.replaceAll("\\", "/"))
		.filter((name) => name.endsWith(".test.ts") && name !== "layers/shared.test.ts");
	expect(files.length).toBeGreaterThan(300);
	expect(own.filter((name) => !files.includes(name))).toEqual([]);
	const isChanging = (name: string): boolean => changing.test(readFileSync(tests + name, "utf8"));
	expect(files.filter((name) => !own.includes(name)).filter(isChanging)).toEqual([]);
	// They measure memory: of their own process, or of one that they start, to which the system counts the largest that its parent was.
	expect(own.filter((name) => !isChanging(name))).toEqual(["faults/bounds.test.ts", "faults/input-bounds.test.ts"]);
});
