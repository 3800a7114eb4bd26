import { spawn } from "@lydell/node-pty";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import type { Reply, Stage } from "../support/counting-peer.js";
import { copyOfProgram, faultyProgram, type Program, plantedName, type Running } from "../support/driver.js";
import { campaign, countedDesk, mixedReply, payment } from "../support/driver-campaign.js";
import { isDoubt, journalled } from "../support/driver-record.js";
import { seedOfRun } from "../support/seed.js";

const payments = Number(process.env.PURSER_TEST_SIGNALS ?? 16);
const random = new Random(seedOfRun("signals"));
let program: Program;

beforeAll(async () => {
	program = await copyOfProgram();
});
afterAll(() => program?.remove());

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

const reply = (random: Random): Reply => (random.often(0.03) ? { kind: "hang" } : mixedReply(random));

test(`${payments} payments with Ctrl-C, TERM, HUP or a closed stdout at any moment`, async () => {
	const run = await campaign({
		program,
		random,
		payments,
		lanes: 4,
		reply,
		disturb: (running, random) => {
			const name = random.pick(Object.keys(disturbances));
			disturbances[name]?.[0](running);
			return name;
		},
	});
	const { found, rows } = await run.check();
	const states = new Map(rows.map(({ key, state }) => [key, state]));
	const tally = new Map<string, number>();
	for (const { disturbed = "calm", ended, key } of run.paid) {
		const name = `${disturbed}: ${ended.code} ${states.get(key)}`;
		tally.set(name, (tally.get(name) ?? 0) + 1);
	}
	process.stdout.write(
		`signals: ${[...tally]
			.sort()
			.map(([name, count]) => `${name} ×${count}`)
			.join(", ")}\n`,
	);
	expect(found).toEqual([]);
	// Nothing in doubt and nothing sent: the code is that of the signal, or the run had ended before it.
	const odd = run.paid.filter(({ disturbed, ended, key }) => {
		const own: readonly unknown[] = disturbances[disturbed ?? ""]?.[1] ?? [];
		return ["planned", "not-sent"].includes(states.get(key) ?? "") && !own.includes(ended.code);
	});
	expect(odd.map(({ disturbed, ended }) => [disturbed, ended])).toEqual([]);
	await run.remove();
});

/** Pays at a terminal that is closed when the service saw the stage. */
async function hungUp(by: Program, stage: Stage) {
	const { desk, peer, url } = await countedDesk(by, { random, slowest: 150, personal: plantedName });
	const { argv, key } = payment("terminal", "10");
	const pty = spawn(process.execPath, [by.script, ...argv], { cols: 100, rows: 40, env: desk.env });
	const exit = new Promise<{ exitCode: number; signal?: number }>((resolve) => pty.onExit(resolve));
	peer.when(url, stage, () => (pty as unknown as { destroy(): void }).destroy());
	await exit;
	const { intents, faults } = await journalled(desk.state);
	const doubts = intents.filter(isDoubt);
	const made = peer.created.get(key) ?? [];
	return { intents, doubts, faults, made };
}

test.each(["head", "body", "answered"] as const)(
	"a terminal that is closed when the service saw the %s: recorded all the same",
	async (stage) => {
		const { intents, doubts, faults, made } = await hungUp(program, stage);
		expect(faults).toEqual([]);
		expect(doubts).toEqual([]);
		expect(intents.map(({ state, id }) => [state, id])).toEqual(made.length === 1 ? [["accepted", made[0]]] : [["not-sent", undefined]]);
	},
);

test.each(["SIGINT", "SIGHUP"] as const)("%s while no answer comes: waits three seconds, then 7 and the doubt", async (signal) => {
	const { desk, peer, url } = await countedDesk(program, { random, reply: () => ({ kind: "hang" }) });
	const run = desk.start(payment("hang", "10.10").argv);
	peer.when(url, "answered", () => run.signal(signal));
	const { code, stdout, stderr } = await run.ended;
	const doubts = (await journalled(desk.state)).intents.filter(isDoubt);
	expect([code, stdout]).toEqual([7, ""]);
	expect(JSON.parse(stderr)).toMatchObject({ error: { kind: "unknown", moneyMayHaveMoved: true, intent: doubts[0]?.intent } });
	expect(doubts).toHaveLength(1);
});

test("a second Ctrl-C while no answer comes ends it at once: 7, and the doubt is named", async () => {
	const { desk, peer, url } = await countedDesk(program, { random, reply: () => ({ kind: "hang" }) });
	const run = desk.start(payment("hang", "10.10").argv);
	peer.when(url, "answered", () => {
		// Signals of one kind that wait for a busy process are one: the second is sent until it has come.
		const sending = setInterval(() => run.signal("SIGINT"), 200);
		run.signal("SIGINT");
		void run.ended.then(() => clearInterval(sending));
	});
	const { code, stdout, stderr } = await run.ended;
	const doubts = (await journalled(desk.state)).intents.filter(isDoubt);
	expect(doubts).toHaveLength(1);
	expect([code, stdout]).toEqual([7, ""]);
	expect(JSON.parse(stderr)).toMatchObject({
		error: { code: "CUT_OFF", kind: "unknown", exit: 7, moneyMayHaveMoved: true, intent: doubts[0]?.intent },
	});
});

/** The control of a hang-up: nobody hears it, or it ends the program at once. */
async function leavesDoubt(faulty: Program): Promise<void> {
	const { intents, doubts } = await hungUp(faulty, "body");
	expect([intents.map(({ state }) => state), doubts.length]).toEqual([["in-doubt"], 1]);
}

async function isCaught(faulty: Program, act: string): Promise<boolean> {
	const random = new Random(7);
	// A moment in which nothing is on its way shows nothing: the first eight payments that show it are enough.
	for (let round = 0; round < 10; round += 1) {
		const run = await campaign({
			program: faulty,
			random,
			payments: 8,
			lanes: 4,
			reply: () => ({ kind: "created" }),
			disturb: (running) => {
				disturbances[act]?.[0](running);
				return act;
			},
		});
		const { found } = await run.check();
		await run.remove();
		if (found.some((one) => /^[79]:/.test(one))) return true;
	}
	return false;
}

test.each<[string, string, string, (faulty: Program) => Promise<void>]>([
	["does not listen for a hang-up", ", SIGHUP: 129 } as const", " } as const", leavesDoubt],
	[
		"dies where nobody reads its answer",
		"outputError = code;",
		"process.exit(1);",
		async (faulty) => expect(await isCaught(faulty, "closed stdout")).toBe(true),
	],
	[
		"ends at once at a signal",
		"stop.abort(name);",
		"process.exit(code);",
		async (faulty) => {
			await leavesDoubt(faulty);
			expect(await isCaught(faulty, "TERM")).toBe(true);
		},
	],
])("control: a program that %s is caught", async (_, part, instead, shows) => {
	const faulty = await faultyProgram("src/main.ts", part, instead);
	await shows(faulty);
	await faulty.remove();
});
