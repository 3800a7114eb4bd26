/**
 * Batches that are killed while some answers are lost and others carry the ids of those: no payment that was made stays in doubt.
 */
import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { batchCampaign } from "../support/batch-campaign.js";
import type { Reply } from "../support/counting-peer.js";
import { faultyProgram } from "../support/driver.js";
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

test(`${kills} SIGKILLs in a batch with answers that bear others' ids: each owner is found, and each id is its payment's`, async () => {
	const options = { rows: 100 * kills, kills, within: 0, arrivals: 60, reply: mixed, settle: true };
	const ran = await batchCampaign({ program: programs.built, random: new Random(seed), ...options });
	expect(ran.found).toEqual([]);
	expect(ran.owners).toBe(0);
	expect(ran.kills).toBe(kills);
});

test("control: where nobody looks whose a transaction is, owners stay in doubt under others' ids", async () => {
	const [part, instead] = ["if (fields.length === 0) return undefined;", "if (fields.length >= 0) return undefined;"];
	const faulty = await faultyProgram("src/payments/settlement/matching/difference.ts", part, instead);
	programs.keep(faulty);
	let row = 0;
	const reply = (): Reply => {
		row += 1;
		if (row <= 5) return { kind: "reset" };
		return row > 90 ? { kind: "another's id" } : { kind: "created" };
	};
	const options = { rows: 100, kills: 0, within: 0, reply, settle: true };
	const ran = await batchCampaign({ program: faulty, random: new Random(seed), ...options });
	expect(ran.owners).toBeGreaterThan(0);
	expect(ran.found.some((one) => one.includes("which the service does not know"))).toBe(true);
});
