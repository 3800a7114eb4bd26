/**
 * The completion cache on disk: private, bounded, and harmless where it is damaged.
 */
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Profile } from "../../src/ports/profiles.js";
import { createCompletionCache } from "../../src/system/completion-cache.js";
import { createFiles } from "../../src/system/files.js";

const files = createFiles(new AbortController().signal);

const clock = { now: () => new Date() };
const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => void rmSync(folder, { recursive: true })));
const folder = (): string => {
	const path = mkdtempSync(join(tmpdir(), "purser-cache-"));
	folders.push(path);
	return path;
};

describe("the completion cache", () => {
	const profile = (name: string, baseUrl = "https://api.example.com"): Profile => ({
		name,
		baseUrl,
		environment: "sandbox",
		auth: { kind: "none" },
		settings: {},
	});

	test("is private, one for each profile and origin, and keeps the newest 500 of a kind", async () => {
		const state = folder();
		const cache = createCompletionCache(files, clock, async () => state);
		const many = Array.from({ length: 510 }, (_, at) => ({ kind: "ledger" as const, id: `id-${at}`, name: `Ledger ${at}` }));
		cache.note(profile("one"), many);
		cache.note(profile("one", "https://other.example.com"), [{ kind: "ledger", id: "elsewhere" }]);
		await cache.save();
		const again = createCompletionCache(files, clock, async () => state);
		const kept = await again.read(profile("one"), "ledger");
		expect(kept).toHaveLength(500);
		expect(kept[0]).toEqual({ kind: "ledger", id: "id-509", name: "Ledger 509" });
		expect(await again.read(profile("one", "https://other.example.com"), "ledger")).toHaveLength(1);
		expect(await again.read(profile("two"), "ledger")).toEqual([]);
		for (const name of readdirSync(join(state, "seen"))) expect(statSync(join(state, "seen", name)).mode & 0o777).toBe(0o600);
	});

	test("tells one asker that it is old, until the lists were read or that one had its time", async () => {
		const state = folder();
		const at = { now: () => new Date(Date.now() + later) };
		let later = 0;
		const make = () => createCompletionCache(files, at, async () => state);
		const told = async () => (await Promise.all([make(), make(), make()].map((cache) => cache.due(profile("one"))))).sort();
		expect(await told()).toEqual([false, false, true]);
		expect(await make().due(profile("two"))).toBe(true);
		later = 3 * 60_000;
		expect(await told()).toEqual([false, false, true]);
		const reader = make();
		reader.note(profile("one"), [{ kind: "ledger", id: "id" }]);
		reader.replace(profile("one"), ["ledger"]);
		await reader.save();
		later = 12 * 60_000;
		expect(await make().due(profile("one"))).toBe(false);
		later = 14 * 60_000;
		expect(await make().due(profile("one"))).toBe(true);
	});

	test("forgets what a whole list no longer has, of that kind alone", async () => {
		const state = folder();
		const [first, second] = [
			createCompletionCache(files, clock, async () => state),
			createCompletionCache(files, clock, async () => state),
		];
		first.note(profile("one"), [
			{ kind: "ledger", id: "gone" },
			{ kind: "related", id: "stays" },
		]);
		await first.save();
		second.note(profile("one"), [{ kind: "ledger", id: "new" }]);
		second.replace(profile("one"), ["ledger"]);
		await second.save();
		expect((await second.read(profile("one"), "ledger")).map(({ id }) => id)).toEqual(["new"]);
		expect((await second.read(profile("one"), "related")).map(({ id }) => id)).toEqual(["stays"]);
	});

	test("that is damaged, or cannot be written, harms nobody", async () => {
		const state = folder();
		const cache = createCompletionCache(files, clock, async () => state);
		cache.note(profile("one"), [{ kind: "ledger", id: "id" }]);
		await cache.save();
		const [name = ""] = readdirSync(join(state, "seen"));
		writeFileSync(join(state, "seen", name), "{");
		expect(await createCompletionCache(files, clock, async () => state).read(profile("one"), "ledger")).toEqual([]);
		const nowhere = createCompletionCache(files, clock, async () => join(state, "seen", name));
		nowhere.note(profile("one"), [{ kind: "ledger", id: "id" }]);
		await nowhere.save();
	});
});
