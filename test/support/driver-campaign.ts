/**
 * Many payments by real processes on one journal, each disturbed at a moment of its own, against a peer that counts; and what
 * the ten invariants say of it.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { type CountingPeer, keyOf, type PeerOptions, type Reply, type Stage, stages, startCountingPeer } from "./counting-peer.js";
import {
	type Desk,
	type Ended,
	newDesk,
	type OnRecord,
	type Program,
	plantedName,
	plantedToken,
	type Running,
	recordOf,
} from "./driver.js";
import { centsOf, type Exit, type Row, violations } from "./invariants.js";

/** When a run is disturbed: after that many milliseconds, or so many after the peer saw a stage of it. */
interface Moment {
	stage?: Stage;
	after: number;
}

export interface CampaignOptions {
	program: Program;
	random: Random;
	payments: number;
	/** How many at once. */
	lanes: number;
	/** What is done to a run at its moment. @returns its name, for the account */
	disturb: (run: Running, random: Random) => string;
	reply?: (random: Random) => Reply;
}

export interface Paid {
	reference: string;
	amount: string;
	kind: Kind;
	key: string;
	disturbed?: string;
	ended: Ended;
}

export interface Campaign {
	peer: CountingPeer;
	desk: Desk;
	paid: Paid[];
	/** Replies that leave a doubt by themselves, by key. */
	doubtful: Set<string>;
	/** Repeats an earlier payment, undisturbed. */
	payAgain(paid: Paid): Promise<Ended>;
	/** What is on record now, and each violation of an invariant. */
	check(): Promise<{ found: string[]; record: OnRecord; rows: Row[] }>;
	remove(): Promise<void>;
}

/** A desk at a service that counts; both are gone once the test is over. @param state the state directory, a new one unless given */
export async function countedDesk(program: Program, options: PeerOptions, state?: string) {
	const peer = await startCountingPeer(options);
	const url = peer.urls[0] as string;
	const desk = await newDesk(program, url, state);
	onTestFinished(async () => {
		await peer.stop();
		await desk.remove();
	});
	return { desk, peer, url };
}

export const from = "aaaaaaaa-0001-4000-8000-000000000001";

export const payees = {
	ledger: { id: "aaaaaaaa-0002-4000-8000-000000000002", flag: "--ledger-to-id" },
	beneficiary: { id: "bbbbbbbb-0002-4000-8000-000000000002", flag: "--beneficiary-id" },
} as const;
type Kind = keyof typeof payees;

/** The words of a payment. */
export function payment(reference: string, amount: string, kind: Kind = "ledger"): { argv: string[]; key: string } {
	const { id, flag } = payees[kind];
	const argv = ["pay", kind, "--ledger-from-id", from, flag, id, "--amount", amount, "--reference", reference];
	return { argv: [...argv, "--yes", "--json"], key: keyOf({ ledgerFromId: from, counterpartyId: id, amount, reference }) };
}

/** Rows between two ledgers as a file, and what each is known by at the service. */
export function rowsBetweenLedgers(count: number, amount: string): { text: string; keys: string[] } {
	const keys = Array.from({ length: count }, (_, row) => payment(`Row ${row}`, amount).key);
	return { text: `ledgerFromId,ledgerToId,amount,reference\n${keys.join("\n").replaceAll("|", ",")}\n`, keys };
}

/** Plans such rows. @returns the plan's file */
export async function plannedRows(desk: Desk, count: number, amount = "1"): Promise<{ plan: string; keys: string[] }> {
	const { text, keys } = rowsBetweenLedgers(count, amount);
	const file = join(desk.folder, "pay.csv");
	await writeFile(file, text);
	await desk.look(["pay", "batch", "plan", file]);
	return { plan: `${file}.plan.json`, keys };
}

/** Mostly a proper answer; each of the others in about 3 of 100. */
export function mixedReply(random: Random): Reply {
	const odd: readonly Reply[] = [
		{ kind: "waiting" },
		{ kind: "status", status: 500 },
		{ kind: "status", status: 409 },
		{ kind: "refused", status: 400 },
		{ kind: "no id" },
		{ kind: "reset" },
		{ kind: "cut" },
	];
	return random.often(0.2) ? random.pick(odd) : { kind: "created" };
}

export const leaveDoubt: readonly Reply["kind"][] = ["status", "no id", "redirect", "reset", "cut", "hang"];

/** What is drawn for one payment beforehand, so that a seed gives the same payments however the lanes take turns. */
interface Plan {
	reference: string;
	amount: string;
	kind: Kind;
	reply: Reply;
	/** Of the length of an undisturbed run, where no stage is named; else milliseconds. */
	moment: Moment;
	random: Random;
}

function planOf(number: number, { random, reply = mixedReply }: CampaignOptions): Plan {
	const own = new Random(random.below(2 ** 31));
	// Without decimals the payment is the only thing that is asked; with them the currency is looked up first.
	const amount = `${1 + own.below(999)}${own.often(0.3) ? `.${10 + own.below(90)}` : ""}`;
	const after = own.often(0.3) ? 0 : own.fraction() * 12;
	const moment = own.often(0.5) ? { after: own.fraction() } : { stage: own.pick(stages), after };
	const kind = own.often(0.5) ? "ledger" : "beneficiary";
	return { reference: `r${number}`, amount, kind, reply: reply(own), moment, random: own };
}

/** Runs it. The moments are spread over the length of an undisturbed run, half of them, and around what the peer sees, the others. */
export async function campaign(options: CampaignOptions): Promise<Campaign> {
	const { random, lanes } = options;
	const plans = Array.from({ length: options.payments }, (_, number) => planOf(number, options));
	const replies = new Map(plans.map(({ reference, amount, kind, reply }) => [payment(reference, amount, kind).key, reply]));
	const reply = (key: string): Reply => replies.get(key) ?? { kind: "created" };
	const peer = await startCountingPeer({ random: new Random(random.below(2 ** 31)), doors: lanes, personal: plantedName, reply });
	const desk = await newDesk(options.program, peer.urls[0] as string);
	const paid: Paid[] = [];
	/** Milliseconds of a run that is left alone. */
	let length: number | undefined;
	const one = async (url: string, plan: Plan, moment: Moment | undefined): Promise<void> => {
		const { reference, amount, kind } = plan;
		const { argv, key } = payment(reference, amount, kind);
		// Only an answer that never comes is to be given up soon.
		const seconds: Record<string, string> = plan.reply.kind === "hang" ? { PURSER_TIMEOUT: "5" } : {};
		const run = desk.start(argv, { env: { PURSER_BASE_URL: url, ...seconds } });
		let disturbed: string | undefined;
		const act = (): void => {
			disturbed = options.disturb(run, plan.random);
		};
		const start = Date.now();
		const timer = moment && planned(peer, url, moment, act);
		const ended = await run.ended;
		// How long a run takes changes with what else the machine does.
		if (disturbed === undefined) length = (length ?? Date.now() - start) * 0.7 + (Date.now() - start) * 0.3;
		clearTimeout(timer?.());
		paid.push({ reference, amount, kind, key, disturbed, ended });
	};
	await Promise.all(peer.urls.map((url) => one(url, plans.shift() as Plan, undefined)));
	const lane = async (url: string): Promise<void> => {
		for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) {
			const { stage, after } = plan.moment;
			await one(url, plan, stage === undefined ? { after: after * (length ?? 0) } : plan.moment);
		}
	};
	await Promise.all(peer.urls.map(lane));
	const doubtful = new Set([...replies].filter(([, { kind }]) => leaveDoubt.includes(kind)).map(([key]) => key));
	const known = { peer, desk, paid, doubtful };
	return {
		...known,
		payAgain: ({ reference, amount, kind }) => desk.start(payment(reference, amount, kind).argv).ended,
		check: () => check(known),
		remove: async () => {
			await peer.stop();
			await desk.remove();
		},
	};
}

/** @returns how to take it back: gives the timer, where one runs */
function planned(peer: CountingPeer, url: string, { stage, after }: Moment, act: () => void): () => NodeJS.Timeout | undefined {
	let timer: NodeJS.Timeout | undefined;
	const start = (): void => {
		// Without a wait it happens in the very turn in which the peer saw it.
		if (stage !== undefined && after === 0) act();
		else timer = setTimeout(act, after);
	};
	if (stage === undefined) start();
	else peer.when(url, stage, start);
	return () => {
		if (stage !== undefined) peer.when(url, stage, () => {});
		return timer;
	};
}

type Known = Pick<Campaign, "peer" | "desk" | "paid" | "doubtful">;

async function check({ peer, desk, paid, doubtful }: Known): Promise<{ found: string[]; record: OnRecord; rows: Row[] }> {
	const record = await recordOf(desk);
	const recorded = rowsOn(record);
	const known = new Set(recorded.map(({ key }) => key));
	// What is not on record was not sent: it is only planned, by whoever asked for it.
	const unsent = paid.filter(({ key }) => !known.has(key)).map(({ key, amount }): Row => ({ key, amount, state: "planned" }));
	const rows = [...recorded, ...unsent];
	const states = new Map(rows.map(({ key, state }) => [key, state]));
	const exits = paid.map(({ key, ended }): Exit => ({ code: ended.code, states: [states.get(key) ?? "planned"] }));
	const cents = paid.reduce((sum, { amount }) => sum + centsOf(amount), 0n);
	const found = violationsOf(peer, record, {
		rows,
		asked: paid.map(({ key }) => key),
		cents,
		deaths: paid.filter(({ ended }) => ended.code === "killed").length,
		inFlight: 1,
		otherDoubts: [...doubtful].filter((key) => peer.created.has(key)).length,
		exits,
	});
	if (record.seenNames.some((bytes) => Buffer.from(bytes).includes(plantedToken))) found.push("10: the token stands among the names seen");
	return { found: [...found, ...named(record)], record, rows };
}

/** What is on record, as the invariants take it. */
export const rowsOn = ({ intents }: OnRecord): Row[] =>
	intents.map((one) => ({ key: keyOf(one.transfer), amount: one.transfer.amount, state: one.state, id: one.id }));

type Asked = Parameters<typeof violations>[0];

/** What the ten invariants say of what a peer has counted and of what is on record. */
export function violationsOf(
	{ arrived, created }: CountingPeer,
	{ intents, faults, bytes }: OnRecord,
	{ cents, ...asked }: Omit<Asked, "total" | "created" | "faults" | "disk"> & { cents: bigint },
): string[] {
	const total = `${cents / 100n}.${String(cents % 100n).padStart(2, "0")}`;
	const found = violations({ ...asked, total, created, faults, disk: { bytes, secrets: [plantedToken, plantedName] } });
	// Also what created nothing was to arrive once for each attempt on record.
	const [attempts, times] = [new Map<string, number>(), new Map<string, number>()];
	for (const { transfer, attempt } of intents) attempts.set(keyOf(transfer), (attempts.get(keyOf(transfer)) ?? 0) + attempt);
	for (const { key } of arrived) times.set(key, (times.get(key) ?? 0) + 1);
	for (const [key, count] of times)
		if (count > (attempts.get(key) ?? 0)) found.push(`1: ${key} arrived ${count} times in ${attempts.get(key) ?? 0} attempts on record`);
	return found;
}

/** Every doubt is named by `pay doubts`, and why, and nothing else is. */
function named({ intents, doubts }: OnRecord): string[] {
	const open = intents.filter(({ state }) => state === "in-doubt" || state === "sending").map(({ intent }) => intent);
	const listed = new Set(doubts.map(({ intent }) => intent));
	return [
		...open.filter((intent) => !listed.has(intent)).map((intent) => `named: the doubt ${intent} is not in pay doubts`),
		...doubts.filter(({ intent, why }) => !open.includes(intent) || !why).map(({ intent }) => `named: pay doubts tells ${intent} oddly`),
	];
}
