import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { advice, adviceText, purser, quoted, quotedPath } from "../../src/api/advice.js";
import { commands } from "../../src/commands/index.js";
import type { Advice } from "../../src/errors.js";

const paths = new Set(["pay settle", "pay doubts", "pay batch plan", "auth login", "profile set", "overview"]);
const of = (told: Advice, name = "beta"): string => adviceText(told, { name, paths });

test("a command is data: its words, and which of them are values", () => {
	expect(purser`pay settle ${7} --reason TEXT`).toEqual({ words: ["pay", "settle", { value: "7" }, "--reason", "TEXT"] });
	expect(purser`pay batch plan ${{ path: "a b.csv" }}`).toEqual({ words: ["pay", "batch", "plan", { value: "a b.csv", path: true }] });
});

test.each([
	["a number and a placeholder", purser`pay settle ${7} --reason TEXT`, "purser pay settle 7 --reason TEXT"],
	["a value that a shell would split", purser`profile set ${"a b"} --auth none`, "purser profile set 'a b' --auth none"],
	["a list, a word each", purser`onboard apply ${["a", "b c"]} --new`, "purser onboard apply a 'b c' --new"],
	["an empty list and an undefined word", purser`onboard ${[]} apply ${undefined} --new`, "purser onboard apply --new"],
	["a file that begins like a flag", purser`pay batch plan ${{ path: "-x.csv" }}`, "purser pay batch plan ./-x.csv"],
	["a value that would end the word", purser`auth login --profile ${"x; rm -rf ~"}`, "purser auth login --profile 'x; rm -rf ~'"],
	["what is written by us", purser`api draft … --schema`, "purser api draft … --schema"],
])("%s", (_, command, wanted) => {
	expect(adviceText(command)).toBe(wanted);
});

test.each([
	["behind the path", purser`pay settle ${3} --not-created`, "purser pay settle --profile beta 3 --not-created"],
	["behind a path of three words", purser`pay batch plan ${"x.csv"}`, "purser pay batch plan --profile beta x.csv"],
	["behind a path whose words are inserted", purser`pay ${"settle"} 3`, "purser pay settle --profile beta 3"],
	["not where one is named", purser`auth login --profile live`, "purser auth login --profile live"],
	["beside a flag that only begins alike", purser`overview --profiles x`, "purser overview --profile beta --profiles x"],
	["not where the command is about profiles", purser`profile set NAME --set cap-per-day=1`, "purser profile set NAME --set cap-per-day=1"],
	["not where help is asked for", purser`pay settle --help`, "purser pay settle --help"],
	["not in what is no command", purser`… --dry-run`, "purser … --dry-run"],
])("the profile stands %s", (_, command, wanted) => {
	expect(of(command)).toBe(wanted);
});

test("commands within text name the profile, and what was typed by others does not", () => {
	const typed = '"purser pay doubts" must be one of A, B';
	const told = advice`See ${purser`pay doubts`}, then\n${advice`settle ${2}: ${purser`pay settle ${2}`}`}${undefined}. ${typed}`;
	expect(of(told)).toBe(`See purser pay doubts --profile beta, then\nsettle 2: purser pay settle --profile beta 2. ${typed}`);
	expect(adviceText(told)).toBe(`See purser pay doubts, then\nsettle 2: purser pay settle 2. ${typed}`);
});

test.each([
	["payroll.csv", "payroll.csv"],
	["./a/b-c_d,e+f@g=h:i%.csv", "./a/b-c_d,e+f@g=h:i%.csv"],
	["Gehälter.csv", "Gehälter.csv"],
	["C:\\pay\\roll.csv", "C:\\pay\\roll.csv"],
	["a\\b.csv", "'a\\b.csv'"],
	["-", "-"],
	["-x.csv", "./-x.csv"],
	["my file.csv", "'my file.csv'"],
	["$(x);*.csv", "'$(x);*.csv'"],
])("the path %s is typed as %s", (path, wanted) => {
	expect(quotedPath(path)).toBe(wanted);
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
	expect(quoting.filter((name) => !name.includes("completion"))).toEqual([join("api", "advice.ts")]);
});

test("each command that the source shows is one of the list, by which its profile is put in", () => {
	const src = fileURLToPath(new URL("../../src", import.meta.url));
	const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const source = files.map((name) => readFileSync(join(src, name), "utf8").replace(/\/\*[\s\S]*?\*\//g, "")).join("\n");
	const shown = [...source.matchAll(/purser`((?:[a-z][a-z-]*(?: |(?=`)))+)/g)].map(([, words = ""]) => words);
	const known = [...Object.keys(commands), "help", "completion"];
	// Where the last word of a path is inserted, its beginning has to be that of a command.
	const isKnown = (words: string): boolean =>
		known.some((path) => `${words} `.startsWith(`${path} `) || (words.endsWith(" ") && path.startsWith(words)));
	expect(shown.length).toBeGreaterThan(150);
	expect(shown.filter((words) => !isKnown(words)).sort()).toEqual([]);
});
