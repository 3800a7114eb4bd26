/**
 * A case tells only what is so: acceptances of days that exist and are past, persons once, and nothing "left" that the service denies.
 */
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { despite } from "../support/gates.js";
import { appliedCase, apply, caseIn, changes, layers, through } from "./case-world.js";

afterAll(removeFolders);

const planOf = async (text: string) => (await caseIn(text)).purser(["onboard", "plan", "case.yaml"]);

// The world's clock stands at 2026-03-01T10:00:00Z.
it.each([
	["2026-02-28", 0, ""],
	["2024-02-29T23:59:59Z", 0, ""],
	["2026-03-01T10:30:00Z", 0, ""],
	["2026-03-01T23:30", 0, ""],
	["2026-03-01T11:30:00+02:00", 0, ""],
	["2026-02-29", 3, "not a valid date or time"],
	["2025-13-01", 3, "not a valid date or time"],
	["2026-02-28T24:30:00Z", 3, "not a valid date or time"],
	["2026-03-01T12:00:00Z", 3, "is in the future"],
	["2026-03-01T13:30:00+01:00", 3, "is in the future"],
	["2026-03-03", 3, "is in the future"],
])("terms accepted at %s: exit %i %s", async (at, exit, why) => {
	const ran = await planOf(layers.replace(/acceptedAt: [^}]*/, `acceptedAt: "${at}"`));
	expect([ran.exit, ran.stderr.includes(why)]).toEqual([exit, true]);
});

it.each([
	["ada, lastName: Example, emailAddress: Ada@example.com", true],
	["Ada, lastName: Example, emailAddress: other@example.com", false],
])("the account owner among the persons (%s) is told: %s; another email is another person", async (named, told) => {
	const { stderr } = await planOf(layers.replace("persons:", `persons:\n  - {key: again, firstName: ${named}}`));
	expect(stderr.includes("again has the name and email of accountOwner")).toBe(told);
});

describe("a case run again", () => {
	it("an email that the service writes in small letters is no change: it would have to be verified anew", async () => {
		const world = await caseIn(layers.replaceAll("ada@example.com", "Ada@Example.com"));
		through(world, (_, answer) => answer.replaceAll("Ada@Example.com", "ada@example.com"));
		expect((await apply(world)).exit).toBe(0);
		world.requests.length = 0;
		expect([(await apply(world)).exit, changes(world)]).toEqual([0, []]);
	});

	it("terms that the service denies are not left as accepted, whatever was sent", async () => {
		const world = await appliedCase();
		through(world, (line, answer) =>
			line.endsWith("/terms-and-conditions") ? '{"language":"EN"}' : answer.replaceAll('"termsAccepted":true', '"termsAccepted":false'),
		);
		await apply(world);
		const [{ steps }] = (await world.purser(["onboard", "plan", "case.yaml", "--json"])).json().cases;
		expect(steps.find(({ what }: { what: string }) => what === "terms")).toMatchObject({ action: "update" });
	});

	it("a KYB that is under way is not asked for again", async () => {
		const world = await caseIn(layers);
		const request = ["--request-kyb", ...despite("review-not-seen", "owner-missing")];
		expect([(await apply(world, request)).exit, (await apply(world, request)).exit]).toEqual([0, 0]);
		expect(changes(world).filter((line) => /\/kyb\b/.test(line))).toHaveLength(1);
	});

	it("an email link whose sending got no answer is sent again", async () => {
		const world = await caseIn(layers);
		through(world, (line, answer) => (line.endsWith("/email/send") ? undefined : answer));
		expect((await apply(world, "--send-email-link")).exit).toBe(7);
		world.wire = undefined;
		world.requests.length = 0;
		expect((await apply(world, "--send-email-link")).exit).toBe(0);
		expect(changes(world).filter((line) => line.includes("/email/send"))).toHaveLength(1);
	});
});
