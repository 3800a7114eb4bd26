import { expect, test } from "vitest";
import { getBeneficiary, listBeneficiaries } from "../../src/api/operations/beneficiary.js";
import { listCorporates } from "../../src/api/operations/corporate.js";
import { listLedgers } from "../../src/api/operations/ledger.js";
import { listRelated } from "../../src/api/operations/related.js";
import { createInterLedger } from "../../src/api/operations/transaction.js";
import { namesIn } from "../../src/http/call.js";

test("a list of ledgers shows their names", () => {
	expect(namesIn(listLedgers, { content: [{ id: "a", friendlyName: "Main" }, { id: "b" }, { name: "no id" }, 7] })).toEqual([
		{ kind: "ledger", id: "a", name: "Main" },
	]);
});

test("a beneficiary is named where its type says that it is a company", () => {
	const records = [
		{ id: "a", type: "COMPANY", name: "Example SAS", friendlyName: "Our baker", status: "VALID" },
		{ id: "b", type: "INDIVIDUAL", name: "Ada Example", friendlyName: "Ada", status: "VALID" },
		{ id: "c", name: "Ada Example", friendlyName: "Ada" },
	];
	expect(namesIn(listBeneficiaries, records)).toEqual([{ kind: "beneficiary", id: "a", name: "Example SAS" }]);
	expect(namesIn(getBeneficiary, records[1])).toEqual([]);
});

test("persons, companies, payments, and answers that make no sense, show nothing", () => {
	expect(namesIn(createInterLedger, { id: "t", name: "Ada Example" })).toEqual([]);
	expect(namesIn(listRelated, [{ id: "p", firstName: "Ada", name: "Ada Example", type: "COMPANY" }])).toEqual([]);
	expect(namesIn(listCorporates, [{ id: "c", registeredName: "Example" }])).toEqual([]);
	for (const data of [undefined, 42, "text", null, [null]]) expect(namesIn(listLedgers, data)).toEqual([]);
});
