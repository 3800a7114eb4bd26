/**
 * A journal of version 3 does not say what its payments were sent through: the upgrade records what is in force then.
 */
import { cpSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { inForce } from "../../src/binding/in-force.js";
import { openJournal } from "../../src/journal/open.js";
import { openBatches } from "../../src/journal/open-batches.js";
import { batchRules } from "../../src/payments/batch/send/rules.js";
import { moneyRules } from "../../src/payments/rules/rules.js";
import type { OperationBinding } from "../../src/ports/binding.js";
import { loadDriver } from "../../src/sqlite/drivers.js";
import type { OpenStorage } from "../../src/sqlite/storage.js";
import { drivers, newFolder, newUuid, removeFolders, testClock } from "../journal/journals.js";
import { watched } from "./changes.js";
import { unpackBound } from "./released.js";

afterEach(removeFolders);

const overrides: Record<string, OperationBinding> = {
	"transaction.interLedger": { path: "/transfers", fields: { amount: "value" } },
	"transaction.list": { path: "/movements", headers: { "x-key": "hush" } },
};
const paymentDigest = "97ab5f7f";

const options = (directory: string, replaced = overrides) => ({
	directory,
	profile: { name: "bound", environment: "sandbox" as const },
	clock: testClock("2026-11-23T08:00:00.000Z"),
	random: { uuid: newUuid, fraction: () => 0.5 },
	inForce: async () => inForce({ overrides: replaced }),
	driver: drivers[0],
});
const opened = (directory: string, replaced = overrides, rest: object = {}) =>
	openJournal({ ...options(directory, replaced), rules: moneyRules({}), ...rest });

describe("a journal of version 3", () => {
	test("says after its upgrade what its payments were sent through, and rows of a batch too", async () => {
		const folder = newFolder();
		unpackBound(folder);
		const journal = await opened(folder);
		const doubts = await journal.list({ states: ["in-doubt"] });
		expect(doubts.map(({ intent, row, binding }) => [intent, row, binding])).toEqual([
			["5", 2, undefined],
			["2", undefined, undefined],
		]);
		for (const doubt of doubts) {
			const through = await journal.through(doubt);
			expect(through?.digest?.slice(0, 8)).toBe(paymentDigest);
			expect((await journal.binding(through?.lookUps ?? ""))?.operations).toEqual({
				// The digest of "hush": a header's value may be a secret.
				"transaction.list": {
					path: "/movements",
					headers: { "x-key": "dc8331bcb2283e89d275a1c2fe66f7bf5ac3163ec1967f149dd7e27906365f0c" },
				},
			});
		}
		expect((await journal.verify()).faults).toEqual([]);
		const digest = (await journal.through({ intent: "1", operation: "transaction.interLedger" }))?.digest ?? "";
		expect(await journal.paidThrough("transaction.interLedger", digest)).toEqual({ accepted: true, final: false });
		expect(await journal.paidThrough("transaction.beneficiary", digest)).toEqual({ accepted: false, final: false });
		await journal.close();
	});

	test("the binding of later is not that of then", async () => {
		const folder = newFolder();
		unpackBound(folder);
		await (await opened(folder)).close();
		const later = { "transaction.list": { path: "/elsewhere" }, "transaction.interLedger": { path: "/pay" } };
		const journal = await opened(folder, later);
		const through = await journal.through({ intent: "2", operation: "transaction.interLedger" });
		expect((await journal.binding(through?.lookUps ?? ""))?.operations["transaction.list"]?.path).toBe("/movements");
		const now = inForce({ overrides: later }).through["transaction.interLedger"]?.digest ?? "";
		expect(await journal.paidThrough("transaction.interLedger", now)).toEqual({ accepted: false, final: false });
		await journal.close();
	});

	test("without anything bound, everything was as described", async () => {
		const folder = newFolder();
		unpackBound(folder);
		const journal = await opened(folder, {});
		expect(await journal.through({ intent: "2", operation: "transaction.interLedger" })).toBeNull();
		await journal.close();
	});

	test("the batches of a journal upgrade it in the same way", async () => {
		const folder = newFolder();
		unpackBound(folder);
		await (await openBatches({ ...options(folder), rules: batchRules({}) })).close();
		const journal = await opened(folder, {});
		expect((await journal.through({ intent: "5", operation: "transaction.interLedger" }))?.digest?.slice(0, 8)).toBe(paymentDigest);
		await journal.close();
	});

	test("killed at every step of its upgrade, what was in force is recorded once, with the version", async () => {
		const folder = newFolder();
		unpackBound(folder);
		const moments: string[] = [];
		const storage: OpenStorage = watched(await loadDriver(drivers[0]), () => {
			const copy = newFolder();
			cpSync(folder, copy, { recursive: true });
			moments.push(copy);
		});
		await (await opened(folder, overrides, { storage, driver: undefined })).close();
		expect(moments.length).toBeGreaterThan(8);
		for (const copy of moments) {
			const journal = await opened(copy);
			expect((await journal.through({ intent: "2", operation: "transaction.interLedger" }))?.digest?.slice(0, 8)).toBe(paymentDigest);
			const kinds: string[] = [];
			for await (const { kind } of journal.events(0)) kinds.push(kind);
			expect(kinds.filter((kind) => kind === "binding" || kind === "upgraded")).toEqual(["binding", "binding", "upgraded"]);
			expect((await journal.verify()).faults).toEqual([]);
			await journal.close();
		}
	});
});
