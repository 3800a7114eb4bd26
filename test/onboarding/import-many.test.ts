/**
 * A spreadsheet of many companies: imported, planned, applied to VALIDATED, and everything once more without a change.
 */
import { afterAll, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { despite } from "../support/gates.js";
import { makeWorld } from "../support/purser.js";
import { seedOfRun } from "../support/seed.js";
import { put } from "./case-world.js";
import { companiesSheet, dialects, sheetText } from "./companies-sheet.js";

afterAll(removeFolders);

/** More than a page of a list has. */
const count = 101;
const dialect = Object.values(dialects);
const all = ["--send-email-link", "--request-kyb", "--kyc-links", ...despite("review-not-seen", "owner-missing")];

it(`${count} companies of a spreadsheet become VALIDATED, and a second time nothing changes`, { timeout: 600_000 }, async () => {
	const seed = seedOfRun("companies of a spreadsheet");
	const world = await makeWorld();
	const before = world.sandbox.state.corporates.length;
	const sheet = companiesSheet(count, seed, 0.15);
	put(world, "companies.csv", sheetText(sheet, dialect[seed % dialect.length] as (typeof dialect)[number]));

	const imported = await world.purser(["onboard", "import", "companies.csv", "--json"]);
	expect(imported.exit, imported.stderr).toBe(0);
	const files = imported.json().cases.map(({ path }: { path: string }) => path) as string[];
	expect(files).toHaveLength(count);

	const planned = await world.purser(["onboard", "plan", ...files, "--json"]);
	expect(planned.exit, planned.stderr).toBe(0);
	const plans = planned.json().cases as { summary: { create: number; update: number } }[];
	expect(plans.every(({ summary }) => summary.create >= 2 && summary.update <= 1)).toBe(true);

	const applied = await world.purser(["onboard", "apply", ...files, ...all, "--yes", "--confirmed-by", "operator", "--json"]);
	const undone = applied.json().cases.filter(({ state }: { state: string }) => state !== "applied");
	expect(undone).toEqual([]);
	for (const { id, kyc } of world.sandbox.state.related.filter((one) => one.kyc.status === "CREATED" && one.kyc.id !== undefined)) {
		const { status } = await world.sandbox.handle({
			method: "POST",
			target: "/_sandbox/control/kyc",
			headers: { "content-type": "application/json" },
			body: new TextEncoder().encode(JSON.stringify({ relatedId: id, outcome: "VALIDATED" })),
		});
		expect(status, kyc.status).toBe(200);
	}
	world.clock.advance(86_400_000);
	const listed = await world.purser(["corporate", "list", "--kyb-status", "VALIDATED", "--limit", "500", "--json"]);
	const ours = (listed.json() as { externalId?: string }[]).filter(({ externalId }) => externalId?.startsWith("crm-"));
	expect(ours).toHaveLength(count);
	expect(world.sandbox.state.corporates).toHaveLength(before + count);
	expect(world.sandbox.state.related.length).toBeGreaterThanOrEqual(sheet.rows.length);

	world.requests.length = 0;
	const again = await world.purser(["onboard", "import", "companies.csv", "--json"]);
	expect(again.exit, again.stderr).toBe(0);
	expect(again.json().cases.every(({ state }: { state: string }) => state === "left alone")).toBe(true);
	const second = await world.purser(["onboard", "apply", ...files, ...all, "--yes", "--confirmed-by", "operator", "--json"]);
	expect(second.exit, second.stderr.slice(-2000)).toBe(0);
	expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
	expect(JSON.stringify(world.sandbox.state.corporates)).not.toMatch(/Operator|second line/);
});
