import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { completionScript } from "../../src/cli/shipped-page.js";
import { makeWorld } from "../support/purser.js";

const world = await makeWorld({ loggedIn: false });

test.each([
	["bash", "purser.bash"],
	["zsh", "_purser"],
	["fish", "purser.fish"],
	["powershell", "purser.ps1"],
])("the completion for %s is printed as it is written in its file", async (shell, file) => {
	const { stdout, exit } = await world.purser(`completion ${shell}`);
	expect(exit).toBe(0);
	expect(readFileSync(new URL(`../../completions/${file}`, import.meta.url), "utf8").replaceAll("\r\n", "\n")).toBe(stdout);
});

const { commandReference } = (await import(new URL("../../.config/reference.js", import.meta.url).href)) as {
	commandReference(contract: unknown): string;
};

test("a script that was not installed with the program is an error, and no empty script", async () => {
	await expect(completionScript("bash", { system: { shippedText: async () => undefined } as never })).rejects.toMatchObject({
		kind: "usage",
		failure: { code: "NO_PAGES", message: "This file is not installed with this program: completions/purser.bash" },
	});
});

/** A generated part of a page, between its two marks. */
function generated(page: string, mark: string): string | undefined {
	const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8").replaceAll("\r\n", "\n");
	return text.split(`<!-- ${mark}: written by npm run generate -->\n`)[1]?.split(`<!-- end of the ${mark} -->`)[0];
}

test("the reference of the commands is fresh (else: npm run generate)", async () => {
	const reference = commandReference(await world.json("--help"));
	expect(generated("src/commands/README.md", "reference")).toBe(`\n${reference}\n\n`);
	const row = reference.split("\n").find((line) => line.startsWith("| `purser pay ledger"));
	expect(row).toContain("`purser pay ledger --from … --to … --amount …`");
	expect(row).toContain("`--from, --ledger-from-id` `--to, --ledger-to-id` `--reference`");
	expect(row).toContain("`-f, --file`");
});

test("the page's exit codes are those of the tool (else: npm run generate)", async () => {
	const { content } = await world.json("help exit-codes");
	expect(content.map(({ exit }: { exit: number }) => exit)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 130, 143, 129]);
	expect(content.slice(-3)).toMatchObject(Array(3).fill({ kind: "interrupted" }));
	// The signals stand in one row.
	const cells = ({ exit, kind, when, again }: Record<string, unknown>) => [exit === 130 ? "130, 143, 129" : exit, kind, when, again];
	const rows = content.slice(0, -2).map((row: Record<string, unknown>) => `| ${cells(row).join(" | ")} |\n`);
	expect(generated("src/commands/README.md", "exit codes")).toBe(
		`\n| Code | Kind | When | Safe to run again? |\n|---|---|---|---|\n${rows.join("")}\n`,
	);
});

test("the page's variables are those of the tool (else: npm run generate)", async () => {
	const { content } = await world.json("help environment");
	const rows = content.map(({ name, meaning }: Record<string, unknown>) => `| \`${name}\` | ${meaning} |\n`);
	expect(generated("src/config/README.md", "environment")).toBe(`\n| Variable | Meaning |\n|---|---|\n${rows.join("")}\n`);
});

test("the version is a document of its own where JSON is asked for", async () => {
	expect(await world.json("--version")).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
	expect((await world.purser("--version")).stdout).toMatch(/^purser \d+\.\d+\.\d+[^ ]*\n$/);
});

test("the whole contract is printed for programs", async () => {
	const contract = await world.json("--help");
	expect(Object.keys(contract)).toEqual(["version", "commands", "dryRun", "globalFlags", "exitCodes", "variables", "lists"]);
	const at = (wanted: string) => contract.commands.find(({ path }: { path: string }) => path === wanted);
	const pay = at("pay ledger");
	expect(pay).toMatchObject({ effect: "money", operations: expect.arrayContaining(["transaction.interLedger"]) });
	expect(pay.flags.find(({ name }: { name: string }) => name === "--amount")).toMatchObject({ type: "number", required: "always" });
	expect(pay.flags.find(({ name }: { name: string }) => name === "--ledger-from-id")).toMatchObject({ ids: "ledger" });
	// Every flag has one form, the global ones too: a program need not know which it is.
	const flag = (flags: { name: string }[], name: string) => flags.find((one) => one.name === name);
	const typed: Record<string, string> = { text: "profile base-url columns", choice: "output color", number: "timeout" };
	const names = "profile base-url json output columns no-input yes live dry-run quiet verbose debug color utc timeout help".split(" ");
	expect(contract.globalFlags.map(({ name, type }: { name: string; type: string }) => [name, type])).toEqual(
		names.map((name) => [`--${name}`, Object.keys(typed).find((type) => typed[type]?.split(" ").includes(name)) ?? "boolean"]),
	);
	const choices = ["text", "json", "ndjson", "csv", "tsv"];
	expect(flag(contract.globalFlags, "--output")).toMatchObject({ placeholder: "format", choices, required: "no" });
	expect((await world.json("help flags")).content).toEqual(contract.globalFlags);
	expect(flag(pay.flags, "--wait-timeout")).toMatchObject({ type: "number", fallback: "300" });
	expect(flag(pay.flags, "--set")).toBeUndefined();
	expect(flag(at("corporate review").flags, "--save")).toMatchObject({ placeholder: "file", file: true });
	const batch = flag(at("pay settle").flags, "--batch");
	expect([batch, Object.keys(batch ?? {}).includes("file")]).toMatchObject([{ placeholder: "batch" }, false]);
	expect(contract.variables.map(({ name }: { name: string }) => name).filter((name: string) => !/^[A-Z_]+$/.test(name))).toEqual([]);
	expect(await world.json("pay ledger --help")).toEqual(pay);
	expect((await world.purser("pay --help --output json")).json()).toEqual(
		contract.commands.filter(({ path }: { path: string }) => path.startsWith("pay ")),
	);
});
