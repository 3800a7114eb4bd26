import { expect, test } from "vitest";
import { noteBatches } from "../../../src/payments/batch/send/named.js";
import type { CachedRecord } from "../../../src/ports/completion-cache.js";
import type { Profile } from "../../../src/ports/profiles.js";

test("batches are noted by number, day and count, the newest last", () => {
	const noted: CachedRecord[] = [];
	const seen = { note: (_: Profile, records: readonly CachedRecord[]) => void noted.push(...records) };
	noteBatches(seen, { name: "one" } as Profile, [
		{ batch: "10", planned: "2026-03-02T08:00:00Z", count: 3 },
		{ batch: "9", planned: "2026-03-01T08:00:00Z", count: 120 },
	]);
	expect(noted).toEqual([
		{ kind: "batch", id: "9", name: "2026-03-01, 120 transfers" },
		{ kind: "batch", id: "10", name: "2026-03-02, 3 transfers" },
	]);
});
