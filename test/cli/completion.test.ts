/**
 * `purser complete`: what Tab offers for the last word of a line, without asking anybody.
 */
import { describe, expect, test } from "vitest";
import { makeWorld } from "../support/purser.js";

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
		["what follows a word", ["pay", "batch", "re"], ["resume", "report", "reject"]],
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
		expect((await world.purser("complete -- pay ledger --dry")).stdout).toBe(
			"--dry-run\tShow the exact request of a change, send nothing\n",
		);
		expect((await world.purser("complete -- completi")).stdout).toBe("completion\tPrint the completion script for a shell\n");
	});
});

describe("ids", () => {
	test("of the service are not offered, and nobody is asked", async () => {
		const world = await makeWorld();
		await world.purser("ledger list");
		world.requests.length = 0;
		expect((await world.purser('complete -- ledger show ""')).stdout).toBe("");
		expect(world.requests).toEqual([]);
	});

	test("offers profiles", async () => {
		const world = await makeWorld();
		expect((await world.purser("complete -- --profile s")).stdout).toBe("sandbox\thttp://127.0.0.1:4010\n");
	});

	test.each([
		[["complete"]],
		// Without the mark before the words.
		[["complete", "ledger", "", "pay", "ledger", "--ledger-from-id"]],
		[["complete", "--", "--profile", "none", "corporate", "create", "--industry", "x"]],
	])("%j says nothing and is no error", async (argv) => {
		const world = await makeWorld();
		expect(await world.purser(argv)).toMatchObject({ exit: 0, stdout: "", stderr: "" });
	});
});
