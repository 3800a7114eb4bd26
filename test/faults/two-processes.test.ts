import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { keyOf, type PeerOptions } from "../support/counting-peer.js";
import { type Ended, faultyProgram, recordOf } from "../support/driver.js";
import { countedDesk, payment } from "../support/driver-campaign.js";
import { journalled } from "../support/driver-record.js";
import { seedOfRun } from "../support/seed.js";

const random = new Random(seedOfRun("two processes"));

/** So many that pay the same within some milliseconds, on a journal that is not there yet, so that they also race to make it. */
async function atOnce(count: number, within: number, options: PeerOptions, program?: string) {
	const { argv, key } = payment("same", "10.10");
	const { peer, desk } = await countedDesk({ random, ...options }, program);
	const starts = Array.from({ length: count }, async () => {
		await new Promise((resolve) => setTimeout(resolve, random.fraction() * within));
		return desk.start(argv).ended;
	});
	return { key, peer, desk, ended: await Promise.all(starts) };
}

const codeOf = ({ stderr }: Ended): string => (JSON.parse(stderr) as { error: { code: string } }).error.code;

test.each([2, 8])("%i processes that pay the same within 50 ms: one is sent, the others exit 10", async (count) => {
	const { key, peer, desk, ended } = await atOnce(count, 50, { slowest: 150 });
	expect(ended.map(({ code }) => code).sort((one, other) => Number(one) - Number(other))).toEqual([0, ...Array(count - 1).fill(10)]);
	const refused = ended.filter(({ code }) => code === 10).map(codeOf);
	expect(refused.filter((code) => code !== "ALREADY_SENDING" && code !== "DUPLICATE")).toEqual([]);
	const { intents, faults } = await journalled(desk.state);
	const recorded = intents.map(({ state, id }) => [state, id]);
	expect([peer.arrived, recorded, faults]).toEqual([[key], [["accepted", peer.created.get(key)?.[0]]], []]);
});

test("control: where the journal lets through what is being sent, the same is paid more than once", async () => {
	const faulty = await faultyProgram(
		"src/payments/rules/rules.ts",
		"if (sending) throw alreadySending(sending.intent, intent);",
		"if (sending) return;",
	);
	const { peer, key } = await atOnce(4, 0, { slowest: 20, together: 2 }, faulty);
	expect(peer.arrived.filter((one) => one === key).length).toBeGreaterThan(1);
});

test("a process that is killed while it sends holds nobody up: the next is told of the doubt, others are sent", async () => {
	const reply: PeerOptions["reply"] = (key) => ({ kind: key.endsWith("|first") ? "hang" : "created" });
	const { peer, desk, url } = await countedDesk({ random, reply });
	const first = payment("first", "10.10");
	const run = desk.start(first.argv);
	peer.when(url, "answered", () => run.kill());
	await new Promise<void>((resolve) => peer.when(url, "body", resolve));
	const [killed, same, other] = await Promise.all([
		run.ended,
		run.ended.then(() => desk.start(first.argv).ended),
		desk.start(payment("other", "10.10").argv).ended,
	]);
	expect([killed.code, same.code, codeOf(same), other.code]).toEqual(["killed", 10, "OPEN_DOUBT", 0]);
	const { doubts } = await recordOf(desk);
	expect([doubts.map(({ transfer }) => keyOf(transfer)), peer.arrived.length]).toEqual([[first.key], 2]);
});
