/**
 * Terms are accepted by somebody, whatever the way: each asks the same question on every profile, and a script says whose word it is.
 */
import { beforeEach, describe, expect, test } from "vitest";
import type { AnyCommand } from "../../src/cli/command.js";
import { commands } from "../../src/commands/index.js";
import type { MappedOperation } from "../../src/ports/mapping.js";
import { textOf } from "../onboarding/case-world.js";
import { harbourLights } from "../support/companies.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
let company: string;
const soleOwner = textOf("sole-owner");
beforeEach(async () => {
	world = await makeWorld({ profile: { baseUrl: "https://api.example.com" } });
	const put = (path: string, value: object) => world.put(path, JSON.stringify(value));
	put("first.json", harbourLights);
	put("new.json", { ...harbourLights, externalId: "crm-2042" });
	put("accepting.json", { ...harbourLights, externalId: "crm-2042", lastTermsAccepted: "1.0" });
	put("update.json", { lastTermsAccepted: "1.0" });
	world.put("case.yaml", soleOwner);
	company = (await world.json("corporate create --file first.json")).corporateId;
	world.requests.length = 0;
	world.journal.length = 0;
});

const confirmedBy = () => world.journal.flatMap(({ intent }) => (intent.confirmedBy === undefined ? [] : [intent.confirmedBy]));
const of = "Has Ada Example, the account owner, seen and accepted version 1.0?";
const creates = `${of} If so, create Harbour Lights Catering SAS`;
const updates = `${of} If so, update Harbour Lights Catering SAS?`;

/** Every way, and what is asked. */
const ways: readonly (readonly [line: string, question: string])[] = [
	["terms accept ID", of],
	["corporate create --file new.json --last-terms-accepted 1.0", `${creates}?`],
	["corporate create --file accepting.json", `${creates}?`],
	["corporate create --file accepting.json --anonymous --partner-name example-partner", `${creates} without a credential?`],
	["corporate update ID --last-terms-accepted 1.0", updates],
	["corporate update ID --file update.json", updates],
	["onboard apply case.yaml", `${of.replace("Example", "Solo")} If so, create and update Example Solo SARL?`],
];

test("every command that can accept terms has a way here; the wizard has its own test", async () => {
	const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));
	const accepting = loaded.filter(({ effect, input }) => effect === "write" && "confirmedBy" in input.shape).map(({ path }) => path);
	expect(accepting.sort()).toEqual(["corporate create", "corporate update", "onboard apply", "terms accept"]);
	expect([...new Set(ways.map(([line]) => line.split(" ").slice(0, 2).join(" ")))].sort()).toEqual(accepting);
});

describe.each(ways)("%s", (way, question) => {
	const run = (more = "", options = {}) => world.purser(`${way.replace("ID", company)} ${more}`, options);

	test("a script says whose word it is, or nothing is sent; and the journal keeps it", async () => {
		for (const [flags, missing] of [
			["", ["yes", "confirmedBy"]],
			["--yes", ["confirmedBy"]],
			["--confirmed-by operator", ["yes"]],
		] as const) {
			const ran = await run(`${flags} --json`);
			const { code, details } = ran.error();
			expect([ran.exit, code, details.map(({ field }: { field: string }) => field)]).toEqual([10, "CONFIRMATION_NEEDED", missing]);
		}
		expect([world.changes(), world.journal]).toEqual([[], []]);
		expect([(await run("--yes --confirmed-by account-owner")).exit, confirmedBy()]).toEqual([0, ["account-owner"]]);
	});

	test("at a terminal it is asked once; No sends nothing, and Yes is the operator's word", async () => {
		const declined = await run("", { answers: [false] });
		expect([declined.exit, world.changes(), world.asked]).toEqual([10, [], [{ kind: "confirm", message: question }]]);
		expect(declined.stderr).toContain("On the word of");
		const ran = await run("", { answers: [true] });
		expect([ran.exit, world.asked.length, confirmedBy()]).toEqual([0, 1, ["operator"]]);
	});

	test("on a live profile it is the same one question, below the banner; a script needs --live too", async () => {
		Object.assign(world.profiles.get("sandbox") ?? {}, { environment: "live" });
		const declined = await run("", { answers: [false] });
		expect([declined.exit, world.asked]).toEqual([10, [{ kind: "confirm", message: question }]]);
		expect(declined.stderr).toContain("Profile sandbox  LIVE  api.example.com");
		expect([(await run("--confirmed-by operator --yes")).exit, world.changes()]).toEqual([10, []]);
	});
});

test("a case whose terms are accepted already is applied again without the question; so in a script", async () => {
	expect((await world.purser("onboard apply case.yaml --yes --confirmed-by operator")).exit).toBe(0);
	const again = await world.purser("onboard apply case.yaml", { answers: [] });
	expect([again.exit, world.asked, confirmedBy()]).toEqual([0, [], ["operator"]]);
	expect((await world.purser("onboard apply case.yaml")).exit).toBe(0);
	// An update that accepts nothing asks nothing either.
	expect((await world.purser(`corporate update ${company} --website https://www.example.com`)).exit).toBe(0);
});

test("who accepted the terms and is not the account owner is told before the question, which is about the account owner", async () => {
	world.put("case.yaml", soleOwner.replace("acceptedBy: Ada Solo", "acceptedBy: Mallory Nobody"));
	const told = "Warning: case.yaml: terms.acceptedBy is Mallory Nobody, and the account owner, who must accept the terms, is Ada Solo\n";
	const asked = await world.purser("onboard apply case.yaml", { answers: [false], columns: 200 });
	expect([asked.exit, asked.stderr.split(told).length]).toEqual([10, 2]);
	expect(world.asked[0]?.message).toMatch(/^Has Ada Solo, the account owner, seen and accepted version 1.0\?/);
	expect((await world.purser("onboard apply case.yaml --yes --confirmed-by account-owner", { columns: 200 })).stderr).toContain(told);
});

test("several cases are one question that names each", async () => {
	world.put("other.yaml", soleOwner.replace(/externalId: case-sole/, "externalId: case-other").replace(/Ada$/m, "Grace"));
	const ran = await world.purser("onboard apply case.yaml other.yaml", { answers: [false] });
	const question = "Have the 2 account owners seen and accepted version 1.0? If so, create and update 2 companies?";
	expect([ran.exit, world.asked.map(({ message }) => message)]).toEqual([10, [question]]);
	expect(ran.stderr).toContain("version 1.0, accepted by Grace Solo of Example Solo SARL");
});

const placed = (at: string) => ({
	corporateId: { place: "path", at: "corporateId" } as const,
	tradeName: { place: "body", at: "/trade" } as const,
	lastTermsAccepted: at === "" ? ("none" as const) : ({ place: "body", at } as const),
});
const always = { fields: placed(""), constants: [{ place: "body", at: "/lastTermsAccepted", value: "1.0" }] } as const;
test.each<[string, string, Partial<MappedOperation>, number, string]>([
	["another case of the letters", "--set LastTermsAccepted=1.0", {}, 10, "ACCEPTANCE_NOT_ASKED"],
	["the name that the mapping gives the field", "--set termsVersion=1.0", { fields: placed("/termsVersion") }, 3, "INPUT_INVALID"],
	["the place that the mapping gives the field", "--set terms.version=1.0", { fields: placed("/terms/version") }, 3, "INPUT_INVALID"],
	["a value that the mapping always sends", "--trade-name 1.0", always, 10, "ACCEPTANCE_NOT_ASKED"],
])("%s is no way around it", async (_, given, entry, exit, code) => {
	const mapped = { method: "PATCH", path: "/api/partner/corporates/{corporateId}", ...entry } as const;
	Object.assign(world.profiles.get("sandbox") ?? {}, { mapping: { operations: { "corporate.update": mapped } } });
	const ran = await world.purser(`corporate update ${company} ${given} --yes --json`);
	expect([ran.exit, ran.error()?.code, world.changes()]).toEqual([exit, code, []]);
});
