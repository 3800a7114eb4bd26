/**
 * Payments that are recorded call by call, and what the journal says of them on every disk that a power cut could leave.
 */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { faultyProgram } from "../support/driver.js";
import { countedDesk, payment, rowsBetweenLedgers } from "../support/driver-campaign.js";
import { Disk, digestOf, type Image } from "../support/driver-disk.js";
import { journalled } from "../support/driver-record.js";
import { type Call, callsBelow, recording } from "../support/driver-trace.js";
import type { State } from "../support/invariants.js";
import { seedOfRun } from "../support/seed.js";

const torture = process.env.PURSER_TORTURE === "1";
/** Of the calls of the system, after how many of them the power is cut. */
const share = Number(process.env.PURSER_TEST_SHARE ?? (torture ? 1 : 0.1));
const seed = seedOfRun("power cut");

/** Whether this machine can record; `npm run torture` demands it. */
const canRecord = ((): boolean => {
	try {
		execFileSync("strace", ["-o", "/dev/null", "-e", "trace=none", "true"], { stdio: "ignore" });
		return true;
	} catch {
		if (torture) throw new Error("strace is needed to record what the program writes: install it, and allow ptrace");
		process.stdout.write("power cut: not run, for strace is not there or may not trace\n");
		return false;
	}
})();

/** Groups of payments, each of those that run at once, one after the other; or so many rows of one batch. */
type Made = readonly number[] | number;

/** Makes the payments in processes whose calls are recorded. */
async function recorded(made: Made, program?: string): Promise<{ disk: Disk; calls: Call[] }> {
	const isBatch = typeof made === "number";
	const { desk, peer } = await countedDesk({ random: new Random(seed), keep: isBatch }, program);
	let payments = isBatch ? made : 0;
	const paid = (): string => `"$@" ${payment(`p${payments++}`, "10").argv.join(" ")} &`;
	// For sh; the program is "$@". A batch is planned by one process and sent by another.
	const script = isBatch
		? '"$@" pay batch plan "$HOME/pay.csv" --json && "$@" pay batch send "$HOME/pay.csv.plan.json" --yes --json'
		: made.map((count) => `${Array.from({ length: count }, paid).join(" ")} wait`).join("; ");
	if (isBatch) await writeFile(join(desk.folder, "pay.csv"), rowsBetweenLedgers(made, "10").text);
	const trace = join(desk.folder, "trace");
	const { code, stderr } = await desk.start([], { before: [...recording(trace), "sh", "-c", script, "sh"] }).ended;
	const calls = await callsBelow(desk.folder, trace);
	if (code !== 0 || peer.arrived.length !== payments)
		throw new Error(`${peer.arrived.length} of ${payments} payments arrived, exit ${code}\n${stderr}`);
	return { disk: new Disk(calls, desk.folder), calls };
}

/** What the cuts found. */
interface Cuts {
	images: number;
	/** For each image that forgets: a payment that left and is on no record, or one that was reported as accepted and is not. */
	forgotten: string[];
	/** The database or the record is damaged. */
	damaged: string[];
}

interface Found {
	states: ReadonlyMap<string, State>;
	faults: readonly string[];
}

interface How {
	program?: string;
	/** Images of each random kind after one call. */
	most: number;
	/** Of the calls after which it is cut. */
	share?: number;
	/** Ends with the first image that forgets: a control has shown then what it is for. */
	untilForgotten?: boolean;
}

/** Makes the payments, and cuts the power after every call. */
async function cut(made: Made, { program, most, share = 1, untilForgotten = false }: How): Promise<Cuts> {
	const { disk, calls } = await recorded(made, program);
	const random = new Random(seed + 1);
	const folder = await mkdtemp(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "purser-power-"));
	/** Different images, each opened once. */
	const known = new Map<string, Found>();
	const cuts: Cuts = { images: 0, forgotten: [], damaged: [] };
	const payer = payers(calls);
	/** What the world outside knows: payments that left, and those that a run reported as accepted. */
	const [sent, reported] = [new Set<string>(), new Set<string>()];
	for (const [at, call] of calls.entries()) {
		if (untilForgotten && cuts.forgotten.length > 0) break;
		// The head of a single payment may leave alone; a batch sends each row with its head.
		if (call.kind === "sent" && call.bytes.subarray(0, 5).toString() === "POST ")
			sent.add(referenceIn(call) ?? payer.get(call.process)?.[0] ?? "unknown");
		if (call.kind === "exited" && call.code === 0) for (const paid of payer.get(call.process) ?? []) reported.add(paid);
		if (!random.often(share)) continue;
		for (const image of disk.images(at, most, random)) {
			const digest = digestOf(image);
			const found = known.get(digest) ?? (await lookAt(image, join(folder, String(known.size))));
			known.set(digest, found);
			cuts.images += 1;
			const lost = forgottenBy(found, sent, reported);
			if (lost.length > 0) cuts.forgotten.push(`after call ${at}: ${lost.join(", ")}`);
			cuts.damaged.push(...found.faults.map((fault) => `after call ${at}: ${fault}`));
		}
	}
	await rm(folder, { recursive: true, force: true });
	const told = `${cuts.forgotten.length} forget a payment, ${cuts.damaged.length} are damaged`;
	process.stdout.write(`power cut: ${calls.length} calls, ${cuts.images} images, ${known.size} of them different; ${told}\n`);
	return cuts;
}

function forgottenBy({ states }: Found, sent: ReadonlySet<string>, reported: ReadonlySet<string>): string[] {
	const unknown = [...sent].filter((one) => [undefined, "planned"].includes(states.get(one)));
	const undone = [...reported].filter((one) => states.get(one) !== "accepted");
	return [
		...unknown.map((one) => `${one} left, and nothing knows of it`),
		...undone.map((one) => `${one} was reported as accepted, and is ${states.get(one)}`),
	];
}

const referenceIn = (call: Call & { kind: "sent" }): string | undefined =>
	/"reference":"(p\d+|Row \d+)"/.exec(call.bytes.toString("latin1"))?.[1];

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

/** As {@link cut}, which must find nothing, and look at enough of it. */
async function losesNothing(...asked: Parameters<typeof cut>): Promise<void> {
	const { forgotten, damaged, images } = await cut(...asked);
	expect(forgotten.slice(0, 5)).toEqual([]);
	expect(damaged.slice(0, 5)).toEqual([]);
	expect(images).toBeGreaterThan(200 * share);
}

const file = "src/sqlite/durable.ts";
const setting = '["synchronous", "FULL", 2],';

const begins = "return await journal.begin(recorded, { ...asked, warn: context.report.warn });";
const late = `setTimeout(() => void journal.begin(recorded), 5); return "1";`;

describe.runIf(canRecord)("the power fails after any call of the system", () => {
	const groups = torture ? [1, 1, 2, 4, 1, 3, 1] : [1, 2];
	const most = torture ? 8 : 1;

	test("what left is on record, what was reported is accepted, and the record is whole", async () => {
		await losesNothing(groups, { most, share });
	});

	test("also where the log is folded into the file every few pages", async () => {
		const program = await faultyProgram(file, setting, `${setting} ["wal_autocheckpoint", "8", 8],`);
		await losesNothing(groups, { program, most, share });
	});

	test.runIf(torture)("also over the hundreds of pages after which the log is folded in by itself", async () => {
		await losesNothing(Array(80).fill(1), { most: 4, share: 0.1 });
	});

	test("also in a batch, whose journal another thread keeps beside the sending", async () => {
		await losesNothing(torture ? 120 : 40, { most: torture ? 6 : 1, share: torture ? 1 : share * 0.6 });
	});

	test.each<[string, string, string, string, Made]>([
		["with synchronous=NORMAL rows of a batch", file, setting, '["synchronous", "NORMAL", 1],', 30],
		["where new folders are not made to last payments", "src/system/disk/private-folder.ts", "fsyncSync(handle);", "void fsyncSync;", [1]],
		["where the journal writes after the money has left payments", "src/http/record.ts", begins, late, [1]],
	])("control: %s are forgotten, and it is seen", async (_, where, part, instead, made) => {
		const program = await faultyProgram(where, part, instead);
		const { forgotten } = await cut(made, { program, most: 1, share: 0.3, untilForgotten: true });
		expect(forgotten.length).toBeGreaterThan(0);
	});
});
