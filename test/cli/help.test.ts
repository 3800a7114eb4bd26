import { describe, expect, test } from "vitest";
import { commands } from "../../src/commands/index.js";
import { makeWorld } from "../support/purser.js";

const world = await makeWorld();

/** A terminal's rows: a line that is wider than the terminal takes several. */
const rowsOf = (text: string, columns: number): string[] =>
	text.split("\n").flatMap((line) => line.match(new RegExp(`.{1,${columns}}`, "gu")) ?? [""]);

const page = async (...argv: string[]): Promise<string> => (await world.purser(argv, { columns: 80 })).stdout.trimEnd();

describe("purser --help", () => {
	test("is one screen by task, with every noun, and sends to the flags", async () => {
		const text = await page("--help");
		const rows = rowsOf(text, 80);
		expect(rows.length).toBeLessThanOrEqual(24);
		expect(rows[0]).toBe("purser onboards companies and sends money at a banking service.");
		expect(rows[2]).toBe("Usage  purser COMMAND [flags]");
		expect(text.match(/^(Onboard|Pay|Look|Set up|Test) /gm)).toEqual(["Onboard ", "Pay ", "Look ", "Set up ", "Test "]);
		expect(text).not.toMatch(/^More {2}/m);
		for (const noun of new Set(Object.keys(commands).map((path) => path.split(" ")[0]))) expect(text).toMatch(new RegExp(`\\b${noun}\\b`));
		expect(text).not.toContain("--profile");
		expect(text).toContain("purser help flags");
	});
});

describe.each(Object.keys(commands))("%s --help", (path) => {
	test("has the sentence, usage, examples and required flags in its first 24 lines of 80 columns", async () => {
		const text = await page(...path.split(" "), "--help");
		const screen = rowsOf(text, 80).slice(0, 24);
		expect(screen[0]).toMatch(/^[A-Z]/);
		const from = screen.indexOf("Examples");
		expect(screen.indexOf("Usage")).toBeGreaterThan(0);
		expect(from).toBeGreaterThan(screen.indexOf("Usage"));
		// The examples end within the screen: a blank line follows.
		expect(screen.indexOf("", from)).toBeGreaterThan(from);
		const { flags } = (await world.json([...path.split(" "), "--help"])) as {
			flags: { name: string; alias?: string; argument?: true; required: string }[];
		};
		const usage = screen.slice(screen.indexOf("Usage"), from).join("\n");
		for (const { name, argument, alias = name } of flags.filter(({ required }) => required === "always"))
			expect(usage).toContain(argument ? name : alias);
	});

	// An agent's screen says nothing of the specification; what `api list` shows is where each fact is known from.
	test("has no word about the specification, and explains a *", async () => {
		const { stdout } = await world.purser([...path.split(" "), "--help"], { columns: 200 });
		if (path !== "api list") expect(stdout).not.toMatch(/specification|\[assumed\]|\bassumed\b/i);
		const lines = stdout.trimEnd().split("\n");
		const marked = lines.some((line) => /^ +(-|[A-Z]).* \*( \[.*)?$/.test(line));
		const explained = marked ? ["Fields marked * are not confirmed for your service: purser api list"] : [];
		expect([lines.filter((line) => line.startsWith("Fields marked")), marked ? lines.slice(-1) : []]).toEqual([explained, explained]);
	});
});

test.each([60, 80])("at %i columns no line of a command's page is wider, but for commands to copy", async (columns) => {
	for (const argv of [
		["related", "update"],
		["kyc", "link"],
		["pay", "batch", "approve"],
	]) {
		const { stdout } = await world.purser([...argv, "--help"], { columns });
		expect(stdout.split("\n").filter((line) => line.length > columns && !line.startsWith("  purser "))).toEqual([]);
	}
});

test("help shows every name of a flag, and what kind of record it takes", async () => {
	const text = await page("pay", "beneficiary", "--help");
	expect(text).toContain("purser pay beneficiary --from <ledger> --to <beneficiary> --amount");
	expect(text).toMatch(/\n {2}--from, --ledger-from-id <ledger> /);
	expect(text).toMatch(/\n {2}-f, --file <file> /);
	expect(text).toContain("More: purser help flags · purser help exit-codes");
});
