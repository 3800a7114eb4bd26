/**
 * A journal that is moved, deleted or replaced while it is in use: what is written to it then is on record for nobody.
 */
import { copyFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { none, planned } from "./batch.js";
import { codeOf, drivers, newFolder, open, openRows, payment, removeFolders } from "./journals.js";

afterEach(removeFolders);

const id = "33333333-3333-4333-8333-333333333333";

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
		const journal = await open(newFolder(), { driver });
		const intent = await journal.begin(payment({ reference: "One" }));
		acts[name]?.(journal.file);
		expect(await codeOf(journal.end(intent, { state: "accepted", id, status: 200 }))).toBe("JOURNAL_MOVED");
		expect(await codeOf(journal.begin(payment({ reference: "Two" })))).toBe("JOURNAL_MOVED");
	});

	test.each(shown)("where %s (%s), no row of a batch is marked to leave", async (name, driver) => {
		const directory = newFolder();
		const batches = await openRows(directory, { driver });
		const batch = await planned(batches, [1, 2, 3]);
		await batches.begin(batch, ["planned"], none);
		const [first] = await batches.advance(batch, [], 1);
		acts[name]?.(join(directory, "journal", "test.sandbox.db"));
		const ended = [{ number: first?.number as number, outcome: { state: "accepted", id, status: 200 } as const }];
		expect(await codeOf(batches.advance(batch, ended, 1))).toBe("JOURNAL_MOVED");
	});

	test.each(drivers)("is the same one where a link leads to it now (%s)", async (driver) => {
		const folder = newFolder();
		const journal = await open(folder, { driver });
		renameSync(join(folder, "journal"), join(folder, "elsewhere"));
		symlinkSync(join(folder, "elsewhere"), join(folder, "journal"));
		expect(await codeOf(journal.begin(payment({ reference: "One" })))).toBe("done");
	});
});
