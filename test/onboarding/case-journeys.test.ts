import { readdirSync, readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { confirmed } from "../support/companies.js";
import { despite } from "../support/gates.js";
import type { World } from "../support/purser.js";
import { caseWorld, put } from "./case-world.js";

afterAll(removeFolders);

const folder = new URL("../cases/", import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));
const textOf = (name: string): string => readFileSync(new URL(name, folder), "utf8");
const all = ["--send-email-link", "--request-kyb", "--kyc-links", ...despite("review-not-seen", "owner-missing")];

const apply = (world: World, ...more: string[]) => world.purser(["onboard", "apply", ...confirmed, "case.yaml", "--json", ...more]);
const control = async (world: World, path: string, body: object): Promise<void> => {
	const answer = await world.sandbox.handle({
		method: "POST",
		target: `/_sandbox/control/${path}`,
		headers: { "content-type": "application/json" },
		body: new TextEncoder().encode(JSON.stringify(body)),
	});
	expect(answer.status, new TextDecoder().decode(answer.body)).toBeLessThan(300);
};

/** The persons who were given a KYC link do it. */
const doKycs = async (world: World): Promise<void> => {
	for (const { id, kyc } of world.sandbox.state.related.filter((one) => one.kyc.status === "CREATED"))
		if (kyc.id !== undefined) await control(world, "kyc", { relatedId: id });
};

const kyb = async (world: World): Promise<string> => {
	const { id } = world.sandbox.state.corporates.at(-1) as { id: string };
	return (await world.purser(["kyb", "status", id, "--wait", "--json"])).json().kybStatus;
};

describe("cases of many countries and structures, from the file to VALIDATED", () => {
	it("there are a dozen", () => expect(files.length).toBeGreaterThanOrEqual(12));

	it.each(files)("%s", async (name) => {
		const world = await caseWorld();
		put(world, "case.yaml", textOf(name));
		const first = await apply(world, ...all);
		expect(first.exit, first.stderr + first.stdout).toBe(0);
		expect(first.json().cases[0].state).toBe("applied");
		await doKycs(world);
		expect(await kyb(world)).toBe("VALIDATED");
		world.requests.length = 0;
		const again = await apply(world, ...all);
		expect(again.exit).toBe(0);
		expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
		const planned = await world.purser(["onboard", "plan", "case.yaml"]);
		expect(planned.stdout).toContain("0 to create, 0 to update");
	});
});

describe("what goes another way", () => {
	it("more information is wanted, a KYC is declined, a phone number changes, new terms come half way: then VALIDATED", async () => {
		const world = await caseWorld();
		const text = textOf("three-layers.yaml");
		put(world, "case.yaml", text);
		expect((await apply(world, ...all)).exit).toBe(0);
		const corporateId = world.sandbox.state.corporates.at(-1)?.id as string;
		const idOf = (firstName: string): string =>
			world.sandbox.state.related.find(({ fields }) => fields.firstName === firstName && fields.lastName !== "Owner")?.id as string;

		await control(world, "kyb", { corporateId, outcome: "NEED_ADDITIONAL_INFORMATION", reason: "incorporation date" });
		await control(world, "kyc", { relatedId: idOf("Grace"), outcome: "DECLINED", reason: "unreadable" });
		await control(world, "terms", { version: "2.0" });

		// The file names the old terms: everything else is done, and this one waits for the account owner.
		put(world, "case.yaml", text.replace("639980001", "639980007").replace("2019-04-01", "2019-04-02"));
		const second = await apply(world, ...all);
		expect(second.exit).toBe(9);
		const steps: { what: string; name: string; state: string; why?: string; fields?: string[] }[] = second.json().cases[0].steps;
		expect(second.json().cases[0].state).toBe("incomplete");
		expect(steps.find(({ what }) => what === "terms")).toMatchObject({
			state: "blocked",
			why: expect.stringContaining("the latest terms are 2.0"),
		});
		expect(steps.filter(({ state }) => state === "updated").map(({ what, fields }) => [what, fields])).toEqual([
			["corporate", ["incorporationDate"]],
			["account owner", ["phone"]],
		]);
		expect(steps.filter(({ state }) => state === "asked for").map(({ what, name }) => [what, name])).toEqual([
			["KYB", "Example Layered SAS"],
			["KYC link", "Grace Sample"],
		]);

		put(
			world,
			"case.yaml",
			text.replace("639980001", "639980007").replace("2019-04-01", "2019-04-02").replace('version: "1.0"', 'version: "2.0"'),
		);
		expect((await apply(world, ...all)).exit).toBe(0);
		expect(world.sandbox.state.corporates.at(-1)?.accepted).toBe("2.0");
		await doKycs(world);
		expect(await kyb(world)).toBe("VALIDATED");
	});

	it("another email address gets a link of its own, once", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", textOf("sole-owner.yaml"));
		await apply(world, "--send-email-link");
		put(world, "case.yaml", textOf("sole-owner.yaml").replace("ada@example.com", "ada.solo@example.com"));
		await apply(world, "--send-email-link");
		await apply(world, "--send-email-link");
		expect(world.sandbox.state.outbox.map(({ to }) => to)).toEqual(["ada@example.com", "ada.solo@example.com"]);
	});

	it("an address that changed with other fields, in a run that asked for no link, gets its own, once", async () => {
		const world = await caseWorld();
		put(world, "case.yaml", textOf("sole-owner.yaml"));
		await apply(world, "--send-email-link");
		const later = textOf("sole-owner.yaml")
			.replace("ada@example.com", "ada.solo@example.com")
			.replace("lastName: Solo", "lastName: Single");
		put(world, "case.yaml", later);
		world.clock.advance(60_000);
		expect((await apply(world)).exit).toBe(0);
		const [corporate] = world.sandbox.state.corporates.slice(-1);
		const status = await world.purser(["corporate", "status", String(corporate?.id)]);
		expect(status.stdout.replace(/\s+/g, " ")).toContain("if the email changed, the link went to the old address");
		expect(status.stderr).toContain("purser email send-link");
		world.clock.advance(60_000);
		await apply(world, "--send-email-link");
		await apply(world, "--send-email-link");
		expect(world.sandbox.state.outbox.map(({ to }) => to)).toEqual(["ada@example.com", "ada.solo@example.com"]);
		const after = await world.purser(["corporate", "status", String(corporate?.id)]);
		expect(after.stdout).not.toContain("the old one");
	});
});
