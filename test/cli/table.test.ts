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
	world.wire = answering({ [path]: { body: { content: ledgers, totalElements: ledgers.length } }, [`${path}/${one}`]: { body: first } });
};
beforeEach(async () => {
	world = await makeWorld();
	answer(first, second);
});

const list = async (...flags: string[]) => world.purser(["ledger", "list", "-q", ...flags], { piped: true });

describe("in a pipe", () => {
	test("a list is one record a line, with tabs, no header, whole ids, amounts without blanks, whatever the width", async () => {
		const ran = await world.purser("ledger list -q", { piped: true, columns: 30 });
		expect(ran.stdout).toBe(
			[
				`${one}\tMain␉account␊of all\tACTIVE\t12345.50 EUR\t20000.00 EUR\t\t\n`,
				`${two}\t'=1+1, "Savings"\tCLOSED\tnot given\tnot given\t\t\n`,
			].join(""),
		);
	});

	test.each([
		["--output text", ["--output", "text"], {}],
		["PURSER_OUTPUT=text", [], { PURSER_OUTPUT: "text" }],
	])("%s asks for the form for people", async (_, flags, env) => {
		const ran = await world.purser(["ledger", "list", "-q", ...flags], { piped: true, env });
		expect(ran.stdout).toMatch(/^name +status/);
	});

	test("a terminal has a table", async () => {
		const ran = await world.purser("ledger list -q", { piped: true, terminal: true });
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
		const ran = await world.purser('ledger list -q --columns "Status, iban"', { terminal: true });
		expect(ran.stdout).toBe("status  iban\nACTIVE\nCLOSED\n");
	});

	test("of a record", async () => {
		const ran = await world.purser(`ledger show ${one} -q --columns status,available-amount`, { piped: true });
		expect(ran.stdout).toBe("ACTIVE\t12345.5\n");
	});

	test.each(["text", "csv", "json", "ndjson"])(
		"an unknown one is refused, those there are are listed, a near one is named: %s",
		async (format) => {
			for (const ledgers of [[first], []]) {
				answer(...ledgers);
				const ran = await list("--columns", "id,statsu", "--output", format);
				expect([ran.exit, ran.stdout]).toEqual([2, ""]);
				expect(ran.stderr).toMatch(/There is no column \\?"statsu\\?"; did you mean status\?/);
				expect(ran.stderr).toContain("Choose from: id, ");
				expect(world.requests).toEqual([]);
			}
		},
	);
});

describe("--columns with JSON", () => {
	const transactions = [
		{ id: one, amount: 10.1, sender: { name: "Example", ledgerId: two }, receiver: { name: "Other" } },
		{ id: two, sender: null },
	];
	const asked = ["pay", "list", "-q", "--columns", "sender.ledgerId,amount,id,sender.name"];
	beforeEach(() => {
		world.wire = answering({ "GET /api/partner/transactions": { body: { content: transactions, totalElements: 2 } } });
	});

	test("has only those members, in that order, inside what they are inside of; one that is not there stays out", async () => {
		const ran = await world.purser([...asked, "-o", "ndjson"]);
		expect(ran.stdout).toBe(`{"sender":{"ledgerId":"${two}","name":"Example"},"amount":10.1,"id":"${one}"}\n{"id":"${two}"}\n`);
		expect(await world.json([...asked])).toEqual([{ sender: { ledgerId: two, name: "Example" }, amount: 10.1, id: one }, { id: two }]);
	});

	test("of a record and of a report too", async () => {
		answer(first);
		expect((await world.purser(`ledger show ${one} --columns status,id --json`)).stdout).toBe(
			`{\n  "status": "ACTIVE",\n  "id": "${one}"\n}\n`,
		);
		world = await makeWorld();
		const rows = await world.json("overview --columns name");
		expect(Array.isArray(rows)).toBe(true);
	});
});

describe("csv and tsv", () => {
	test("csv has every known field and a header; others are left out; a spreadsheet calculates nothing", async () => {
		const ran = await list("-o", "csv");
		expect(ran.stdout).toBe(
			[
				"id,endUserId,friendlyName,status,currency,totalAmount,availableAmount,reservedAmount,iban\r\n",
				`${one},,Main␉account␊of all,ACTIVE,EUR,20000,12345.5,,\r\n`,
				`${two},,"'=1+1, ""Savings""",CLOSED,EUR,,,,\r\n`,
			].join(""),
		);
		expect(ran.stderr).toBe("");
	});

	test("the columns are the same whatever there is", async () => {
		const header = async (...ledgers: object[]): Promise<string | undefined> => {
			answer(...ledgers);
			return (await list("-o", "csv")).stdout.split("\r\n")[0];
		};
		expect(new Set([await header(), await header({ id: one }), await header(first, second)]).size).toBe(1);
	});

	test("an error is a sentence, and --watch is refused", async () => {
		expect((await world.purser("overview --watch -o csv")).stderr).toContain("A table is one document, and --watch prints");
	});
});
