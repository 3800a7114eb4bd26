import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { Random } from "../payments/simulation/random.js";
import type { Desk, Ended } from "../support/driver.js";
import { countedDesk, payment } from "../support/driver-campaign.js";
import { isDoubt, journalled } from "../support/driver-record.js";
import { seedOfRun } from "../support/seed.js";

const torture = process.env.PURSER_TORTURE === "1";
const seed = seedOfRun("disk");

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

interface Plan {
	fault: (typeof faults)[number];
	/** The calls on the journal's own files fail from this one on, or this one alone. */
	first: number;
	onlyOnce: boolean;
	/** Whether the journal has seen a payment before. */
	used: boolean;
}

/** Words in front of a program that meets the fault. */
function failing(desk: Desk, { fault: [calls, error], first, onlyOnce }: Plan): string[] {
	const file = join(desk.state, "journal", "desk.sandbox.db");
	const paths = [file, `${file}-wal`, `${file}-shm`, `${file}-journal`].flatMap((path) => ["-P", path]);
	const inject = `inject=${calls}:error=${error}:when=${first}${onlyOnce ? "" : "+"}`;
	return ["strace", "-f", "-qq", "-o", "/dev/null", ...paths, "-e", `trace=${calls}`, "-e", inject];
}

/** What must hold whatever failed while a payment was made, once the disk is well again. @returns in a word what became of it */
async function judged({ state }: Desk, ended: Ended, arrived: number): Promise<string> {
	const { intents, faults } = await journalled(state);
	const intent = intents.find(({ transfer }) => transfer?.reference === "disk");
	const doubts = intents.filter(isDoubt).length;
	expect(faults).toEqual([]);
	expect(arrived).toBeLessThanOrEqual(1);
	return arrived === 1 ? left(ended, intent?.state, doubts) : refused(ended, intent?.state);
}

/** It left, so it was on record before; and the exit code does not say less than that. */
function left({ code, stderr }: Ended, state: string | undefined, doubts: number): string {
	expect(state, stderr).toBeDefined();
	expect([0, 7]).toContain(code);
	if (code === 0) expect(state).toBe("accepted");
	// The outcome's write was reported as failed, and may have reached the disk all the same: 7 says more doubt, never less.
	else if (!(stderr.includes('"ACCEPTED_BUT_NOT_RECORDED"') && state === "accepted" && doubts === 0))
		expect([state, doubts]).toEqual(["in-doubt", 1]);
	return code === 0 ? "accepted" : "in doubt";
}

function refused({ code, stdout, stderr }: Ended, state: string | undefined): string {
	const { error } = JSON.parse(stderr) as { error: { code: string; exit: number; message: string; fix: string } };
	const exit = error.code === "JOURNAL_FULL" ? 6 : 2;
	expect([code, stdout, error.exit]).toEqual([exit, "", exit]);
	expect(error.message).toMatch(/nothing (is|was) sent/);
	expect(error.fix).toMatch(/room|permission to write|disk/i);
	// What may have reached the disk although the write was reported as failed is a doubt, never more.
	expect([undefined, "in-doubt"]).toContain(state);
	return "refused";
}

const argv = payment("disk", "10").argv;

test("a disk with room for less and less: refused in words, or on record", async () => {
	const ends: string[] = [];
	for (const room of torture ? Array.from({ length: 64 }, (_, index) => index * 4) : [0, 64, 112, 200]) {
		const { desk, peer } = await countedDesk();
		mkdirSync(desk.state);
		try {
			execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", desk.state], { stdio: "ignore" });
		} catch {
			return process.stdout.write("disk: no small disk can be mounted here (it takes root), so none is filled\n");
		}
		onTestFinished(() => void execFileSync("umount", ["--lazy", desk.state]));
		const filler = join(desk.state, "filler");
		await writeFile(filler, Buffer.alloc((1_024 - room) * 1_024)).catch(() => {});
		const ended = await desk.start(argv).ended;
		rmSync(filler);
		ends.push(await judged(desk, ended, peer.arrived.length));
	}
	process.stdout.write(`disk: full: ${ends.join(", ")}\n`);
	expect([ends[0], ends.at(-1)]).toEqual(["refused", "accepted"]);
});

const drawn = (random: Random): Plan => ({
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
		const random = new Random(seed);
		const ends: string[] = [];
		// Drawn beforehand, so that a seed gives the same faults however the runs take turns.
		const plans = [...certain, ...Array.from({ length: runs - certain.length }, () => drawn(random))];
		const one = async (plan: Plan): Promise<void> => {
			const { desk, peer } = await countedDesk();
			if (plan.used) await desk.start(payment("before", "1").argv).ended;
			const ended = await desk.start(argv, { before: failing(desk, plan) }).ended;
			const end = judged(desk, ended, peer.arrived.length - (plan.used ? 1 : 0));
			ends.push(await end.catch((cause) => Promise.reject(new Error(JSON.stringify(plan), { cause }))));
		};
		for (let count = 0; count < runs; count += 2) await Promise.all(plans.slice(count, count + 2).map(one));
		const count = (end: string): number => ends.filter((one) => one === end).length;
		process.stdout.write(`disk: ${count("refused")} refused, ${count("accepted")} accepted, ${count("in doubt")} in doubt\n`);
		expect(ends).toContain("refused");
		expect(ends).toContain("accepted");
	});
});
