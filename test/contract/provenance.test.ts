/**
 * What is only assumed of the service is said to be so, where a person or a script reads of it (operations, first page).
 */
import { describe, expect, test } from "vitest";
import { answered, makeWorld } from "../support/purser.js";

describe("where a flag's field comes from", () => {
	test.each([
		[
			"of a creation the specification shows all but three",
			"corporate create",
			"spec",
			["--account-owner-info.phone.number documented", "--account-owner-info.position assumed", "--employees-range documented"],
		],
		["of an update it shows the accepted terms only", "corporate update", "assumed", ["--last-terms-accepted spec"]],
		["of a related entity it shows none", "related add", "assumed", []],
	])("%s", async (_, path, most, others) => {
		const { flags } = (await (await makeWorld()).purser([...path.split(" "), "--help", "--json"])).json();
		const sources: [name: string, source?: string][] = flags.map(({ name, source }: { name: string; source?: string }) => [name, source]);
		const told = sources.filter(([, source]) => source !== undefined && source !== most).map((one) => one.join(" "));
		expect(told.sort()).toEqual(others);
		// What is never sent: how it is given, and whose word an acceptance is, which the journal keeps.
		const ours = sources.filter(([name, source]) => source === undefined && name.startsWith("--")).map(([name]) => name);
		expect(ours.filter((name) => !["--allow-duplicate", "--anonymous", "--confirmed-by", "--file", "--set"].includes(name))).toEqual([]);
	});

	test("help says so beside the flag, and what the word means", async () => {
		const ran = await (await makeWorld()).purser(["corporate", "create", "--help"], { columns: 200 });
		expect(ran.stdout).toMatch(/--account-owner-info\.position <text> .* \* \[required\]/);
		expect(ran.stdout.trimEnd().split("\n").at(-1)).toBe("Fields marked * are not confirmed for your service: purser api list");
		const paid = await (await makeWorld()).purser(["pay", "ledger", "--help"], { columns: 200 });
		expect(paid.stdout).not.toContain(" * ");
		expect(paid.stdout).not.toContain("Fields marked *");
	});
});

describe("lists that may hold more than is known", () => {
	test.each([
		[["terms", "show", "--language", "DE"], "language=DE"],
		[["pay", "list", "--status", "ON_HOLD"], "status=ON_HOLD"],
		[["ledger", "list", "--status", "FROZEN"], "status=FROZEN"],
		[["beneficiary", "list", "--status", "BLOCKED"], "status=BLOCKED"],
		[["corporate", "list", "--kyb-status", "IN_REVIEW"], "kybStatus=IN_REVIEW"],
	])("%j is asked for, with a warning", async (argv, query) => {
		const world = await makeWorld({
			wire: async () => answered(200, '{"version":"1","content":[],"totalElements":0}'),
		});
		const ran = await world.purser([...argv, "--json"]);
		expect(ran.exit, ran.stderr).toBe(0);
		expect(world.requests[0]?.url).toContain(query);
		expect(ran.stderr).toContain("is not among the values known so far; the service may refuse it");
	});

	test("one that is nearly a known one is told", async () => {
		const ran = await (await makeWorld()).purser(["pay", "list", "--status", "PENDNIG"]);
		expect(ran.stderr.replace(/\s+/g, " ")).toContain(
			'--status "PENDNIG" is not among the values known so far; the service may refuse it (did you mean PENDING?)',
		);
		expect(ran.exit).toBe(5);
	});

	test.each([
		[["--first-name", "Grace", "--last-name", "Sample"], '{"type":"NATURAL_PERSON","firstName":"Grace","lastName":"Sample"}'],
		[["--corporate-name", "Example Holding BV"], '{"type":"NATURAL_PERSON","corporateName":"Example Holding BV"}'],
	])("a type of related entity that nobody knows: %j", async (flags, body) => {
		const world = await makeWorld();
		const corporate = "11111111-1111-4111-8111-111111111111";
		const ran = await world.purser(["related", "add", corporate, "--type", "NATURAL_PERSON", ...flags, "--dry-run", "--json"]);
		expect(ran.exit, ran.stderr).toBe(0);
		expect(ran.json().requests[0].body).toEqual(JSON.parse(body));
		const unnamed = await world.purser(["related", "add", corporate, "--type", "NATURAL_PERSON", "--dry-run", "--json"]);
		expect([unnamed.exit, unnamed.stderr]).toEqual([2, expect.stringContaining("--first-name, --last-name")]);
	});
});
