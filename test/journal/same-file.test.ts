/**
 * A journal that is moved, deleted or replaced while it is in use: what is written to it then is on record for nobody.
 */
import { copyFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { PurserError } from "../../src/errors.js";
import { openBatches } from "../../src/journal/open-batches.js";
import { batchRules } from "../../src/payments/batch/send/guards.js";
import type { Journal } from "../../src/ports/journal.js";
import { none, planOf, shared, transfer } from "./batch.js";
import { drivers, newFolder, newUuid, open, payment, removeFolders, testClock } from "./journals.js";

afterEach(removeFolders);

const id = "33333333-3333-4333-8333-333333333333";

const codeOf = (work: Promise<unknown>): Promise<unknown> =>
	work.then(
		() => "done",
		(error: unknown) => (error instanceof PurserError ? error.failure.code : error),
	);

const acts: Readonly<Record<string, (file: string) => void>> = {
	"its folder is moved": (file) => renameSync(dirname(file), `${dirname(file)}-old`),
	"its folder is deleted": (file) => rmSync(dirname(file), { recursive: true }),
	"the file is deleted": (file) => rmSync(file),
	"the log beside it is deleted": (file) => rmSync(`${file}-wal`),
	"a copy takes its place": (file) => {
		copyFileSync(file, `${file}.copy`);
		renameSync(`${file}.copy`, file);
	},
};
const cases = drivers.flatMap((driver) => Object.keys(acts).map((name) => [name, driver] as const));

// Windows keeps others from moving or deleting a file that is open.
const shown = process.platform === "win32" ? [] : cases;
if (shown.length === 0) process.stdout.write("not run: on Windows an open journal cannot be moved or deleted\n");

describe.skipIf(shown.length === 0)("a journal in use", () => {
	test.each(shown)("where %s (%s), nothing more is begun, and no end is told as recorded", async (name, driver) => {
		const journal: Journal = await open(newFolder(), { driver });
		const intent = await journal.begin(payment({ reference: "One" }));
		acts[name]?.(journal.file);
		expect(await codeOf(journal.end(intent, { state: "accepted", id, status: 200 }))).toBe("JOURNAL_MOVED");
		expect(await codeOf(journal.begin(payment({ reference: "Two" })))).toBe("JOURNAL_MOVED");
		await journal.close().catch(() => {});
	});

	test.each(shown)("where %s (%s), no row of a batch is marked to leave", async (name, driver) => {
		const directory = newFolder();
		const batches = await openBatches({
			directory,
			profile: { name: "test", environment: "sandbox" },
			clock: testClock(),
			random: { uuid: newUuid, fraction: () => 0.5 },
			rules: batchRules({}),
			driver,
		});
		const { batch } = await batches.open(shared);
		await batches.load(
			batch,
			[1, 2, 3].map((row) => ({ row, transfer: transfer(row) })),
		);
		await batches.seal(batch, planOf(batch, 3, "3.30"));
		await batches.begin(batch, ["planned"], none);
		const [first] = await batches.advance(batch, [], 1);
		acts[name]?.(join(directory, "journal", "test.sandbox.db"));
		const ended = [{ number: first?.number as number, outcome: { state: "accepted", id, status: 200 } as const }];
		expect(await codeOf(batches.advance(batch, ended, 1))).toBe("JOURNAL_MOVED");
		await batches.close().catch(() => {});
	});

	test.each(drivers)("is the same one where a link leads to it now (%s)", async (driver) => {
		const folder = newFolder();
		const journal = await open(folder, { driver });
		renameSync(join(folder, "journal"), join(folder, "elsewhere"));
		symlinkSync(join(folder, "elsewhere"), join(folder, "journal"));
		expect(await codeOf(journal.begin(payment({ reference: "One" })))).toBe("done");
		await journal.close();
	});
});
