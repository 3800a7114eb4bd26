/**
 * Every command about payments and batches, in every state of a batch: what is suggested is typed as it stands, money as a dry run.
 */
import { afterEach, expect, test } from "vitest";
import { answered, type Ran } from "../support/purser.js";
import { type BatchWorld, batchWorld } from "./batch-world.js";
import { payCommands } from "./pay-commands.js";
import { failed, suggestedBy } from "./suggested.js";

const rows = [
	["10.10", "Row 1"],
	["20.20", "Row 2"],
	["30.30", "Row 3"],
] as const;

type Stage = (world: BatchWorld) => Promise<unknown>;

async function done(world: BatchWorld, ...argv: string[]): Promise<Ran> {
	const ran = await world.purser([...argv, "--json"]);
	if (/"error"/.test(ran.stderr)) throw new Error(`${argv.join(" ")}: exit ${ran.exit}\n${ran.stderr}`);
	return ran;
}
const plan: Stage = async (world) => done(world, "pay", "batch", "plan", world.file(rows));
const send: Stage = (world) => done(world, "pay", "batch", "send", "pay.csv.plan.json", "--yes");
/** What is done with the second row; the others reach the sandbox. */
const second =
	(outcome: Parameters<BatchWorld["onTransfer"]>[0]): Stage =>
	async (world) =>
		world.onTransfer((reference, pass) => (reference === "Row 2" ? outcome(reference, pass) : pass()));
const lose = second(async () => ({ kind: "sent", reason: "the connection was closed before an answer came" }));
const loseAfter = second(async (_, pass) => {
	await pass();
	return { kind: "sent", reason: "the connection was closed before an answer came" };
});
const refuse = second(async () => answered(422, JSON.stringify({ status: 422, message: "Not today" })));
const abandon: Stage = (world) => done(world, "pay", "batch", "abandon", "1", "--reason", "not meant", "--yes");
const settleLater: Stage = async (world) => {
	world.clock.advance(25 * 3_600_000);
	await done(world, "pay", "settle", "--batch", "1");
};
const payLedger: Stage = (world) => pay(world, "11");
const pay = (world: BatchWorld, amount: string) =>
	done(world, "pay", "ledger", "--ledger-from-id", world.from, "--ledger-to-id", world.to, "--amount", amount, "--yes");
const losePayment: Stage = async (world) => {
	world.onTransfer(async () => ({ kind: "sent", reason: "the connection was closed before an answer came" }));
	await world.purser(["pay", "ledger", "--ledger-from-id", world.from, "--ledger-to-id", world.to, "--amount", "7", "--yes"]);
};

const states: Readonly<Record<string, readonly Stage[]>> = {
	"nothing yet": [],
	"a payment": [payLedger],
	"a payment in doubt": [losePayment],
	planned: [plan],
	cancelled: [plan, abandon],
	sent: [plan, send],
	"a row in doubt": [plan, lose, send],
	"a row in doubt, looked for a day later": [plan, lose, send, settleLater],
	"a row in doubt, found": [plan, loseAfter, send, settleLater],
	"a row refused": [plan, refuse, send],
	"a row refused, the rest cancelled": [plan, refuse, send, abandon],
};

const withoutBatch = ["nothing yet", "a payment", "a payment in doubt"];

/** What only the person knows. */
const known: Readonly<Record<string, string>> = { TEXT: "Asked the bank", FILE: "pay.csv", PLAN: "pay.csv.plan.json" };
const isMoney = (words: readonly string[]): boolean => /^pay (ledger|beneficiary|batch (send|resume))/.test(words.join(" "));
const changes = (words: readonly string[]): boolean => /^pay (settle|batch (plan|report|abandon|approve|wait))/.test(words.join(" "));

let worlds: BatchWorld[] = [];
afterEach(async () => {
	for (const world of worlds) await world.end();
	worlds = [];
});

async function worldIn(stages: readonly Stage[]): Promise<BatchWorld> {
	const world = await batchWorld();
	worlds.push(world);
	world.file(rows);
	for (const stage of stages) await stage(world);
	return world;
}

async function type(world: BatchWorld, words: readonly string[]): Promise<Ran> {
	const given = words.map((word) => known[word] ?? word);
	if (isMoney(words)) given.push("--dry-run");
	const path = words.slice(0, 2).join(" ");
	if (path === "pay ledger") given.push("--amount", "1", ...(given.includes("--to") ? [] : ["--to", world.to]));
	if (path === "pay beneficiary") given.push("--amount", "1", ...(given.includes("--from") ? [] : ["--from", world.from]));
	return world.purser(given, { columns: 1000 });
}

test("what is suggested about money can be typed, in every state of a payment and a batch", async () => {
	const faults: string[] = [];
	let [commands, suggestions] = [0, 0];
	for (const [state, stages] of Object.entries(states)) {
		const shared = await worldIn(stages);
		const seen = new Set<string>();
		for (const words of payCommands(!withoutBatch.includes(state))) {
			commands += 1;
			const world = changes(words) ? await worldIn(stages) : shared;
			const first = await type(world, words);
			for (const next of unseen(seen, words, first)) {
				suggestions += 1;
				const ran = await type(changes(next) ? await afterwards(stages, words) : world, next);
				if (failed(ran)) faults.push(`${state}: ${words.join(" ")} → ${next.join(" ")}\n  ${ran.stderr.replaceAll("\n", "\n  ")}`);
			}
		}
	}
	process.stdout.write(`${Object.keys(states).length} states, ${commands} commands in them, ${suggestions} suggestions typed\n`);
	expect(faults.join("\n\n")).toBe("");
	expect(commands).toBeGreaterThanOrEqual(150);
	expect(suggestions).toBeGreaterThanOrEqual(72);
}, 600_000);

/** What a run suggests, on either stream, and was not yet typed where the state was the same. */
function unseen(seen: Set<string>, words: readonly string[], ran: Ran): string[][] {
	return [...suggestedBy(ran), ...suggestedBy({ ...ran, stderr: ran.stdout })].filter((next) => {
		const key = [changes(words) ? words.join(" ") : "", next.join(" ")].join("\n");
		return !seen.has(key) && seen.add(key);
	});
}

/** The state after a command that changes something, made anew. */
async function afterwards(stages: readonly Stage[], words: readonly string[]): Promise<BatchWorld> {
	const world = await worldIn(stages);
	if (changes(words)) await type(world, words);
	return world;
}
