import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { batchCampaign } from "../support/batch-campaign.js";
import type { Reply } from "../support/counting-peer.js";
import { faultyProgram } from "../support/driver.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun } from "../support/seed.js";

const seed = seedOfRun("attempts");
const programs = programsOfFile();

const redirects = [301, 302, 303, 307, 308] as const;
const refusals = [400, 405, 406, 411, 413, 414, 415, 422, 428, 431] as const;
const doubtful = [300, 304, 408, 409, 418, 451, 500, 501, 502, 504, 599] as const;

/** Half of the answers are correct; each of the others is one of all the faults of a service or a wire. */
function anyReply(random: Random): Reply {
	if (random.often(0.6)) return { kind: "created" };
	const odd: readonly Reply[] = [
		...redirects.flatMap((status): Reply[] => [
			{ kind: "redirect", status, elsewhere: false },
			{ kind: "redirect", status, elsewhere: true },
		]),
		...refusals.map((status): Reply => ({ kind: "refused", status })),
		...doubtful.map((status): Reply => ({ kind: "status", status })),
		{ kind: "waiting" },
		{ kind: "no id" },
		{ kind: "same id" },
		{ kind: "reset" },
		{ kind: "cut" },
	];
	return random.pick(odd);
}

test(`1,000 attempts of both kinds on Node ${process.versions.node}, every fault of a service and a wire: requests seen are attempts, and the invariants hold`, async () => {
	const ran = await batchCampaign({ program: programs.built, random: new Random(seed), rows: 1_000, kills: 0, within: 0, reply: anyReply });
	expect(ran.found).toEqual([]);
	expect(ran.arrived).toBe(1_000);
	expect(ran.record.intents.reduce((sum, { attempt }) => sum + attempt, 0)).toBeGreaterThanOrEqual(1_000);
	const count = (state: string): number => ran.record.intents.filter((one) => one.state === state).length;
	process.stdout.write(
		`attempts: ${ran.arrived} requests in ${ran.ended.length} runs; ${count("accepted")} accepted, ${count("refused")} refused, ${count("in-doubt")} in doubt\n`,
	);
	expect(count("in-doubt")).toBeGreaterThan(150);
	expect(count("refused")).toBeGreaterThan(50);
});

test("control: a 5xx that is taken for a refusal is caught", async () => {
	const faulty = await faultyProgram("src/http/classify.ts", "if (refuses) return", "if (refuses || status >= 500) return");
	programs.keep(faulty);
	const { found } = await batchCampaign({ program: faulty, random: new Random(seed), rows: 300, kills: 0, within: 0, reply: anyReply });
	expect(found.filter((one) => one.startsWith("4:")).length).toBeGreaterThan(0);
});
