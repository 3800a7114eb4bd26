/**
 * Doubts of batches to beneficiaries at the sandbox, whose list shows the documented fields alone: the name of an external payee, the ledger of
 * one that is hosted.
 */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { type Service, seeded, started, startService } from "./service.js";

const rows = 48;
const payees = { external: seeded.supplier, hosted: "bbbbbbbb-0003-4000-8000-000000000003" };

let service: Service;
afterEach(() => service.stop());

const transactions = async (): Promise<number> =>
	((await (await fetch(`${service.url}/_sandbox/summary`)).json()) as { transactions: number }).transactions;

/**
 * Plans a batch.
 * @param count of rows
 * @param digits of the number in each reference; without them some references are the beginning of others
 * @returns the plan
 */
async function planned(payee: string, count: number, digits = 0): Promise<string> {
	const lines = Array.from(
		{ length: count },
		(_, row) => `${seeded.main},${payee},1.${10 + (row % 3)},Invoice ${String(row + 1).padStart(digits, "0")}`,
	);
	const file = join(service.folder, "pay.csv");
	await writeFile(file, `ledgerFromId,beneficiaryId,amount,reference\n${lines.join("\n")}\n`);
	const { exit, stderr } = await service.purser(["pay", "batch", "plan", file, "--json"]);
	expect(exit, stderr).toBe(0);
	return `${file}.plan.json`;
}

const killed = "a batch is killed while answers are outstanding (%s payee): what was made settles without a person";
test.each(Object.entries(payees))(killed, async (_, payee) => {
	service = await startService([], "transaction.beneficiary=delay:2000ms");
	const before = await transactions();
	const plan = await planned(payee, rows, 3);
	const run = started(["pay", "batch", "send", plan, "--yes", "--json", "--jobs", "48"], service.env);
	for (let waits = 0; (await transactions()) === before && waits < 1_000; waits += 1)
		await new Promise((resolve) => setTimeout(resolve, 50));
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	run.kill("SIGKILL");
	await run;
	const made = (await transactions()) - before;
	expect(made).toBeGreaterThan(0);
	const { json } = await service.purser(["pay", "settle", "--batch", "1", "--json"]);
	const found: { state: string; finding?: string }[] = json();
	expect(found.filter(({ state }) => state === "accepted")).toHaveLength(made);
	// What was written down and never arrived is left to a person.
	expect(found.filter(({ state, finding }) => state !== "accepted" && finding !== "not-listed")).toEqual([]);
});
