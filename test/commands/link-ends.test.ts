/**
 * A link is valid until the service said, as the journal has it; where the service said nothing, for the usual time.
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
	const [run] = (await world.json(["onboard", "apply", ...confirmed, "case.yaml"])).cases;
	company = run.corporateId;
	owner = run.accountOwnerId;
});

const json = async (...argv: string[]) => await world.json([...argv]);
const posts = (path: string): number => world.requests.filter(({ line }) => line.startsWith("POST") && line.endsWith(path)).length;
const item = async (step: string) =>
	(await json("corporate", "status", company)).items.find((one: Record<string, unknown>) => one.step === step) as Record<string, unknown>;

describe.each([
	["PT2H", 2],
	["PT1000H", 1000],
	[undefined, 720],
] as const)("a KYC link with the ttl %s", (said, hours) => {
	beforeEach(() => {
		ttl = said;
	});
	const end = new Date(Date.parse("2026-03-01T10:00:00Z") + hours * hour).toISOString();
	const again = ["kyc", "link", "--all", "--corporate-id", "COMPANY"];
	const all = () => again.map((word) => (word === "COMPANY" ? company : word));

	it("is valid so long for kyc link --all, kyc link, onboard apply and the checklist", async () => {
		const [given] = (await json(...all())).links;
		expect([given.state, given.expiresAt]).toEqual(["obtained", end]);
		world.clock.advance(hours * hour - 1000);
		const [valid] = (await json(...all())).links;
		expect([valid.state, valid.expiresAt]).toEqual(["valid", end]);
		expect((await json("onboard", "apply", "case.yaml", "--kyc-links")).cases[0].steps.at(-1)).toMatchObject({
			what: "KYC link",
			state: "left",
		});
		expect((await item("kyc")).state).toBe("waiting");
		expect(posts("/kyc")).toBe(1);
		world.clock.advance(1000);
		expect(await item("kyc")).toMatchObject({ state: "to do", why: "the link that was given is no longer valid" });
		expect((await json("onboard", "apply", "case.yaml", "--kyc-links")).cases[0].steps.at(-1)).toMatchObject({ state: "asked for" });
		expect(posts("/kyc")).toBe(2);
	});

	it("is warned about before another one, with its end", async () => {
		await world.purser(`kyc link ${owner}`);
		const other = await world.purser(`kyc link ${owner}`, { columns: 400 });
		expect(other.stderr).toContain(`valid until ${end.slice(0, 10)}; this creates a new one`);
	});
});

it.each([
	["PT1H", 1],
	["PT100H", 100],
	[undefined, 48],
] as const)("an email link with the ttl %s is valid so long for onboard apply and the checklist", async (said, hours) => {
	ttl = said;
	const apply = async () => (await json("onboard", "apply", "case.yaml", "--send-email-link")).cases[0].steps.at(-1);
	expect(await apply()).toMatchObject({ what: "email link", state: "asked for" });
	world.clock.advance(hours * hour - 1000);
	expect((await apply()).why).toContain("valid until");
	expect((await item("email")).state).toBe("waiting");
	expect(posts("/email/send")).toBe(1);
	world.clock.advance(1000);
	expect(await item("email")).toMatchObject({ state: "to do", why: "the link that was sent is no longer valid" });
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
