/**
 * A batch sent by real processes that are killed at any moment and started again, against a peer that counts and does not always answer;
 * then the ten invariants are checked.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Random } from "../payments/simulation/random.js";
import { type CountingPeer, keyOf, type Reply, startCountingPeer } from "./counting-peer.js";
import { type Desk, type Ended, newDesk, type OnRecord, type Program, plantedName, recordOf } from "./driver.js";
import { from, leaveDoubt, mixedReply, payees, rowsOn, violationsOf } from "./driver-campaign.js";
import { centsOf } from "./invariants.js";

const [to, payee] = [payees.ledger.id, payees.beneficiary.id];

/** Rows that a crash may leave in doubt. */
const open = 96;

export interface BatchCampaignOptions {
	program: Program;
	random: Random;
	rows: number;
	/** Maximum number of kills. */
	kills: number;
	/** Milliseconds after which a run is killed: from 0 up to this, after the peer saw its first payment or after its start. */
	within: number;
	/** A run is killed by what it sent and not by time: at a payment from its first up to this one. */
	arrivals?: number;
	/** What the service does with a row; {@link faultyReply} by default. */
	reply?: (random: Random) => Reply;
	/** Settling, the control and the account of the batch run all the while beside it, on the same journal. */
	beside?: boolean;
	/** In the end the doubts are settled by the service's list, and what was accepted is followed. */
	settle?: boolean;
}

export interface BatchCampaign {
	kills: number;
	/** What each process ended with. */
	ended: Ended[];
	record: OnRecord;
	found: string[];
	arrived: number;
	/** Rows in doubt at the end although the service created them. */
	owners: number;
}

/** About 3 of 100 replies are wrong or do not come. */
const faultyReply = (random: Random): Reply => (random.often(0.15) ? mixedReply(random) : { kind: "created" });

/** The rows of a file: both kinds, with decimals and without. */
function fileOf(random: Random, rows: number): { text: string; keys: string[]; cents: bigint } {
	const lines = ["ledgerFromId,ledgerToId,beneficiaryId,amount,currency,reference"];
	const keys: string[] = [];
	let cents = 0n;
	for (let row = 1; row <= rows; row++) {
		const amount = `${1 + random.below(999)}${random.often(0.5) ? `.${10 + random.below(90)}` : ""}`;
		const ledger = random.often(0.5);
		lines.push([from, ledger ? to : "", ledger ? "" : payee, amount, "EUR", `Row ${row}`].join(","));
		keys.push(keyOf({ ledgerFromId: from, counterpartyId: ledger ? to : payee, amount, reference: `Row ${row}` }));
		cents += centsOf(amount);
	}
	return { text: `${lines.join("\n")}\n`, keys, cents };
}

export async function batchCampaign(options: BatchCampaignOptions): Promise<BatchCampaign> {
	const { random, program } = options;
	const { text, keys, cents } = fileOf(random, options.rows);
	const replies = new Map(keys.map((key) => [key, (options.reply ?? faultyReply)(random)]));
	const reply = (key: string): Reply => replies.get(key) ?? { kind: "created" };
	const peer = await startCountingPeer({ random, reply, slowest: 8, personal: plantedName, keep: true, doors: 2, lists: options.settle });
	const url = peer.urls[0] as string;
	const desk = await newDesk(program, url);
	try {
		const file = join(desk.folder, "pay.csv");
		await writeFile(file, text);
		await desk.look(["pay", "batch", "plan", file]);
		const stop = options.beside ? others(desk) : async () => [];
		const { kills, ended } = await killAndGoOn(desk, peer, `${file}.plan.json`, options);
		const wrong = await stop();
		if (options.settle) ended.push(await settledOf(desk));
		const record = await recordOf(desk);
		const owners = record.intents.filter(({ state, transfer }) => state === "in-doubt" && peer.created.has(keyOf(transfer))).length;
		const found = [...wrong, ...check(peer, record, { keys, cents, kills, ended, replies })];
		return { kills, ended, record, found, arrived: peer.arrived.length, owners };
	} finally {
		await peer.stop();
		await desk.remove();
	}
}

/** Runs what others do beside a batch, in turn, until it is told to end. @returns how to end it: gives what none of them may have ended with */
function others(desk: Desk): () => Promise<string[]> {
	const lines = [
		["pay", "settle"],
		["pay", "reconcile"],
		["pay", "batch", "status", "1"],
		["pay", "doubts"],
	];
	const wrong: string[] = [];
	let over = false;
	const turns = (async () => {
		for (let turn = 0; !over; turn += 1) {
			const argv = lines[turn % lines.length] as string[];
			const { code, stderr } = await desk.start([...argv, "--json"]).ended;
			// A batch of which nothing was sent so far is told with 10.
			const may = argv.includes("status") ? [0, 5, 7, 8, 9, 10] : [0, 5, 7, 8, 9];
			if (!may.includes(code as number)) wrong.push(`${argv.join(" ")}: ${code} ${stderr}`);
		}
	})();
	return async () => {
		over = true;
		await turns;
		return wrong;
	};
}

/** Sends, kills and resumes; the last run is not disturbed until nothing is left to send. */
async function killAndGoOn(
	desk: Desk,
	peer: CountingPeer,
	plan: string,
	{ random, kills, within, arrivals }: BatchCampaignOptions,
): Promise<{ kills: number; ended: Ended[] }> {
	const ended: Ended[] = [];
	let killed = 0;
	let begun = false;
	for (let runs = 0; runs < kills * 3 + 400; runs++) {
		begun ||= ended.length > 0 && (await isBegun(desk, plan));
		const run = desk.start(["pay", "batch", begun ? "resume" : "send", plan, "--yes", "--json"]);
		const kill = killed < kills;
		let timer: NodeJS.Timeout | undefined;
		const after = random.fraction() * within;
		const arm = (): void => {
			timer = setTimeout(() => run.kill(), after);
		};
		if (kill && arrivals !== undefined) killAt(peer, 1 + random.below(arrivals), run.kill);
		else if (kill && random.often(0.8)) peer.when(peer.urls[0] as string, "body", arm);
		else if (kill) arm();
		const end = await run.ended;
		clearTimeout(timer);
		ended.push(end);
		if (end.code === "killed") killed += 1;
		else if (isOver(end)) return { kills: killed, ended };
	}
	throw new Error(`the batch did not come to its end; the last run said ${JSON.stringify(ended.at(-1))}`);
}

/** Calls back when so many payments have arrived. */
function killAt(peer: CountingPeer, left: number, kill: () => void): void {
	peer.when(peer.urls[0] as string, "body", () => (left === 1 ? kill() : killAt(peer, left - 1, kill)));
}

/** @returns the state of the batch afterwards */
async function settledOf(desk: Desk): Promise<Ended> {
	await desk.start(["pay", "settle", "--json"]).ended;
	return desk.start(["pay", "batch", "status", "1", "--json"]).ended;
}

/** Whether a process that was killed had begun the batch: only then there is something to go on with. */
async function isBegun(desk: Desk, plan: string): Promise<boolean> {
	const { code, stderr } = await desk.start(["pay", "batch", "send", plan, "--yes", "--json", "--dry-run"]).ended;
	return code === 10 && stderr.includes("BATCH_BEGUN");
}

/** Whether nothing is left that could be sent. */
function isOver({ stdout, code, stderr }: Ended): boolean {
	if (stdout === "") throw new Error(`a run that was not killed said nothing: exit ${code}\n${stderr}`);
	const { counts } = JSON.parse(stdout) as { counts: Record<string, number> };
	return ["planned", "not-sent", "not-created", "sending"].every((state) => (counts[state] ?? 0) === 0);
}

interface Sent {
	keys: readonly string[];
	cents: bigint;
	kills: number;
	ended: readonly Ended[];
	replies: ReadonlyMap<string, Reply>;
}

function check(peer: CountingPeer, record: OnRecord, { keys, cents, kills, ended, replies }: Sent): string[] {
	const rows = rowsOn(record);
	const last = ended.at(-1) as Ended;
	return violationsOf(peer, record, {
		rows,
		asked: keys,
		cents,
		deaths: kills,
		inFlight: open,
		otherDoubts: [...replies].filter(([, { kind }]) => leaveDoubt.includes(kind)).length,
		exits: [{ code: last.code, states: rows.map(({ state }) => state) }],
	});
}
