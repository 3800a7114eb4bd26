/**
 * What people who follow many companies see: since when each step waits, why a verification was declined, and who looks after a case.
 */
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it, test } from "vitest";
import { wallTime } from "../../src/cli/output/times.js";
import { sinceWords } from "../../src/onboarding/checklist/text.js";
import { removeFolders } from "../journal/journals.js";
import { machines, put, through } from "../onboarding/case-world.js";
import type { World } from "../support/purser.js";

afterAll(removeFolders);

const text = readFileSync(new URL("../cases/three-layers.yaml", import.meta.url), "utf8");
const day = 86_400_000;

async function declared(content = text): Promise<{ world: World; other(): void; id: string }> {
	const { world, other } = await machines();
	put(world, "cases/a.yaml", content);
	const ran = await world.purser(["onboard", "apply", "cases/a.yaml", "--yes", "--confirmed-by", "operator", "--json"]);
	expect(ran.exit, ran.stderr + ran.stdout).toBe(0);
	return { world, other, id: ran.json().cases[0].corporateId };
}

interface Item {
	step: string;
	label: string;
	state: string;
	since?: string;
	why?: string;
}

const itemsOf = async (world: World, id: string): Promise<Item[]> =>
	(await world.purser(["corporate", "status", id, "--json"])).json().items;

describe("since when a step waits", () => {
	test.each([
		["2026-02-10T08:00:00.000Z", "10 Feb, 19 days"],
		["2025-12-31T23:59:00.000Z", "31 Dec 2025, 59 days"],
		["2026-03-01T07:59:00.000Z", "1 Mar, 2 hours"],
		["2026-03-01T09:58:30.000Z", "1 Mar, 1 minute"],
		["2026-03-01T09:59:30.000Z", "1 Mar, just now"],
		["2026-02-28T11:00:00.000Z", "28 Feb, 23 hours"],
		["2026-02-28T10:00:00.000Z", "28 Feb, 1 day"],
		["2026-03-02T10:00:00.000Z", "2 Mar"],
		["soon", "soon"],
		[undefined, undefined],
	])("%s: %s", (since, words) => {
		const now = new Date("2026-03-01T10:00:00Z");
		const moment = (at: string | undefined) => (at === undefined || Number.isNaN(Date.parse(at)) ? at : wallTime(new Date(at), true));
		expect(sinceWords(since, { now, moment })).toBe(words);
	});

	it("by the service's dates and the journal's, for each step; shown with date and days", async () => {
		const { world, id } = await declared(text.replace(/^terms:.*$/m, ""));
		const created = world.clock.now().toISOString();
		world.clock.advance(2 * day);
		const [grace] = world.sandbox.state.related.filter(({ fields }) => fields.firstName === "Grace");
		await world.purser(["related", "update", grace?.id as string, "--position", "Owner"]);
		const link = world.clock.now().toISOString();
		expect((await world.purser(["kyc", "link", grace?.id as string])).exit).toBe(0);
		world.clock.advance(17 * day);
		const items = await itemsOf(world, id);
		const since = Object.fromEntries(items.map((item) => [item.label, item.since]));
		expect(since["Latest terms accepted"]).toBe(created);
		expect(since["Email of Ada Example verified"]).toBe(created);
		expect(since["KYC of Grace Sample (documents)"]).toBe(link);
		expect(since["KYC of Lin Muster (documents)"]).toBe(created);
		expect(since["KYB validated"]).toBe(created);
		const shown = await world.purser(["corporate", "status", id, "--utc"]);
		expect(shown.stdout).toContain("since 1 Mar, 19 days");
		expect((await world.purser(["overview", "--utc"], { columns: 160 })).stdout).toMatch(/Example Layered SAS .* 1 Mar, 19 days/);
	});

	it("without dates of the service only what was done from here is known; from another machine nothing is", async () => {
		const { world, other, id } = await declared(text.replace(/^terms:.*$/m, ""));
		through(world, (_, answer) => answer.replace(/"(creationDate|updateDate)":"[^"]*",?/g, "").replace(/,\}/g, "}"));
		const known = async () => (await itemsOf(world, id)).filter(({ since }) => since !== undefined).map(({ step }) => step);
		expect(new Set(await known())).toEqual(new Set(["related", "kyc"]));
		other();
		expect(await known()).toEqual([]);
	});

	it("terms that were accepted once and are new now wait since an unknown day", async () => {
		const { world, id } = await declared();
		await world.purser(["sandbox", "simulate", "terms", "--version", "2.0"]);
		expect((await itemsOf(world, id)).find(({ step }) => step === "terms")).toMatchObject({ state: "to do" });
		expect((await itemsOf(world, id)).find(({ step }) => step === "terms")?.since).toBeUndefined();
	});
});
