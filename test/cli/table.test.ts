/**
 * Lists and records as rows of cells: in a pipe, by `--columns`, and as csv and tsv.
 */
import { beforeEach, describe, expect, test } from "vitest";
import { answering, page } from "../commands/answers.js";
import { answered, makeWorld, type RunOptions, type World } from "../support/purser.js";

const one = "11111111-1111-4111-8111-111111111111";
const two = "22222222-2222-4222-8222-222222222222";
const path = "GET /api/partner/ledgers";

const first = {
	...{ id: one, friendlyName: "Main\taccount\nof all", status: "ACTIVE", currency: "EUR" },
	...{ availableAmount: 12345.5, totalAmount: 20000 },
};
const second = { id: two, friendlyName: '=1+1, "Savings"', status: "CLOSED", currency: "EUR", owner: { name: "Example" } };

let world: World;
const answer = (...ledgers: object[]): void => {
	world.wire = answering({ [path]: page(...ledgers), [`${path}/${one}`]: { body: first } });
};
beforeEach(async () => {
	world = await makeWorld();
	answer(first, second);
});

const list = (flags = "", options: RunOptions = {}) => world.purser(`ledger list -q ${flags}`, { piped: true, ...options });

describe("in a pipe", () => {
	test("a list is one record a line, with tabs, no header, whole ids, amounts without blanks, whatever the width", async () => {
		expect((await list("", { columns: 30 })).stdout.split("\n")).toEqual([
			`${one}\tMain␉account␊of all\tACTIVE\t12345.50 EUR\t20000.00 EUR\t\t`,
			`${two}\t'=1+1, "Savings"\tCLOSED\tnot given\tnot given\t\t`,
			"",
		]);
	});

	test.each<[string, string, RunOptions]>([
		["--output text", "--output text", {}],
		["PURSER_OUTPUT=text", "", { env: { PURSER_OUTPUT: "text" } }],
		["a terminal", "", { terminal: true }],
	])("%s asks for the form for people", async (_, flags, options) => {
		expect((await list(flags, options)).stdout).toMatch(/^name +status[\s\S]*12 345\.50 EUR/);
	});

	test.each(["ledger list", "beneficiary list", "corporate list", "profile list", "api list", "config explain"])(
		"%s is lines of as many cells",
		async (line) => {
			world.wire = undefined;
			const { exit, stdout } = await world.purser(`${line} -q`, { piped: true });
			const rows = stdout.trimEnd().split("\n");
			const cells = rows.map((row) => row.split("\t").length);
			expect([exit, new Set(cells).size, (cells[0] as number) > 2]).toEqual([0, 1, true]);
		},
	);
});

describe("--columns", () => {
	test("chooses columns in the order given, of a record too; at a terminal under their names", async () => {
		expect((await list("--columns status,id")).stdout).toBe(`ACTIVE\t${one}\nCLOSED\t${two}\n`);
		const ran = await world.purser('ledger list -q --columns "Status, iban"', { terminal: true });
		expect(ran.stdout).toBe("status  iban\nACTIVE\nCLOSED\n");
		const record = await world.purser(`ledger show ${one} -q --columns status,available-amount`, { piped: true });
		expect(record.stdout).toBe("ACTIVE\t12345.5\n");
	});

	test.each(["text", "csv", "json", "ndjson"])(
		"an unknown one is refused, those there are are listed, a near one is named: %s",
		async (format) => {
			for (const ledgers of [[first], []]) {
				answer(...ledgers);
				const ran = await list(`--columns id,statsu --output ${format}`);
				expect([ran.exit, ran.stdout, world.requests]).toEqual([2, "", []]);
				expect(ran.stderr).toMatch(/There is no column \\?"statsu\\?"; did you mean status\?/);
				expect(ran.stderr).toContain("Choose from: id, ");
			}
		},
	);

	test("with JSON, has only those members, in that order, inside what they are inside of; one that is not there stays out", async () => {
		const lines = [
			{ id: one, amount: 10.1, sender: { name: "Example", ledgerId: two }, receiver: { name: "Other" } },
			{ id: two, sender: null },
		];
		world.wire = answering({ "GET /api/partner/transactions": page(...lines) });
		const asked = "pay list -q --columns sender.ledgerId,amount,id,sender.name";
		expect((await world.purser(`${asked} -o ndjson`)).stdout).toBe(
			`{"sender":{"ledgerId":"${two}","name":"Example"},"amount":10.1,"id":"${one}"}\n{"id":"${two}"}\n`,
		);
		expect(await world.json(asked)).toEqual([{ sender: { ledgerId: two, name: "Example" }, amount: 10.1, id: one }, { id: two }]);
	});

	test("of a record and of a report too", async () => {
		const { stdout } = await world.purser(`ledger show ${one} --columns status,id --json`);
		expect(stdout).toBe(`{\n  "status": "ACTIVE",\n  "id": "${one}"\n}\n`);
		world.wire = undefined;
		expect(Array.isArray(await world.json("overview --columns name"))).toBe(true);
	});
});

describe("csv", () => {
	const header = "id,endUserId,friendlyName,status,currency,totalAmount,availableAmount,reservedAmount,iban";
	test("has every known field and a header; others are left out; a spreadsheet calculates nothing", async () => {
		const ran = await list("-o csv");
		expect([ran.stderr, ran.stdout.split("\r\n")]).toEqual([
			"",
			[header, `${one},,Main␉account␊of all,ACTIVE,EUR,20000,12345.5,,`, `${two},,"'=1+1, ""Savings""",CLOSED,EUR,,,,`, ""],
		]);
		for (const ledgers of [[], [{ id: one }]]) {
			answer(...ledgers);
			expect((await list("-o csv")).stdout.split("\r\n")[0]).toBe(header);
		}
	});

	test.each([
		["corporate list", { registeredName: "A", status: { kyb: { value: "B" } } }, "corporateName,kybStatus", "A,B"],
		[`related list ${two}`, { corporateRelatedId: one, emailAddress: "a@b.example" }, "id,email.address", `${one},a@b.example`],
		["pay list", { transactionId: one }, "id", one],
	])("has what newer deployments tell under other names: %s", async (line, record, columns, row) => {
		world.wire = async () => answered(200, { content: [record], totalElements: 1 });
		expect((await world.purser(`${line} -o csv --columns ${columns}`)).stdout).toBe(`${columns}\r\n${row}\r\n`);
	});

	test("an error is a sentence, and --watch is refused", async () => {
		expect((await world.purser("overview --watch -o csv")).stderr).toContain("A table is one document, and --watch prints");
	});
});
