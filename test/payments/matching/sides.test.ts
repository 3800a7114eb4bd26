import { afterEach, expect, test } from "vitest";
import { paymentsOf, type Tools } from "../../../src/payments/matching/sides.js";
import { ledgerA, newFolder, open, payment, removeFolders } from "../../journal/journals.js";

afterEach(removeFolders);

const service = "https://api.example.com";

test("both sides end with the first payment on record, also where the last page is full", async () => {
	const journal = await open(newFolder());
	await Promise.all(Array.from({ length: 1_000 }, (_, index) => journal.begin(payment({ reference: `Row ${index}` }, { service }))));
	const tools = { journal, place: { baseUrl: service } } as Partial<Tools> as Tools;
	const found: string[] = [];
	for await (const { intent } of paymentsOf(tools, ledgerA, 0)) found.push(intent);
	expect([found.length, found[0], found.at(-1)]).toEqual([1_000, "1000", "1"]);
	await journal.close();
});
