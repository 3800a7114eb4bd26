import { expect, test } from "vitest";
import { advice, adviceText, failureText, purser, withPaths } from "../../src/api/advice.js";
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
	["a value that is half of a word", purser`pay settle --field=${"x y"}`, "purser pay settle '--field=x y'"],
	["a list, a word each", purser`onboard apply ${["a", "b c"]} --new`, "purser onboard apply a 'b c' --new"],
	["an empty list and an undefined word", purser`onboard ${[]} apply ${undefined} --new`, "purser onboard apply --new"],
	["a file that begins like a flag", purser`pay batch plan ${{ path: "-x.csv" }}`, "purser pay batch plan ./-x.csv"],
	["a value that would end the word", purser`auth login --profile ${"x; rm -rf ~"}`, "purser auth login --profile 'x; rm -rf ~'"],
	["what is written by us", purser`api set auth.login --field token=…`, "purser api set auth.login --field token=…"],
	["an empty value", purser`profile set x --set ${""}`, "purser profile set x --set ''"],
])("%s", (_, command, wanted) => {
	expect(adviceText(command)).toBe(wanted);
});

test.each([
	["behind the path", purser`pay settle ${3} --not-created`, "purser pay settle --profile beta 3 --not-created"],
	["behind a path of three words", purser`pay batch plan ${"x.csv"}`, "purser pay batch plan --profile beta x.csv"],
	["behind a path of one word", purser`overview`, "purser overview --profile beta"],
	["behind a path whose words are inserted", purser`pay ${"settle"} 3`, "purser pay settle --profile beta 3"],
	["not where one is named", purser`auth login --profile live`, "purser auth login --profile live"],
	["not where one is named with =", purser`auth login --profile=live`, "purser auth login --profile=live"],
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

test("a profile's name is typed as a shell reads it", () => {
	expect(of(purser`pay doubts`, "a b")).toBe("purser pay doubts --profile 'a b'");
});

test("a path goes where its placeholder stands in a command, and nowhere else", () => {
	const told = advice`Give PLAN to them: ${purser`pay batch approve PLAN`}, then ${purser`pay batch plan FILE`}`;
	expect(adviceText(withPaths(told, { PLAN: "my plan.json" }))).toBe(
		"Give PLAN to them: purser pay batch approve 'my plan.json', then purser pay batch plan FILE",
	);
});

test("a failure within an answer is text", () => {
	expect(failureText({ code: "X", message: "m", why: advice`see ${purser`pay doubts`}`, fix: purser`pay settle 1` })).toEqual({
		code: "X",
		message: "m",
		why: "see purser pay doubts",
		fix: "purser pay settle 1",
	});
});
