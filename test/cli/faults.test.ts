import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
beforeEach(async () => {
	world = await makeWorld();
});

const errorOf = async (...argv: string[]) => {
	const ran = await world.purser([...argv, "--json"]);
	return { exit: ran.exit, ...ran.error() };
};

describe("a flag given twice", () => {
	test.each([
		[
			["corporate", "list", "--sort-direction", "ASC", "--sort-direction", "DESC"],
			"--sort-direction was given twice, and it takes one value",
		],
		[["corporate", "list", "--profile", "a", "--profile", "b"], "--profile was given twice, and it takes one value"],
		[["corporate", "create", "--file", "a.yaml", "--file", "b.yaml"], "--file was given twice, and it takes one value"],
	])("%j", async (argv, message) => {
		expect(await errorOf(...argv)).toMatchObject({ exit: 2, code: "GIVEN_TWICE", message });
		expect(world.requests).toEqual([]);
	});

	test("one that may be repeated is one list, and a fault in it names the flag and the value", async () => {
		expect(await errorOf("ledger", "list", "--status", "ACTIVE", "--status", "nope")).toMatchObject({
			exit: 3,
			details: [{ field: "status", message: '"nope" must be in capitals, digits and "_", like PENDING' }],
		});
		expect((await world.purser("ledger list --status ACTIVE --status CLOSED")).exit).toBe(0);
	});
});

test.each([
	["xml", 'There is no output format "xml"', "Choose text, json, ndjson, csv or tsv."],
	["text", "--json and --output text contradict each other", "Give one of them."],
])("--json with --output %s is refused", async (format, message, fix) => {
	expect(await errorOf("ledger", "list", "--output", format)).toMatchObject({ exit: 2, message, fix });
});

test("an output format is named in one file, which everything else reads", () => {
	const source = join(import.meta.dirname, "../../src");
	const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const naming = files.filter((name) => /"ndjson"|\bndjson:|text, json, ndjson/.test(readFileSync(join(source, name), "utf8")));
	expect(naming).toEqual([join("cli", "output", "formats.ts")]);
});

test("--json with --watch is refused: it is one document", async () => {
	expect(await errorOf("overview", "--watch")).toMatchObject({ exit: 2, code: "WATCH_IS_NO_DOCUMENT" });
	expect(world.requests).toEqual([]);
});

test.each([
	["a command", ["x".repeat(3000)], "There is no command `purser xxx"],
	["a flag", ["ledger", "list", `--${"x".repeat(3000)}`], "Unknown option '--xxx"],
	["an argument", ["ledger", "list", "x".repeat(3000)], 'Unexpected argument: "xxx'],
])("%s of 3 000 letters is shortened", async (_what, argv, beginning) => {
	const { exit, message } = await errorOf(...argv);
	expect([exit, message.startsWith(beginning)]).toEqual([2, true]);
	expect(message.length).toBeLessThan(200);
});

describe("help", () => {
	test.each([
		["exit-code", "Did you mean `purser help exit-codes`?"],
		["zzzzzz", "See `purser --help` and `purser help --help`."],
	])("about %s", async (word, fix) => {
		const ran = await world.purser(`help ${word}`);
		expect(ran.exit).toBe(2);
		expect(ran.stderr).toContain(`There is no help about "${word}": it is neither a topic nor a command`);
		expect(ran.stderr).toContain(fix);
	});

	test.each([["help"], ["help", "pay"], ["help", "pay", "ledger"], ["help", "exit-codes"]])(
		"%s %s %s refuses a flag that there is not",
		async (...argv) => {
			const ran = await world.purser([...argv, "--nope"]);
			expect([ran.exit, ran.stdout, ran.stderr]).toEqual([2, "", "Error: Unknown option '--nope'\n  Next: See `purser help --help`.\n"]);
		},
	);

	test("exit-codes names every signal", async () => {
		const { stdout } = await world.purser("help exit-codes");
		expect(stdout).toContain("130/143/129");
		expect(stdout).toContain("HUP: 129");
		const codes = (await world.json("help exit-codes")).content.map(({ exit }: { exit: number }) => exit);
		expect(codes).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130, 143, 129]);
	});
});

test.each([
	["SIGINT", 130],
	["SIGTERM", 143],
	["SIGHUP", 129],
])("%s ends with %i", async (reason, exit) => {
	const stop = new AbortController();
	world.wire = async () => {
		stop.abort(reason);
		return { kind: "not-sent", reason: "aborted" };
	};
	const ran = await world.purser("ledger list --json", { signal: stop.signal });
	expect([ran.exit, ran.error().exit]).toEqual([exit, exit]);
});
