/**
 * Many payments by real processes on one journal, each disturbed at a moment of its own, against a peer that counts; and what
 * the ten invariants say of it.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { type CountingPeer, keyOf, type PeerOptions, type Reply, type Stage, stages, startCountingPeer } from "./counting-peer.js";
import { type Desk, type Ended, newDesk, type OnRecord, plantedName, plantedToken, type Running, recordOf } from "./driver.js";
import { centsOf, type Exit, type Row, violations } from "./invariants.js";

export interface CampaignOptions {
	/** The built one, unless given. */
	program?: string;
	random: Random;
	payments: number;
	/** What is done to a run at its moment. @returns its name, for the account */
	disturb: (run: Running, random: Random) => string;
	reply?: (random: Random) => Reply;
}

/** So many payments are made at once. */
const lanes = 4;

export interface Campaign {
	peer: CountingPeer;
	desk: Desk;
	paid: (Pick<Plan, "reference" | "amount" | "kind"> & { key: string; disturbed?: string; ended: Ended })[];
	/** What is on record now, and each violation of an invariant. */
	check(): Promise<{ found: string[]; record: OnRecord; rows: Row[] }>;
}

/** A desk at a service that counts; both are gone once the test is over. */
export async function countedDesk(options: PeerOptions = {}, program?: string) {
	const peer = await startCountingPeer(options);
	onTestFinished(() => peer.stop());
	const url = peer.urls[0] as string;
	return { desk: await newDesk(url, program), peer, url };
}

export const from = "aaaaaaaa-0001-4000-8000-000000000001";

export const payees = {
	ledger: { id: "aaaaaaaa-0002-4000-8000-000000000002", flag: "--ledger-to-id" },
	beneficiary: { id: "bbbbbbbb-0002-4000-8000-000000000002", flag: "--beneficiary-id" },
} as const;
export type Kind = keyof typeof payees;

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

/** Plans the rows of a file. @returns the plan's file */
export async function planned(desk: Desk, text: string): Promise<string> {
	const file = join(desk.folder, "pay.csv");
	await writeFile(file, text);
	await desk.look(["pay", "batch", "plan", file]);
	return `${file}.plan.json`;
}

/** Plans such rows. */
export async function plannedRows(desk: Desk, count: number, amount = "1"): Promise<{ plan: string; keys: string[] }> {
	const { text, keys } = rowsBetweenLedgers(count, amount);
	return { plan: await planned(desk, text), keys };
}

/** Mostly a proper answer; each of the others in about 3 of 100. */
export function mixedReply(random: Random): Reply {
	const odd: readonly Reply[] = [
		...(["waiting", "no id", "reset", "cut"] as const).map((kind): Reply => ({ kind })),
		...[500, 409].map((status): Reply => ({ kind: "status", status })),
		{ kind: "refused", status: 400 },
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
	/** Where no stage is named, the length of an undisturbed run is 1; else milliseconds after the peer saw it. */
	moment: { stage?: Stage; after: number };
	random: Random;
}

function planOf(number: number, { random, reply = mixedReply }: CampaignOptions): Plan {
	const own = new Random(random.below(2 ** 31));
	// Without decimals the payment is the only thing that is asked; with them the currency is looked up first.
	const amount = `${1 + own.below(999)}${own.often(0.3) ? `.${10 + own.below(90)}` : ""}`;
	const after = own.often(0.3) ? 0 : own.fraction() * 12;
	const moment = own.often(0.5) ? { after: own.fraction() } : { stage: own.pick(stages), after };
	return { reference: `r${number}`, amount, kind: own.often(0.5) ? "ledger" : "beneficiary", reply: reply(own), moment, random: own };
}

/** Runs it. The moments are spread over the length of an undisturbed run, half of them, and around what the peer sees, the others. */
export async function campaign(options: CampaignOptions): Promise<Campaign> {
	const { random, program } = options;
	const plans = Array.from({ length: options.payments }, (_, number) => planOf(number, options));
	const replies = new Map(plans.map(({ reference, amount, kind, reply }) => [payment(reference, amount, kind).key, reply]));
	const reply = (key: string): Reply => replies.get(key) ?? { kind: "created" };
	const { desk, peer } = await countedDesk(
		{ random: new Random(random.below(2 ** 31)), doors: lanes, personal: plantedName, reply },
		program,
	);
	const paid: Campaign["paid"] = [];
	/** Milliseconds of a run that is left alone. */
	let length: number | undefined;
	const one = async (url: string, { reference, amount, kind, reply, moment, random }: Plan, isLeft = false): Promise<void> => {
		const { argv, key } = payment(reference, amount, kind);
		// Only an answer that never comes is to be given up soon.
		const seconds: Record<string, string> = reply.kind === "hang" ? { PURSER_TIMEOUT: "5" } : {};
		const run = desk.start(argv, { env: { PURSER_BASE_URL: url, ...seconds } });
		let [disturbed, isOver]: [string | undefined, boolean] = [undefined, isLeft];
		const act = (): void => {
			if (!isOver) disturbed = options.disturb(run, random);
		};
		const start = Date.now();
		const { stage, after } = moment;
		if (stage === undefined) setTimeout(act, after * (length ?? 0));
		// Without a wait it happens in the very turn in which the peer saw it.
		else peer.when(url, stage, () => (after === 0 ? act() : setTimeout(act, after)));
		const ended = await run.ended;
		isOver = true;
		// How long a run takes changes with what else the machine does.
		if (disturbed === undefined) length = (length ?? Date.now() - start) * 0.7 + (Date.now() - start) * 0.3;
		paid.push({ reference, amount, kind, key, disturbed, ended });
	};
	await Promise.all(peer.urls.map((url) => one(url, plans.shift() as Plan, true)));
	const lane = async (url: string): Promise<void> => {
		for (let plan = plans.shift(); plan !== undefined; plan = plans.shift()) await one(url, plan);
	};
	await Promise.all(peer.urls.map(lane));
	const doubtful = [...replies].filter(([, { kind }]) => leaveDoubt.includes(kind)).map(([key]) => key);
	return { peer, desk, paid, check: () => check({ peer, desk, paid, doubtful }) };
}

type Known = Pick<Campaign, "peer" | "desk" | "paid"> & { doubtful: readonly string[] };

async function check({ peer, desk, paid, doubtful }: Known): ReturnType<Campaign["check"]> {
	const record = await recordOf(desk);
	const recorded = rowsOn(record);
	const known = new Set(recorded.map(({ key }) => key));
	// What is not on record was not sent: it is only planned, by whoever asked for it.
	const unsent = paid.filter(({ key }) => !known.has(key)).map(({ key, amount }): Row => ({ key, amount, state: "planned" }));
	const rows = [...recorded, ...unsent];
	const states = new Map(rows.map(({ key, state }) => [key, state]));
	const found = violationsOf(peer, record, {
		rows,
		asked: paid.map(({ key }) => key),
		cents: paid.reduce((sum, { amount }) => sum + centsOf(amount), 0n),
		deaths: paid.filter(({ ended }) => ended.code === "killed").length,
		inFlight: 1,
		otherDoubts: doubtful.filter((key) => peer.created.has(key)).length,
		exits: paid.map(({ key, ended }): Exit => ({ code: ended.code, states: [states.get(key) ?? "planned"] })),
	});
	if (record.seenNames.some((bytes) => Buffer.from(bytes).includes(plantedToken))) found.push("10: the token stands among the names seen");
	return { found: [...found, ...named(record)], record, rows };
}

/** What is on record, as the invariants take it. */
export const rowsOn = ({ intents }: Pick<OnRecord, "intents">): Row[] =>
	intents.map(({ transfer, state, id }) => ({ key: keyOf(transfer), amount: transfer.amount, state, id }));

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
	for (const key of arrived) times.set(key, (times.get(key) ?? 0) + 1);
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
