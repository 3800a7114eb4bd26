/**
 * Terms are accepted by somebody, whatever the way: each asks the same question on every profile, and a script says whose word it is.
 */
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, test } from "vitest";
import type { AnyCommand } from "../../src/cli/command.js";
import { commands } from "../../src/commands/index.js";
import type { MappedOperation } from "../../src/ports/mapping.js";
import { confirmed, harbourLights } from "../support/companies.js";
import { makeWorld, type World } from "../support/purser.js";

let world: World;
let company: string;
const put = (path: string, text: string) => world.files.set(path, new TextEncoder().encode(text));
beforeEach(async () => {
	world = await makeWorld({ profile: { baseUrl: "https://api.example.com" } });
	put("first.json", JSON.stringify(harbourLights));
	put("new.json", JSON.stringify({ ...harbourLights, externalId: "crm-2042" }));
	put("accepting.json", JSON.stringify({ ...harbourLights, externalId: "crm-2042", lastTermsAccepted: "1.0" }));
	put("update.json", JSON.stringify({ lastTermsAccepted: "1.0" }));
	put("case.yaml", readFileSync(new URL("../cases/sole-owner.yaml", import.meta.url), "utf8"));
	company = (await world.json("corporate create --file first.json")).corporateId;
	world.requests.length = 0;
	world.journal.length = 0;
});

const changed = () => world.requests.filter(({ method }) => method !== "GET").length;
const words = () => world.journal.flatMap(({ intent }) => (intent.confirmedBy === undefined ? [] : [intent.confirmedBy]));
const of = "Has Ada Example, the account owner, seen and accepted version 1.0?";

const creates = `${of} If so, create Harbour Lights Catering SAS`;
const updates = `${of} If so, update Harbour Lights Catering SAS?`;
const creating = (file: string, ...more: string[]) => ["corporate", "create", "--file", file, ...more];

/** Every way, and what is asked. */
const ways: readonly (readonly [string, (id: string) => string[], string])[] = [
	["terms accept", (id) => ["terms", "accept", id], of],
	["corporate create by a flag", () => creating("new.json", "--last-terms-accepted", "1.0"), `${creates}?`],
	["corporate create by a file", () => creating("accepting.json"), `${creates}?`],
	[
		"corporate create without a credential",
		() => creating("accepting.json", "--anonymous", "--partner-name", "example-partner"),
		`${creates} without a credential?`,
	],
	["corporate update by a flag", (id) => ["corporate", "update", id, "--last-terms-accepted", "1.0"], updates],
	["corporate update by a file", (id) => ["corporate", "update", id, "--file", "update.json"], updates],
	[
		"onboard apply",
		() => ["onboard", "apply", "case.yaml"],
		"Has Ada Solo, the account owner, seen and accepted version 1.0? If so, create and update Example Solo SARL?",
	],
];

test("every command that can accept terms has a way here; the wizard has its own test", async () => {
	const loaded = await Promise.all(Object.values(commands).map(async (load) => (await load()).default as AnyCommand));
	const accepting = loaded.filter(({ effect, input }) => effect === "write" && "confirmedBy" in input.shape).map(({ path }) => path);
	expect(accepting.sort()).toEqual(["corporate create", "corporate update", "onboard apply", "terms accept"]);
	expect([...new Set(ways.map(([name]) => name.split(" ").slice(0, 2).join(" ")))].sort()).toEqual(accepting);
});

describe.each(ways)("%s", (_, argv, question) => {
	test("a script says whose word it is, or nothing is sent", async () => {
		for (const [flags, missing] of [
			[[], ["yes", "confirmedBy"]],
			[["--yes"], ["confirmedBy"]],
			[["--confirmed-by", "operator"], ["yes"]],
		] as const) {
			const ran = await world.purser([...argv(company), ...flags, "--json"]);
			const { code, details } = ran.error();
			expect([ran.exit, code, details.map(({ field }: { field: string }) => field)]).toEqual([10, "CONFIRMATION_NEEDED", missing]);
		}
		expect([changed(), world.journal]).toEqual([0, []]);
	});

	test("and the journal keeps it", async () => {
		const ran = await world.purser([...argv(company), "--yes", "--confirmed-by", "account-owner"]);
		expect([ran.exit, words()]).toEqual([0, ["account-owner"]]);
	});

	test("at a terminal it is asked once; No sends nothing, and Yes is the operator's word", async () => {
		const declined = await world.purser(argv(company), { answers: [false] });
		expect([declined.exit, changed(), world.asked]).toEqual([10, 0, [{ kind: "confirm", message: question }]]);
		expect(declined.stderr).toContain("On the word of");
		const ran = await world.purser(argv(company), { answers: [true] });
		expect([ran.exit, world.asked.length, words()]).toEqual([0, 1, ["operator"]]);
	});

	test("on a live profile it is the same one question, below the banner; a script needs --live too", async () => {
		Object.assign(world.profiles.get("sandbox") ?? {}, { environment: "live" });
		const declined = await world.purser(argv(company), { answers: [false] });
		expect([declined.exit, world.asked]).toEqual([10, [{ kind: "confirm", message: question }]]);
		expect(declined.stderr).toContain("Profile sandbox  LIVE  api.example.com");
		const flags = ["--confirmed-by", "operator", "--yes"];
		expect((await world.purser([...argv(company), ...flags])).exit).toBe(10);
		expect(changed()).toBe(0);
	});
});

test("a case whose terms are accepted already is applied again without the question; so in a script", async () => {
	expect((await world.purser(["onboard", "apply", "case.yaml", ...confirmed])).exit).toBe(0);
	const again = await world.purser("onboard apply case.yaml", { answers: [] });
	expect([again.exit, world.asked, words()]).toEqual([0, [], ["operator"]]);
	expect((await world.purser("onboard apply case.yaml")).exit).toBe(0);
});

test("several cases are one question that names each", async () => {
	const text = readFileSync(new URL("../cases/sole-owner.yaml", import.meta.url), "utf8");
	put("other.yaml", text.replace(/externalId: case-sole/, "externalId: case-other").replace("Ada Solo,", "Grace Sample,"));
	const ran = await world.purser("onboard apply case.yaml other.yaml", { answers: [false] });
	expect([ran.exit, world.asked.map(({ message }) => message)]).toEqual([
		10,
		["Have the 2 account owners seen and accepted version 1.0? If so, create and update 2 companies?"],
	]);
	expect(ran.stderr).toContain("version 1.0, accepted by Grace Sample of Example Solo SARL");
});

test("a file cannot give the operator's word", async () => {
	put("word.json", JSON.stringify({ lastTermsAccepted: "1.0", confirmedBy: "account-owner" }));
	const ran = await world.purser(`corporate update ${company} --file word.json --yes`);
	expect([ran.exit, ran.stderr]).toEqual([3, expect.stringContaining("--confirmed-by")]);
});

const placed = (at: string) => ({
	corporateId: { place: "path", at: "corporateId" } as const,
	tradeName: { place: "body", at: "/trade" } as const,
	lastTermsAccepted: at === "" ? ("none" as const) : ({ place: "body", at } as const),
});
test.each<[string, string, Partial<MappedOperation>, number, string]>([
	["another case of the letters", "LastTermsAccepted", {}, 10, "ACCEPTANCE_NOT_ASKED"],
	["the name that the mapping gives the field", "termsVersion", { fields: placed("/termsVersion") }, 3, "INPUT_INVALID"],
	["the place that the mapping gives the field", "terms.version", { fields: placed("/terms/version") }, 3, "INPUT_INVALID"],
	[
		"a value that the mapping always sends",
		"tradeName",
		{ fields: placed(""), constants: [{ place: "body", at: "/lastTermsAccepted", value: "1.0" }] },
		10,
		"ACCEPTANCE_NOT_ASKED",
	],
])("%s is no way around it", async (_, name, entry, exit, code) => {
	const mapped = { method: "PATCH", path: "/api/partner/corporates/{corporateId}", ...entry } as const;
	const profile = world.profiles.get("sandbox");
	if (profile) profile.mapping = { operations: { "corporate.update": mapped } };
	const given = name === "tradeName" ? ["--trade-name", "1.0"] : ["--set", `${name}=1.0`];
	const ran = await world.purser(["corporate", "update", company, ...given, "--yes", "--json"]);
	expect([ran.exit, ran.error()?.code, changed()]).toEqual([exit, code, 0]);
});

test("an update that accepts nothing asks nothing", async () => {
	expect((await world.purser(`corporate update ${company} --website https://www.example.com`)).exit).toBe(0);
});
