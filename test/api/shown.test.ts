import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { quoted, quotedPath } from "../../src/api/shown.js";

test.each([
	["payroll.csv", "payroll.csv"],
	["./a/b-c_d,e+f@g=h:i%.csv", "./a/b-c_d,e+f@g=h:i%.csv"],
	["Gehälter.csv", "Gehälter.csv"],
	["C:\\pay\\roll.csv", "C:\\pay\\roll.csv"],
	["a\\b.csv", "'a\\b.csv'"],
	["-", "-"],
	["-x.csv", "./-x.csv"],
	["my file.csv", "'my file.csv'"],
	["a'b.csv", "'a'\\''b.csv'"],
	["$(x);*.csv", "'$(x);*.csv'"],
	["~/x.csv", "'~/x.csv'"],
])("the path %s is typed as %s", (path, wanted) => {
	expect(quotedPath(path)).toBe(wanted);
});

test.each([
	["https://api.example.com/base", "https://api.example.com/base"],
	["http://[::1]:4010", "'http://[::1]:4010'"],
	["", "''"],
	["2.0; rm x", "'2.0; rm x'"],
	["=ls", "'=ls'"],
])("the word %s is typed as %s", (word, wanted) => {
	expect(quoted(word)).toBe(wanted);
});

test.skipIf(process.platform === "win32")("what a shell reads of it is the word again (not on Windows, which has no sh)", () => {
	for (const word of ["my file.csv", 'a\'b "c".csv', "$(x);*`y`\\z.csv", "a\\b", "new\nline.csv", "Gehälter 2026.csv", "", "~", "a&&b"]) {
		expect(execFileSync("sh", ["-c", `printf %s ${quoted(word)}`], { encoding: "utf8" })).toBe(word);
		if (word !== "") expect(execFileSync("sh", ["-c", `printf %s ${quotedPath(word)}`], { encoding: "utf8" })).toBe(word);
	}
});

test("nothing else of the source puts a word in quotes for a shell", () => {
	const src = fileURLToPath(new URL("../../src", import.meta.url));
	const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const quoting = files.filter((name) => readFileSync(join(src, name), "utf8").includes("'\\\\''"));
	// Scripts of completion are no commands to type.
	expect(quoting.filter((name) => !name.includes("completion"))).toEqual([join("api", "shown.ts")]);
});
