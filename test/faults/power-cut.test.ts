import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import { faultyProgram, type Program } from "../support/driver.js";
import { type Cuts, cutEverywhere, recorded, recordedBatch } from "../support/driver-power.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun } from "../support/seed.js";

const torture = process.env.PURSER_TORTURE === "1";
/** Of the calls of the system, after how many of them the power is cut. */
const share = Number(process.env.PURSER_TEST_SHARE ?? (torture ? 1 : 0.1));
const seed = seedOfRun("power cut");
const programs = programsOfFile();

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

/** @param made payments in groups, or so many rows of one batch @param how as `cutEverywhere` takes it */
async function cut(
	program: Program,
	made: readonly number[] | number,
	how: { most: number; share?: number; untilForgotten?: boolean },
): Promise<Cuts> {
	if (program !== programs.built) programs.keep(program);
	const random = new Random(seed);
	const recording = await (typeof made === "number" ? recordedBatch(program, random, made) : recorded(program, random, made));
	const cuts = await cutEverywhere(recording, { random: new Random(seed + 1), ...how });
	const found = `${cuts.forgotten.length} forget a payment, ${cuts.damaged.length} are damaged`;
	process.stdout.write(`power cut: ${recording.calls.length} calls, ${cuts.images} images, ${cuts.opened} of them different; ${found}\n`);
	return cuts;
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

	test("what left is on record, what was reported is accepted, and the record is whole", async () => {
		await losesNothing(programs.built, groups, { most: torture ? 8 : 1, share });
	});

	test("also where the log is folded into the file every few pages", async () => {
		const program = await faultyProgram(file, setting, `${setting} ["wal_autocheckpoint", "8", 8],`);
		await losesNothing(program, groups, { most: torture ? 8 : 1, share });
	});

	if (torture)
		test("also over the hundreds of pages after which the log is folded in by itself", async () => {
			await losesNothing(programs.built, Array(80).fill(1), { most: 4, share: 0.1 });
		});

	test("also in a batch, whose journal another thread keeps beside the sending", async () => {
		await losesNothing(programs.built, torture ? 120 : 40, { most: torture ? 6 : 1, share: torture ? 1 : share * 0.6 });
	});

	test("control: in a batch with synchronous=NORMAL rows are forgotten, and it is seen", async () => {
		const program = await faultyProgram(file, setting, '["synchronous", "NORMAL", 1],');
		const { forgotten } = await cut(program, 30, { most: 1, share: 0.2, untilForgotten: true });
		expect(forgotten.length).toBeGreaterThan(0);
	});

	test.each([
		["where new folders are not made to last", "src/system/disk/private-folder.ts", "fsyncSync(handle);", "void fsyncSync;"],
		["where the journal writes after the money has left", "src/http/record.ts", begins, late],
	])("control: %s payments are forgotten, and it is seen", async (_, where, part, instead) => {
		const { forgotten } = await cut(await faultyProgram(where, part, instead), [1], { most: 1, share: 0.4, untilForgotten: true });
		expect(forgotten.length).toBeGreaterThan(0);
	});
});
