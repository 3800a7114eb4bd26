/**
 * A live company written as a case file: applying it changes nothing, on the machine that declared it and on any other.
 */
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import type { World } from "../support/purser.js";
import { machines, put, through } from "./case-world.js";
import { companiesSheet, dialects, sheetText } from "./companies-sheet.js";

afterAll(removeFolders);

const folder = new URL("../cases/", import.meta.url);
const textOf = (name: string): string => readFileSync(new URL(name, folder), "utf8");

/** Every kind of field that a case has. */
const everything = `version: "1"
assignee: Sam Operator
notes: |
  Call before noon.
  The second line.
corporate:
  externalId: "crm 1/ü"
  corporateName: "Example: Brücke & Söhne AG"
  tradeName: "#Brücke"
  incorporationCountry: AUT
  incorporationCode: "0012345"
  incorporationDate: 2019-04-01
  legalType: {austriaValue: AT_AKTIENGESELLSCHAFT_AG}
  website: https://www.example.com/?a=b#c
  industry: FOOD_RESTAURANT_CATERING
  registeredAddress: {isoCountryCode: AUT, city: Wien, postalCode: "01010", street: "Beispielgasse", number: "1/2", refinement: "Stiege 3: links", stateOrProvince: Wien}
  businessAddress: {isoCountryCode: AUT, city: Graz}
  expectedMonthlyExpenses: {value: LESS_THAN_10_000, currency: EUR}
  employeesRange: BTW_1_AND_10
  metadata: {tier: gold, count: 5, exact: 12345678901234567890.10, "text number": "007", nested: {list: [1, two, null, true]}}
accountOwner:
  firstName: Ada
  lastName: "Example"
  emailAddress: ada@example.com
  position: CEO
  isDirector: true
  isUbo: true
  directorAppointmentDate: 2019-04-02
  nationality: AUT
  phone: {countryCode: 43, number: "0639980001"}
  address: {isoCountryCode: AUT, city: Wien}
persons:
  - {key: grace-sample, firstName: Grace, lastName: Sample, emailAddress: grace@example.com, nationality: GBR, isDirector: true, isUbo: true, directorAppointmentDate: 2020-01-01, position: CFO, phone: {countryCode: "+44", number: "7700900001"}, address: {city: London, isoCountryCode: GBR}}
  - {key: twin-1, firstName: Jo, lastName: Same}
  - {key: twin-2, externalId: own-2, firstName: Jo, lastName: Same, emailAddress: jo@example.com}
companies:
  - {key: holding, corporateName: Example Holding BV, incorporationCountry: NLD, incorporationCode: "00000000", address: {city: Utrecht, isoCountryCode: NLD}}
  - {key: top, externalId: top-1, corporateName: Example Top Ltd, isDirector: true, directorAppointmentDate: 2021-05-05}
ownership:
  - {owner: accountOwner, owned: corporate, percentage: 33.50}
  - {owner: holding, owned: corporate, percentage: 60}
  - {owner: top, owned: holding, percentage: 99.999999999999}
  - {owner: grace-sample, owned: top, percentage: 100}
terms: {version: "1.0", acceptedBy: Ada Example, acceptedAt: 2026-02-27T09:00:00Z}
`;

async function declared(text: string): Promise<{ world: World; other(): void; id: string }> {
	const made = await machines();
	put(made.world, "case.yaml", text);
	const ran = await made.world.purser(["onboard", "apply", "case.yaml", "--yes", "--confirmed-by", "operator", "--json"]);
	expect(ran.exit, ran.stderr + ran.stdout).toBe(0);
	return { ...made, id: ran.json().cases[0].corporateId };
}

async function changesNothing(world: World, file: string): Promise<void> {
	const planned = await world.purser(["onboard", "plan", file, "--json"]);
	expect(planned.exit, planned.stderr).toBe(0);
	expect(planned.json().cases[0].summary, planned.stdout).toMatchObject({ create: 0, update: 0, blocked: 0 });
	world.requests.length = 0;
	const applied = await world.purser(["onboard", "apply", file]);
	expect(applied.exit, applied.stderr).toBe(0);
	expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
}

const cases: [string, string][] = [
	...readdirSync(folder)
		.filter((name) => name.endsWith(".yaml"))
		.map((name): [string, string] => [name, textOf(name)]),
	["every kind of field", everything],
];

describe("onboard export", () => {
	it.each(cases)("%s: apply of it changes nothing, here and on another machine", async (_, text) => {
		const { world, other, id } = await declared(text);
		const saved = await world.purser(["onboard", "export", id, "--save", "live.yaml"]);
		expect(saved.exit, saved.stderr).toBe(0);
		await changesNothing(world, "live.yaml");
		other();
		await changesNothing(world, "live.yaml");
		const [one] = world.sandbox.state.corporates.filter((corporate) => corporate.id === id);
		expect(JSON.stringify(one?.fields)).not.toMatch(/Sam Operator|Call before noon|assignee/);
	});

	it("companies of a spreadsheet: each is exported as it was imported", async () => {
		const { world, other } = await machines();
		put(world, "c.csv", sheetText(companiesSheet(10, 18), dialects.german));
		const imported = (await world.purser(["onboard", "import", "c.csv", "--json"])).json().cases as { path: string }[];
		const files = imported.map(({ path }) => path);
		const applied = await world.purser(["onboard", "apply", ...files, "--yes", "--confirmed-by", "operator", "--json"]);
		expect(applied.exit, applied.stderr).toBe(0);
		const cases = applied.json().cases as { corporateId: string; file: string }[];
		for (const { corporateId } of cases)
			expect((await world.purser(["onboard", "export", corporateId, "--save", `live/${corporateId}.yaml`])).exit).toBe(0);
		for (const machine of ["the same", "another"]) {
			if (machine === "another") other();
			const planned = await world.purser(["onboard", "plan", ...cases.map(({ corporateId }) => `live/${corporateId}.yaml`), "--json"]);
			const plans = planned.json().cases as { summary: object }[];
			expect(plans).toHaveLength(10);
			for (const { summary } of plans) expect(summary).toMatchObject({ create: 0, update: 0, blocked: 0 });
		}
		// An import file is brought up to date under its own keys.
		const [one] = cases;
		const again = await world.purser([
			"onboard",
			"export",
			one?.corporateId as string,
			"--save",
			one?.file as string,
			"--force",
			"--dry-run",
			"--json",
		]);
		expect(again.json().case.persons ?? again.json().case.companies ?? []).toEqual(
			(again.json().case.persons ?? again.json().case.companies ?? []).filter(({ key }: { key: string }) =>
				["director", "ubo", "holding"].includes(key),
			),
		);
	});

	it("a JSON case stays JSON, and a dry run writes nothing", async () => {
		const { world, id } = await declared(textOf("three-layers.yaml"));
		const dry = await world.purser(["onboard", "export", id, "--save", "case.json", "--dry-run"]);
		expect(dry.stdout).toContain("a dry run: nothing was written");
		expect(world.files.has("case.json")).toBe(false);
		expect((await world.purser(["onboard", "export", id, "--save", "case.json"])).exit).toBe(0);
		const text = (): string => new TextDecoder().decode(world.files.get("case.json"));
		const value = JSON.parse(text());
		put(world, "case.json", JSON.stringify({ notes: "mine", ...value, corporate: { ...value.corporate, corporateName: "Other" } }));
		expect((await world.purser(["onboard", "export", id, "--save", "case.json", "--force"])).exit).toBe(0);
		expect(JSON.parse(text())).toEqual({ notes: "mine", ...value });
	});

	it("nor where a newer deployment names the fields otherwise", async () => {
		const { world, other, id } = await declared(everything);
		through(world, (_, answer) =>
			answer
				.replaceAll('"corporateName"', '"registeredName"')
				.replace(/"email":\{"address":("[^"]*"),"verified":false\}/g, '"emailAddress":$1,"emailAddressVerified":false')
				.replaceAll('"legalType":{"austriaValue":"AT_AKTIENGESELLSCHAFT_AG"}', '"legalType":"AT_AKTIENGESELLSCHAFT_AG"'),
		);
		other();
		const saved = await world.purser(["onboard", "export", id, "--save", "live.yaml"]);
		expect(saved.exit, saved.stderr).toBe(0);
		await changesNothing(world, "live.yaml");
	});

	it("writes to standard output without --save and with -, and as data with --json", async () => {
		const { world, id } = await declared(textOf("sole-owner.yaml"));
		const plain = await world.purser(["onboard", "export", id]);
		expect(plain.stdout).toMatch(/^# yaml-language-server: .*\n# Written by `purser onboard export`/);
		expect((await world.purser(["onboard", "export", id, "--save", "-"])).stdout).toBe(plain.stdout);
		expect(world.files.has("-")).toBe(false);
		expect((await world.purser(["onboard", "export", id, "--json"])).json().case.corporate.externalId).toBe(
			world.sandbox.state.corporates.at(-1)?.fields.externalId,
		);
	});

	it("what the service does not tell is left out with a comment", async () => {
		const { world, id } = await declared(textOf("sole-owner.yaml"));
		const { stdout } = await world.purser(["onboard", "export", id]);
		expect(stdout).toContain("corporate: the service does not show tradeName");
		expect(stdout).not.toMatch(/^ +tradeName:/m);
	});

	it("says what is missing, and such a case is not applied", async () => {
		const { world, id } = await declared(textOf("sole-owner.yaml"));
		through(world, (_, answer) => answer.replace(/"externalId":"[^"]*",?/g, "").replace(/"industry":"[^"]*",?/g, ""));
		const saved = await world.purser(["onboard", "export", id, "--save", "live.yaml"]);
		expect(saved.exit).toBe(0);
		expect(saved.stderr).toContain("corporate.externalId, corporate.industry");
		expect(saved.stderr).toContain(`purser corporate update ${id} --external-id REFERENCE`);
		const planned = await world.purser(["onboard", "plan", "live.yaml"]);
		expect(planned.exit).toBe(3);
		expect(planned.stderr).toContain("corporate.industry still says CHANGE-ME");
	});

	it("leaves a file alone that is there, and with --force keeps its comments, order, keys and notes", async () => {
		const { world, id } = await declared(textOf("three-layers.yaml"));
		const mine = `# Mine.\nversion: "1"\nnotes: keep # really\n${textOf("three-layers.yaml").split("\n").slice(2).join("\n")}`;
		put(world, "case.yaml", mine.replace("Example Layered SAS", "Example Moved SAS # moved"));
		const refused = await world.purser(["onboard", "export", id, "--save", "case.yaml"]);
		expect(refused.exit).toBe(10);
		expect(new TextDecoder().decode(world.files.get("case.yaml"))).toContain("Example Moved SAS # moved");
		expect((await world.purser(["onboard", "export", id, "--save", "case.yaml", "--force"])).exit).toBe(0);
		const text = new TextDecoder().decode(world.files.get("case.yaml"));
		expect(text).toMatch(/^# Mine\.\nversion: "1"\nnotes: keep # really\n/);
		expect(text).toContain("corporateName: Example Layered SAS # moved");
		expect(text).toContain("key: grace,");
		expect(text).toContain("percentage: 79.50");
		expect(text).not.toContain("grace-sample");
		await changesNothing(world, "case.yaml");
		// Nothing differs any more: not a byte is written.
		const again = await world.purser(["onboard", "export", id, "--save", "case.yaml", "--json"]);
		expect(again.json()).toMatchObject({ state: "unchanged" });
		expect(new TextDecoder().decode(world.files.get("case.yaml"))).toBe(text);
	});

	it("brings a file up to date whose company had no externalId, once it has one; not that of another company", async () => {
		const { world, id } = await declared(textOf("sole-owner.yaml"));
		const [corporate] = world.sandbox.state.corporates.slice(-1);
		const fields = corporate?.fields as Record<string, unknown>;
		const { externalId } = fields;
		delete fields.externalId;
		const save = ["onboard", "export", id, "--save", "live.yaml", "--force"];
		expect((await world.purser(save)).exit).toBe(0);
		const text = (): string => new TextDecoder().decode(world.files.get("live.yaml"));
		expect(text()).toContain("externalId: CHANGE-ME");
		put(world, "live.yaml", `${text()}notes: mine\n`);
		fields.externalId = externalId;
		const { corporateName } = fields;
		fields.corporateName = "Example Other SAS";
		expect((await world.purser(save)).exit).toBe(10);
		fields.corporateName = corporateName;
		const again = await world.purser(save);
		expect(again.exit, again.stderr).toBe(0);
		expect(text()).toContain(`externalId: ${externalId}`);
		expect(text()).toContain("notes: mine");
		await changesNothing(world, "live.yaml");
	});

	it("does not touch the case of another company, or what is no case", async () => {
		const { world, id } = await declared(textOf("three-layers.yaml"));
		put(world, "other.yaml", textOf("sole-owner.yaml"));
		put(world, "letter.txt", "Dear all");
		for (const path of ["other.yaml", "letter.txt"])
			expect((await world.purser(["onboard", "export", id, "--save", path, "--force"])).exit).toBe(10);
		expect(new TextDecoder().decode(world.files.get("letter.txt"))).toBe("Dear all");
	});
});
