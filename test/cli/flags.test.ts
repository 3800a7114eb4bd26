/**
 * Flags as they are typed: given twice, short, in another case, unknown or too long; and the words of help.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { makeWorld, type World } from "../support/purser.js";

const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
let world: World;
beforeEach(async () => {
	world = await makeWorld();
});
const run = (line: string) => world.purser(line);
const long = "x".repeat(3000);
const twice = (flag: string) => ({ code: "GIVEN_TWICE", message: `${flag} was given twice, and it takes one value` });
const notOne = '"nope" must be in capitals, digits and "_", like PENDING';

test.each([
	["corporate list --sort-direction ASC --sort-direction DESC", 2, twice("--sort-direction")],
	["corporate list --profile a --profile b", 2, twice("--profile")],
	["corporate create --file a.yaml --file b.yaml", 2, twice("--file")],
	["ledger list --status ACTIVE --status nope", 3, { details: [{ field: "status", message: notOne }] }],
	["ledger list --output xml", 2, { message: 'There is no output format "xml"', fix: "Choose text, json, ndjson, csv or tsv." }],
	["ledger list --output text", 2, { message: "--json and --output text contradict each other", fix: "Give one of them." }],
	["overview --watch", 2, { code: "WATCH_IS_NO_DOCUMENT" }],
	["ledger list -x", 2, { message: expect.stringContaining("Unknown option '-x'") }],
	["ledger list -f a.yaml", 2, { message: expect.stringContaining("Unknown option '-f'") }],
	["pay ledger --reference -y", 2, { message: "--reference needs a value, but -y follows" }],
	[long, 2, { message: expect.stringMatching(/^There is no command `purser xxx.{0,180}$/) }],
	[`ledger list --${long}`, 2, { message: expect.stringMatching(/^Unknown option '--xxx.{0,180}$/) }],
	[`ledger list ${long}`, 2, { message: expect.stringMatching(/^Unexpected argument: "xxx.{0,180}$/) }],
])("%.60s with --json: exit %i, and nothing is asked of the service", async (line, exit, error) => {
	const ran = await run(`${line} --json`);
	expect([ran.exit, ran.error(), world.requests]).toMatchObject([exit, error, []]);
});

test("an output format is named in one file, which everything else reads", () => {
	const source = join(import.meta.dirname, "../../src");
	const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
	const naming = files.filter((name) => /"ndjson"|\bndjson:|text, json, ndjson/.test(readFileSync(join(source, name), "utf8")));
	expect(naming).toEqual([join("cli", "output", "formats.ts")]);
});

test.each(["-o json ledger list", "ledger -o json list", "ledger list -qo json", "ledger list -ojson"])(
	"%s answers as --json does",
	async (line) => {
		expect((await run(line)).json()).toHaveLength(3);
		// What it cannot read it says in the same form.
		if (!line.includes("-q")) expect((await run(`${line} --bad`)).error().code).toBe("USAGE");
	},
);

test("a slip of the hand is not led to --live", async () => {
	expect((await run("pay show --liv")).stderr).not.toContain("Did you mean");
});

test.each(["--file", "-f"])("the input file of %s is read, without a warning", async (flag) => {
	world.put("company.yaml", "corporateName: Example Bakery SAS\n");
	const ran = await run(`corporate create ${flag} company.yaml`);
	expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining("Missing: --incorporation-country")]);
	expect(ran.stderr).not.toContain("--from");
});

test.each([
	// It takes no value from the next word.
	[`kyb status --wait ${id}`, 5],
	[`pay show ${id} --wait-timeout 30`, 5],
	[`pay show ${id} --wait-timeout 5m`, 5],
	...["0", "5w", "12d"].map((time): [string, number] => [`pay show ${id} --wait-timeout ${time}`, 3]),
])("%s: exit %i", async (line, exit) => {
	const ran = await run(line);
	const told = "must be seconds, like 120, or a time like 30s, 5m or 2h";
	expect([ran.exit, ran.stderr.includes(told)]).toEqual([exit, exit === 3]);
});

test.each([
	["ledger list --status active --status CLOSED", "status=ACTIVE&status=CLOSED"],
	["pay list --sort-direction desc", "sortDirection=DESC"],
	["corporate list --kyb-status pending_verification --kyb-status Declined", "kybStatus=PENDING_VERIFICATION&kybStatus=DECLINED"],
])("%s: a value of a list may be written in any case", async (line, query) => {
	const ran = await run(line);
	expect([ran.exit, ran.stderr.includes("known so far")]).toEqual([0, false]);
	expect(world.requests[0]?.url).toContain(query);
});

describe("help", () => {
	test.each([
		["exit-code", "Did you mean `purser help exit-codes`?"],
		["zzzzzz", "See `purser --help` and `purser help --help`."],
	])("about %s", async (word, fix) => {
		const ran = await run(`help ${word}`);
		expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining(fix)]);
		expect(ran.stderr).toContain(`There is no help about "${word}": it is neither a topic nor a command`);
	});

	test.each(["help", "help pay", "help pay ledger", "help exit-codes"])("%s refuses a flag that there is not", async (line) => {
		const stderr = "Error: Unknown option '--nope'\n  Next: See `purser help --help`.\n";
		expect(await run(`${line} --nope`)).toMatchObject({ exit: 2, stdout: "", stderr });
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
