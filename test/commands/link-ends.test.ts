/**
 * A link is valid until the service said, as the journal has it; where the service said nothing, for the usual time.
 */
import { afterAll, beforeEach, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { caseWorld, textOf, through } from "../onboarding/case-world.js";
import type { World } from "../support/purser.js";

afterAll(removeFolders);

const hour = 3_600_000;
let world: World;
let [company, owner] = ["", ""];
/** What the service says of the links that it gives. */
let ttl: string | undefined;

beforeEach(async () => {
	world = await caseWorld();
	world.put("case.yaml", textOf("sole-owner"));
	through(world, (line, answer) => (/^POST .*\/(email\/send|kyc)$/.test(line) ? JSON.stringify({ ...JSON.parse(answer), ttl }) : answer));
	const [run] = (await world.json("onboard apply --yes --confirmed-by operator case.yaml")).cases;
	[company, owner] = [run.corporateId, run.accountOwnerId];
});

const posts = (path: string): number => world.requests.filter(({ line }) => line.startsWith("POST") && line.endsWith(path)).length;
const item = async (step: string) =>
	(await world.json(`corporate status ${company}`)).items.find((one: Record<string, unknown>) => one.step === step);
const applied = async (flag: string) => (await world.json(`onboard apply case.yaml ${flag}`)).cases[0].steps.at(-1);

it.each([
	["PT2H", 2],
	["PT1000H", 1000],
	[undefined, 720],
] as const)(
	"a KYC link with the ttl %s is valid so long for kyc link --all, kyc link, onboard apply and the checklist",
	async (said, hours) => {
		ttl = said;
		const expiresAt = new Date(Date.parse("2026-03-01T10:00:00Z") + hours * hour).toISOString();
		const all = async (option = "") => (await world.json(`kyc link --all --corporate-id ${company} ${option}`)).links;
		// Whatever the link leads to afterwards, it is the person's link.
		const first = await all("--kyc-configuration.url-on-complete https://www.example.com/done");
		expect(first).toMatchObject([{ state: "obtained", expiresAt }]);
		const [newest] = await world.json("history list");
		expect(newest).toMatchObject({ operation: "kyc.link", state: "accepted", ...(said && { validUntil: expiresAt }) });
		world.clock.advance(hours * hour - 1000);
		expect(await all()).toMatchObject([{ state: "valid", expiresAt }]);
		expect(await applied("--kyc-links")).toMatchObject({ what: "KYC link", state: "left" });
		expect([(await item("kyc")).state, posts("/kyc")]).toEqual(["waiting", 1]);
		world.clock.advance(1000);
		expect(await item("kyc")).toMatchObject({ state: "to do", why: "the link that was given is no longer valid" });
		expect([(await applied("--kyc-links")).state, posts("/kyc")]).toEqual(["asked for", 2]);
		const until = new Date(world.clock.now().getTime() + hours * hour).toISOString().slice(0, 10);
		expect((await world.purser(`kyc link ${owner}`, { columns: 400 })).stderr).toContain(`valid until ${until}; this creates a new one`);
		expect((await world.json("history verify")).faults).toEqual([]);
	},
);

it.each([
	["PT1H", 1],
	["PT100H", 100],
	[undefined, 48],
] as const)("an email link with the ttl %s is valid so long for onboard apply and the checklist", async (said, hours) => {
	ttl = said;
	await world.json(`email send-link ${owner} --url-on-success https://www.example.com/done`);
	world.clock.advance(hours * hour - 1000);
	expect((await applied("--send-email-link")).why).toContain("valid until");
	expect([(await item("email")).state, posts("/email/send")]).toEqual(["waiting", 1]);
	world.clock.advance(1000);
	expect(await item("email")).toMatchObject({ state: "to do", why: "the link that was sent is no longer valid" });
	expect([(await applied("--send-email-link")).state, posts("/email/send")]).toEqual(["asked for", 2]);
});
