/**
 * Journals for tests: a folder of their own, a clock in the test's hands, either driver.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openJournal } from "../../src/journal/open.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import type { AnchorPlace } from "../../src/ports/anchor.js";
import type { JournalIntent } from "../../src/ports/intent.js";
import type { Journal } from "../../src/ports/journal.js";
import type { DriverName } from "../../src/sqlite/drivers.js";
import type { OpenStorage } from "../../src/sqlite/storage.js";

export { ledgerA, ledgerB, payment } from "./payment.js";

/** The drivers this Node can run; libsql is always there. */
export const allDrivers: readonly DriverName[] = isBuiltin("node:sqlite") ? ["built-in", "libsql"] : ["libsql"];

/** Those that are tested each by itself: test/nodes starts a newer Node, and libsql has been tested without it. */
export const drivers = process.env.PURSER_THIS_NODE === undefined ? allDrivers : allDrivers.slice(0, 1);

export const missing = isBuiltin("node:sqlite")
	? undefined
	: `node:sqlite is not run: this is Node ${process.versions.node}, and it is there from 22.13; the same tests run with libsql`;

export interface TestClock {
	now(): Date;
	monotonic(): number;
	sleep(milliseconds: number): Promise<void>;
	set(time: string): void;
	advance(milliseconds: number): void;
}

export function testClock(start = "2026-03-01T10:00:00.000Z"): TestClock {
	let now = Date.parse(start);
	return {
		now: () => new Date(now),
		monotonic: () => now,
		sleep: async (milliseconds) => {
			now += milliseconds;
		},
		set: (time) => {
			now = Date.parse(time);
		},
		advance: (milliseconds) => {
			now += milliseconds;
		},
	};
}

let folders: string[] = [];

/** A new folder, removed by {@link removeFolders}. */
export function newFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "purser-journal-"));
	folders.push(folder);
	return folder;
}

export function removeFolders(): void {
	for (const folder of folders) rmSync(folder, { recursive: true, force: true });
	folders = [];
}

let uuids = 0;

/** A different one each time, in this process. */
export function newUuid(): string {
	uuids += 1;
	return `${process.pid.toString(16).padStart(8, "0")}-0000-4000-8000-${uuids.toString(16).padStart(12, "0")}`;
}

export interface TestOptions {
	clock?: TestClock;
	settings?: Record<string, string>;
	driver?: DriverName;
	storage?: OpenStorage;
	profile?: { name: string; environment: "sandbox" | "live" };
	anchor?: () => Promise<AnchorPlace>;
}

export function open(directory: string, options: TestOptions = {}): Promise<Journal> {
	return openJournal({
		directory,
		profile: options.profile ?? { name: "test", environment: "sandbox" },
		clock: options.clock ?? testClock(),
		random: { uuid: newUuid, fraction: () => 0.5 },
		rules: moneyRules(options.settings ?? {}),
		driver: options.driver,
		storage: options.storage,
		anchor: options.anchor,
	});
}

/** A change that moves no money. */
export function change(rest: Partial<JournalIntent> = {}): JournalIntent {
	return {
		operation: "corporate.create",
		effect: "write",
		profile: "test",
		origin: "https://api.example.com",
		method: "POST",
		path: "/api/partner/corporates",
		digest: "1".repeat(64),
		...rest,
	};
}
