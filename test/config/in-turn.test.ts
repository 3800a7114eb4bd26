import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { withLock, withLongLock } from "../../src/config/secrets/renewal-lock.js";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "purser-turn-"));
});
afterEach(() => {
	vi.useRealTimers();
	rmSync(folder, { recursive: true });
});

it("a turn is given back, also by what fails", async () => {
	const lock = join(folder, "turn");
	expect(await withLock(lock, () => existsSync(lock))).toBe(true);
	expect(existsSync(lock)).toBe(false);
	await expect(
		withLock(lock, () => {
			throw new RangeError("no");
		}),
	).rejects.toThrow("no");
	expect(existsSync(lock)).toBe(false);
});

it("whoever waited in vain goes on, and leaves the other's turn where it is", async () => {
	const lock = join(folder, "turn");
	mkdirSync(lock);
	// Of a program that lives: it looks new however long one waits.
	const soon = new Date(Date.now() + 60_000);
	utimesSync(lock, soon, soon);
	vi.useFakeTimers({ toFake: ["setTimeout"] });
	const done = withLock(lock, () => "done");
	await vi.advanceTimersByTimeAsync(10_000);
	expect(await done).toBe("done");
	expect(existsSync(lock)).toBe(true);
});

it("a turn left behind by a program that died is taken", async () => {
	const lock = join(folder, "turn");
	mkdirSync(lock);
	const before = new Date(Date.now() - 60_000);
	utimesSync(lock, before, before);
	const start = performance.now();
	expect(await withLock(lock, () => "done")).toBe("done");
	expect(performance.now() - start).toBeLessThan(2_000);
	expect(readdirSync(folder)).toEqual([]);
});

it("a long turn is had alone and given back, also by what fails", async () => {
	const lock = join(folder, "turn");
	expect(await withLongLock(lock, async (mine) => [mine, existsSync(lock)])).toEqual([true, true]);
	expect(existsSync(lock)).toBe(false);
	await expect(withLongLock(lock, () => Promise.reject(new RangeError("no")))).rejects.toThrow("no");
	expect(readdirSync(folder)).toEqual([]);
});

it("where no folder can be made, what needs a long turn goes on at once, and knows that it is not alone", async () => {
	expect(await withLongLock(join(folder, "nothing", "turn"), async (mine) => mine)).toBe(false);
	expect(readdirSync(folder)).toEqual([]);
});

it.each([
	[30_000, false],
	[50_000, true],
])("a long turn that is %i ms old is that of a dead program: %s", async (age, dead) => {
	const lock = join(folder, "turn");
	mkdirSync(lock);
	const before = new Date(Date.now() - age);
	utimesSync(lock, before, before);
	vi.useFakeTimers({ toFake: ["setTimeout"] });
	const done = withLongLock(lock, async (mine) => mine);
	await vi.advanceTimersByTimeAsync(20_000);
	expect(await done).toBe(dead);
	expect(existsSync(lock)).toBe(!dead);
});
