import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inTurn } from "../../src/config/turn.js";

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
	expect(await inTurn(lock, () => existsSync(lock))).toBe(true);
	expect(existsSync(lock)).toBe(false);
	await expect(
		inTurn(lock, () => {
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
	const done = inTurn(lock, () => "done");
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
	expect(await inTurn(lock, () => "done")).toBe("done");
	expect(performance.now() - start).toBeLessThan(2_000);
	expect(readdirSync(folder)).toEqual([]);
});
