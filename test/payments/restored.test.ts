/** What adopting a restored backup reads at the service. */
import { expect, test } from "vitest";
import { readSinceBackup } from "../../src/payments/restored/reading.js";

const hour = 3_600_000;
const copied = "2026-03-10T10:00:00.000Z";
const ledgerFromId = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";

async function startOf(skew: number | undefined, batches: object[] = []): Promise<string | undefined> {
	const starts: string[] = [];
	const paid = { operation: "transaction.interLedger", service: "https://api.example.com", transfer: { ledgerFromId }, skew };
	const tools = {
		journal: { list: async () => [paid], holders: async () => new Map() },
		batches: { list: async () => batches },
		service: { page: async (_: unknown, { startDate }: { startDate: string }) => Promise.reject(starts.push(startDate)) },
		place: { baseUrl: "https://api.example.com" },
		now: () => new Date(copied),
	};
	await readSinceBackup(tools as unknown as Parameters<typeof readSinceBackup>[0], { copied }).catch((error) => {
		if (typeof error !== "number") throw error;
	});
	return starts[0];
}

test("it begins a day before the backup, and earlier by as much as this machine's clock was ahead", async () => {
	expect([await startOf(undefined), await startOf(6 * hour)]).toEqual(Array(2).fill("2026-03-09T10:00:00.000Z"));
	expect(await startOf(-48 * hour)).toBe("2026-03-07T10:00:00.000Z");
});

test("while a batch is being sent nothing is read: what is on its way is in no list", async () => {
	await expect(startOf(0, [{ batch: "1", sending: true }])).rejects.toMatchObject({ failure: { code: "BATCH_BUSY" } });
});
