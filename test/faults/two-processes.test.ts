import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { type CountingPeer, keyOf } from "../support/counting-peer.js";
import { type Desk, type Ended, faultyProgram, recordOf } from "../support/driver.js";
import { countedDesk, payment } from "../support/driver-campaign.js";
import { journalled } from "../support/driver-record.js";
import { seedOfRun } from "../support/seed.js";

const random = new Random(seedOfRun("two processes"));
let peer: CountingPeer;
let desk: Desk;

interface Race {
	/** Milliseconds over which they start. */
	within: number;
	/** Most milliseconds before an answer. */
	slowest: number;
	/** No answer before this many have arrived. */
	together?: number;
	by?: string;
}

/** Starts them on a journal that is not there yet, so that they also race to make it. */
async function atOnce(argvs: readonly (readonly string[])[], { within, slowest, together, by }: Race): Promise<Ended[]> {
	({ peer, desk } = await countedDesk({ random, slowest, together }, by));
	const starts = argvs.map(async (argv) => {
		await new Promise((resolve) => setTimeout(resolve, random.fraction() * within));
		return desk.start(argv).ended;
	});
	return Promise.all(starts);
}

const afterwards = async (): Promise<{ arrived: string[]; states: string[]; ids: (string | undefined)[]; faults: readonly string[] }> => {
	const { intents, faults } = await journalled(desk.state);
	return { arrived: peer.arrived, states: intents.map(({ state }) => state), ids: intents.map(({ id }) => id), faults };
};

const codeOf = ({ stderr }: Ended): string => (JSON.parse(stderr) as { error: { code: string } }).error.code;

test.each([2, 8])("%i processes that pay the same within 50 ms: one is sent, the others exit 10", async (count) => {
	const { argv, key } = payment("same", "10.10");
	const ended = await atOnce(Array(count).fill(argv), { within: 50, slowest: 150 });
	const [made] = peer.created.get(key) ?? [];
	const seen = await afterwards();
	expect(ended.map(({ code }) => code).sort((one, other) => Number(one) - Number(other))).toEqual([0, ...Array(count - 1).fill(10)]);
	expect(new Set(ended.filter(({ code }) => code === 10).map(codeOf))).toSatisfy((codes: Set<string>) =>
		[...codes].every((code) => code === "ALREADY_SENDING" || code === "DUPLICATE"),
	);
	expect(seen).toEqual({ arrived: [key], states: ["accepted"], ids: [made], faults: [] });
});

test("control: where the journal lets through what is being sent, the same is paid more than once", async () => {
	const faulty = await faultyProgram(
		"src/payments/rules/rules.ts",
		"if (sending) throw alreadySending(sending.intent, intent);",
		"if (sending) return;",
	);
	const { argv, key } = payment("same", "10.10");
	await atOnce(Array(4).fill(argv), { within: 0, slowest: 20, together: 2, by: faulty });
	const { arrived } = await afterwards();
	expect(arrived.filter((one) => one === key).length).toBeGreaterThan(1);
});

test("a process that is killed while it sends holds nobody up: the next is told of the doubt, others are sent", async () => {
	({ peer, desk } = await countedDesk({ random, reply: (key) => ({ kind: key.endsWith("|first") ? "hang" : "created" }) }));
	const [url = ""] = peer.urls;
	const first = payment("first", "10.10");
	const run = desk.start(first.argv);
	peer.when(url, "answered", () => run.kill());
	const waiting = new Promise((resolve) => peer.when(url, "body", () => resolve(undefined)));
	await waiting;
	const [killed, same, other] = await Promise.all([
		run.ended,
		run.ended.then(() => desk.start(first.argv).ended),
		desk.start(payment("other", "10.10").argv).ended,
	]);
	expect([killed.code, same.code, other.code]).toEqual(["killed", 10, 0]);
	expect(codeOf(same)).toBe("OPEN_DOUBT");
	const { doubts } = await recordOf(desk);
	expect(doubts.map(({ transfer }) => keyOf(transfer))).toEqual([first.key]);
	const { arrived } = await afterwards();
	expect(arrived).toHaveLength(2);
});
