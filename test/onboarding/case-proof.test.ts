/**
 * A case tells only what is so: acceptances of days that exist and are past, persons once, and nothing "left" that the service denies.
 */

import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import { caseWorld, put, through } from "./case-world.js";

afterAll(removeFolders);

const text = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
const accepted = (at: string): string => text.replace(/acceptedAt: [^}]*/, `acceptedAt: "${at}"`);

async function planOf(content: string) {
	const world = await caseWorld();
	put(world, "case.yaml", content);
	return world.purser(["onboard", "plan", "case.yaml"]);
}

// The world's clock stands at 2026-03-01T10:00:00Z.
describe("when the terms were accepted", () => {
	it.each([["2026-02-28"], ["2024-02-29T23:59:59Z"], ["2026-03-01T10:30:00Z"], ["2026-03-01T23:30"], ["2026-03-01T11:30:00+02:00"]])(
		"%s is taken",
		async (at) => {
			const ran = await planOf(accepted(at));
			expect(ran.exit, ran.stderr).toBe(0);
		},
	);

	it.each([
		["2026-02-29", "not a valid date or time"],
		["2025-13-01", "not a valid date or time"],
		["2026-02-28T24:30:00Z", "not a valid date or time"],
		["2026-03-01T12:00:00Z", "is in the future"],
		["2026-03-01T13:30:00+01:00", "is in the future"],
		["2026-03-03", "is in the future"],
	])("%s is refused: %s", async (at, why) => {
		const ran = await planOf(accepted(at));
		expect(ran.exit).toBe(3);
		expect(ran.stderr).toContain(why);
	});
});

describe("one person twice", () => {
	const people = (more: string): string => text.replace("persons:", `persons:\n  - ${more}`);

	it("the account owner among the persons is told; another email is another person", async () => {
		const twice = "{key: again, firstName: ada, lastName: Example, emailAddress: Ada@example.com}";
		expect((await planOf(people(twice))).stderr).toContain("again has the name and email of accountOwner");
		const namesake = "{key: again, firstName: Ada, lastName: Example, emailAddress: other@example.com}";
		expect((await planOf(people(namesake))).stderr).not.toContain("has the name and email");
	});
});

describe("a case run again", () => {
	it("an email that the service writes in small letters is no change: it would have to be verified anew", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", text.replaceAll("ada@example.com", "Ada@Example.com"));
		through(world, (_, answer) => answer.replaceAll("Ada@Example.com", "ada@example.com"));
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(0);
		world.requests.length = 0;
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml"])).exit).toBe(0);
		expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
	});

	it("terms that were sent and are denied are not left as if accepted, where the service names no latest version", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", text);
		await world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
		through(world, (line, answer) =>
			line.endsWith("/terms-and-conditions") ? '{"language":"EN"}' : answer.replaceAll('"termsAccepted":true', '"termsAccepted":false'),
		);
		await world.purser(["onboard", "apply", ...confirmed, "case.yaml"]);
		const ran = await world.purser(["onboard", "plan", "case.yaml", "--json"]);
		expect(ran.exit, ran.stderr).toBe(0);
		const [{ steps }] = ran.json().cases;
		expect(steps.find(({ what }: { what: string }) => what === "terms")).toMatchObject({ action: "update" });
	});

	it("a KYB that is under way is not asked for again", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", text);
		for (let run = 0; run < 2; run += 1)
			expect(
				(
					await world.purser([
						"onboard",
						"apply",
						...confirmed,
						"case.yaml",
						"--request-kyb",
						...despite("review-not-seen", "owner-missing"),
					])
				).exit,
			).toBe(0);
		expect(world.requests.filter(({ method, line }) => method === "POST" && line.endsWith("/kyb"))).toHaveLength(1);
	});

	it("an email link whose sending got no answer is sent again", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", text);
		let lost = true;
		through(world, (line, answer) => (lost && line.endsWith("/email/send") ? undefined : answer));
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--send-email-link"])).exit).toBe(7);
		lost = false;
		world.requests.length = 0;
		expect((await world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--send-email-link"])).exit).toBe(0);
		expect(world.requests.filter(({ line }) => line.endsWith("/email/send"))).toHaveLength(1);
	});
});
