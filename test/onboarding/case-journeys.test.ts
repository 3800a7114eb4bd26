import { readdirSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { despite } from "../support/gates.js";
import type { World } from "../support/purser.js";
import { apply, caseIn, changes, layers, put, textOf } from "./case-world.js";

afterAll(removeFolders);

const names = readdirSync(new URL("../cases/", import.meta.url)).flatMap((name) => (name.endsWith(".yaml") ? [name.slice(0, -5)] : []));
const all = ["--send-email-link", "--request-kyb", "--kyc-links", ...despite("review-not-seen", "owner-missing"), "--json"];

const control = async (world: World, path: string, body: object): Promise<void> => {
	const answer = await world.sandbox.handle({
		method: "POST",
		target: `/_sandbox/control/${path}`,
		headers: { "content-type": "application/json" },
		body: new TextEncoder().encode(JSON.stringify(body)),
	});
	expect(answer.status, new TextDecoder().decode(answer.body)).toBeLessThan(300);
};

/** The persons who were given a KYC link do it; then the KYB is waited for. */
const validated = async (world: World): Promise<string> => {
	for (const { id, kyc } of world.sandbox.state.related.filter((one) => one.kyc.status === "CREATED"))
		if (kyc.id !== undefined) await control(world, "kyc", { relatedId: id });
	const { id } = world.sandbox.state.corporates.at(-1) as { id: string };
	return (await world.purser(["kyb", "status", id, "--wait", "--json"])).json().kybStatus;
};

describe("cases of many countries and structures, from the file to VALIDATED", () => {
	it("they are found", () => expect(names.length).toBeGreaterThanOrEqual(7));

	it.each(names)("%s", async (name) => {
		const world = await caseIn(textOf(name));
		const first = await apply(world, all);
		expect(first.exit, first.stderr + first.stdout).toBe(0);
		expect(first.json().cases[0].state).toBe("applied");
		expect(await validated(world)).toBe("VALIDATED");
		world.requests.length = 0;
		expect([(await apply(world, all)).exit, changes(world)]).toEqual([0, []]);
		expect((await world.purser(["onboard", "plan", "case.yaml"])).stdout).toContain("0 to create, 0 to update");
	});
});

describe("what goes another way", () => {
	const sole = textOf("sole-owner");
	const links = (world: World) => world.requests.filter(({ line }) => line.includes("/verifications/email/send")).length;

	it("more information is wanted, a KYC is declined, a phone number changes, new terms come half way: then VALIDATED", async () => {
		const world = await caseIn(layers);
		expect((await apply(world, all)).exit).toBe(0);
		const corporateId = world.sandbox.state.corporates.at(-1)?.id as string;
		const grace = world.sandbox.state.related.find(({ fields }) => fields.firstName === "Grace" && fields.lastName !== "Owner")?.id;
		await control(world, "kyb", { corporateId, outcome: "NEED_ADDITIONAL_INFORMATION", reason: "incorporation date" });
		await control(world, "kyc", { relatedId: grace, outcome: "DECLINED", reason: "unreadable" });
		await control(world, "terms", { version: "2.0" });

		// The file names the old terms: everything else is done, and this one waits for the account owner.
		const later = layers.replace("639980001", "639980007").replace("2019-04-01", "2019-04-02");
		put(world, "case.yaml", later);
		const second = await apply(world, all);
		const [{ state: outcome, steps }] = second.json().cases as [
			{ state: string; steps: { what: string; name: string; state: string; why?: string; fields?: string[] }[] },
		];
		expect([second.exit, outcome]).toEqual([9, "incomplete"]);
		const why = expect.stringContaining("the latest terms are 2.0");
		expect(steps.find(({ what }) => what === "terms")).toMatchObject({ state: "blocked", why });
		expect(steps.filter(({ state }) => state === "updated").map(({ what, fields }) => [what, fields])).toEqual([
			["corporate", ["incorporationDate"]],
			["account owner", ["phone"]],
		]);
		expect(steps.filter(({ state }) => state === "asked for").map(({ what, name }) => [what, name])).toEqual([
			["email link", "ada@example.com"],
			["KYB", "Example Layered SAS"],
			["KYC link", "Grace Sample"],
		]);

		put(world, "case.yaml", later.replace('version: "1.0"', 'version: "2.0"'));
		expect((await apply(world, all)).exit).toBe(0);
		expect(world.sandbox.state.corporates.at(-1)?.accepted).toBe("2.0");
		expect(await validated(world)).toBe("VALIDATED");
	});

	it("an address that changed with other fields, in a run that asked for no link, gets its own, once", async () => {
		const world = await caseIn(sole);
		await apply(world, "--send-email-link");
		put(world, "case.yaml", sole.replace("ada@example.com", "ada.solo@example.com").replace("lastName: Solo", "lastName: Single"));
		world.clock.advance(60_000);
		expect((await apply(world)).exit).toBe(0);
		world.clock.advance(60_000);
		for (let run = 0; run < 2; run += 1) await apply(world, "--send-email-link");
		expect(links(world)).toBe(2);
	});
});
