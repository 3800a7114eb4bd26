import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execa } from "execa";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { acquireLock, withLock } from "../../../src/system/disk/lock.js";
import { programOf } from "../../support/program.js";

/** Called before each call of the file system, for the tests that let another process act there. */
let before: () => void = () => {};

vi.mock("node:fs", async (original) => {
	const real = await original<typeof import("node:fs")>();
	const watched = Object.entries(real).map(([name, value]) => [
		name,
		/^(mkdir|readdir|rename|rmdir|rm|stat|utimes|writeFile)Sync$/.test(name)
			? (...given: unknown[]) => {
					before();
					return (value as (...given: unknown[]) => unknown)(...given);
				}
			: value,
	]);
	return Object.fromEntries(watched) as typeof real;
});

let folder: string;
let lock: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), "purser-lock-"));
	lock = join(folder, "lock");
});
afterEach(() => {
	before = () => {};
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

it("one dated in the future is left behind, unless its process lives", async () => {
	const ended = execa("true");
	await ended;
	for (const [holder, free] of [
		[process.pid, false],
		[ended.pid, true],
	] as const) {
		rmSync(lock, { recursive: true, force: true });
		mkdirSync(lock);
		writeFileSync(join(lock, `${began + 86_400_000}-${holder}-00000000-0000-4000-8000-000000000001`), "");
		expect([holder, acquireLock(lock, 5_000, began) !== undefined]).toEqual([holder, free]);
	}
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
	/** Runs `act`, with `other` in its whole before the call of the file system with this number; false where there are fewer calls. */
	function interrupted(call: number, act: () => void, other: () => void): boolean {
		let calls = 0;
		before = () => {
			calls += 1;
			if (calls !== call) return;
			const own = before;
			before = () => {};
			other();
			before = own;
		};
		act();
		before = () => {};
		return calls >= call;
	}

	/** How the lock stands before: nobody's, that of a dead holder, or one whose release was cut off. */
	const standings: [string, () => void][] = [
		["that nobody holds", () => {}],
		["of a dead holder", () => void acquireLock(lock, 5_000, began)],
		["that was half released", () => mkdirSync(lock)],
	];

	it.each(standings)("two find a lock %s: at whatever point the second comes, exactly one acquires it", (_, stand) => {
		let points = 0;
		for (let call = 1; ; call++) {
			stand();
			const all: unknown[] = [];
			const acquire = () => void all.push(acquireLock(lock, 5_000, began + 60_000));
			const more = interrupted(call, acquire, acquire);
			if (!more) break;
			points += 1;
			expect([call, all.filter(Boolean).length, all.length]).toEqual([call, 1, 2]);
			expect(readdirSync(folder)).toEqual(["lock"]);
			expect(readdirSync(lock)).toHaveLength(1);
			rmSync(lock, { recursive: true });
		}
		expect(points).toBeGreaterThanOrEqual(2);
	});

	it.each(standings)("three find a lock %s: the third within the second within the first, and exactly one acquires it", (_, stand) => {
		for (let [first, more] = [1, true]; more; first++)
			for (let second = 1; ; second++) {
				stand();
				const all: unknown[] = [];
				const acquire = () => void all.push(acquireLock(lock, 5_000, began + 60_000));
				let nested = false;
				more = interrupted(first, acquire, () => {
					nested = interrupted(second, acquire, acquire);
				});
				if (more && nested) expect([first, second, all.filter(Boolean).length, all.length]).toEqual([first, second, 1, 3]);
				rmSync(lock, { recursive: true });
				if (!nested) break;
			}
	});

	it("its holder releases it late, at whatever point another takes it over: the other keeps it", () => {
		for (let call = 1; ; call++) {
			const late = acquireLock(lock, 5_000, began);
			let other: unknown;
			const more = interrupted(
				call,
				() => late?.(),
				() => {
					other = acquireLock(lock, 5_000, began + 60_000);
				},
			);
			if (!more) break;
			expect([call, other !== undefined, acquireLock(lock, 5_000, began + 60_000)]).toEqual([call, true, undefined]);
			rmSync(lock, { recursive: true });
		}
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
		// Of the future: a holder that lives however long one waits.
		const release = acquireLock(lock, 1, Date.now() + 60_000 - 21 * age);
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
