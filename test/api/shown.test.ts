import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { quoted, quotedPath, withProfile } from "../../src/api/shown.js";
import { commands } from "../../src/commands/index.js";

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

const paths = new Set(["pay settle", "pay doubts", "pay batch", "pay batch plan", "pay show", "auth login", "profile set", "overview"]);
const of = (text: string): string => withProfile(text, "beta", paths);

test.each([
	["alone", "purser pay settle 3", "purser pay settle --profile beta 3"],
	["a path of three words before one of two", "purser pay batch plan x.csv", "purser pay batch plan --profile beta x.csv"],
	["a path of one word", "purser overview", "purser overview --profile beta"],
	["two in a sentence", "purser pay doubts, purser pay settle 3", "purser pay doubts --profile beta, purser pay settle --profile beta 3"],
	["before words of the sentence", "see purser pay doubts and wait", "see purser pay doubts --profile beta and wait"],
	["in brackets", "Ask (purser pay show ID), then", "Ask (purser pay show --profile beta ID), then"],
	["in backquotes", "Use `purser pay doubts`.", "Use `purser pay doubts --profile beta`."],
	["behind a pipe", "echo '{}' | purser pay batch plan - --to p", "echo '{}' | purser pay batch plan --profile beta - --to p"],
	[
		"on lines of their own",
		"First:\npurser pay doubts\npurser pay settle",
		"First:\npurser pay doubts --profile beta\npurser pay settle --profile beta",
	],
	[
		"beside one that names a profile already",
		"purser auth login --profile live (purser pay doubts says more)",
		"purser auth login --profile live (purser pay doubts --profile beta says more)",
	],
	["beside a flag that only begins alike", "purser overview --profiles x", "purser overview --profile beta --profiles x"],
])("a command %s goes to the profile of the run", (_, text, wanted) => {
	expect(of(text)).toBe(wanted);
	expect(of(wanted), "a second time changes nothing").toBe(wanted);
});

test.each([
	"Wait until another purser has finished",
	"purser pay nothing",
	"purser paying",
	"/usr/bin/purser pay doubts.log",
	"purser profile set NAME --set cap-per-day=1",
	"purser pay settle --help",
	// The reference of a payment in a row that is to be piped.
	`echo '{"reference":"it'\\''s for purser pay doubts"}' | cat`,
	"purser pay show --wait 3 --profile=live",
	"--by='purser pay doubts'",
	// A value that somebody typed, or a name, as messages tell it.
	'"purser pay doubts" must be one of A, B',
	'no batch is called ("a \\" purser pay doubts")',
])("%s stays as it is", (text) => {
	expect(of(text)).toBe(text);
});

test("an apostrophe in a word is no quote", () => {
	expect(of("the service's list: purser pay doubts, it's there")).toBe("the service's list: purser pay doubts --profile beta, it's there");
});

test("a profile's name is typed as a shell reads it", () => {
	expect(withProfile("purser pay doubts", "a b", paths)).toBe("purser pay doubts --profile 'a b'");
});

test("each command that the source shows is one of the list, by which it is known", () => {
	const src = fileURLToPath(new URL("../../src", import.meta.url));
	const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const known = new Set(Object.keys(commands));
	const nouns = new Set([...known].map((path) => path.split(" ")[0]));
	const source = files.map((name) => readFileSync(join(src, name), "utf8").replace(/\/\*[\s\S]*?\*\//g, "")).join("\n");
	// Behind some the last word is put in when they are told.
	const shown = [...source.matchAll(/\bpurser ([a-z-]+(?: [a-z-]+){0,2})( \$\{)?/g)];
	const words = shown
		.map(([, said = "", open]) => (open === undefined ? said : `${said} …`))
		.filter((said) => nouns.has(said.split(" ")[0]));
	const isKnown = (words: string): boolean => [1, 2, 3].some((count) => known.has(words.split(" ").slice(0, count).join(" ")));
	expect(words.length).toBeGreaterThan(150);
	expect(words.filter((said) => !isKnown(said)).sort()).toEqual(["onboard …"]);
});
