/**
 * Names from earlier answers on disk: private, bounded, and harmless where it is damaged.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Profile } from "../../src/ports/profiles.js";
import { createFiles } from "../../src/system/files.js";
import { createSeenNames } from "../../src/system/seen-names.js";

const files = createFiles(new AbortController().signal);

const folders: string[] = [];
afterEach(() => folders.splice(0).forEach((folder) => void rmSync(folder, { recursive: true })));
const folder = (): string => {
	const path = mkdtempSync(join(tmpdir(), "purser-cache-"));
	folders.push(path);
	return path;
};

describe("the file of names", () => {
	const profile = (name: string, baseUrl = "https://api.example.com"): Profile => ({
		name,
		baseUrl,
		environment: "sandbox",
		auth: { kind: "none" },
		settings: {},
	});

	test("is private, one for each profile and origin, and keeps the newest 500 of a kind", async () => {
		const state = folder();
		const cache = createSeenNames(files, async () => state);
		const many = Array.from({ length: 510 }, (_, at) => ({ kind: "ledger" as const, id: `id-${at}`, name: `Ledger ${at}` }));
		cache.note(profile("one"), many);
		cache.note(profile("one", "https://other.example.com"), [{ kind: "ledger", id: "elsewhere", name: "Elsewhere" }]);
		await cache.save();
		const again = createSeenNames(files, async () => state);
		const kept = await again.read(profile("one"));
		expect(kept).toHaveLength(500);
		expect(kept[0]).toEqual({ kind: "ledger", id: "id-509", name: "Ledger 509" });
		expect(await again.read(profile("one", "https://other.example.com"))).toHaveLength(1);
		expect(await again.read(profile("two"))).toEqual([]);
		for (const name of readdirSync(join(state, "seen"))) expect(statSync(join(state, "seen", name)).mode & 0o777).toBe(0o600);
	});

	test("has no natural person's name, only the company that they belong to; this run knows the name", async () => {
		const state = folder();
		const cache = createSeenNames(files, async () => state);
		cache.note(profile("one"), [{ kind: "related", id: "p", name: "Ada Example", of: "c", personal: true }]);
		cache.note(profile("one"), [{ kind: "related", id: "p", name: "Ada Example", personal: true }]);
		expect(await cache.read(profile("one"))).toEqual([{ kind: "related", id: "p", name: "Ada Example", of: "c", personal: true }]);
		await cache.save();
		expect(await createSeenNames(files, async () => state).read(profile("one"))).toEqual([{ kind: "related", id: "p", name: "", of: "c" }]);
	});
});
