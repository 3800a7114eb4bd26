import { expect, test } from "vitest";
import { listBeneficiaries } from "../../src/api/operations/beneficiary.js";
import { listLedgers } from "../../src/api/operations/ledger.js";
import { listRelated } from "../../src/api/operations/related.js";
import { createInterLedger, getTransaction } from "../../src/api/operations/transaction.js";
import { namesIn } from "../../src/http/call.js";

test("a beneficiary's name is personal unless its type says that it is a company, and a person's always is", () => {
	const records = [
		{ id: "a", type: "COMPANY", name: "Example SAS", friendlyName: "Our baker", status: "VALID" },
		{ id: "b", type: "INDIVIDUAL", name: "Ada Example", friendlyName: "Ada", status: "VALID" },
		{ id: "c", name: "Ada Example", friendlyName: "Ada" },
	];
	expect(namesIn(listBeneficiaries, records)).toEqual([
		{ kind: "beneficiary", id: "a", name: "Example SAS" },
		{ kind: "beneficiary", id: "b", name: "Ada Example", personal: true },
		{ kind: "beneficiary", id: "c", name: "Ada Example", personal: true },
	]);
	expect(
		namesIn(
			listRelated,
			[
				{ id: "p", firstName: "Ada" },
				{ id: "h", corporateName: "Holding" },
			],
			{ params: { corporateId: "c" } },
		),
	).toEqual([
		{ kind: "related", id: "p", name: "Ada", of: "c", personal: true },
		{ kind: "related", id: "h", name: "Holding", of: "c" },
	]);
	expect(namesIn(getTransaction, { id: "t", amount: "9.50", currency: "EUR", receiver: { name: "Ada" } })).toEqual([
		{ kind: "transaction", id: "t", name: "9.50 EUR to Ada", personal: true },
	]);
});

test("answers to changes, and those that make no sense, show nothing", () => {
	expect(namesIn(createInterLedger, { id: "t", name: "Ada Example" })).toEqual([]);
	for (const data of [undefined, 42, "text", null, [null]]) expect(namesIn(listLedgers, data)).toEqual([]);
});
