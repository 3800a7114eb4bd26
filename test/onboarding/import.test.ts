/**
 * Spreadsheets as programs write them, and every fault told at once by its row and column.
 */
import { describe, expect, it } from "vitest";
import { makeWorld } from "../support/purser.js";
import { put } from "./case-world.js";

const header =
	"corporate.externalId,corporate.corporateName,corporate.incorporationCountry,corporate.incorporationCode,corporate.industry,corporate.registeredAddress.city,corporate.expectedMonthlyExpenses.value,corporate.expectedMonthlyExpenses.currency,role,key,firstName,lastName,emailAddress,position,isDirector,percentage,owns,corporateName,directorAppointmentDate,corporate.metadata.remark";
const company = "Example SAS,FRA,001,FOOD_RESTAURANT_CATERING,Paris,LESS_THAN_10_000,EUR";
const empty = ",,,,,,";
const owner = `crm-1,${company},account owner,,Ada,Example,ada@example.com,CEO,yes,40,,,,`;

async function imported(content: string | Uint8Array, ...more: string[]) {
	const world = await makeWorld();
	world.files.set("c.csv", typeof content === "string" ? new TextEncoder().encode(content) : content);
	const ran = await world.purser(["onboard", "import", "c.csv", ...more]);
	const text = (path: string): string => new TextDecoder().decode(world.files.get(path));
	return { ...ran, world, text };
}

/** `row column: message` of every fault. */
async function faultsOf(...rows: string[]): Promise<string[]> {
	const { stderr, exit, world } = await imported([header, ...rows].join("\n"), "--json");
	expect(exit, stderr).toBe(3);
	expect([...world.files.keys()]).toEqual(["c.csv"]);
	const details = JSON.parse(stderr.trim().split("\n").at(-1) as string).error.details as { row: number; field: string; message: string }[];
	return details.map(({ row, field, message }) => `${row} ${field}: ${message}`);
}

describe("onboard import", () => {
	it("makes one private case per company, from rows and columns in any order", async () => {
		const { exit, stderr, stdout, text } = await imported(
			[
				header,
				`crm-1,${empty},company,holding,,,,,,"60","","Holding ""BV"", NL",,`,
				`crm-2,Other SAS,DEU,002,FOOD_RESTAURANT_CATERING,Köln,LESS_THAN_10_000,EUR,Account Owner,,Jo,Other,jo@example.com,CEO,TRUE,100 %,,,2019-04-01,`,
				`crm-1,${empty},person,grace,Grace,O'Neil,grace@example.com,,no,"99,5",holding,,,"one\ntwo"`,
				owner,
				",,,,,,,,,,,,,,,,,,,",
			].join("\n"),
		);
		expect(exit, stderr).toBe(0);
		expect(stdout).toContain("2 case files in cases: 2 new\n");
		expect(text("cases/crm-1.yaml").replace(/^(# .*\n)+\n/, "")).toBe(`version: "1"
corporate:
  externalId: crm-1
  corporateName: Example SAS
  incorporationCountry: FRA
  incorporationCode: "001"
  industry: FOOD_RESTAURANT_CATERING
  registeredAddress:
    city: Paris
  expectedMonthlyExpenses:
    value: LESS_THAN_10_000
    currency: EUR
  metadata:
    remark: |-
      one
      two
accountOwner:
  firstName: Ada
  lastName: Example
  emailAddress: ada@example.com
  position: CEO
  isDirector: true
persons:
  - key: grace
    firstName: Grace
    lastName: O'Neil
    emailAddress: grace@example.com
    isDirector: false
companies:
  - key: holding
    corporateName: Holding "BV", NL
ownership:
  - owner: holding
    owned: corporate
    percentage: 60
  - owner: grace
    owned: holding
    percentage: 99.5
  - owner: accountOwner
    owned: corporate
    percentage: 40
`);
		expect(text("cases/crm-1.yaml")).toContain("from c.csv, rows 2, 4, 5");
	});

	it("several shares of one person are further rows with the same key", async () => {
		const { text, exit, stderr } = await imported(
			[
				header,
				owner,
				`crm-1,${empty},company,holding,,,,,,60,,Holding BV,,`,
				`crm-1,${empty},account owner,,,,,,,10,holding,,,`,
				`crm-1,${empty},person,grace,Grace,Sample,,,,50,holding,,,`,
				`crm-1,${empty},person,grace,Grace,,,,,5,,,,`,
			].join("\n"),
		);
		expect(exit, stderr).toBe(0);
		expect(text("cases/crm-1.yaml").match(/owner: .*\n.*owned: .*/g)).toHaveLength(5);
		expect(text("cases/crm-1.yaml").match(/key: grace/g)).toHaveLength(1);
	});

	it("tells every fault at once, by row and column", async () => {
		expect(
			await faultsOf(
				owner,
				`crm-1,Another SAS${empty},person,grace,Grace,Sample,not-an-email,,maybe,"1.234,5",holdin,,01.04.2019,`,
				`crm-1,${empty},person,,Lin,Muster,,,,,,,,`,
				`,${empty},person,x,Lin,Muster,,,,,,,,`,
				`crm-2,Two SAS,FRX,1E+05,FOOD_RESTAURANT_CATERING,Paris,LESS_THAN_10_000,EUR,director,,Ada,Example,ada@example.com,CEO,,,,,,`,
			),
		).toEqual([
			'3 isDirector: is "maybe"; write yes or no',
			'3 percentage: is "1.234,5"; write a number from 0 to 100, like 33.5',
			'3 corporate.corporateName: is "Another SAS", and "Example SAS" in row 2: one company has one value',
			"3 emailAddress: must be an email address, like ada@example.com",
			"3 directorAppointmentDate: must be a date as YYYY-MM-DD",
			"4 key: is required: a short name within the company, like grace, never changed later",
			"5 corporate.externalId: is required: the company's key, the same in each of its rows",
			'6 corporate.incorporationCode: is "1E+05"; the spreadsheet shortened this number; format the column as text and write it again',
			'6 role: is "director"; write account owner, person or company; directors and owners have columns of their own',
			"6 corporate.incorporationCountry: is not a country; write its English name or its code, like Germany, DE or DEU",
		]);
	});

	it("tells further rows of one key that say something else, or the same holding twice", async () => {
		expect(
			await faultsOf(
				owner,
				`crm-1,${empty},person,grace,Grace,Sample,,,,10,,,,`,
				`crm-1,${empty},person,grace,Grace,Sample,,,,20,,,,`,
				`crm-1,${empty},person,grace,Lin,Sample,,,,5,holding,,,`,
			),
		).toEqual([
			"4 key: appears twice with corporate; give one percentage",
			'5 firstName: is "Lin", and "Grace" in row 3, which has the same key grace',
			"5 owns: is not a key of this company's rows: holding",
		]);
	});

	it("unknown columns are told with what is probably meant, missing ones once", async () => {
		const { stderr, exit } = await imported(
			"corporate.externalId,frstName,Corporate Name!,role,role\ncrm-1,Ada,,account owner,\ncrm-2,Ada,,account owner,\n",
		);
		expect(exit).toBe(3);
		expect(stderr).toContain("row 1, frstName is not a column of this sheet; did you mean firstName?");
		expect(stderr).toContain("row 1, role appears twice");
		expect(stderr).toContain("row 2, corporate.industry is required");
		expect((await imported("a;b\n1;2\n")).stderr).toContain("corporate.externalId is required as a column");
	});

	it("a dry run checks and writes nothing; shares that look like parts of one are told", async () => {
		const { world, stdout, stderr, exit } = await imported(`${header}\n${owner.replace(",40,", ",0.4,")}\n`, "--dry-run");
		expect(exit, stderr).toBe(0);
		expect(stdout).toContain("nothing was written");
		expect([...world.files.keys()]).toEqual(["c.csv"]);
		expect(stderr).toContain("every percentage is at most 1. Write 60 for 60 %");
		expect((await imported(`${header}\n${owner}\n`)).stderr).not.toContain("at most 1");
	});

	it("nothing that is there is overwritten, and what is new is written beside it", async () => {
		const { world } = await imported(`${header}\n${owner}\n`);
		const path = "cases/crm-1.yaml";
		const text = (): string => new TextDecoder().decode(world.files.get(path));
		const annotated = text().replace("  city: Paris", "  city: Paris # by the river");
		put(world, path, annotated);
		put(world, "c.csv", `${header}\n${owner.replace("ada@", "new@")}\ncrm-2${owner.slice(5).replace("001", "002")}\n`);
		const again = await world.purser(["onboard", "import", "c.csv"]);
		expect([again.exit, text()]).toEqual([0, annotated]);
		expect(again.stdout).toContain("2 case files in cases: 1 new, 1 there already and left alone");
		expect(world.files.has("cases/crm-2.yaml")).toBe(true);
		const states = (await world.purser(["onboard", "import", "c.csv", "--json"])).json().cases.map(({ state }: { state: string }) => state);
		expect(states).toEqual(["left alone", "left alone"]);
	});

	it("the template is filled in: its placeholders are refused, and filled in it is a case", async () => {
		const world = await makeWorld();
		const template = (await world.purser(["onboard", "import", "--print-template", "csv"])).stdout;
		put(world, "t.csv", template);
		const refused = await world.purser(["onboard", "import", "t.csv"]);
		expect([refused.exit, refused.stderr.includes("is not filled in yet")]).toEqual([3, true]);
		const values = [
			...["crm-1", "Example SAS", "FRA", "001", "FOOD_RESTAURANT_CATERING", "FRA", "LESS_THAN_10_000", "EUR"],
			...["Ada", "Example", "ada@example.com", "CEO", "crm-1", "Holding BV", "crm-1", "Grace", "Sample", "grace@example.com"],
		];
		const filled = template.replace(/CHANGE-ME/g, () => values.shift() as string);
		put(world, "t.csv", filled);
		expect((await world.purser(["onboard", "import", "t.csv"])).exit).toBe(0);
		const applied = await world.purser(["onboard", "apply", "cases/crm-1.yaml", "--yes", "--confirmed-by", "operator"]);
		expect(applied.exit, applied.stderr).toBe(0);
	});
});
