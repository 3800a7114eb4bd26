import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { IntentRecord } from "../../src/ports/intent.js";
import { Random } from "../payments/simulation/random.js";
import type { Desk, Ended } from "../support/driver.js";
import { countedDesk, payment } from "../support/driver-campaign.js";
import { isDoubt, journalled } from "../support/driver-record.js";
import { programsOfFile } from "../support/programs.js";
import { seedOfRun } from "../support/seed.js";

const torture = process.env.PURSER_TORTURE === "1";
const seed = seedOfRun("disk");
const random = new Random(seed);
const programs = programsOfFile();

interface Seen {
	ended: Ended;
	arrived: number;
	intent: IntentRecord | undefined;
	doubts: number;
	faults: readonly string[];
}

/** One payment on a disk that fails, and what is on record once it is well again. */
async function payOn(state: string | undefined, fail: (desk: Desk) => Promise<Ended>, heal: () => void = () => {}): Promise<Seen> {
	const { desk, peer } = await countedDesk(programs.built, { random }, state);
	const ended = await fail(desk);
	heal();
	const { intents, faults } = await journalled(desk.state);
	const doubts = intents.filter(isDoubt);
	const arrived = peer.arrived.length;
	return { ended, arrived, intent: intents.find(({ transfer }) => transfer?.reference === "disk"), doubts: doubts.length, faults };
}

const argv = payment("disk", "10").argv;

/** What must hold whatever failed. @returns in a word what became of it */
function judged({ ended, arrived, intent, doubts, faults }: Seen): string {
	expect(faults).toEqual([]);
	expect(arrived).toBeLessThanOrEqual(1);
	if (arrived === 1) {
		// It left, so it was on record before; and the exit code does not say less than that.
		expect(intent, ended.stderr).toBeDefined();
		expect([0, 7]).toContain(ended.code);
		if (ended.code === 0) expect(intent?.state).toBe("accepted");
		// The outcome's write was reported as failed, and may have reached the disk all the same: 7 says more doubt, never less.
		else if (ended.stderr.includes('"ACCEPTED_BUT_NOT_RECORDED"'))
			expect([
				["in-doubt", 1],
				["accepted", 0],
			]).toContainEqual([intent?.state, doubts]);
		else expect([intent?.state, doubts]).toEqual(["in-doubt", 1]);
		return ended.code === 0 ? "accepted" : "in doubt";
	}
	const { error } = JSON.parse(ended.stderr) as { error: { code: string; exit: number; message: string; fix: string } };
	const exit = error.code === "JOURNAL_FULL" ? 6 : 2;
	expect([ended.code, ended.stdout, error.exit]).toEqual([exit, "", exit]);
	expect(error.message).toMatch(/nothing (is|was) sent/);
	expect(error.fix).toMatch(/room|permission to write|disk/i);
	// What may have reached the disk although the write was reported as failed is a doubt, never more.
	expect([undefined, "in-doubt"]).toContain(intent?.state);
	return "refused";
}

const counted = (what: string, ends: readonly string[]): void => {
	const count = (end: string): number => ends.filter((one) => one === end).length;
	process.stdout.write(`disk: ${what}: ${count("refused")} refused, ${count("accepted")} accepted, ${count("in doubt")} in doubt\n`);
};

// ── A small disk that is full ───────────────────────────────────────────────────────────────────────────────────

const smallDisk = async (): Promise<{ folder: string; remove(): Promise<void> } | undefined> => {
	const folder = await mkdtemp(join(tmpdir(), "purser-disk-"));
	try {
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", folder], { stdio: "ignore" });
	} catch {
		await rm(folder, { recursive: true });
		return undefined;
	}
	const remove = async (): Promise<void> => {
		execFileSync("umount", ["--lazy", folder]);
		await rm(folder, { recursive: true });
	};
	return { folder, remove };
};

const kilobytes = 1_024;
const rooms = torture ? Array.from({ length: 64 }, (_, index) => index * 4) : [0, 64, 112, 200];

test("a disk with room for less and less: refused in words, or on record", async () => {
	const ends: string[] = [];
	for (const room of rooms) {
		const disk = await smallDisk();
		if (disk === undefined) {
			process.stdout.write("disk: no small disk can be mounted here (it takes root), so none is filled\n");
			return;
		}
		try {
			const state = join(disk.folder, "state");
			await mkdir(state, { mode: 0o700 });
			const filler = join(disk.folder, "filler");
			await writeFile(filler, Buffer.alloc((1_024 - room) * kilobytes)).catch(() => {});
			const heal = (): void => void execFileSync("rm", [filler]);
			ends.push(judged(await payOn(state, (desk) => desk.start(argv).ended, heal)));
		} finally {
			await disk.remove();
		}
	}
	counted("full", ends);
	expect(ends[0]).toBe("refused");
	expect(ends.at(-1)).toBe("accepted");
});

// ── A call of the system that fails ─────────────────────────────────────────────────────────────────────────────

const canInject = ((): boolean => {
	try {
		execFileSync("strace", ["-o", "/dev/null", "-e", "inject=chdir:error=EIO", "true"], { stdio: "ignore" });
		return true;
	} catch {
		if (torture) throw new Error("strace is needed to make calls of the system fail: install it, and allow ptrace");
		process.stdout.write("disk: no call is made to fail, for strace is not there or may not trace\n");
		return false;
	}
})();

const faults = [
	["pwrite64", "ENOSPC"],
	["pwrite64", "EIO"],
	["fsync,fdatasync", "EIO"],
	["fsync,fdatasync", "ENOSPC"],
	["openat", "EACCES"],
	["ftruncate", "ENOSPC"],
] as const;

/** The calls on the journal's own files fail from one of them on, or that one alone. */
function failing(desk: Desk, [calls, error]: (typeof faults)[number], first: number, onlyOnce: boolean): string[] {
	const file = join(desk.state, "journal", "desk.sandbox.db");
	const paths = [file, `${file}-wal`, `${file}-shm`, `${file}-journal`].flatMap((path) => ["-P", path]);
	const inject = `inject=${calls}:error=${error}:when=${first}${onlyOnce ? "" : "+"}`;
	return ["strace", "-f", "-qq", "-o", "/dev/null", ...paths, "-e", `trace=${calls}`, "-e", inject];
}

interface Plan {
	fault: (typeof faults)[number];
	first: number;
	onlyOnce: boolean;
	/** Whether the journal has seen a payment before. */
	used: boolean;
}

const plan = (random: Random): Plan => ({
	fault: random.pick(faults),
	first: 1 + random.below(random.pick([4, 60])),
	onlyOnce: random.often(0.5),
	used: random.often(0.5),
});

describe.runIf(canInject)("a call on the journal's files fails", () => {
	const runs = torture ? 600 : 6;
	/** One that stops the first write, and one that is met by none: a few that are drawn may all end alike. */
	const certain: readonly Plan[] = [
		{ fault: ["pwrite64", "ENOSPC"], first: 1, onlyOnce: false, used: true },
		{ fault: ["ftruncate", "ENOSPC"], first: 60, onlyOnce: true, used: true },
	];

	test(`${runs} payments: refused in words, or on record`, async () => {
		const ends: string[] = [];
		// Drawn beforehand, so that a seed gives the same faults however the runs take turns.
		const plans = [...certain, ...Array.from({ length: runs - certain.length }, () => plan(random))];
		const one = async ({ fault, first, onlyOnce, used }: Plan): Promise<void> => {
			const seen = await payOn(undefined, async (desk) => {
				if (used) await desk.start(payment("before", "1").argv).ended;
				return desk.start(argv, { before: failing(desk, fault, first, onlyOnce) }).ended;
			});
			const what = `${fault} from ${first}${onlyOnce ? " only" : ""} on a ${used ? "used" : "new"} journal`;
			try {
				ends.push(judged({ ...seen, arrived: seen.arrived - (used ? 1 : 0) }));
			} catch (error) {
				throw new Error(`${what}: ${seen.ended.code} ${seen.ended.stderr} ${JSON.stringify(seen.intent)}`, { cause: error });
			}
		};
		for (let count = 0; count < runs; count += 2) await Promise.all(plans.slice(count, count + 2).map(one));
		counted("failing calls", ends);
		expect(ends).toContain("refused");
		expect(ends).toContain("accepted");
	});
});
