import { afterEach, expect, test } from "vitest";
import { bothSides, paymentsOf, type SentRecord, type Tools } from "../../../src/payments/matching/sides.js";
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

test.each(["before it", "behind it"])("a fee under the id of its payment, listed %s, leaves the payment listed", async (where) => {
	const journal = await open(newFolder());
	const intent = await journal.begin(payment({}, { service, skew: 0 }));
	await journal.end(intent, { state: "in-doubt", reason: "no answer came" });
	const record = (await journal.show(intent))?.record as SentRecord;
	const { amount, reference, counterpartyId } = record.transfer;
	const id = "3f1c9a52-7f0e-4b6e-9d2a-5a1b8c7d6e4f";
	const common = { id, creationDate: record.begun, sender: { ledgerId: ledgerA } };
	const made = { ...common, type: "TRANSFER", amount, information: { reference }, receiver: { ledgerId: counterpartyId } };
	const fee = { ...common, id: id.toUpperCase(), type: "FEE", amount: "0.50" };
	const listed = where === "before it" ? [fee, made] : [made, fee];
	const page = async (_: unknown, __: unknown, at: number) => ({
		found: at === 0 ? listed : [],
		whole: true,
		at: Date.parse(record.begun),
	});
	const now = () => new Date(record.begun);
	const tools = { journal, place: { baseUrl: service }, service: { page } as never, now, settleAfter: 60_000, dry: true };
	const picture = await bothSides(tools, { ledgerId: ledgerA, from: Date.parse(record.begun) });
	if ("unread" in picture) throw new Error(picture.unread);
	expect(picture.listed.length).toBe(2);
	expect(picture.decisions.flatMap(({ findings }) => findings.map(({ line }) => line?.amount))).toEqual([amount]);
	await journal.close();
});
