/**
 * Payments that are recorded call by call, and what the journal says of them on every disk that a power cut could leave.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Random } from "../payments/simulation/random.js";
import { startCountingPeer } from "./counting-peer.js";
import { newDesk, type Program } from "./driver.js";
import { payment, rowsBetweenLedgers } from "./driver-campaign.js";
import { Disk, digestOf, type Image } from "./driver-disk.js";
import { journalled } from "./driver-record.js";
import { type Call, callsBelow, recording } from "./driver-trace.js";
import type { State } from "./invariants.js";

interface Recording {
	disk: Disk;
	calls: Call[];
}

/** Payments recorded: `groups` of those that run at once, one group after the other. */
export function recorded(program: Program, random: Random, groups: readonly number[]): Promise<Recording> {
	let number = 0;
	const script = groups
		.map((count) => `${Array.from({ length: count }, () => `"$@" ${words(`p${number++}`)} &`).join(" ")} wait`)
		.join("; ");
	return recordedScript(program, random, { script, payments: number });
}

/** A batch recorded: planned by one process, sent by another. */
export function recordedBatch(program: Program, random: Random, rows: number): Promise<Recording> {
	const script = '"$@" pay batch plan "$HOME/pay.csv" --json && "$@" pay batch send "$HOME/pay.csv.plan.json" --yes --json';
	return recordedScript(program, random, { script, payments: rows, file: rowsBetweenLedgers(rows, "10").text });
}

interface Script {
	/** For sh; the program is "$@". */
	script: string;
	payments: number;
	/** pay.csv at home. */
	file?: string;
}

async function recordedScript(program: Program, random: Random, { script, payments, file }: Script): Promise<Recording> {
	const peer = await startCountingPeer({ random, keep: file !== undefined });
	const desk = await newDesk(program, peer.urls[0] as string);
	const trace = join(desk.folder, "trace");
	if (file !== undefined) await writeFile(join(desk.folder, "pay.csv"), file);
	const { code, stderr } = await desk.start([], { before: [...recording(trace), "sh", "-c", script, "sh"] }).ended;
	const calls = await callsBelow(desk.folder, trace);
	const count = peer.arrived.length;
	await peer.stop();
	await desk.remove();
	if (code !== 0 || count !== payments) throw new Error(`${count} of ${payments} payments arrived, exit ${code}\n${stderr}`);
	return { disk: new Disk(calls, desk.folder), calls };
}

const words = (reference: string): string => payment(reference, "10").argv.join(" ");

/** What the cuts found. */
export interface Cuts {
	images: number;
	/** Different ones, each opened once. */
	opened: number;
	/** For each image that forgets: a payment that left and is on no record, or one that was reported as accepted and is not. */
	forgotten: string[];
	/** The database or the record is damaged. */
	damaged: string[];
}

interface Found {
	states: ReadonlyMap<string, State>;
	faults: readonly string[];
}

/**
 * Cuts the power after every call.
 * @param most images of each random kind after one call
 * @param share of the calls after which it is cut; all unless given
 * @param untilForgotten ends with the first image that forgets: a control has shown then what it is for
 */
export async function cutEverywhere(
	{ disk, calls }: Recording,
	{ random, most, share = 1, untilForgotten = false }: { random: Random; most: number; share?: number; untilForgotten?: boolean },
): Promise<Cuts> {
	const folder = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "purser-power-"));
	const known = new Map<string, Found>();
	const cuts: Cuts = { images: 0, opened: 0, forgotten: [], damaged: [] };
	const look = async (image: Image): Promise<Found> => {
		const digest = digestOf(image);
		const found = known.get(digest) ?? (await lookAt(image, join(folder, String(cuts.opened++))));
		known.set(digest, found);
		return found;
	};
	const payer = payers(calls);
	const out: Out = { sent: new Set(), reported: new Set() };
	for (const [at, call] of calls.entries()) {
		follow(call, payer, out);
		if (untilForgotten && cuts.forgotten.length > 0) break;
		if (!random.often(share)) continue;
		for (const image of disk.images(at, most, random)) {
			const found = await look(image);
			cuts.images += 1;
			const lost = forgottenBy(found, out);
			if (lost.length > 0) cuts.forgotten.push(`after call ${at}: ${lost.join(", ")}`);
			cuts.damaged.push(...found.faults.map((fault) => `after call ${at}: ${fault}`));
		}
	}
	await rm(folder, { recursive: true, force: true });
	return cuts;
}

/** What the world outside knows: payments that left, and those that a run reported as accepted. */
interface Out {
	sent: Set<string>;
	reported: Set<string>;
}

function follow(call: Call, payer: ReadonlyMap<string, string[]>, { sent, reported }: Out): void {
	// The head of a single payment may leave alone; a batch sends each row with its head.
	const leaving = call.kind === "sent" && isPost(call) ? (referenceIn(call) ?? payer.get(call.process)?.[0]) : undefined;
	if (leaving !== undefined) sent.add(leaving);
	if (call.kind === "exited" && call.code === 0) for (const paid of payer.get(call.process) ?? []) reported.add(paid);
}

function forgottenBy({ states }: Found, { sent, reported }: Out): string[] {
	const known = (one: string): boolean => ![undefined, "planned"].includes(states.get(one));
	const unknown = [...sent].filter((one) => !known(one)).map((one) => `${one} left, and nothing knows of it`);
	const undone = [...reported].filter((one) => states.get(one) !== "accepted");
	return [...unknown, ...undone.map((one) => `${one} was reported as accepted, and is ${states.get(one)}`)];
}

type Sent = Call & { kind: "sent" };

const isPost = (call: Sent): boolean => call.bytes.subarray(0, 5).toString() === "POST ";
const referenceIn = (call: Sent): string | undefined => /"reference":"(p\d+|Row \d+)"/.exec(call.bytes.toString("latin1"))?.[1];

/** Which payments a process makes, by what it sends. */
function payers(calls: readonly Call[]): Map<string, string[]> {
	const found = new Map<string, string[]>();
	for (const call of calls) {
		const reference = call.kind === "sent" ? referenceIn(call) : undefined;
		if (call.kind === "sent" && reference !== undefined) found.set(call.process, [...(found.get(call.process) ?? []), reference]);
	}
	return found;
}

/** Starts from the image as the next run would: with whatever SQLite makes of it. */
async function lookAt(image: Image, folder: string): Promise<Found> {
	await mkdir(folder);
	for (const [path, content] of image) {
		// An index of the log in shared memory does not outlive the machine.
		if (path.endsWith("-shm")) continue;
		const full = join(folder, path);
		if (content === undefined) await mkdir(full, { recursive: true, mode: 0o700 });
		else await mkdir(dirname(full), { recursive: true }).then(() => writeFile(full, content, { mode: 0o600 }));
	}
	try {
		const { intents, faults } = await journalled(join(folder, "state"));
		return { states: new Map(intents.map(({ transfer, state }) => [transfer?.reference ?? "", state])), faults };
	} catch (error) {
		return { states: new Map(), faults: [`it cannot be opened: ${error instanceof Error ? error.message : "unknown"}`] };
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
