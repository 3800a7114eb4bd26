import { existsSync, mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { acquireLock, releaseLock } from "../../src/disk/lock.js";

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "purser-turn-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("one of two has a turn, until it is given back or its time is over by the clock that is handed in", () => {
	const lock = join(folder, "turn");
	const began = Date.parse("2026-03-01T12:00:00Z");
	expect(acquireLock(lock, 5_000, began)).toBe(true);
	utimesSync(lock, began / 1_000, began / 1_000);
	expect(acquireLock(lock, 5_000, began + 4_999)).toBe(false);
	expect(acquireLock(lock, 5_000, began + 5_000)).toBe(true);
	expect(readdirSync(folder)).toEqual(["turn"]);
	releaseLock(lock);
	expect(existsSync(lock)).toBe(false);
	releaseLock(lock);
	expect(acquireLock(lock, 5_000, began)).toBe(true);
});

it("where no folder can be made, the system's error is thrown", () => {
	expect(() => acquireLock(join(folder, "nothing", "turn"), 5_000)).toThrow("ENOENT");
});
