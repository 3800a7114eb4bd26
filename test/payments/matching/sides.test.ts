import { afterEach, expect, test } from "vitest";
import { bothSides, comparable, paymentsOf, type SentRecord, type Tools } from "../../../src/payments/matching/sides.js";
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

test.each([
	["that one other has in the company's list", "Example Supplies Ltd"],
	["that the list does not show", "Somebody Else"],
])("a payee who is not in the company's list is not known by a name %s", async (_, name) => {
	const journal = await open(newFolder());
	const transfer = {
		kind: "beneficiary" as const,
		ledgerFromId: ledgerA,
		counterpartyId: "5b0e4a11-93c7-4f0d-8a62-7c1d2e3f4a5b",
		amount: "10.00",
	};
	const record = { intent: "1", attempt: 1, state: "in-doubt", begun: "2026-11-20T10:00:00Z", transfer } as unknown as SentRecord;
	const reading = {
		get: async ({ id }: { id: string }) => (id === "ledger.get" ? { id: ledgerA, endUserId: "u" } : { id: transfer.counterpartyId, name }),
		list: async () => ({ records: [{ id: "5b0e4a11-93c7-4f0d-8a62-7c1d2e3f4a5c", name: "Example Supplies Ltd" }], complete: true }),
	};
	const tools = { journal, service: reading } as Partial<Record<keyof Tools, unknown>> as Tools;
	const { payments } = await comparable(tools, ledgerA, [record], { lines: [{ amount: "10.00", receiverName: name }] });
	expect(payments.map(({ payee }) => payee?.alone)).toEqual([[]]);
	await journal.close();
});
