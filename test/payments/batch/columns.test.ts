import { expect, it } from "vitest";
import { placesOf, requireColumns } from "../../../src/payments/batch/plan/columns.js";

const found = (header: string[], map: string[] = []) => Object.fromEntries(placesOf(header, map, "pay.csv").places);

it("finds columns without regard to case, spaces, dashes and underscores", () => {
	expect(found(["Ledger from ID", "beneficiary_id", "AMOUNT", "allow-fast-payment"])).toEqual({
		ledgerFromId: 0,
		beneficiaryId: 1,
		amount: 2,
		allowFastPayment: 3,
	});
});

it("tells columns of other scripts apart", () => {
	expect(found(["番号", "金額", "Überweisung"], ["amount=金額", "reference=überweisung"])).toEqual({ amount: 1, reference: 2 });
	expect(() => found(["番号"], ["amount=金額"])).toThrow('there is no column "金額" for --map amount=金額; there are "番号"');
});

it("prefers the title as written, and guesses between no two", () => {
	expect(found(["amount", "Amount"], ["amount=Amount"])).toEqual({ amount: 1 });
	expect(() => found(["Sum", "Sum"], ["amount=Sum"])).toThrow('there are 2 columns "Sum" for --map amount=Sum');
	expect(() => found(["sum ", "S_um"], ["amount=SUM"])).toThrow("there are 2 columns");
	expect(() => found(["Amount", "amount"])).toThrow('the column "amount" appears twice');
});

it("takes one column for one field", () => {
	expect(() => found(["a", "b"], ["amount=a", "amount=b"])).toThrow("--map amount=b repeats the field amount");
	expect(() => found(["a", "b"], ["amount=a", "reference=a"])).toThrow("names a column that another --map already uses");
	expect(() => found(["a"], ["sum=a"])).toThrow("--map sum=a cannot be read");
});

it("leaves a column of a field's own name aside where another is named for it, and says so", () => {
	const { places, ignored } = placesOf(["amount", "Betrag", "note", ""], ["amount=Betrag"], "pay.csv");
	expect([Object.fromEntries(places), ignored]).toEqual([{ amount: 1 }, ["amount", "note"]]);
});

it("says which columns are missing", () => {
	const need = (header: string[], given: string[] = []) =>
		requireColumns(placesOf(header, [], "pay.csv").places, new Set(given), { header, name: "pay.csv", ids: {} });
	expect(() => need(["note"])).toThrow(
		'pay.csv: there is no column for ledgerFromId, amount, ledgerToId or beneficiaryId; there are "note"',
	);
	expect(() => need(["amount", "beneficiaryId"], ["ledgerFromId"])).not.toThrow();
	expect(() => need(["aaaaaaaa-0000-4000-8000-000000000001", "10.00"])).toThrow(
		"pay.csv: the first line is a payment, but must name the columns",
	);
});

it("a payment in the place of the names is told by a deployment's own form of ids too, but not by a word that has it", () => {
	const need = (header: string[], pattern: string) => () =>
		requireColumns(placesOf(header, [], "pay.csv").places, new Set(), { header, name: "pay.csv", ids: { ledger: pattern } });
	expect(need(["acc_123456", "10.00"], "acc_[0-9]{6}")).toThrow("the first line is a payment");
	expect(need(["Betrag", "Konto"], "[A-Za-z0-9]{4,20}")).toThrow("there is no column for ledgerFromId");
});
