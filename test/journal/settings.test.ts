/**
 * The settings that guard money, on record in the journal: what is compared before money moves, and what a check finds.
 */

import { afterEach, expect, test } from "vitest";
import { adviceText } from "../../src/api/advice.js";
import { statementsOf } from "../../src/journal/sqlite/connection.js";
import { WriteTransaction } from "../../src/journal/tables/transaction.js";
import { guardsOf } from "../../src/payments/rules/guards.js";
import type { Journal } from "../../src/ports/journal.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import { change, newFolder, open, payment, removeFolders } from "./journals.js";

afterEach(removeFolders);

const records = async (journal: Journal): Promise<unknown[]> => {
	const found: unknown[] = [];
	for await (const { kind, content } of journal.events(0)) if (kind === "settings") found.push(content);
	return found;
};
const paid = (reference: string, operator?: string) => payment({ reference, amount: "1" }, { operator });

/** Pays once under these settings, in a process of its own. @returns what was told */
async function payUnder(folder: string, settings: Record<string, string>, reference: string, operator?: string): Promise<string[]> {
	const journal = await open(folder, { settings });
	const told: string[] = [];
	await journal.begin(paid(reference, operator), { warn: (message) => told.push(adviceText(message)) });
	expect((await journal.verify()).faults).toEqual([]);
	await journal.close();
	return told;
}

test("the first payment records what is in force and tells nothing; the same settings record nothing more", async () => {
	const folder = newFolder();
	expect(await payUnder(folder, { "cap-per-day": "100 EUR", timeout: "5" }, "one", "anna")).toEqual([]);
	expect(await payUnder(folder, { "cap-per-day": "100 EUR", timeout: "9" }, "two", "ben")).toEqual([]);
	const journal = await open(folder);
	expect(await records(journal)).toEqual([{ how: "first", operator: "anna", changes: [], settings: { "cap-per-day": "100 EUR" } }]);
});

test("a change made outside is recorded with the payment that follows it, and told once; it is not refused", async () => {
	const folder = newFolder();
	await payUnder(folder, { "cap-per-day": "100 EUR", approval: "above 50 EUR" }, "one");
	const told = await payUnder(folder, { "cap-per-day": "1000 EUR" }, "two", "ben");
	expect(told).toEqual([
		"settings that guard money were changed without purser: approval from above 50 EUR to not set; cap-per-day from 100 EUR to 1000 EUR. They are in force, and the change is on record now: purser history export --kind settings",
	]);
	expect(await payUnder(folder, { "cap-per-day": "1000 EUR" }, "three")).toEqual([]);
	const journal = await open(folder);
	expect((await records(journal))[1]).toEqual({
		how: "outside",
		operator: "ben",
		changes: [
			{ key: "approval", old: "above 50 EUR" },
			{ key: "cap-per-day", old: "100 EUR", new: "1000 EUR" },
		],
		settings: { "cap-per-day": "1000 EUR" },
	});
});

test("what moves no money records no settings, and what is refused changes nothing on record", async () => {
	const folder = newFolder();
	const journal = await open(folder, { settings: { "cap-per-transfer": "0.50" } });
	await journal.begin(change());
	await expect(journal.begin(paid("one"))).rejects.toMatchObject({ failure: { code: "CAP_PER_TRANSFER" } });
	expect(await records(journal)).toEqual([]);
});

test("a change by command is recorded with who made it, after what was changed outside before it", async () => {
	const folder = newFolder();
	await payUnder(folder, { "cap-per-day": "100 EUR" }, "one", "anna");
	const journal = await open(folder);
	await journal.changeSettings({ before: { "cap-per-day": "200 EUR" }, after: { "cap-per-day": "300 EUR" }, operator: "ben" });
	await journal.changeSettings({ before: { "cap-per-day": "300 EUR" }, after: { "cap-per-day": "300 EUR" }, operator: "ben" });
	const record = (how: string, from: string, to: string) => {
		const changes = [{ key: "cap-per-day", old: from, new: to }];
		return { how, operator: "ben", changes, settings: { "cap-per-day": to } };
	};
	const expected = [record("outside", "100 EUR", "200 EUR"), record("command", "200 EUR", "300 EUR")];
	expect((await records(journal)).slice(1)).toEqual(expected);
	expect((await journal.verify()).faults).toEqual([]);
});

test("of approvers and planners the keys go on record, in one way of writing and without names", () => {
	const [one, other] = ["A".repeat(43), `${"B".repeat(42)}A`];
	const sloppy = `${"A".repeat(42)}B`;
	const kept = guardsOf({ approvers: `wilhelmina=${other}, anna=${sloppy}`, planners: `ci=${one}`, "plan-hours": "3", approval: " " });
	expect(kept).toEqual({ approvers: `${one},${other}`, planners: one });
	expect(JSON.stringify(kept)).not.toMatch(/wilhelmina|anna|ci=/);
});

test("verify finds settings that do not follow from those before, although every hash is right", async () => {
	const folder = newFolder();
	await payUnder(folder, { "cap-per-day": "100 EUR" }, "one");
	const journal = await open(folder);
	const append = async (content: object): Promise<void> => {
		const storage = (await loadDriver())(journal.file, { wait: 1_000 });
		const transaction = await WriteTransaction.begin(statementsOf(storage), new Date("2026-03-01T11:00:00.000Z"));
		await transaction.append("settings", undefined, content);
		await transaction.finish();
		storage.close();
	};
	// The control: one that follows.
	const changes = [{ key: "cap-per-day", old: "100 EUR", new: "200 EUR" }];
	await append({ how: "outside", changes, settings: { "cap-per-day": "200 EUR" } });
	expect((await journal.verify()).faults).toEqual([]);
	await append({ how: "outside", changes, settings: { "cap-per-day": "900 EUR" } });
	await append({ how: "first", changes: [], settings: { "cap-per-day": "900 EUR" } });
	expect((await journal.verify()).faults).toEqual([
		"the settings recorded in event 5 do not follow from those recorded before",
		"the settings recorded in event 6 do not follow from those recorded before",
	]);
});
