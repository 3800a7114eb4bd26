/**
 * Batches that are killed while some answers are lost and others carry the ids of those: all that were made are found but those.
 */
import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { batchCampaign } from "../support/batch-campaign.js";
import type { Reply } from "../support/counting-peer.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun } from "../support/seed.js";

const kills = Number(process.env.PURSER_TEST_MIXED_KILLS ?? 4);
const seed = seedOfRun("batch-mixed");
const programs = programsOfFile();

/** Of 100 answers, 5 are lost and 5 carry the id of a lost one. */
function mixed(random: Random): Reply {
	if (random.often(0.05)) return { kind: "reset" };
	return random.often(0.05) ? { kind: "another's id" } : { kind: "created" };
}

/** What is accepted under an id that is another's. */
const isMisnamed = (one: string): boolean => one.includes("which the service does not know");

test(`${kills} SIGKILLs in a batch with answers that bear others' ids: all that were made are found, but for the owners of those ids`, async () => {
	const options = { rows: 100 * kills, kills, within: 0, arrivals: 60, reply: mixed, settle: true };
	const ran = await batchCampaign({ program: programs.built, random: new Random(seed), ...options });
	expect(ran.found.filter((one) => !isMisnamed(one))).toEqual([]);
	expect(ran.owners).toBe(ran.found.filter(isMisnamed).length);
	expect(ran.kills).toBe(kills);
});

test("control: where nobody settles, more of what was made stays in doubt", async () => {
	const options = { rows: 100, kills: 1, within: 0, arrivals: 60, reply: mixed };
	const ran = await batchCampaign({ program: programs.built, random: new Random(seed), ...options });
	expect(ran.owners).toBeGreaterThan(ran.found.filter(isMisnamed).length);
});
