/**
 * `purser complete`: what Tab offers for the last word of a line, without asking anybody.
 */
import { describe, expect, test } from "vitest";
import { makeWorld } from "../support/purser.js";

const main = "aaaaaaaa-0001-4000-8000-000000000001";
const other = "aaaaaaaa-0002-4000-8000-000000000002";

/** The candidates for the last of the words, without what they mean. */
async function offered(...words: string[]): Promise<string[]> {
	const world = await makeWorld();
	const { exit, stdout, stderr } = await world.purser(["complete", "--", ...words]);
	expect({ exit, stderr, requests: world.requests }).toEqual({ exit: 0, stderr: "", requests: [] });
	return stdout
		.split("\n")
		.slice(0, -1)
		.map((row) => row.split("\t")[0] as string);
}

describe("words, flags and values", () => {
	test.each<[string, string[], string[]]>([
		["the words of a path", ["corp"], ["corporate"]],
		["what follows a word", ["pay", "batch", "re"], ["resume", "report"]],
		["a flag of the command", ["pay", "ledger", "--ledger-f"], ["--ledger-from-id"]],
		["a global flag", ["pay", "ledger", "--out"], ["--output"]],
		["a value of a list", ["pay", "ledger", "--output", "nd"], ["ndjson"]],
		["a value in one word with its flag", ["pay", "ledger", "--output=nd"], ["--output=ndjson"]],
		["an argument", ["completion", "pow"], ["powershell"]],
		["behind a flag with a value", ["--profile", "corporate", "kyb", "st"], ["status"]],
		["behind a flag in one word", ["--profile=corporate", "kyb", "st"], ["status"]],
		["paths", ["onboard", "apply", "x"], [":files"]],
		["paths of a flag", ["corporate", "create", "--file", ""], [":files"]],
		["nothing for a free value", ["pay", "ledger", "--amount", ""], []],
		["nothing for a flag without a value", ["pay", "ledger", "--json=x"], []],
		["nothing behind a word that is no command", ["nonsense", "--ledger-f"], []],
		["the empty word of PowerShell 5", ["completion", "powershell", '""'], ["bash", "zsh", "fish", "powershell"]],
	])("%s", async (_, words, expected) => {
		expect(await offered(...words)).toEqual(expected);
	});

	test("with what they mean", async () => {
		const world = await makeWorld({ loggedIn: false });
		expect((await world.purser(["complete", "--", "pay", "ledger", "--dry"])).stdout).toBe(
			"--dry-run\tShow the exact request of a change, send nothing\n",
		);
		expect((await world.purser(["complete", "--", "completi"])).stdout).toBe("completion\tPrint the completion script for a shell\n");
	});
});

describe("ids", () => {
	test("who begins to type a name is offered it, where it is one word and of one record", async () => {
		const world = await makeWorld();
		await world.purser(["ledger", "list"]);
		expect((await world.purser(["complete", "--", "ledger", "show", "sav"])).stdout).toBe(`Savings\t${other}\n`);
		expect((await world.purser(["complete", "--", "ledger", "show", "vings"])).stdout).toBe(`${other}\tSavings\n`);
		world.cached.push({ kind: "ledger", id: "aaaaaaaa-0009-4000-8000-000000000002", name: "savings" });
		expect((await world.purser(["complete", "--", "ledger", "show", "sav"])).stdout).toContain(`${other}\tSavings\n`);
		world.cached.push({ kind: "related", id: other, name: "natural" });
		expect((await world.purser(["complete", "--", "related", "show", "nat"])).stdout).toBe(`${other}\tnatural\n`);
	});

	test("offers what a list showed, by the start of an id or a part of a name, and asks nobody", async () => {
		const world = await makeWorld();
		expect((await world.purser(["complete", "--", "ledger", "show", ""])).stdout).toBe("");
		await world.purser(["ledger", "list"]);
		world.requests.length = 0;
		expect((await world.purser(["complete", "--", "ledger", "show", ""])).stdout).toContain(`${main}\tMain account\n`);
		expect((await world.purser(["complete", "--", "ledger", "show", "aaaaaaaa-0002"])).stdout.split("\t")[0]).toBe(other);
		expect((await world.purser(["complete", "--", "ledger", "show", "main acc"])).stdout).toBe(`${main}\tMain account\n`);
		expect((await world.purser(["complete", "--", "beneficiary", "show", ""])).stdout).toBe("");
		expect(world.requests).toEqual([]);
	});

	test("offers no id that a shell, or purser, would take for something else", async () => {
		const hostile = [
			"$(touch x)",
			"`touch x`",
			"a;touch x",
			"*",
			"--yes",
			"a b",
			"~",
			"a\nb",
			"\u001b[2J",
			"a'b",
			"!!",
			"",
			"x".repeat(129),
		];
		const content = [...hostile, other].map((id) => ({ id, friendlyName: "Main\u001b[2J\naccount" }));
		const body = new TextEncoder().encode(JSON.stringify({ content, totalElements: content.length, page: 0, pageSize: 100 }));
		const world = await makeWorld();
		world.wire = async () => ({ kind: "answer", status: 200, headers: { "content-type": "application/json" }, body });
		expect((await world.purser(["ledger", "list", "--json"])).stdout).toContain("touch x");
		expect((await world.purser(["complete", "--", "ledger", "show", ""])).stdout).toBe(`${other}\tMain␛[2J␊account\n`);
	});

	test("offers profiles", async () => {
		const world = await makeWorld();
		expect((await world.purser(["complete", "--", "--profile", "s"])).stdout).toBe("sandbox\thttp://127.0.0.1:4010\n");
	});

	test.each([
		[["complete"]],
		// Without the mark before the words.
		[["complete", "ledger", "", "pay", "ledger", "--ledger-from-id"]],
		[["complete", "--", "--profile", "none", "ledger", "show", ""]],
	])("%j says nothing and is no error", async (argv) => {
		const world = await makeWorld();
		expect(await world.purser(argv)).toMatchObject({ exit: 0, stdout: "", stderr: "" });
	});
});

describe("old lists", () => {
	const tab = ["complete", "--", "ledger", "show", ""];

	test("are read again by a process of its own, on the profile of the line", async () => {
		const world = await makeWorld();
		world.due = true;
		await world.purser(["complete", "--", "--profile=sandbox", "ledger", "show", ""]);
		expect(world.started).toEqual([["config", "refresh", "--quiet", "--no-input", "--timeout", "5", "--profile", "sandbox"]]);
		expect(world.requests).toEqual([]);
	});

	test("are left alone where they are new, in CI, by the setting, beside a credential helper, and for batches", async () => {
		const world = await makeWorld();
		await world.purser(tab);
		world.due = true;
		await world.purser(tab, { env: { CI: "1" } });
		// A process that nobody watches gets no token, and would use another login without it.
		await world.purser(tab, { env: { PURSER_TOKEN: "t" } });
		await world.purser(tab, { env: { PURSER_TOKEN_FILE: "/run/secrets/purser" } });
		await world.purser(["complete", "--", "pay", "batch", "status", ""]);
		await world.purser(["profile", "set", "sandbox", "--set", "completion-refresh=off"]);
		await world.purser(tab);
		await world.purser(["profile", "set", "sandbox", "--set", "completion-refresh=on", "--set", "credential-helper=helper"]);
		await world.purser(tab);
		expect(world.started).toEqual([]);
		await world.purser(["profile", "set", "sandbox", "--unset", "credential-helper"]);
		await world.purser(tab);
		expect(world.started).toHaveLength(1);
	});

	test("config refresh reads every list within its bounds, and shows how many", async () => {
		const world = await makeWorld();
		const { exit, stdout } = await world.purser(["config", "refresh", "--json"]);
		expect(exit).toBe(0);
		expect(JSON.parse(stdout).found).toMatchObject({ ledger: expect.any(Number), corporate: expect.any(Number) });
		expect((await world.purser(["complete", "--", "ledger", "show", "main acc"])).stdout).toBe(`${main}\tMain account\n`);
	});

	test("batches complete by number", async () => {
		const world = await makeWorld();
		world.cached.push({ kind: "batch", id: "7", name: "2026-03-01, 120 transfers" });
		expect((await world.purser(["complete", "--", "pay", "batch", "status", "7"])).stdout).toBe("7\t2026-03-01, 120 transfers\n");
	});
});
