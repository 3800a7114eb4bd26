import { spawn } from "@lydell/node-pty";
import { expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { script } from "../support/built.js";
import type { Reply, Stage } from "../support/counting-peer.js";
import { faultyProgram, plantedName, type Running } from "../support/driver.js";
import { campaign, countedDesk, mixedReply, payment, planned, rowsBetweenLedgers } from "../support/driver-campaign.js";
import { isDoubt, journalled } from "../support/driver-record.js";
import { seedOfRun } from "../support/seed.js";

const payments = Number(process.env.PURSER_TEST_SIGNALS ?? 16);
const random = new Random(seedOfRun("signals"));

/**
 * Each with the exit codes of a run that ends because of it and has nothing in doubt. The table of exit codes names Ctrl-C and
 * TERM only: a hang-up ends with 129 whether or not anybody listens yet.
 */
const disturbances: Readonly<Record<string, readonly [act: (run: Running) => void, codes: readonly number[]]>> = {
	"Ctrl-C": [(run) => run.signal("SIGINT"), [130]],
	TERM: [(run) => run.signal("SIGTERM"), [143]],
	HUP: [(run) => run.signal("SIGHUP"), [129]],
	"closed stdout": [(run) => run.closeStdout(), []],
};

const disturb = (run: Running, name: string): string => {
	disturbances[name]?.[0](run);
	return name;
};

test(`${payments} payments with Ctrl-C, TERM, HUP or a closed stdout at any moment`, async () => {
	const run = await campaign({
		random,
		payments,
		reply: (random): Reply => (random.often(0.03) ? { kind: "hang" } : mixedReply(random)),
		disturb: (running, random) => disturb(running, random.pick(Object.keys(disturbances))),
	});
	const { found, rows } = await run.check();
	const states = new Map(rows.map(({ key, state }) => [key, state]));
	process.stdout.write(
		`signals: ${run.paid.map(({ disturbed = "calm", ended, key }) => `${disturbed}: ${ended.code} ${states.get(key)}`).sort()}\n`,
	);
	expect(found).toEqual([]);
	// Nothing in doubt and nothing sent: the code is that of the signal, or the run had ended before it.
	const odd = run.paid.filter(({ disturbed, ended, key }) => {
		const own: readonly unknown[] = disturbances[disturbed ?? ""]?.[1] ?? [];
		return ["planned", "not-sent"].includes(states.get(key) ?? "") && !own.includes(ended.code);
	});
	expect(odd.map(({ disturbed, ended }) => [disturbed, ended])).toEqual([]);
});

/** Pays at a terminal that is closed when the service saw the stage. */
async function hungUp(stage: Stage, program = script) {
	const { desk, peer, url } = await countedDesk({ random, slowest: 150, personal: plantedName }, program);
	const { argv, key } = payment("terminal", "10");
	const pty = spawn(process.execPath, [program, ...argv], { cols: 100, rows: 40, env: desk.env });
	const exit = new Promise((resolve) => pty.onExit(resolve));
	peer.when(url, stage, () => (pty as unknown as { destroy(): void }).destroy());
	await exit;
	const { intents, faults } = await journalled(desk.state);
	return { ended: intents.map(({ state, id }) => [state, id]), faults, made: peer.created.get(key) ?? [] };
}

test.each(["head", "body", "answered"] as const)(
	"a terminal that is closed when the service saw the %s: recorded all the same",
	async (stage) => {
		const { ended, faults, made } = await hungUp(stage);
		expect([ended, faults]).toEqual([made.length === 1 ? [["accepted", made[0]]] : [["not-sent", undefined]], []]);
	},
);

test.each<[string, NodeJS.Signals, boolean]>([
	["SIGINT while no answer comes: waits three seconds", "SIGINT", false],
	["SIGHUP while no answer comes: waits three seconds", "SIGHUP", false],
	["a second Ctrl-C while no answer comes ends it at once", "SIGINT", true],
])("%s; then 7 and the doubt", async (_, signal, isTwice) => {
	const { desk, peer, url } = await countedDesk({ random, reply: () => ({ kind: "hang" }) });
	const run = desk.start(payment("hang", "10.10").argv);
	peer.when(url, "answered", () => {
		run.signal(signal);
		// Signals of one kind that wait for a busy process are one: the second is sent until it has come.
		const sending = isTwice ? setInterval(() => run.signal(signal), 200) : undefined;
		void run.ended.then(() => clearInterval(sending));
	});
	const { code, stdout, stderr } = await run.ended;
	const doubts = (await journalled(desk.state)).intents.filter(isDoubt);
	expect([code, stdout, doubts.length]).toEqual([7, "", 1]);
	const { error } = JSON.parse(stderr);
	expect(error).toMatchObject({ kind: "unknown", exit: 7, moneyMayHaveMoved: true, intent: doubts[0]?.intent });
	expect(error.code === "CUT_OFF").toBe(isTwice);
});

test("a second Ctrl-C within a batch ends it at once, and the thread that records it between two of its calls", async () => {
	const { desk, peer, url } = await countedDesk({ random, slowest: 1 });
	const codes = new Set<unknown>();
	for (let round = 1; round <= 8; round += 1) {
		const plan = await planned(desk, rowsBetweenLedgers(1_000, `${round}`).text);
		const run = desk.start(["pay", "batch", "send", plan, "--yes", "--json"]);
		const [after, between] = [random.below(100), random.below(20)];
		peer.when(url, "answered", () => {
			setTimeout(() => run.signal("SIGINT"), after);
			setTimeout(() => run.signal("SIGINT"), after + between);
		});
		const { code, stderr } = await run.ended;
		expect(stderr).not.toContain("panicked");
		codes.add(code);
	}
	expect([...codes].filter((code) => code !== 130 && code !== 7)).toEqual([]);
	expect((await journalled(desk.state)).faults).toEqual([]);
});

/** The control of a hang-up: nobody hears it, or it ends the program at once. */
const leavesDoubt = async (program: string): Promise<boolean> => (await hungUp("body", program)).ended.join() === "in-doubt,";

async function isCaught(program: string, act: string): Promise<boolean> {
	const random = new Random(7);
	// A moment in which nothing is on its way shows nothing: the first eight payments that show it are enough.
	for (let round = 0; round < 10; round += 1) {
		const run = await campaign({
			program,
			random,
			payments: 8,
			reply: () => ({ kind: "created" }),
			disturb: (running) => disturb(running, act),
		});
		if ((await run.check()).found.some((one) => /^[79]:/.test(one))) return true;
	}
	return false;
}

test.each<[string, string, string, (program: string) => Promise<boolean>]>([
	["does not listen for a hang-up", ", SIGHUP: 129 } as const", " } as const", leavesDoubt],
	["dies where nobody reads its answer", "outputError = code;", "process.exit(1);", (program) => isCaught(program, "closed stdout")],
	[
		"ends at once at a signal",
		"stop.abort(name);",
		"process.exit(code);",
		async (program) => (await leavesDoubt(program)) && isCaught(program, "TERM"),
	],
])("control: a program that %s is caught", async (_, part, instead, shows) => {
	expect(await shows(await faultyProgram("src/main.ts", part, instead))).toBe(true);
});
