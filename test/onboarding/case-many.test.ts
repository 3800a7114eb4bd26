/**
 * Many companies, a file for each: planned, applied to VALIDATED, and everything once more without a change.
 */
import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import { removeFolders } from "../journal/journals.js";
import { despite } from "../support/gates.js";
import { makeWorld } from "../support/purser.js";
import { put } from "./case-world.js";

afterAll(removeFolders);

/** More than a page of a list has. */
const count = 101;
const all = ["--send-email-link", "--request-kyb", "--kyc-links", ...despite("review-not-seen")];

it(`${count} companies become VALIDATED, and a second time nothing changes`, { timeout: 600_000 }, async () => {
	const world = await makeWorld();
	const before = world.sandbox.state.corporates.length;
	const sole = readFileSync(new URL("../cases/sole-owner.yaml", import.meta.url), "utf8");
	const named = (at: number): string =>
		sole.replace(/externalId: .*/, `externalId: many-${at}`).replace(/corporateName: .*/, `corporateName: Many ${at} SARL`);
	const files = Array.from({ length: count }, (_, at) => `many-${at}.yaml`);
	for (const [at, file] of files.entries()) put(world, file, named(at));

	const planned = await world.purser(["onboard", "plan", ...files, "--json"]);
	expect(planned.exit, planned.stderr).toBe(0);
	expect(planned.json().cases).toHaveLength(count);
	const apply = () => world.purser(["onboard", "apply", ...files, ...all, "--yes", "--confirmed-by", "operator", "--json"]);
	const applied = (await apply()).json().cases as { state: string }[];
	expect(applied.filter(({ state }) => state !== "applied")).toEqual([]);
	for (const { id } of world.sandbox.state.related.filter(({ kyc }) => kyc.status === "CREATED" && kyc.id !== undefined))
		expect((await world.purser(["sandbox", "simulate", "kyc", id])).exit).toBe(0);
	world.clock.advance(86_400_000);
	const listed = await world.purser(["corporate", "list", "--kyb-status", "VALIDATED", "--limit", "500", "--json"]);
	expect((listed.json() as { externalId?: string }[]).filter(({ externalId }) => externalId?.startsWith("many-"))).toHaveLength(count);
	expect(world.sandbox.state.corporates).toHaveLength(before + count);

	world.requests.length = 0;
	const second = await apply();
	expect(second.exit, second.stderr.slice(-2000)).toBe(0);
	expect(world.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});
