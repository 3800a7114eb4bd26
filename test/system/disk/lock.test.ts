import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { acquireLock, withLock } from "../../../src/system/disk/lock.js";
import { programOf } from "../../support/program.js";

let folder: string;
let lock: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "purser-lock-"));
	lock = join(folder, "lock");
});
afterEach(() => {
	vi.useRealTimers();
	rmSync(folder, { recursive: true, force: true });
});

const began = Date.parse("2026-03-01T12:00:00Z");

it("one of two acquires it, until it is released or stale by the clock that is handed in", () => {
	const release = acquireLock(lock, 5_000, began);
	expect(release).toBeDefined();
	expect(acquireLock(lock, 5_000, began + 4_999)).toBeUndefined();
	const other = acquireLock(lock, 5_000, began + 5_000);
	expect(other).toBeDefined();
	expect(readdirSync(folder)).toEqual(["lock"]);
	// Whoever was taken for dead does not release what is another's by now.
	release?.();
	expect(acquireLock(lock, 5_000, began + 5_001)).toBeUndefined();
	other?.();
	expect(existsSync(lock)).toBe(false);
	other?.();
	expect(acquireLock(lock, 5_000, began)).toBeDefined();
});

it("one dated in the future, because the clock was set back, is left behind", () => {
	acquireLock(lock, 5_000, began + 86_400_000);
	expect(acquireLock(lock, 5_000, began)).toBeDefined();
});

it("what was being released when its process died is free", () => {
	mkdirSync(lock);
	expect(acquireLock(lock, 5_000, began)).toBeDefined();
	expect(acquireLock(lock, 5_000, began)).toBeUndefined();
});

it("where no folder can be made, the system's error is thrown", () => {
	expect(() => acquireLock(join(folder, "nothing", "lock"), 5_000)).toThrow("ENOENT");
});

describe("several at the same moment", () => {
	it("find locks that nobody holds, of dead holders, and half released: one process acquires each", async () => {
		const rounds = 300;
		for (let round = 0; round < rounds; round++) {
			const own = join(folder, `lock-${round}`);
			if (round % 3 === 1) acquireLock(own, 5_000, began);
			if (round % 3 === 2) mkdirSync(own);
		}
		const racer = await programOf(new URL("./racer.ts", import.meta.url));
		const start = String(Date.now() + 1_000);
		const ran = await Promise.all(
			Array.from({ length: 4 }, () => execa(process.execPath, ["--no-warnings", racer.script, folder, String(rounds), start])),
		);
		await racer.remove();
		const won = ran.flatMap(({ stdout }) => JSON.parse(stdout) as number[]).sort((one, other) => one - other);
		expect(won).toEqual(Array.from({ length: rounds }, (_, round) => round));
		expect(readdirSync(folder)).toHaveLength(rounds);
		for (let round = 0; round < rounds; round++) expect(readdirSync(join(folder, `lock-${round}`))).toHaveLength(1);
	});

	it("processes that count to one number in one file, each with the lock, lose none", async () => {
		const counter = await programOf(new URL("./counter.ts", import.meta.url));
		const run = () => execa(process.execPath, ["--no-warnings", counter.script, folder, "200"]);
		await Promise.all([run(), run(), run(), run()]);
		expect((await execa("cat", [join(folder, "count")])).stdout).toBe("800");
		await counter.remove();
	});
});

describe("waiting", () => {
	const times = { patience: 5_000, stale: 3_000 };

	it("it is released, also by what fails", async () => {
		expect(await withLock(lock, times, (held) => [held, existsSync(lock)])).toEqual([true, true]);
		expect(existsSync(lock)).toBe(false);
		await expect(
			withLock(lock, times, () => {
				throw new RangeError("no");
			}),
		).rejects.toThrow("no");
		await expect(withLock(lock, times, () => Promise.reject(new RangeError("no")))).rejects.toThrow("no");
		expect(readdirSync(folder)).toEqual([]);
	});

	it.each([
		["whoever waited in vain goes on without it, and leaves the other's where it is", 0, false],
		["one left behind by a process that died is taken over", 3_000, true],
	])("%s", async (_, age, held) => {
		// The time that passes here is not that of the machine's clock.
		const release = acquireLock(lock, 1, Date.now() - age);
		vi.useFakeTimers({ toFake: ["setTimeout"] });
		const done = withLock(lock, times, (mine) => mine);
		await vi.advanceTimersByTimeAsync(10_000);
		expect(await done).toBe(held);
		expect(existsSync(lock)).toBe(!held);
		release?.();
	});

	it("where no folder can be made, it goes on at once, and is told that it does not hold it", async () => {
		expect(await withLock(join(folder, "nothing", "lock"), times, (held) => held)).toBe(false);
		expect(readdirSync(folder)).toEqual([]);
	});
});
