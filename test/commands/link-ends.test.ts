/**
 * A link is valid until the service said, as the journal has it; where the service said nothing, for the usual time, marked as assumed.
 */
import { readFileSync } from "node:fs";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, put, through } from "../onboarding/case-world.js";
import { confirmed } from "../support/companies.js";
import type { World } from "../support/purser.js";

afterAll(removeFolders);

const hour = 3_600_000;
let world: World;
let company: string;
let owner: string;
/** What the service says of the links that it gives. */
let ttl: string | undefined;

beforeEach(async () => {
	ttl = undefined;
	world = await caseWorld();
	put(world, "case.yaml", readFileSync(new URL("../cases/sole-owner.yaml", import.meta.url), "utf8"));
	through(world, (line, answer) => {
		if (!/^POST .*\/(email\/send|kyc)$/.test(line)) return answer;
		const { ttl: _, ...rest } = JSON.parse(answer) as Record<string, unknown>;
		return JSON.stringify({ ...rest, ttl });
	});
	const [run] = (await world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--json"])).json().cases;
	company = run.corporateId;
	owner = run.accountOwnerId;
});

const json = async (...argv: string[]) => (await world.purser([...argv, "--json"])).json();
const posts = (path: string): number => world.requests.filter(({ line }) => line.startsWith("POST") && line.endsWith(path)).length;
const item = async (step: string) =>
	(await json("corporate", "status", company)).items.find((one: Record<string, unknown>) => one.step === step) as Record<string, unknown>;

describe.each([
	["PT2H", 2, undefined],
	["PT1000H", 1000, undefined],
	[undefined, 720, true],
] as const)("a KYC link with the ttl %s", (said, hours, assumed) => {
	beforeEach(() => {
		ttl = said;
	});
	const end = new Date(Date.parse("2026-03-01T10:00:00Z") + hours * hour).toISOString();
	const again = ["kyc", "link", "--all", "--corporate-id", "COMPANY"];
	const all = () => again.map((word) => (word === "COMPANY" ? company : word));

	it("is valid so long for kyc link --all, kyc link, onboard apply and the checklist", async () => {
		const [given] = (await json(...all())).links;
		expect([given.state, given.expiresAt, given.expiryAssumed]).toEqual(["obtained", end, assumed]);
		world.clock.advance(hours * hour - 1000);
		const [valid] = (await json(...all())).links;
		expect([valid.state, valid.expiresAt, valid.expiryAssumed]).toEqual(["valid", end, assumed]);
		expect((await json("onboard", "apply", "case.yaml", "--kyc-links")).cases[0].steps.at(-1)).toMatchObject({
			what: "KYC link",
			state: "left",
		});
		expect((await item("kyc")).state).toBe("waiting");
		expect(posts("/kyc")).toBe(1);
		world.clock.advance(1000);
		const suffix = assumed ? " (assumed: the service did not say)" : "";
		expect(await item("kyc")).toMatchObject({ state: "to do", why: `the link that was given is no longer valid${suffix}` });
		expect((await json("onboard", "apply", "case.yaml", "--kyc-links")).cases[0].steps.at(-1)).toMatchObject({ state: "asked for" });
		expect(posts("/kyc")).toBe(2);
	});

	it("is warned about before another one, with its end", async () => {
		const one = await world.purser(["kyc", "link", owner]);
		expect(one.stdout.includes("(assumed: the service did not say)")).toBe(assumed === true);
		const other = await world.purser(["kyc", "link", owner], { columns: 400 });
		expect(other.stderr).toContain(
			`valid until ${end.slice(0, 10)}${assumed ? " (assumed: the service did not say)" : ""}; this creates a new one`,
		);
	});
});

it.each([
	["PT1H", 1, undefined],
	["PT100H", 100, undefined],
	[undefined, 48, true],
] as const)("an email link with the ttl %s is valid so long for onboard apply and the checklist", async (said, hours, assumed) => {
	ttl = said;
	const apply = async () => (await json("onboard", "apply", "case.yaml", "--send-email-link")).cases[0].steps.at(-1);
	expect(await apply()).toMatchObject({ what: "email link", state: "asked for" });
	world.clock.advance(hours * hour - 1000);
	expect((await apply()).why).toContain(assumed ? "(assumed: the service did not say)" : "valid until");
	expect((await item("email")).state).toBe("waiting");
	expect(posts("/email/send")).toBe(1);
	world.clock.advance(1000);
	const suffix = assumed ? " (assumed: the service did not say)" : "";
	expect(await item("email")).toMatchObject({ state: "to do", why: `the link that was sent is no longer valid${suffix}` });
	expect(await apply()).toMatchObject({ state: "asked for" });
	expect(posts("/email/send")).toBe(2);
});

it("the journal has the end, and still verifies", async () => {
	ttl = "PT2H";
	await json("kyc", "link", owner);
	const [newest] = await json("history", "list");
	expect(newest).toMatchObject({ operation: "kyc.link", state: "accepted", validUntil: "2026-03-01T12:00:00.000Z" });
	expect((await json("history", "verify")).faults).toEqual([]);
});
