/**
 * Lists and records as rows of cells: in a pipe, by `--columns`, and as csv and tsv.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { answering } from "../commands/answers.js";
import { makeWorld, type World } from "../support/purser.js";

const one = "11111111-1111-4111-8111-111111111111";
const two = "22222222-2222-4222-8222-222222222222";
const path = "GET /api/partner/ledgers";

const first = {
	id: one,
	friendlyName: "Main\taccount\nof all",
	status: "ACTIVE",
	currency: "EUR",
	availableAmount: 12345.5,
	totalAmount: 20000,
};
const second = { id: two, friendlyName: '=1+1, "Savings"', status: "CLOSED", currency: "EUR", owner: { name: "Example" } };

let world: World;
const answer = (...ledgers: object[]): void => {
	world.wire = answering({
		[path]: { body: { content: ledgers, totalElements: ledgers.length } },
		[`${path}/${one}`]: { body: first },
	});
};
beforeEach(async () => {
	world = await makeWorld();
	answer(first, second);
});

const list = async (...flags: string[]) => world.purser(["ledger", "list", "-q", ...flags], { piped: true });

describe("in a pipe", () => {
	test("a list is one record a line, with tabs, no header, whole ids, amounts without blanks, whatever the width", async () => {
		const ran = await world.purser(["ledger", "list", "-q"], { piped: true, columns: 30 });
		expect(ran.stdout).toBe(
			[
				`${one}\tMain␉account␊of all\tACTIVE\t12345.50 EUR\t20000.00 EUR\t\t\n`,
				`${two}\t'=1+1, "Savings"\tCLOSED\tnot given\tnot given\t\t\n`,
			].join(""),
		);
	});

	test("an empty list is no line, and what there is to say goes to standard error", async () => {
		answer();
		const ran = await list();
		expect([ran.exit, ran.stdout, ran.stderr]).toEqual([0, "", "No ledgers found.\n"]);
	});

	test.each([
		["--output text", ["--output", "text"], {}],
		["PURSER_OUTPUT=text", [], { PURSER_OUTPUT: "text" }],
	])("%s asks for the form for people", async (_, flags, env) => {
		const ran = await world.purser(["ledger", "list", "-q", ...flags], { piped: true, env });
		expect(ran.stdout).toMatch(/^name +status/);
	});

	test("a terminal has a table", async () => {
		const ran = await world.purser(["ledger", "list", "-q"], { piped: true, terminal: true });
		expect(ran.stdout).toMatch(/^name +status/);
		expect(ran.stdout).toContain("12 345.50 EUR");
	});

	test("every list of the service and of this machine is lines of as many cells", async () => {
		world = await makeWorld();
		for (const path of ["ledger list", "beneficiary list", "corporate list", "profile list", "api list", "config explain"]) {
			const { exit, stdout } = await world.purser([...path.split(" "), "-q"], { piped: true });
			const cells = stdout
				.trimEnd()
				.split("\n")
				.map((line) => line.split("\t").length);
			expect([path, exit, new Set(cells).size, (cells[0] as number) > 2]).toEqual([path, 0, 1, true]);
		}
	});
});

describe("--columns", () => {
	test("chooses columns in the order given", async () => {
		expect((await list("--columns", "status,id")).stdout).toBe(`ACTIVE\t${one}\nCLOSED\t${two}\n`);
	});

	test("at a terminal too, under their names", async () => {
		const ran = await world.purser(["ledger", "list", "-q", "--columns", "Status, iban"], { terminal: true });
		expect(ran.stdout).toBe("status  IBAN\nACTIVE\nCLOSED\n");
	});

	test("of a record", async () => {
		const ran = await world.purser(["ledger", "show", one, "-q", "--columns", "status,available"], { piped: true });
		expect(ran.stdout).toBe("ACTIVE\t12345.50 EUR\n");
	});

	test.each([[[]], [["--output", "csv"]]])("an unknown one is refused, and those there are are listed: %j", async (flags) => {
		const ran = await list("--columns", "id,colour", ...flags);
		expect([ran.exit, ran.stdout]).toEqual([2, ""]);
		expect(ran.stderr).toContain('There is no column "colour"');
		expect(ran.stderr).toContain("Choose from: id, ");
	});

	test.each([
		[["ledger", "list", "--json"], "--columns chooses columns of a table, and JSON has none"],
		[["pay", "ledger", "--from", one, "--to", two, "--amount", "1", "--yes"], "--columns is for lists and records"],
	])("is refused before anything is asked of the service: %j", async (argv, message) => {
		const ran = await world.purser([...argv, "--columns", "id"]);
		expect([ran.exit, ran.stdout, ran.stderr]).toEqual([2, "", expect.stringContaining(message)]);
		expect(world.requests).toEqual([]);
	});
});

describe("csv and tsv", () => {
	test("csv has every field and a header, and a spreadsheet calculates nothing", async () => {
		expect((await list("-o", "csv")).stdout).toBe(
			[
				"id,friendlyName,status,currency,availableAmount,totalAmount,owner.name\r\n",
				`${one},Main␉account␊of all,ACTIVE,EUR,12345.5,20000,\r\n`,
				`${two},"'=1+1, ""Savings""",CLOSED,EUR,,,Example\r\n`,
			].join(""),
		);
	});

	test("tsv has them too", async () => {
		expect((await list("-o", "tsv", "--columns", "friendlyName,owner.name")).stdout).toBe(
			'friendlyName\towner.name\nMain␉account␊of all\t\n\'=1+1, "Savings"\tExample\n',
		);
	});

	test("an error is a sentence, and --watch is refused", async () => {
		expect((await world.purser(["overview", "--watch", "-o", "csv"])).stderr).toContain("A table is one document, and --watch prints");
	});
});
